"""Writing the history of tournaments, their part of the audit log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from core.stated import stated_items
from players.choices import Area, CaseState
from players.models import LogEntry
from players.services.cases import Recorder
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.portal_reasons import with_alone
from tournaments.services.action_mails import tell


def record_action(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    before: str = "",
    is_public: bool = False,
    changes: Iterable[dict[str, Any]] = (),
) -> None:
    """Record what was done with a tournament and mail those concerned; its registration is the one after the step.

    `before` is the registration before the step if it changed. Everybody may read the reason of a public step.
    """
    step = new_entry(tournament, action, reason=reason, by=by, at=at)
    step.before = before
    step.is_public = is_public
    step.changes = list(changes)
    record_actions([step])


def record_actions(steps: Iterable[LogEntry]) -> None:
    """Write steps of one or many tournaments and mail those concerned."""
    # The mails are rows of the same transaction: a step that is rolled back tells nobody.
    for step in LogEntry.objects.bulk_create(steps):
        tell(step)


def new_entry(tournament: Tournament, action: Action, *, reason: str, by: Any, at: datetime) -> LogEntry:
    """Return an unsaved step for `record_actions`."""
    return LogEntry(
        area=Area.TOURNAMENT,
        tournament=tournament,
        action=action,
        after=tournament.registration,
        reason=reason.strip(),
        stated=stated_items(reason),
        by=by,
        at=at,
    )


def tournament_acts(
    actions: Mapping[CaseState, Action], about: Callable[[Any, CaseState], Mapping[str, Any]] | None = None
) -> Recorder:
    """Return what writes the steps of a kind of case about tournaments: its actions by state.

    `about(case, state)` returns further values for `record_action`, and a `reason` that is neither the answer nor the
    reason of the case. A state without an action has no entry of its own.
    """

    def record(case: Any, state: CaseState, *, by: Any, at: datetime, is_alone: bool) -> None:
        if state not in actions:
            return
        # A decision may have changed the registration, which the entry has as it is afterwards.
        tournament = Tournament.objects.get(pk=case.tournament_id)
        values = {"reason": case.answer or case.stated_reason, **(about(case, state) if about else {})}
        values["reason"] = with_alone(values["reason"], is_alone=is_alone)
        record_action(tournament, actions[state], by=by, at=at, **values)

    return record
