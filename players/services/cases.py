"""Cases: asked for once, decided once by whoever may, or taken back, by one protocol for all kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from players.choices import Area, CaseState, Deed
from players.models import Case
from players.models.log import record_act
from players.own_matters import IS_STAFF, decides_alone, record_alone
from players.permissions import is_staff

AnyCase = TypeVar("AnyCase", bound=Case)
# Why somebody may not do something with a case; None where they may.
Bar = Callable[[Any, Any], Refusal | None]
# How a step of a case is written to the log.
Recorder = Callable[..., None]


def nothing(*args: Any, **values: Any) -> None:
    """Do nothing: a kind has nothing of its own to do there."""


def own_side(case: Any) -> Collection[str]:
    """Return the federation that asked, whose matter a case is."""
    return {case.federation_id}


def only_staff(case: Any) -> Q:
    """Return that FIDE staff decide."""
    return IS_STAFF


def nobody_cancels(user: Any, case: Any) -> Refusal:
    """Bar everybody: a kind ends by its decision only."""
    return Refusal("no-cancelling", _("This cannot be cancelled. Wait for the decision."))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRules:
    """How cases of a kind are decided; declared once by the app that carries out what is granted.

    `bar` says why a person may not decide, `bar_to_cancel` why not take back. `begin(case, seen)` takes the locks that
    come before that of the case, and refuses an act whose author has not seen what happened meanwhile.
    `grant(case, reason, by, at)` does what was asked for and returns what the case keeps of it; the states of
    `with_reason` need a reason. `concerned` are the federations whose matter it is (None where whose it is does not
    count), `holders` those who decide such a thing, and `apart` the states that nobody decides of what is their own
    (D-131). `record(case, state, by, at, is_alone)` writes the log's entries, and `tell(case, at)` the letter after a
    decision, and what else follows from it.
    """

    bar: Bar
    bar_to_cancel: Bar = nobody_cancels
    grant: Callable[..., Mapping[str, Any] | None]
    record: Recorder
    with_reason: Collection[CaseState] = (CaseState.REFUSED,)
    apart: Collection[CaseState] = (CaseState.APPROVED,)
    concerned: Callable[[Any], Collection[str] | None] = own_side
    holders: Callable[[Any], Q] = only_staff
    begin: Callable[..., None] = nothing
    tell: Callable[..., None] = nothing


RULES: dict[str, CaseRules] = {}


def open_case(case: AnyCase, *, second: Refusal) -> AnyCase:
    """Store what is asked for and log it; `second` is the refusal where the same waits already."""
    with refusing_second(second):
        case.save(force_insert=True)
        RULES[case.kind].record(case, CaseState.WAITING, by=case.asked_by, at=case.asked_at, is_alone=False)
    return case


def decide(
    case: Case, state: CaseState, *, answer: str = "", by: Any, at: datetime, seen: str | None = None
) -> bool:
    """Grant or refuse a case, and return whether this call did; of two at once the second finds it decided.

    `RefusedError` for who may not decide, for what is their own where another could (D-131), for a missing reason,
    where a step follows the last one that the author has `seen` (None skips this check), and where what was asked for
    cannot be done any more: then the case waits on.
    """
    rules = RULES[case.kind]
    if (bar := rules.bar(by, case)) is not None:
        raise RefusedError([bar])
    if state in rules.with_reason and not answer.strip():
        raise refused("reason-missing", _("Enter a reason. The person who asked will see it."), "reason")
    is_granted = state == CaseState.APPROVED
    concerned = rules.concerned(case) if state in rules.apart else None
    is_alone = concerned is not None and decides_alone(
        by, concerned, asked_by=case.asked_by_id, holders=rules.holders(case)
    )
    with transaction.atomic():
        if not _waits(case):
            return False
        rules.begin(case, seen)
        held = _hold(case)
        if held is None:
            return False
        found = rules.grant(held, answer, by=by, at=at) if is_granted else None
        _close(held, state, answer=answer, by=by, at=at, **(found or {}))
        rules.record(held, state, by=by, at=at, is_alone=is_alone)
        rules.tell(held, at=at)
    return True


def cancel(case: Case, *, answer: str = "", by: Any, at: datetime, seen: str | None = None) -> bool:
    """Take back what was asked for, and return whether this call did. `RefusedError` for who may not."""
    if (bar := RULES[case.kind].bar_to_cancel(by, case)) is not None:
        raise RefusedError([bar])
    return cancel_overtaken(case, answer=answer, by=by, at=at, seen=seen)


def cancel_overtaken(case: Case, *, answer: str = "", by: Any, at: datetime, seen: str | None = None) -> bool:
    """Cancel a case that something else has overtaken, whoever asked."""
    rules = RULES[case.kind]
    with transaction.atomic():
        if not _waits(case):
            return False
        rules.begin(case, seen)
        held = _hold(case)
        if held is None:
            return False
        _close(held, CaseState.WITHDRAWN, answer=answer, by=by, at=at)
        rules.record(held, CaseState.WITHDRAWN, by=by, at=at, is_alone=False)
    return True


def close_overtaken(
    cases: QuerySet[Case], state: CaseState = CaseState.WITHDRAWN, *, answer: str = "", by: Any, at: datetime
) -> int:
    """Close those of the cases that wait together with the act that overtook them, whose entry the log has.

    Within the transaction of that act. Return how many there were.
    """
    decided = _decision(state, answer=answer, by=by, at=at)
    return Case.objects.filter(number__in=cases.values("number"), state=CaseState.WAITING).update(**decided)


def _waits(case: Case) -> bool:
    """Look without a lock: a second click is no act whose author has to have seen the first."""
    return Case.objects.filter(number=case.number, state=CaseState.WAITING).exists()


def _hold(case: Case) -> Any:
    """Lock a case that waits, and return it as it is stored; None where it waits no more."""
    waiting = Case.objects.select_for_update().filter(number=case.number, state=CaseState.WAITING)
    return type(case)._default_manager.get(pk=case.pk) if waiting.exists() else None


def _close(held: Any, state: CaseState, *, answer: str = "", by: Any, at: datetime, **values: Any) -> None:
    """Write the decision; what was private is not kept."""
    decided = _decision(state, answer=answer, by=by, at=at) | values | dict.fromkeys(held.PRIVATE)
    for name, value in decided.items():
        setattr(held, name, value)
    held.save()


def _decision(state: CaseState, *, answer: str, by: Any, at: datetime) -> dict[str, Any]:
    return {"state": state, "answer": answer.strip(), "decided_by": by, "decided_at": at, "key": ""}


def player_acts(deeds: Mapping[CaseState, Deed], about: Callable[[Any], Mapping[str, Any]]) -> Recorder:
    """Return what writes the steps of a kind about players: its deeds, and the values of their entries."""

    def record(case: Any, state: CaseState, *, by: Any, at: datetime, is_alone: bool) -> None:
        values = {"reason": case.answer or case.reason, **about(case)}
        record_act(Area.PLAYER, deeds[state], by=by, at=at, **values)
        if is_alone and case.player_id:
            record_alone(case.player_id, by=by, at=at)

    return record


def staff_decide(user: Any, case: Case) -> Refusal | None:
    """Bar everybody but FIDE staff."""
    return None if is_staff(user) else Refusal("staff-only", _("Only FIDE staff can decide."))
