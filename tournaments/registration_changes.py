"""Changes of a registration: by the officer up to the first day, by the QC from then on (D-80, D-81)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.name_refusals import text_refusals
from players.own_matters import decides_alone
from tournaments import regulations
from tournaments.cases import IS_QC
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.choices import POSSIBLE_REGISTRATIONS, Action, Registration, RequestSort, Stage
from tournaments.conditions import (
    ARBITER_IDS,
    CHANGED_ALONE,
    DECIDE_RATING,
    SPELLED,
    UNTIL_FIRST_DAY,
    Conditions,
    changed,
)
from tournaments.identity import committed_values, is_another_text, is_of_another_event, is_shown_in_public
from tournaments.information_requests import hasten_answer
from tournaments.log import record_action
from tournaments.lookups import Lookups
from tournaments.models import Tournament, TournamentArbiter
from tournaments.parts import part_refusals
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.qc import decide, possible_actions
from tournaments.registered_conditions import (
    in_columns,
    registered_conditions,
    registered_value,
    waiver_changes,
    waiver_of,
)
from tournaments.registration import (
    SHOWN_TEXTS,
    arbiter_rows,
    day_refusals,
    match_refusals,
    registration_for,
    time_control_refusals,
    waiting_reason,
    waiver_refusals,
)
from tournaments.requested_changes import ask_the_qc, request_open, waiting_request

Change = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """What becomes of a change: what is made at once, what the QC is asked for, and the registration after it.

    Nothing of it is made where a rule is against it.
    """

    made: Sequence[Change]
    requested: Sequence[Change]
    before: Registration
    registration: Registration
    is_anew: bool
    is_other: bool
    # After the deadline of registration the public page has both values of what is changed (D-127).
    is_late: bool
    # The former conditions would be late on this day, too: no click leads back to them.
    is_final: bool
    # The rules against it.
    refusals: Sequence[Refusal]

    @property
    def lapses(self) -> bool:
        """Whether a valid registration waits after it, with the new values already."""
        return self.registration == Registration.WAITING != self.before

    @property
    def is_shown_in_public(self) -> bool:
        """Whether the public page shows what was changed."""
        return self.is_late and any(map(is_shown_in_public, self.made))

    @property
    def goes_to_the_qc(self) -> bool:
        """Whether the QC decides on something on which it had not to decide before."""
        return bool(self.requested) or self.is_other or self.lapses


def plan_change(tournament: Tournament, wanted: Conditions, *, on: date, undone: str = "") -> ChangePlan:
    """Return what would become of a change on a day, with every rule against it.

    A change that is undone leads back to the registration `undone`, where that is in time still.
    """
    refusals = [*_refusals(tournament, wanted, on)]
    made, requested = _changes(tournament, wanted, on=on)
    if requested and waiting_request(tournament):
        refusals.append(request_open())
    # A corrected name or city does not make a registration late; other days or another time control may (D-80), and so
    # does another event under the same registration (D-127).
    is_anew = not tournament.has_begun(on) and any(
        change["field"] in DECIDE_RATING and change["before"] != change["after"] for change in made
    )
    # Undoing what made it wait leads back to what was registered in time.
    is_other = undone in ("", tournament.registration) and _is_of_another_event(tournament, made, on=on)
    registration = _registration_of(tournament, wanted, on=on, is_anew=is_anew, is_other=is_other)
    if undone and not ((is_anew or is_other) and registration == Registration.WAITING):
        registration = Registration(undone)
    former = Registration(tournament.registration)
    is_late = not regulations.is_registered_in_time(tournament.start, on)
    is_final = registration_for(registered_conditions(tournament), on=on) == Registration.WAITING
    return ChangePlan(made, requested, former, registration, is_anew, is_other, is_late, is_final, refusals)


@transaction.atomic
def change_registration(
    tournament: Tournament,
    wanted: Conditions,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
    undone: str = "",
) -> Tournament:
    """Change a registration, except its event ID and federation, and return the tournament.

    Up to the first day other conditions count as a registration made on that day: late, it waits for the QC again.
    A first day that has passed is a request on any day, because the registered one was wrong (D-140).
    From the first day on other conditions become a request to the QC, and so does a waiver on any day (D-80). Raise
    `RefusedError` if a report is accepted, a rule is broken, a request waits already, or a step follows the one that
    the user has `seen` last (its number, None to skip this check).
    """
    hold_to_what_was_seen(tournament, seen)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with the change."), "reason")
    plan = plan_change(tournament, wanted, on=on, undone=undone)
    if plan.refusals:
        raise RefusedError(plan.refusals)
    _write(tournament, wanted, plan)
    hasten_answer(tournament, on)
    # A form that was sent without a change is noted with its reason; a request is a step of its own.
    if plan.made or not plan.requested:
        former = plan.before if plan.before != plan.registration else ""
        stored = [stored_change(change) for change in plan.made]
        why = reason
        if plan.is_other and not undone:
            why = SENTENCES.state("another-event", words=reason)
        elif plan.is_anew:
            why = waiting_reason(wanted, on=on, words=reason, late="changed-late")
        record_action(tournament, Action.CHANGE, reason=why, before=former, changes=stored, by=by, at=at)
    if plan.requested:
        changes = [stored_change(change) for change in plan.requested]
        ask_the_qc(tournament, RequestSort.CHANGE, changes, reason=reason, by=by, at=at)
    return tournament


def withdraw_registration(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Tournament:
    """Withdraw a registration and return it; from the first day on this is a request to the QC (D-81).

    `RefusedError` without a reason, where it cannot be withdrawn, or while another request waits.
    """
    if not tournament.has_begun(at.astimezone(UTC).date()):
        return decide(tournament, Action.WITHDRAW, reason=reason, by=by, at=at, seen=seen)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and the QC will see it."), "reason")
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        tournament.refresh_from_db()
        # Asked before the QC is, which could not grant it.
        if Action.WITHDRAW not in possible_actions(tournament):
            message = _(
                "The registration cannot be withdrawn because it is closed or the tournament is on a published list."
            )
            raise RefusedError([Refusal("wrong-state", message)])
        ask_the_qc(tournament, RequestSort.WITHDRAWAL, reason=reason, by=by, at=at)
    return tournament


def _changes(tournament: Tournament, wanted: Conditions, *, on: date) -> tuple[list[Change], list[Change]]:
    """Return what changes at once, and what only the QC changes: what is committed once it has begun, and a waiver."""
    has_begun = _has_begun(tournament, wanted, on)
    committed = committed_values(tournament) if has_begun else {}
    made: list[Change] = []
    requested: list[Change] = []
    for parts in changed(CHANGED_ALONE, partial(registered_value, tournament), wanted.value):
        is_committed = has_begun and any(_is_committed(one, committed) for one in parts)
        (requested if is_committed else made).extend(parts)
    if wanted.match_waiver.strip() != waiver_of(tournament):
        if wanted.match_waiver.strip():
            requested += waiver_changes(tournament, wanted, on=on)
        else:
            removed: list[Change] = [
                {"field": "match_waiver", "before": tournament.match_waiver, "after": ""},
                {"field": "match_waiver_on", "before": tournament.match_waiver_on, "after": None},
            ]
            # A waiver that still waits is not in the registration: the open request bars this one.
            (requested if has_begun or not tournament.match_waiver else made).extend(removed)
    return made, requested


def _is_committed(change: Change, committed: Mapping[str, Any]) -> bool:
    """Return whether the QC decides on a change once the tournament has begun (D-80)."""
    name, after = change["field"], change["after"]
    # The spelling of a text is corrected on any day (D-127).
    is_another = name in SPELLED and is_another_text(committed[name], after)
    return change["before"] != after and (name in UNTIL_FIRST_DAY or is_another)


def _is_of_another_event(tournament: Tournament, made: Sequence[Change], *, on: date) -> bool:
    """Return whether changes after the deadline of registration make it one of another event (D-127)."""
    if tournament.has_begun(on) or tournament.is_reported_by_staff:
        return False
    committed = committed_values(tournament)
    if regulations.is_registered_in_time(committed["start"], on):
        return False
    wanted = {name: getattr(tournament, name) for name in committed}
    return is_of_another_event(committed, wanted | {change["field"]: change["after"] for change in made})


def _registration_of(
    tournament: Tournament, wanted: Conditions, *, on: date, is_anew: bool, is_other: bool
) -> Registration:
    """Return the registration after a change; what was approved stays approved where it is in time."""
    former = Registration(tournament.registration)
    if is_other:
        return Registration.WAITING
    new = registration_for(wanted, on=on) if is_anew else former
    return former if (former, new) == (Registration.APPROVED, Registration.REGISTERED) else new


def _write(tournament: Tournament, wanted: Conditions, plan: ChangePlan) -> None:
    values = {change["field"]: change["after"] for change in plan.made}
    # The caller read the tournament before the lock: this finds out what somebody changed in between.
    unchanged = Tournament.objects.filter(
        pk=tournament.pk, registration=tournament.registration, start=tournament.start, stage=Stage.PLANNED
    )
    if not unchanged.update(**in_columns(tournament, values), registration=plan.registration):
        raise RefusedError([_wrong_state()])
    if values.keys() & ARBITER_IDS:
        tournament.arbiters.all().delete()
        TournamentArbiter.objects.bulk_create(arbiter_rows(tournament, wanted.chief_id, wanted.deputy_ids))
    tournament.refresh_from_db()


def _has_begun(tournament: Tournament, wanted: Conditions, on: date) -> bool:
    """Return whether a tournament has begun, by its registered first day or by the one that is wanted (D-80, D-140)."""
    return tournament.has_begun(on) or (wanted.start < on and not tournament.is_reported_by_staff)


def is_changeable(tournament: Tournament) -> bool:
    """Return whether a registration may still be changed: it is valid or waiting, and no report is accepted."""
    return tournament.registration in POSSIBLE_REGISTRATIONS and tournament.stage == Stage.PLANNED


def _refusals(tournament: Tournament, wanted: Conditions, on: date) -> Iterator[Refusal]:
    if not is_changeable(tournament):
        yield _wrong_state()
    changed = (name for name in SHOWN_TEXTS if getattr(wanted, name) != getattr(tournament, name))
    yield from text_refusals({name: getattr(wanted, name) for name in changed})
    # A day that stays was checked before. What has begun is the QC's to decide, so that no day is too late (D-80).
    is_same = wanted.start == tournament.start
    first_rated = wanted.start if is_same else Lookups().first_rated_day
    is_asked = is_same or _has_begun(tournament, wanted, on)
    found = day_refusals(wanted, on, first_rated)
    yield from (one for one in found if not (is_asked and one.code == "after-first-day-0.2"))
    yield from time_control_refusals(wanted)
    yield from match_refusals(wanted)
    yield from part_refusals(wanted)
    if wanted.match_waiver.strip() != waiver_of(tournament):
        yield from waiver_refusals(wanted, on)


def stored_change(change: Change) -> Change:
    """Return the field, the former and the new value of a change, as JSON values."""
    return {name: _json_value(value) for name, value in change.items()}


def _json_value(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _wrong_state() -> Refusal:
    message = _(
        "The registration cannot be changed because it is closed or a report was accepted. If a "
        "condition is wrong, write to FIDE staff."
    )
    return Refusal("wrong-state", message)


def restore_registration(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Tournament:
    """Restore a withdrawn registration as the QC or FIDE staff, with a reason, and return the tournament (D-81).

    `RefusedError` without a reason, where it is not withdrawn, where the author has not `seen` the newest step, or is
    officer of the federation while somebody else can decide (D-131).
    """
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    is_alone = decides_alone(by, {tournament.federation_id}, asked_by=None, holders=IS_QC)
    return undo_withdrawal(tournament, reason=with_alone(reason, is_alone=is_alone), by=by, at=at, seen=seen)


def undo_withdrawal(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Tournament:
    """Return a withdrawn registration to what it was before. `RefusedError` as `restore_registration`."""
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        # A withdrawal by the officer and one that the QC granted are different actions with this one result.
        withdrawn = tournament.log_entries.filter(after=Registration.WITHDRAWN).exclude(before="")
        step = withdrawn.order_by("-at", "-pk").first()
        former = step.before if step else Registration.WAITING
        owned = Tournament.objects.filter(pk=tournament.pk, registration=Registration.WITHDRAWN)
        if not owned.update(registration=former):
            raise refused(
                "not-withdrawn", _("The registration was not withdrawn, so there is nothing to restore.")
            )
        tournament.refresh_from_db()
        record_action(tournament, Action.RESTORE, reason=reason, before=Registration.WITHDRAWN, by=by, at=at)
    return tournament
