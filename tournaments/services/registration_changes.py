"""Changing a registration before its report is accepted; other days are held to the three days again (0.2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError
from tournaments.choices import Action, Registration, Stage
from tournaments.models import Tournament
from tournaments.services.registration import (
    RegistrationRequest,
    day_refusals,
    is_far_away,
    registration_for,
    time_control_refusals,
    waiting_reason,
)
from tournaments.services.trail import newest_step, record_step

CHANGEABLE = (Registration.REGISTERED, Registration.WAITING, Registration.APPROVED)
CHANGED = (
    "name",
    "city",
    "kind",
    "base_seconds",
    "increment_seconds",
    "has_unequal_times",
    "start",
    "end",
    "schedule",
    "chief_arbiter",
    "organiser",
    "is_match",
    "games_per_match",
    "is_hybrid",
    "is_stated_rated",
)


def change_registration(
    tournament: Tournament,
    wanted: RegistrationRequest,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str = "",
) -> Tournament:
    """Change a registration, except its event ID and federation, and return the tournament.

    A new first day, or becoming hybrid, counts as a registration made on that day: late, it waits for the QC again.
    Raise `RefusedError` if a report is accepted, a rule is broken, or a step follows the one that the user has `seen`
    last (its number, or "" to skip this check).
    """
    refusals = [*_refusals(tournament, wanted, reason, on)]
    if refusals:
        raise RefusedError(refusals)
    is_anew = wanted.start != tournament.start or (wanted.is_hybrid and not tournament.is_hybrid)
    registration = registration_for(wanted, on=on) if is_anew else Registration(tournament.registration)
    values = {name: getattr(wanted, name) for name in CHANGED} | {"schedule": list(wanted.schedule)}
    waits = waiting_reason(wanted, on=on) if is_anew else ""
    before, differences = tournament.registration, [*_differences(tournament, values)]
    with transaction.atomic():
        _hold_to_what_was_seen(tournament, seen)
        unchanged = Tournament.objects.filter(pk=tournament.pk, registration=before, stage=Stage.PLANNED)
        if not unchanged.update(**values, registration=registration):
            raise RefusedError([_wrong_state()])
        tournament.refresh_from_db()
        record_step(
            tournament,
            Action.CHANGE,
            reason=f"{reason.strip()} {waits}",
            before=before if before != registration else "",
            changes=differences,
            by=by,
            at=at,
        )
    return tournament


def seen_of(tournament: Tournament) -> str:
    """Return the number of the step that whoever looks at a tournament now sees last."""
    step = newest_step(tournament)
    return str(step.pk) if step else "0"


def is_changeable(tournament: Tournament) -> bool:
    """Whether a registration may still be changed: it stands or waits, and no report is accepted."""
    return tournament.registration in CHANGEABLE and tournament.stage == Stage.PLANNED


def _hold_to_what_was_seen(tournament: Tournament, seen: str) -> None:
    """Refuse to write over what somebody else did while the form was open."""
    Tournament.objects.select_for_update().get(pk=tournament.pk)
    step = newest_step(tournament)
    if not seen or step is None or str(step.pk) == seen:
        return
    message = _(
        "%(who)s did something meanwhile: %(what)s. Nothing is changed yet. Compare what you typed with the "
        "tournament as it is now; sent again, yours takes its place."
    )
    told = {"who": step.by or _("Somebody"), "what": step.get_action_display()}
    raise RefusedError([Refusal("changed-meanwhile", message % told)])


def _refusals(
    tournament: Tournament, wanted: RegistrationRequest, reason: str, on: date
) -> Iterator[Refusal]:
    if not is_changeable(tournament):
        yield _wrong_state()
    if not reason.strip():
        yield Refusal("reason-missing", _("Give the reason; it is kept with the change."), "reason")
    if wanted.start != tournament.start:
        yield from day_refusals(wanted, on)
    elif wanted.end < wanted.start:
        yield Refusal("end-before-start", _("The last day lies before the first day."), "end")
    elif is_far_away(wanted.end, on):
        yield Refusal("far-away", _("That is too far ahead. Check the day."), "end")
    yield from time_control_refusals(wanted)


def _differences(tournament: Tournament, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what was, and what is now, of each field that changes, as JSON can hold it."""
    for name, after in values.items():
        before = getattr(tournament, name)
        if before != after:
            yield {"field": name, "before": _kept(before), "after": _kept(after)}


def _kept(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _wrong_state() -> Refusal:
    message = _("The registration cannot be changed any more: it is closed, or a report is accepted.")
    return Refusal("wrong-state", message)
