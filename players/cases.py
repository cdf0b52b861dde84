"""Cases: asked for once, decided once by whoever may, or taken back, by one protocol for all kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from operator import attrgetter, or_
from typing import Any, TypeVar

from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, RefusedError, refused, refusing_second
from core.pages import Page
from players.choices import Area, CaseState, Deed
from players.models import Case
from players.models.log import record_act
from players.own_matters import IS_STAFF, decides_alone, record_alone
from players.permissions import federations_of, is_staff

AnyCase = TypeVar("AnyCase", bound=Case)
# Why somebody may not do something with a case; None where they may.
Bar = Callable[[Any, Any], Refusal | None]
DECIDE = _l("Decide")
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


def every(*, where: bool) -> Q:
    """Return a condition that all rows meet, or none."""
    return Q() if where else Q(pk__in=[])


def no_case(*args: Any) -> Q:
    """Return a condition that no case meets."""
    return every(where=False)


def seen_by_federation(user: Any) -> Q:
    """Return the cases that the person's federations asked for; FIDE staff see all."""
    return Q() if is_staff(user) else Q(federation__in=federations_of(user))


def waits_for_staff(user: Any, today: date) -> Q:
    """Return that all cases of a kind wait for FIDE staff."""
    return every(where=is_staff(user))


def page_of(row: Any) -> Page:
    """Return the page of a case."""
    return Page("desk:case", row.number)


@dataclass(frozen=True, slots=True)
class CaseTask:
    """What is asked of who decides a kind of case, the verb of its button, the sort, and the page of a case."""

    what: str | Promise
    action: str | Promise = DECIDE
    sort: str = "players"
    page: Callable[[Any], Page] = page_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRules:
    """How cases of a kind are decided; declared once by the app that carries out what is granted.

    `task` is what their tasks show to those who decide; None of a kind whose tasks have another deadline (`QueueCase`).
    `task_left` is what is left to do of one that is `still_open`.
    `related` are the rows that a page shows of a case, without the columns `left_out`. `seen_by(user)` are the cases
    that a person sees, `waits_for(user, today)` those that they have to decide, `followed_by(user)` those that their
    tasks show as being with others, and `still_open` those of both that are decided while something is left to do.
    `bar` says why a person may not decide, `bar_to_cancel`
    why not take back. `begin(case, seen)` takes the locks that come before that of the case, and refuses an act
    whose author has not seen what happened meanwhile. `grant(case, reason, by, at)` does what was asked for and
    returns what the case keeps of it; `verdicts` are the decisions that there are, and those of `with_reason` need a
    reason.

    `concerned` are the federations whose matter it is (None where whose it is does not count), `asker` whose wish,
    `holders` those who decide such a thing, and `apart` the states that nobody decides of what is their own (D-131).
    `record(case, state, by, at, is_alone)` writes the log's entries, and `tell(case, at)` the letter after a decision,
    and what else follows from it.
    """

    task: CaseTask | None = None
    task_left: CaseTask | None = None
    related: Collection[str] = ()
    left_out: Collection[str] = ()
    seen_by: Callable[[Any], Q] = no_case
    waits_for: Callable[[Any, date], Q] = no_case
    followed_by: Callable[[Any], Q] = no_case
    still_open: Q = field(default_factory=no_case)
    bar: Bar
    bar_to_cancel: Bar = nobody_cancels
    grant: Callable[..., Mapping[str, Any] | None]
    record: Recorder
    verdicts: Collection[CaseState] = (CaseState.APPROVED, CaseState.REFUSED)
    with_reason: Collection[CaseState] = (CaseState.REFUSED,)
    apart: Collection[CaseState] = (CaseState.APPROVED,)
    concerned: Callable[[Any], Collection[str] | None] = own_side
    asker: Callable[[Any], int | None] = attrgetter("asked_by_id")
    holders: Callable[[Any], Q] = only_staff
    begin: Callable[..., None] = nothing
    tell: Callable[..., None] = nothing


RULES: dict[str, CaseRules] = {}


def cases_of(user: Any) -> QuerySet[Case]:
    """Return the cases that a person sees, each with the row of its kind."""
    return _with_rows(_of_kinds({kind: rules.seen_by(user) for kind, rules in RULES.items()}))


