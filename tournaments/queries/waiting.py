"""What waits for a person's answer or decision, in one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import CharField, DateField, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext_lazy

from players.choices import CaseState, ClaimState, Role
from players.models import Application, Appointment, ChangeRequest, Claim, Federation, MergeProposal
from players.permissions import claims_of, federations_of, is_staff, transfers_of
from tournaments.choices import ObjectionState, Stage
from tournaments.models import (
    Appeal,
    InformationRequest,
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
    "answer": (_l("Reply to the QC"), _l("Reply")),
    "objection": (_l("Reply to the objection"), _l("Reply")),
    "owed": (_l("Correct result"), pgettext_lazy("report", "Correct")),
    "known-id": (_l("A FIDE ID of the report is known now"), pgettext_lazy("report", "Open")),
    "correction": (_l("Decide on the correction of a result"), _l("Decide")),
    "appeal": (_l("Decide the appeal"), _l("Decide")),
    "transfer": (_l("Approve or refuse the transfer"), _l("Decide")),
    "claim": (_l("Decide on the claim of a player record"), _l("Decide")),
    "application": (_l("Decide on the FIDE ID application"), _l("Decide")),
    "death": (_l("Decide on the reported death"), _l("Decide")),
    "change": (_l("Decide on the data change request"), _l("Decide")),
    "merge": (_l("Confirm merge"), _l("Confirm")),
    "officer": (_l("Assign a rating officer"), _l("Send invitation")),
}
# What staff take over where the federation does not reply in so many days.
UNANSWERED_DAYS = 7
MAX_NAMES = 4
OFFICER_DAYS = 365
SORT_OF = {
    "answer": "replies",
    "objection": "replies",
    "owed": "reports",
    "known-id": "reports",
    "correction": "decisions",
    "appeal": "decisions",
    "officer": "people",
}
ADDRESSES = {
    "answer": "desk:answer",
    "objection": "desk:objections",
    "owed": "desk:objections",
    "known-id": "desk:tournament",
    "correction": "desk:correction",
    "appeal": "desk:appeal",
    "transfer": "people:transfers",
    "claim": "people:decide-claim",
    "application": "people:applications",
    "death": "changes:decide",
    "change": "changes:decide",
    "merge": "people:merge",
    "officer": "people:people",
}


def waiting_tasks(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament], *, today: date
) -> Iterator[DeskTask]:
    """Yield what waits for an answer or a decision of the person, in one query; what one page decides is one task."""
    parts = [*_about_tournaments(user, own, arbitrates), *_about_players(user, today)]
    rows = parts[0].union(*parts[1:], all=True).order_by("since")[:MAX_WAITING]
    batches: dict[str, list[DeskTask]] = {}
    for sort, name, reference, text, due_on, since in rows:
        what, action = WAITING[sort]
        url = reverse(ADDRESSES[sort], args=[reference] if reference else [])
        values: dict[str, Any] = {"deadline": due_on, "since": since, "sort": SORT_OF.get(sort, "players")}
        values["code"] = sort
        task = DeskTask(str(what), str(action), about=name, url=url, why=text, **values)
        if reference:
            yield task
        else:
            batches.setdefault(sort, []).append(task)
    yield from (_batch(tasks) for tasks in batches.values())


def _batch(tasks: Sequence[DeskTask]) -> DeskTask:
    """Return the tasks of one sort that one page shows as one task, by the one that waits longest."""
    first, number = tasks[0], len(tasks)
    if number == 1:
        return first
    titles = {
        "transfer": ngettext("Decide on %(number)d transfer", "Decide on %(number)d transfers", number),
        "application": ngettext(
            "Decide on %(number)d FIDE ID application", "Decide on %(number)d FIDE ID applications", number
        ),
        "merge": ngettext("Confirm %(number)d merge", "Confirm %(number)d merges", number),
        "officer": ngettext(
            "Assign a rating officer for %(number)d federation",
            "Assign rating officers for %(number)d federations",
            number,
        ),
    }
    about = ", ".join(task.about for task in tasks[:MAX_NAMES]) + ("…" if number > MAX_NAMES else "")
    return replace(first, what=titles[first.code] % {"number": number}, about=about, why="", number=number)


def _about_tournaments(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament]
) -> Iterator[QuerySet[Any]]:
    """Yield requests of the QC, objections of players for officers and chief arbiters, and appeals."""
    event_id, name = F("tournament__event_id"), F("tournament__name")
    open_requests = InformationRequest.objects.filter(tournament__in=own, answered_at=None)
    yield _part("answer", open_requests, name, event_id, F("text"), F("due_on"), F("asked_at"))
    mine = Q(tournament__in=own) | Q(tournament__in=[one.pk for one in arbitrates])
    # Nobody answers an objection of their own.
    objections = Objection.objects.filter(mine, state=ObjectionState.OPEN).exclude(user=user)
    yield _part("objection", objections, name, event_id, F("statement"), F("due_on"), F("raised_at"))
    owed = Objection.objects.filter(mine, state=ObjectionState.AGREED, settled_at=None)
    yield _part("owed", owed, name, event_id, F("statement"), F("due_on"), F("raised_at"))
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
        transfers = transfers_of(user).filter(state=CaseState.WAITING).exclude(federation__in=mine)
        way = Concat("from_federation_id", Value(" → "), "to_federation_id", output_field=CharField())
        yield _part("transfer", transfers, name, NOTHING, way, NO_DAY, asked_at)
        claims = claims_of(user).filter(state=ClaimState.WAITING).exclude(user=user)
        yield _part("claim", claims, name, key, reason, NO_DAY, asked_at)
    if is_staff(user):
        applications = Application.objects.filter(state=CaseState.WAITING)
        code = Cast("federation_id", CharField())
        yield _part("application", applications, F("name"), NOTHING, code, NO_DAY, asked_at)
        changes = ChangeRequest.objects.filter(state=CaseState.WAITING)
        dead, others = changes.exclude(died_on=None), changes.filter(died_on=None)
        yield _part("death", dead, name, key, reason, NO_DAY, asked_at)
        yield _part("change", others, name, key, reason, NO_DAY, asked_at)
        # A merge is confirmed by somebody else than who proposed it.
        merges = MergeProposal.objects.filter(state=CaseState.WAITING).exclude(asked_by=user)
        yield _part("merge", merges, name, NOTHING, reason, NO_DAY, asked_at)
        yield from _find_unanswered(user, today)


def _find_unanswered(user: Any, today: date) -> Iterator[QuerySet[Any]]:
    """Yield what federations have not decided for a week, and those with tournaments that nobody registers for."""
    name, asked_at = F("player__name"), F("asked_at")
    old = datetime.combine(today - timedelta(days=UNANSWERED_DAYS), time.min, UTC)
    others = Claim.objects.filter(state=ClaimState.WAITING, asked_at__lt=old).exclude(user=user)
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
