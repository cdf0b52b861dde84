"""Registering many tournaments at once: all of them or none (0.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from players.models import Federation
from tournaments.choices import Registration
from tournaments.conditions import COMPARED, Conditions
from tournaments.models import Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.registered_conditions import (
    already_registered,
    differing,
    event_id_for,
    registered_like,
)
from tournaments.services.registration import register_tournament, registration_for
from tournaments.services.registration_rules import refusals_of


@dataclass(frozen=True, slots=True)
class RowPreview:
    """The result of registering one row: `like` is there already, `refusals` are the reasons against it."""

    request: Conditions
    waits: bool
    like: Tournament | None
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class BulkRegistration:
    """How many tournaments were registered, and how many the person had registered before."""

    registered: int
    already: int


def prospects(requests: Mapping[int, Conditions], *, by: Any, on: date) -> dict[int, RowPreview]:
    """Return the result of registering on a day, by line."""
    # One query for the whole file.
    days, codes = ({getattr(one, name) for one in requests.values()} for name in ("start", "federation_code"))
    there = [*Tournament.objects.filter(start__in=days, federation_id__in=codes).order_by("pk")]
    first_line: dict[str, int] = {}
    found: dict[int, RowPreview] = {}
    lookups = Lookups()
    for line, request in requests.items():
        before = first_line.setdefault(event_id_for(request), line)
        like = registered_like(request, among=there)
        # Another city or time control under the same name is no second upload and needs an answer.
        is_done = (
            like is not None and like.registered_by == by and not any(differing(like, request, COMPARED))
        )
        # A row that was registered before may be past its first day by now, which must not refuse the file.
        refusals = () if is_done else tuple(refusals_of(request, on=on, lookups=lookups))
        if before != line:
            message = _("Same tournament as in line %(line)d.") % {"line": before}
            refusals = (*refusals, Refusal("twice-in-the-file", message, "name"))
        elif like is not None and not is_done:
            refusals = (*refusals, replace(already_registered(request, like), field="name"))
        waits = registration_for(request, on=on) == Registration.WAITING
        found[line] = RowPreview(
            request=request, waits=waits, like=like if is_done else None, refusals=refusals
        )
    return found


def register_all(requests: Mapping[int, Conditions], *, by: Any, on: date, at: datetime) -> BulkRegistration:
    """Register what is not registered yet, all or nothing; sent again it changes nothing.

    RefusedError where something came between.
    """
    with transaction.atomic():
        codes = {request.federation_code for request in requests.values()}
        # All of them in one order, before the account: two who register for the same ones do not block each other.
        list(Federation.objects.select_for_update(no_key=True).filter(pk__in=codes).order_by("pk"))
        # Again under the lock: what the preview showed may have changed.
        planned = prospects(requests, by=by, on=on)
        refusals = [refusal for prospect in planned.values() for refusal in prospect.refusals]
        if refusals:
            raise RefusedError(refusals)
        new = [prospect.request for prospect in planned.values() if prospect.like is None]
        for request in new:
            register_tournament(request, by=by, on=on, at=at)
    return BulkRegistration(registered=len(new), already=len(planned) - len(new))