def open_cases(user: Any, today: date) -> QuerySet[Any]:
    """Return the cases that are open and that a person decides, which `is_mine` tells, or follows; oldest first."""
    mine = _of_kinds({kind: rules.waits_for(user, today) for kind, rules in RULES.items()})
    followed = _of_kinds({kind: rules.followed_by(user) for kind, rules in RULES.items()})
    is_mine = models.Case(models.When(mine, then=True), default=False)
    is_open = Q(state=CaseState.WAITING) | _of_kinds(
        {kind: rules.still_open for kind, rules in RULES.items()}
    )
    waiting = _with_rows((mine | followed) & is_open)
    found: QuerySet[Any] = waiting.annotate(is_mine=is_mine).order_by("asked_at", "pk")
    return found


def _of_kinds(conditions: Mapping[str, Q]) -> Q:
    return reduce(or_, (Q(kind=kind) & condition for kind, condition in conditions.items()))


def _with_rows(found: Q) -> QuerySet[Case]:
    tables = [kind for kind in RULES if not _model_of(kind)._meta.proxy]
    related = [f"{row_name(kind)}__{name}" for kind in tables for name in RULES[kind].related]
    left_out = [f"{row_name(kind)}__{name}" for kind in tables for name in RULES[kind].left_out]
    common = ("player", "tournament__federation", "federation", "asked_by", "decided_by")
    return (
        Case.objects.filter(found).select_related(*common, *map(row_name, tables), *related).defer(*left_out)
    )


def row_of(case: Case) -> Any:
    """Return the row of a case in the table of its kind, or the case itself as one of its kind."""
    model = _model_of(case.kind)
    if not model._meta.proxy:
        return getattr(case, row_name(case.kind))
    case.__class__ = model
    return case


def row_name(kind: str) -> str:
    """Return by which name a case has the row of its kind."""
    return str(_model_of(kind)._meta.model_name)


def _model_of(kind: str) -> type[Case]:
    return next(model for model in Case.__subclasses__() if kind == model.KIND)


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
    rules, is_granted = RULES[case.kind], state == CaseState.APPROVED
    refuse_decision(case, by=by)
    if state not in rules.verdicts:
        raise refused("no-such-decision", _("This decision is not possible for this case."))
    if state in rules.with_reason and not answer.strip():
        raise refused("reason-missing", _("Enter a reason. It is shown with the decision."), "reason")
    # A clock that was set back in between makes no decision come before its question.
    at = max(at, case.asked_at)
    with transaction.atomic():
        if not _waits(case):
            return False
        rules.begin(case, seen)
        held = _hold(case)
        if held is None:
            return False
        # As it is now: a list may have taken the tournament while this waited (D-104).
        refuse_decision(held, by=by)
        is_alone = state in rules.apart and _decides_alone(held, by)
        found = rules.grant(held, answer, by=by, at=at) if is_granted else None
        _close(held, state, answer=answer, by=by, at=at, **(found or {}))
        rules.record(held, state, by=by, at=at, is_alone=is_alone)
        rules.tell(held, at=at)
    return True


def refuse_decision(case: Case, *, by: Any) -> None:
    """Raise `RefusedError` for who may not decide a case."""
    if (bar := RULES[case.kind].bar(by, case)) is not None:
        raise RefusedError([bar])


def bar_of(case: Any, user: Any) -> Refusal | None:
    """Return why a person may not grant a case, D-131 included; None where they may."""
    try:
        refuse_decision(case, by=user)
        _decides_alone(case, user)
    except RefusedError as error:
        return error.refusals[0]
    return None


def _decides_alone(case: Any, user: Any) -> bool:
    rules = RULES[case.kind]
    concerned = rules.concerned(case)
    return concerned is not None and decides_alone(
        user, concerned, asked_by=rules.asker(case), holders=rules.holders(case)
    )


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


def reopen(case: Case) -> None:
    """Let a case wait again whose decision is undone; within the transaction of that act."""
    waiting = {"state": CaseState.WAITING, "answer": "", "decided_by": None, "decided_at": None}
    Case.objects.filter(number=case.number).update(**waiting, key=case.key_of())


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


def only_who_asked(user: Any, case: Case) -> Refusal | None:
    """Bar everybody but the person who asked, and commands."""
    if user is None or user.pk == case.asked_by_id:
        return None
    return Refusal("not-yours", _("Only the user who made the request can cancel it."))


def only(may: Callable[[Any, Any], bool], message: str | Promise) -> Bar:
    """Return what bars everybody but those who `may`, by a person and a case; `message` names them."""
    return lambda user, case: None if may(user, case) else Refusal("not-yours", str(message))


def staff_decide(user: Any, case: Case) -> Refusal | None:
    """Bar everybody but FIDE staff."""
    return None if is_staff(user) else Refusal("staff-only", _("Only FIDE staff can decide."))
