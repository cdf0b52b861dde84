"""Registering many tournaments at once: all of them or none (0.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from players.models import Federation
from tournaments.choices import Registration
from tournaments.conditions import Conditions
from tournaments.models import Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.registered_conditions import already_registered, event_id_for, same_registration
from tournaments.services.registration import register_tournament, registration_for
from tournaments.services.registration_rules import refusals_of


@dataclass(frozen=True, slots=True)
class RowPreview:
    """The result of registering one row; `refusals` are the reasons against it."""

    request: Conditions
    waits: bool
    is_done: bool
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class BulkRegistration:
    """How many tournaments were registered, and how many the person had registered before."""

    registered: int
    already: int


def prospects(requests: Mapping[int, Conditions], *, by: Any, on: date) -> dict[int, RowPreview]:
    """Return the result of registering on a day, by line."""
    ids = {line: event_id_for(request) for line, request in requests.items()}
    # One query for the whole file; only for known IDs the tournament itself is compared.
    known = set(Tournament.objects.filter(event_id__in=ids.values()).values_list("event_id", flat=True))
    first_line: dict[str, int] = {}
    found: dict[int, RowPreview] = {}
    lookups = Lookups()
    for line, request in requests.items():
        before = first_line.setdefault(ids[line], line)
        is_done = ids[line] in known and same_registration(request, by=by) is not None
        # A row that was registered before may be past its first day by now, which must not refuse the file.
        refusals = () if is_done else tuple(refusals_of(request, on=on, lookups=lookups))
        if before != line:
            message = _("Same tournament as in line %(line)d.") % {"line": before}
            refusals = (*refusals, Refusal("twice-in-the-file", message, "name"))
        elif ids[line] in known and not is_done:
            refusals = (*refusals, already_registered(request))
        waits = registration_for(request, on=on) == Registration.WAITING
        found[line] = RowPreview(request=request, waits=waits, is_done=is_done, refusals=refusals)
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
        new = [prospect.request for prospect in planned.values() if not prospect.is_done]
        for request in new:
            register_tournament(request, by=by, on=on, at=at)
    return BulkRegistration(registered=len(new), already=len(planned) - len(new))
