"""What needs a person beside reports: answers, appeals, transfers and applications; and the decisions received."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import CharField, DateField, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from core.html.dates import day_text
from players.choices import CaseState, ClaimState, Role
from players.models import Application, Appointment, ChangeRequest, Claim, Federation, MergeProposal
from players.permissions import claims_of, federations_of, is_staff, transfers_of
from tournaments.choices import Action, AppealState, CorrectionState, ObjectionState, Stage
from tournaments.models import (
    Appeal,
    AuditEntry,
    HandedReport,
    InformationRequest,
    Objection,
    ResultCorrection,
    Tournament,
)
from tournaments.permissions import can_decide_appeals
from tournaments.queries.report_versions import problem_counts_of
from tournaments.steps import Progress

MAX_ROWS = 25
DECISIONS_SHOWN_DAYS = 14
DECISIONS = (
    Action.ALLOW,
    Action.REFUSE,
    Action.NOT_RATE,
    Action.GRANT,
    Action.DENY,
    Action.DENY_CORRECTION,
    Action.RESTORE,
    Action.CLEAR,
    Action.UPHOLD,
    Action.DISMISS,
)
# Tasks without a deadline come after those with one.
NO_DEADLINE = date.max
NOTHING = Value("")
NO_DAY = Value(None, output_field=DateField())
NO_INSTANT = Value(None, output_field=DateTimeField())
WAITING = {
    "answer": (_l("Reply to the QC"), _l("Reply")),
    "objection": (_l("Reply to the objection"), _l("Reply")),
    "owed": (_l("Correct result"), pgettext_lazy("report", "Correct")),
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
# The choices of the switch above the tasks; what has no other sort is about players.
SORTS = {
    "reports": pgettext_lazy("tasks", "Reports"),
    "registrations": pgettext_lazy("tasks", "Registrations"),
    "replies": pgettext_lazy("tasks", "Replies"),
    "holds": pgettext_lazy("tasks", "Holds and requests"),
    "decisions": pgettext_lazy("tasks", "Decisions"),
    "lists": pgettext_lazy("tasks", "Rating lists"),
    "players": pgettext_lazy("tasks", "Players"),
    "people": pgettext_lazy("tasks", "People"),
}
SORT_OF = {
    "answer": "replies",
    "objection": "replies",
    "owed": "reports",
    "correction": "decisions",
    "appeal": "decisions",
    "officer": "people",
}
ADDRESSES = {
    "answer": "desk:answer",
    "objection": "desk:objections",
    "owed": "desk:objections",
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


@dataclass(frozen=True, slots=True)
class Need:
    """One task: its title, the verb of its button, its object, address, reason and last UTC day.

    The last day is the nearest one that matters; `last_day` is the final one, after which nothing helps. A task about
    a report has the list that will include it; `is_final` says that it is the last possible (8.1). `sort` is one of
    `SORTS`, `code` names what is to be done. `facts` are labels with what they say, on which the task is decided;
    `shortcut` is the words and the address of a second way in, `about_url` that of the object.
    """

    what: str
    action: str
    about: str
    url: str
    why: str = ""
    deadline: date | None = None
    since: datetime | None = None
    list_date: date | None = None
    is_final: bool = False
    sort: str = ""
    code: str = ""
    last_day: date | None = None
    about_url: str = ""
    facts: Sequence[tuple[str, str]] = ()
    shortcut: tuple[str, str] | None = None
    # How many things of one sort wait behind the same address.
    number: int = 1

    @property
    def order(self) -> tuple[date, str]:
        """The place among other tasks: the fewest days left first."""
        return self.deadline or NO_DEADLINE, self.about


def needs_of(
    user: Any,
    own: QuerySet[Tournament],
    decisions: Sequence[AuditEntry],
    arbitrates: Sequence[Tournament],
    handed: Sequence[HandedReport],
    progress: Mapping[int, Progress],
    *,
    today: date,
) -> list[Need]:
    """Return the questions and decisions for a user, the fewest days left first.

    `own` are the tournaments that the user reports, `decisions` and `handed` those received on them; `arbitrates`
    those with the user as chief arbiter. `progress` has the progress of all of these.
    """
    needs = [
        *_waiting(user, own, arbitrates, today=today),
        *(_handed_over(row, progress[row.tournament_id]) for row in handed),
        *_to_hand_over(arbitrates, progress),
        *_appeals_possible(user, decisions, progress),
    ]
    return sorted(needs, key=lambda need: need.order)


def decisions_received(own: QuerySet[Tournament], *, today: date) -> list[AuditEntry]:
    """Return what was decided last on each of these tournaments in the last fortnight, the newest first."""
    found = AuditEntry.objects.filter(
        tournament__in=own, action__in=DECISIONS, at__gte=decisions_since(today)
    )
    later = found.filter(tournament=OuterRef("tournament")).filter(
        Q(at__gt=OuterRef("at")) | Q(at=OuterRef("at"), pk__gt=OuterRef("pk"))
    )
    newest = found.exclude(Exists(later)).select_related("tournament", "appeal")
    return list(newest.order_by("-at", "-pk")[:MAX_ROWS])


def is_appealable(entry: AuditEntry, user: Any, progress: Mapping[int, Progress]) -> bool:
    """Return whether a decision of `decisions_received` is one not to rate that the user can still appeal (0.4)."""
    is_open = entry.action == Action.NOT_RATE and progress[entry.tournament_id].step.code == "appeal"
    return is_open and entry.tournament.federation_id in federations_of(user)


def decisions_since(today: date) -> datetime:
    """Return the instant from which on decisions are new."""
    return datetime.combine(today - timedelta(days=DECISIONS_SHOWN_DAYS), time.min, UTC)


def _handed_over(row: HandedReport, progress: Progress) -> Need:
    """Return the task with a report that a chief arbiter handed over."""
    tournament = row.tournament
    counts = problem_counts_of(row.findings)
    found = [
        ngettext("%(number)s error", "%(number)s errors", counts["error"]) % {"number": counts["error"]},
        ngettext("%(number)s warning", "%(number)s warnings", counts["warning"])
        % {"number": counts["warning"]},
    ]
    day = day_text(row.handed_at.date()) if row.handed_at else ""
    values = {"who": row.handed_by or "–", "day": day, "found": ", ".join(found)}
    return Need(
        what=_("Add or return the report"),
        action=pgettext("report", "Open"),
        about=tournament.name,
        url=reverse("desk:handed", args=[tournament.event_id, row.number]),
        why=_("Sent by %(who)s on %(day)s: %(found)s. %(remark)s") % {**values, "remark": row.remark},
        deadline=progress.report_deadline,
        last_day=progress.days.last_day,
        since=row.handed_at,
        list_date=progress.expected_list,
        is_final=progress.is_last_list,
        sort="reports",
        code="take",
    )


def _to_hand_over(arbitrates: Sequence[Tournament], progress: Mapping[int, Progress]) -> Iterator[Need]:
    """Yield the tournaments whose report the person, as chief arbiter, has to hand over (8.1)."""
    for tournament in arbitrates:
        found = progress[tournament.pk]
        if found.step.code != "upload":
            continue
        was_sent_back = tournament.handed_state is not None  # type: ignore[attr-defined]
        yield Need(
            what=_("Correct the report and send it again") if was_sent_back else _("Send report"),
            action=pgettext("report", "Open"),
            about=tournament.name,
            url=reverse("desk:arbiter", args=[tournament.event_id]),
            why=_("The rating officer submits it for rating."),
            deadline=found.report_deadline,
            last_day=found.days.last_day,
            list_date=found.expected_list,
            is_final=found.is_last_list,
            sort="reports",
            code="send-again" if was_sent_back else "send",
        )


def _appeals_possible(
    user: Any, decisions: Sequence[AuditEntry], progress: Mapping[int, Progress]
) -> Iterator[Need]:
    """Yield the decisions not to rate against which the organiser can still appeal (0.4)."""
    for entry in decisions:
        if is_appealable(entry, user, progress):
            yield Need(
                what=_("Decide whether to appeal"),
                action=_("Decide"),
                about=entry.tournament.name,
                url=reverse("desk:lodge", args=[entry.tournament.event_id]),
                why=entry.reason,
                deadline=progress[entry.tournament_id].step.deadline,
                since=entry.at,
                sort="decisions",
                code="lodge",
            )


def _waiting(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament], *, today: date
) -> Iterator[Need]:
    """Yield what waits for an answer or a decision of the person, in one query; what one page decides is one task."""
    parts = [*_about_tournaments(user, own, arbitrates), *_about_players(user, today)]
    rows = parts[0].union(*parts[1:], all=True).order_by("since")[: MAX_ROWS * 8]
    batches: dict[str, list[Need]] = {}
    for sort, name, reference, text, due_on, since in rows:
        what, action = WAITING[sort]
        url = reverse(ADDRESSES[sort], args=[reference] if reference else [])
        values: dict[str, Any] = {"deadline": due_on, "since": since, "sort": SORT_OF.get(sort, "players")}
        values["code"] = sort
        need = Need(str(what), str(action), about=name, url=url, why=text, **values)
        if reference:
            yield need
        else:
            batches.setdefault(sort, []).append(need)
    yield from (_batch(needs) for needs in batches.values())


def _batch(needs: Sequence[Need]) -> Need:
    """Return the tasks of one sort that one page shows as one task, by the one that waits longest."""
    first, number = needs[0], len(needs)
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
    about = ", ".join(need.about for need in needs[:MAX_NAMES]) + ("…" if number > MAX_NAMES else "")
    return replace(first, what=titles[first.code] % {"number": number}, about=about, why="", number=number)


def _about_tournaments(
    user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament]
) -> Iterator[QuerySet[Any]]:
    """Yield requests of the QC, objections of players for officers and chief arbiters, and appeals."""
    event_id, name = F("tournament__event_id"), F("tournament__name")
    open_requests = InformationRequest.objects.filter(tournament__in=own, answered_at=None)
    yield _part("answer", open_requests, name, event_id, F("text"), F("due_on"), F("asked_at"))
    mine = Q(tournament__in=own) | Q(tournament__in=[one.pk for one in arbitrates])
    objections = Objection.objects.filter(mine, state=ObjectionState.OPEN).exclude(user=user)
    yield _part("objection", objections, name, event_id, F("statement"), F("due_on"), F("raised_at"))
    owed = Objection.objects.filter(mine, state=ObjectionState.AGREED, settled_at=None)
    yield _part("owed", owed, name, event_id, F("statement"), F("due_on"), F("raised_at"))
    decided_here = Q(tournament__in=own) & ~Q(tournament__stage=Stage.PUBLISHED)
    if is_staff(user):
        decided_here |= Q(tournament__stage=Stage.PUBLISHED)
    asked_for = ResultCorrection.objects.filter(decided_here, state=CorrectionState.WAITING)
    key = Cast("pk", CharField())
    # Of one tournament several games may wait.
    game = ["round", Value(": "), "white", Value("–"), "black"]
    named = Concat(name, Value(" (R"), *game, Value(")"), output_field=CharField())
    yield _part("correction", asked_for, named, key, F("reason"), NO_DAY, F("asked_at"))
    if can_decide_appeals(user):
        appeals = Appeal.objects.filter(state=AppealState.OPEN)
        yield _part("appeal", appeals, name, event_id, F("statement"), NO_DAY, F("lodged_at"))


def _about_players(user: Any, today: date) -> Iterator[QuerySet[Any]]:
    """Yield transfers for which the other side asked, claims, and what waits for staff."""
    name, key, reason, asked_at = F("player__name"), Cast("pk", CharField()), F("reason"), F("asked_at")
    mine = federations_of(user)
    if mine:
        transfers = transfers_of(user).filter(state=CaseState.WAITING).exclude(asked_for__in=mine)
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
    parts = {"v_name": name, "reference": reference, "v_text": text, "v_due": due_on, "since": since}
    rows: QuerySet[Any] = found.order_by().annotate(sort=Value(sort), **parts)
    return rows.values_list("sort", *parts)
