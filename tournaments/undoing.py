"""Undoing the last step of a tournament by its author, as long as nothing was built on it (D-80, D-81)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from core.errors import refused
from players.cases import cancel
from players.choices import HOLDS, CaseKind
from players.models import LogEntry
from tournaments.changed_meanwhile import hold_to_what_was_seen, newest_step
from tournaments.choices import Action, Stage
from tournaments.conditions import CHANGED_ALONE, Conditions
from tournaments.handover import undo_send_back
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.qc import decide
from tournaments.registered_conditions import registered_conditions
from tournaments.registration_changes import (
    change_registration,
    is_changeable,
    plan_change,
    undo_withdrawal,
)
from tournaments.requested_changes import stored_value, waiting_request

Reason = str | Promise
NO_STEP = _l("There is no step to undo.")
NOT_OWN = _l("Only the user who took the last step can undo it.")
NOT_THIS = _l("The last step cannot be undone with one click.")
HAS_BEGUN = _l("The tournament has started, so the QC decides. Send a request.")
BUILT_ON = _l("Later entries are based on this step, so it can no longer be undone.")
QC_DECIDES = _l("The QC must decide on the former dates. Change the registration instead.")
IN_THE_FORM = _l("This change cannot be undone with one click. Change the registration instead.")


@dataclass(frozen=True, slots=True)
class UndoRule:
    """How a kind of step is undone: why it cannot be, empty if it can, and what undoes it."""

    bar: Callable[[Tournament, LogEntry, date], Reason]
    undo: Callable[..., Any]


def is_undoing(step: LogEntry) -> bool:
    """Return whether a step undid another one, so that undoing it does that one again."""
    return any(str(item.get("code")).endswith("-undone") for item in step.stated or ())


def why_not_undoable(tournament: Tournament, step: LogEntry | None, *, by: Any, on: date) -> Reason:
    """Return why the user cannot undo the newest step of a tournament, empty if one click undoes it."""
    if step is None:
        return NO_STEP
    if step.action not in UNDO_RULES:
        return NOT_THIS
    # None is a step of the portal itself, or of an account that was removed.
    if step.by_id is None or step.by_id != by.pk:
        return NOT_OWN
    return UNDO_RULES[step.action].bar(tournament, step, on)


@transaction.atomic
def undo_last_step(tournament: Tournament, *, by: Any, on: date, at: datetime, seen: str) -> LogEntry:
    """Undo the user's own newest step and return it; both remain in the audit log.

    `RefusedError` with the reason where it cannot be undone, or a step follows the one that the user has `seen` last.
    """
    hold_to_what_was_seen(tournament, seen)
    # The caller read it before the lock.
    tournament.refresh_from_db()
    step = newest_step(tournament)
    reason = why_not_undoable(tournament, step, by=by, on=on)
    if step is None or reason:
        raise refused("not-undoable", str(reason))
    # Somebody was faster with the row that the step had made.
    if UNDO_RULES[step.action].undo(tournament, step, by=by, on=on, at=at) is False:
        raise refused("not-undoable", str(BUILT_ON))
    return step


def _change_bar(tournament: Tournament, step: LogEntry, on: date) -> Reason:
    """Bar a change of a waiver, one whose undoing the QC decides, and one of a closed registration."""
    if not step.changes or any(change["field"] not in CHANGED_ALONE for change in step.changes):
        return IN_THE_FORM
    if not is_changeable(tournament):
        return BUILT_ON
    # The former first day may be less than 3 days away by now: undoing would be a late registration (D-80).
    before = step.before or tournament.registration
    plan = plan_change(tournament, _former_conditions(tournament, step), on=on, undone=before)
    if plan.refusals:
        return QC_DECIDES
    if plan.registration == before and not plan.requested:
        return ""
    return HAS_BEGUN if tournament.has_begun(on) else QC_DECIDES


def _former_conditions(tournament: Tournament, step: LogEntry) -> Conditions:
    former = {change["field"]: stored_value(change["field"], change["before"]) for change in step.changes}
    return registered_conditions(tournament, **former)


def _undo_change(tournament: Tournament, step: LogEntry, *, by: Any, on: date, at: datetime) -> None:
    wanted = _former_conditions(tournament, step)
    reason = SENTENCES.state("change-redone" if is_undoing(step) else "change-undone")
    before = step.before or tournament.registration
    change_registration(tournament, wanted, reason=reason, by=by, on=on, at=at, undone=before)


def _registration_bar(tournament: Tournament, _step: LogEntry, on: date) -> Reason:
    if tournament.has_begun(on):
        return HAS_BEGUN
    is_untouched = tournament.stage == Stage.PLANNED and not tournament.reports.exists()
    return "" if is_untouched else BUILT_ON


def _undo_registration(
    tournament: Tournament, _step: LogEntry, *, by: Any, at: datetime, **_on: date
) -> None:
    decide(tournament, Action.WITHDRAW, reason=SENTENCES.state("registration-undone"), by=by, at=at)


def _withdrawal_bar(tournament: Tournament, step: LogEntry, on: date) -> Reason:
    """Refuse to undo a withdrawal that also ended a request or a hold: restoring would lose them."""
    if tournament.has_begun(on):
        return HAS_BEGUN
    # What a withdrawal ends has its instant.
    ended = tournament.cases.filter(kind__in=(CaseKind.REQUEST, *HOLDS), decided_at=step.at)
    return BUILT_ON if ended.exists() else ""


def _undo_withdrawal(tournament: Tournament, _step: LogEntry, *, by: Any, at: datetime, **_on: date) -> None:
    undo_withdrawal(tournament, reason=SENTENCES.state("withdrawal-undone"), by=by, at=at)


def _request_bar(tournament: Tournament, _step: LogEntry, _on: date) -> Reason:
    return "" if waiting_request(tournament) else BUILT_ON


def _undo_request(tournament: Tournament, _step: LogEntry, *, by: Any, at: datetime, **_on: date) -> bool:
    waiting = waiting_request(tournament)
    reason = SENTENCES.state("request-cancelled")
    return waiting is not None and cancel(waiting, answer=reason, by=by, at=at)


def _return_bar(tournament: Tournament, _step: LogEntry, _on: date) -> Reason:
    return "" if tournament.is_open and tournament.stage == Stage.PLANNED else BUILT_ON


def _undo_return(tournament: Tournament, _step: LogEntry, *, by: Any, at: datetime, **_on: date) -> bool:
    return undo_send_back(tournament, by=by, at=at)


UNDO_RULES: dict[str, UndoRule] = {
    Action.CHANGE: UndoRule(bar=_change_bar, undo=_undo_change),
    Action.REGISTER: UndoRule(bar=_registration_bar, undo=_undo_registration),
    Action.WITHDRAW: UndoRule(bar=_withdrawal_bar, undo=_undo_withdrawal),
    Action.REQUEST: UndoRule(bar=_request_bar, undo=_undo_request),
    Action.SEND_BACK: UndoRule(bar=_return_bar, undo=_undo_return),
}
