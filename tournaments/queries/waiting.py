"""What waits for a person's answer or decision, in one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import CharField, DateField, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from players.choices import CaseKind, CaseState, Role
from players.models import Appointment, Case, Claim, Federation
from players.permissions import claims_of, federations_of, is_staff
from players.services.cases import cases_waiting_for, row_of
from tournaments.choices import Stage
from tournaments.models import (
    Appeal,
    Objection,
    ResultCorrection,
    Tournament,
)
from tournaments.permissions import can_decide_appeals
from tournaments.queries.desk_tasks import DeskTask
from tournaments.queries.known_ids import tournaments_with_known_ids

MAX_WAITING = 200
NOTHING = Value("")
NO_DAY = Value(None, output_field=DateField())
NO_INSTANT = Value(None, output_field=DateTimeField())
WAITING = {
    "objection": (_l("Reply to the objection"), _l("Reply")),
    "owed": (_l("Correct result"), pgettext_lazy("report", "Correct")),
    "known-id": (_l("A FIDE ID of the report is known now"), pgettext_lazy("report", "Open")),
    "correction": (_l("Decide on the correction of a result"), _l("Decide")),
    "appeal": (_l("Decide the appeal"), _l("Decide")),
    "claim": (_l("Decide on the claim of a player record"), _l("Decide")),
    "officer": (_l("Assign a rating officer"), _l("Send invitation")),
}
# What is asked of who decides a case, the verb of its button, the sort of the task, and the page where it is decided.
CASES = {
    CaseKind.TRANSFER: (_l("Approve or refuse the transfer"), _l("Decide"), "players", "desk:case"),
    CaseKind.APPLICATION: (_l("Decide on the FIDE ID application"), _l("Decide"), "players", "desk:case"),
    CaseKind.CHANGE: (_l("Decide on the data change request"), _l("Decide"), "players", "desk:case"),
    CaseKind.MERGE: (_l("Confirm merge"), _l("Confirm"), "players", "desk:case"),
    CaseKind.INFORMATION: (_l("Reply to the QC"), _l("Reply"), "replies", "desk:answer"),
}
# What staff take over where the federation does not reply in so many days.
UNANSWERED_DAYS = 7
OFFICER_DAYS = 365
SORT_OF = {
    "objection": "replies",
    "owed": "reports",
    "known-id": "reports",
    "correction": "decisions",
    "appeal": "decisions",
    "officer": "people",
}
ADDRESSES = {
    "objection": "desk:objections",
    "owed": "desk:objections",
    "known-id": "desk:tournament",
    "correction": "desk:correction",
    "appeal": "desk:appeal",
    "claim": "people:decide-claim",
    "officer": "people:people",
}


def waiting_tasks(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament], *, today: date
) -> Iterator[DeskTask]:
    """Yield what waits for an answer or a decision of the person."""
    parts = [*_about_tournaments(user, own, arbitrates), *_about_players(user, today)]
    rows = parts[0].union(*parts[1:], all=True).order_by("since")[:MAX_WAITING]
    for sort, name, reference, text, due_on, since in rows:
        what, action = WAITING[sort]
        url = reverse(ADDRESSES[sort], args=[reference] if reference else [])
        values: dict[str, Any] = {"deadline": due_on, "since": since, "sort": SORT_OF.get(sort, "players")}
        values["code"] = sort
        yield DeskTask(str(what), str(action), about=name, url=url, why=text, **values)
    yield from map(_case_task, cases_waiting_for(user, today)[:MAX_WAITING])


def _case_task(case: Case) -> DeskTask:
    """Return the task with a case, and the facts on which it is decided."""
    row = row_of(case)
    what, action, sort, page = CASES[CaseKind(case.kind)]
    return DeskTask(
        str(what),
        str(action),
        about=row.about,
        url=reverse(page, args=[case.number if page == "desk:case" else case.tournament.event_id]),
        why=case.why,
        deadline=case.due_on,
        since=case.asked_at,
        sort=sort,
        code=case.kind,
        facts=row.facts(),
    )


def _about_tournaments(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament]
) -> Iterator[QuerySet[Any]]:
    """Yield requests of the QC, objections of players for officers and chief arbiters, and appeals."""
    event_id, name = F("tournament__event_id"), F("tournament__name")
    mine = Q(tournament__in=own) | Q(tournament__in=[one.pk for one in arbitrates])
    # Nobody answers an objection of their own.
    objections = Objection.objects.filter(mine, state=CaseState.WAITING).exclude(asked_by=user)
    yield _part("objection", objections, name, event_id, F("reason"), F("due_on"), F("asked_at"))
    owed = Objection.objects.filter(mine, state=CaseState.APPROVED, settled_at=None)
    yield _part("owed", owed, name, event_id, F("reason"), F("due_on"), F("asked_at"))
    # The line says another name, or a list has the tournament: FIDE staff correct it then (D-139).
    known = tournaments_with_known_ids().filter(pk__in=own)
    yield _part("known-id", known, F("name"), F("event_id"), NOTHING, NO_DAY, NO_INSTANT)
    decided_here = Q(tournament__in=own) & ~Q(tournament__stage=Stage.PUBLISHED)
    if is_staff(user):
        decided_here |= Q(tournament__stage=Stage.PUBLISHED)
    asked_for = ResultCorrection.objects.filter(decided_here, state=CaseState.WAITING)
    key = Cast("pk", CharField())
    # Of one tournament several games may wait.
    game = ["round", Value(": "), "white", Value("–"), "black"]
    named = Concat(name, Value(" (R"), *game, Value(")"), output_field=CharField())
    yield _part("correction", asked_for, named, key, F("reason"), NO_DAY, F("asked_at"))
    if can_decide_appeals(user):
        appeals = Appeal.objects.filter(state=CaseState.WAITING)
        yield _part("appeal", appeals, name, event_id, F("reason"), NO_DAY, F("asked_at"))


def _about_players(user: Any, today: date) -> Iterator[QuerySet[Any]]:
    """Yield transfers for which the other side asked, claims, and what waits for staff."""
    name, key, reason, asked_at = F("player__name"), Cast("pk", CharField()), F("reason"), F("asked_at")
    mine = federations_of(user)
    if mine:
        claims = claims_of(user).filter(state=CaseState.WAITING).exclude(asked_by=user)
        yield _part("claim", claims, name, key, reason, NO_DAY, asked_at)
    if is_staff(user):
        yield from _find_unanswered(user, today)


def _find_unanswered(user: Any, today: date) -> Iterator[QuerySet[Any]]:
    """Yield what federations have not decided for a week, and those with tournaments that nobody registers for."""
    name, asked_at = F("player__name"), F("asked_at")
    old = datetime.combine(today - timedelta(days=UNANSWERED_DAYS), time.min, UTC)
    others = Claim.objects.filter(state=CaseState.WAITING, asked_at__lt=old).exclude(asked_by=user)
    others = others.exclude(player__federation__in=federations_of(user))
    yield _part("claim", others, name, Cast("pk", CharField()), F("reason"), NO_DAY, asked_at)
    recent = Tournament.objects.filter(
        federation=OuterRef("pk"), end__gte=today - timedelta(days=OFFICER_DAYS)
    )
    officers = Appointment.objects.filter(federation=OuterRef("pk"), role=Role.OFFICER)
    without = Federation.objects.filter(Exists(recent), ~Exists(officers))
    yield _part("officer", without, F("name"), NOTHING, NOTHING, NO_DAY, NO_INSTANT)


def _part(
    sort: str, found: QuerySet[Any], name: Any, reference: Any, text: Any, due_on: Any, since: Any
) -> QuerySet[Any]:
    """Return rows of one sort: sort, name, what the address names, text, deadline and since when it waits."""
    # Some models have fields `name`, `text` and `due_on`, whose names an annotation must not have.
    parts = {"v_name": name, "reference": reference, "v_text": text, "v_due": due_on, "since": since}
    rows: QuerySet[Any] = found.order_by().annotate(sort=Value(sort), **parts)
    return rows.values_list("sort", *parts)
