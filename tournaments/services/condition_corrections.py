"""Correcting the conditions of a tournament that has an accepted report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from tournaments.amendments import Condition
from tournaments.choices import ReportState, Stage
from tournaments.conditions import COLUMNS, CORRECTED, Conditions
from tournaments.models import Tournament
from tournaments.services.registration_changes import Change, stored_change
from tournaments.services.registration_rules import (
    is_far_away,
    match_refusals,
    time_control_refusals,
    waiver_refusals,
)
from tournaments.services.requested_changes import stored_value

WAIVER = ("match_waiver", "match_waiver_on")


def condition_amendments(tournament: Tournament, wanted: Conditions) -> list[Condition]:
    """Return what differs of the conditions that FIDE staff correct (`CORRECTED`), as amendments."""
    pairs = ((name, getattr(tournament, name), wanted.value(name)) for name in CORRECTED)
    found = [
        {"field": name, "before": before, "after": after} for name, before, after in pairs if before != after
    ]
    return [Condition(**stored_change(change)) for change in found]


def conditions_with(tournament: Tournament, amendments: Iterable[Condition]) -> Conditions:
    """Return the conditions of a tournament with amendments; `RefusedError` for a field that is not corrected."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in (*COLUMNS, *WAIVER)}
    for one in amendments:
        if one.field not in CORRECTED:
            raise refused("not-corrected", _("This condition cannot be corrected."), one.field)
        try:
            values[one.field] = stored_value(one.field, one.after)
        except ValueError as error:
            raise refused("not-corrected", _("This condition cannot be corrected."), one.field) from error
    return Conditions(federation_code=tournament.federation_id, **values)


def change_conditions(tournament: Tournament, wanted: Conditions, *, on: date) -> list[Change]:
    """Change the conditions of a locked tournament with an accepted report; return the stored changes (D-82).

    Published versions keep the former conditions. `RefusedError` if nothing differs, or a rule forbids it. The caller
    opens the transaction and queues the rating.
    """
    changes = [
        {"field": name, "before": getattr(tournament, name), "after": wanted.value(name)}
        for name in CORRECTED
        if getattr(tournament, name) != wanted.value(name)
    ]
    refusals = [*_condition_refusals(tournament, wanted, {change["field"] for change in changes}, on=on)]
    if refusals:
        raise RefusedError(refusals)
    if tournament.stage == Stage.PUBLISHED:
        former = {name: stored_change({name: getattr(tournament, name)})[name] for name in CORRECTED}
        # Only where none are kept: a second correction must not replace those by which the list took the report.
        tournament.reports.filter(former_conditions__isnull=True).update(former_conditions=former)
    Tournament.objects.filter(pk=tournament.pk).update(
        **{change["field"]: change["after"] for change in changes}
    )
    tournament.refresh_from_db()
    return [stored_change(change) for change in changes]


def _condition_refusals(
    tournament: Tournament, wanted: Conditions, changed: set[str], *, on: date
) -> Iterator[Refusal]:
    if not changed:
        yield Refusal("nothing-changes", _("The tournament already has these conditions."))
    if (
        wanted.is_hybrid
        and not tournament.reports.filter(state=ReportState.ACCEPTED, pgn__isnull=False).exists()
    ):
        message = _(
            "The PGN of the games is missing. Reports of hybrid tournaments must include it (article 8.4)."
        )
        yield Refusal("hybrid-pgn-8.4", message, "is_hybrid")
    if wanted.end < wanted.start:
        yield Refusal(
            "end-before-start", _("The last day is before the first day. Correct one of them."), "end"
        )
    elif is_far_away(wanted.end, on):
        yield Refusal("far-away", _("The date is too far ahead."), "end")
    yield from time_control_refusals(wanted)
    yield from match_refusals(wanted)
    # An older waiver stays valid, also where its day would not be accepted today.
    if changed & {"match_waiver", "match_waiver_on"}:
        yield from waiver_refusals(wanted, on)
