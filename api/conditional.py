"""Validators of what is published, so that a caller who has it already is told so before anything heavy is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from rest_framework.request import Request

from api.errors import ChangedError
from players.queries.minors import NOBODY, Minors
from ratings.models import RatingList

# Counts up when the form of an answer changes, for the same publication then reads otherwise.
FORM = "3"
FRESH_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Validators:
    """The ETag of a resource, and when it was published; None where something else may change it too."""

    etag: str
    last_modified: datetime | None = None


def of_lists(lists: Iterable[RatingList], *parts: Any, minors: Minors = NOBODY) -> Validators:
    """Return the validators of what follows from these lists alone, and of the parts that name the form.

    Where minors are shown with an age band, no day of a publication tells since when.
    """
    lists = list(lists)
    keys = [(item.pk, item.published_at.isoformat(), item.manifest_sha256) for item in lists]
    latest = max((item.published_at for item in lists), default=None)
    return Validators(_tag(keys, *parts, minors), None if minors.codes else latest)


def of_values(*parts: Any) -> Validators:
    """Return the validators of what follows from these values."""
    return Validators(_tag(*parts))


def answer(
    request: Request, validators: Validators, make: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """Return 304 where the caller has the resource, else what `make` makes; both with the validators."""
    moment = validators.last_modified
    seconds = int(moment.timestamp()) if moment else None
    known = get_conditional_response(request._request, etag=validators.etag, last_modified=seconds)
    if known is not None and known.status_code == 412:
        raise ChangedError
    response = make() if known is None else known
    response["ETag"] = validators.etag
    if seconds is not None:
        response["Last-Modified"] = http_date(seconds)
    response["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
    return response


def _tag(*parts: Any) -> str:
    digest = hashlib.sha256(repr((FORM, *parts)).encode()).hexdigest()
    return f'W/"{digest[:32]}"'
