"""What needs a person beside reports: answers, appeals, transfers and applications; and the decisions received."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.html.figures import day_text
from players.choices import ApplicationState, ClaimState, RequestState, TransferState
from players.models import Application, ChangeRequest, MergeProposal, Transfer
from players.permissions import claims_of, federations_of, is_staff, transfers_of
from tournaments.choices import Action, AppealState, ObjectionState
from tournaments.models import (
    Appeal,
    HandedReport,
    InformationRequest,
    Objection,
    Tournament,
    TrailEntry,
)
from tournaments.permissions import can_decide_appeals
from tournaments.queries.report_versions import counts_of
from tournaments.steps import Progress

MAX_ROWS = 25
DECISIONS_SHOWN_DAYS = 14
DECISIONS = (
    Action.ALLOW,
    Action.REFUSE,
    Action.NOT_RATE,
    Action.GRANT,
    Action.DENY,
    Action.RESTORE,
    Action.CLEAR,
    Action.UPHOLD,
    Action.DISMISS,
)
# What has no deadline stands below what has one.
NO_DEADLINE = date.max


@dataclass(frozen=True, slots=True)
class Need:
    """One thing to do: what, about whom, at which address, and the last UTC day for it, where it has one."""

    what: str
    about: str
    url: str
    why: str
    deadline: date | None = None
    since: datetime | None = None


def needs_of(
    user: Any,
    own: QuerySet[Tournament],
    decisions: Sequence[TrailEntry],
    arbitrates: Sequence[Tournament],
    handed: Sequence[HandedReport],
    progress: Mapping[int, Progress],
) -> list[Need]:
    """Return what a person has to answer or decide, the fewest days left first.

    `own` are the tournaments that the person reports, `decisions` and `handed` those received on them; `arbitrates`
    those that the person is chief arbiter of. `progress` says where all of these stand.
    """
    needs = [
        *_questions(own),
        *_objections(user, own, arbitrates),
        *(_handed_over(row, progress[row.tournament_id]) for row in handed),
        *_to_hand_over(arbitrates, progress),
        *_appeals_possible(user, decisions, progress),
        *_appeals_to_decide(user),
        *_transfers(user),
        *_applications(user),
        *_changes(user),
        *_merges(user),
        *_claims(user),
    ]
    return sorted(needs, key=lambda need: (need.deadline or NO_DEADLINE, need.about))


def decisions_received(own: QuerySet[Tournament], *, today: date) -> list[TrailEntry]:
    """Return what was decided last on each of these tournaments in the last fortnight, the newest first."""
    found = TrailEntry.objects.filter(
        tournament__in=own, action__in=DECISIONS, at__gte=decisions_since(today)
    )
    later = found.filter(tournament=OuterRef("tournament")).filter(
        Q(at__gt=OuterRef("at")) | Q(at=OuterRef("at"), pk__gt=OuterRef("pk"))
    )
    newest = found.exclude(Exists(later)).select_related("tournament", "appeal")
    return list(newest.order_by("-at", "-pk")[:MAX_ROWS])


def is_appealable(entry: TrailEntry, user: Any, progress: Mapping[int, Progress]) -> bool:
    """Whether a decision of `decisions_received` is one not to rate that the person can still appeal (0.4)."""
    is_open = entry.action == Action.NOT_RATE and progress[entry.tournament_id].step.code == "appeal"
    return is_open and entry.tournament.federation_id in federations_of(user)


def decisions_since(today: date) -> datetime:
    """Return the instant from which on decisions are new."""
    return datetime.combine(today - timedelta(days=DECISIONS_SHOWN_DAYS), time.min, UTC)


def _questions(own: QuerySet[Tournament]) -> Iterator[Need]:
    asked = InformationRequest.objects.filter(tournament__in=own, answered_at=None)
    for row in asked.select_related("tournament").order_by("due_on", "pk")[:MAX_ROWS]:
        url = reverse("desk:answer", args=[row.tournament.event_id])
        yield Need(_("Reply to the QC"), row.tournament.name, url, row.text, row.due_on, row.asked_at)


def _objections(user: Any, own: QuerySet[Tournament], arbitrates: Sequence[Tournament]) -> Iterator[Need]:
    """Yield the objections of players to results, for whoever reports the tournament or directed it."""
    mine = Q(tournament__in=own) | Q(tournament__in=[one.pk for one in arbitrates])
    waiting = Objection.objects.filter(mine, state=ObjectionState.OPEN).exclude(user=user)
    for row in waiting.select_related("tournament").order_by("due_on", "pk")[:MAX_ROWS]:
        url = reverse("desk:objections", args=[row.tournament.event_id])
        name = row.tournament.name
        yield Need(_("Reply to the objection"), name, url, row.statement, row.due_on, row.raised_at)


def _claims(user: Any) -> Iterator[Need]:
    """Yield the claims of records of the federations' players."""
    if not federations_of(user):
        return
    waiting = claims_of(user).filter(state=ClaimState.WAITING).exclude(user=user)
    for row in waiting.select_related("player").order_by("asked_at", "pk")[:MAX_ROWS]:
        url = reverse("people:decide-claim", args=[row.pk])
        yield Need(
            _("Decide on the claim of a player record"), row.player.name, url, row.reason, since=row.asked_at
        )


def _handed_over(row: HandedReport, progress: Progress) -> Need:
    """Return the task with a report that a chief arbiter handed over."""
    tournament = row.tournament
    counts = counts_of(row)
    found = [
        ngettext("%(count)d error", "%(count)d errors", counts["error"]) % {"count": counts["error"]},
        ngettext("%(count)d warning", "%(count)d warnings", counts["warning"]) % {"count": counts["warning"]},
    ]
    day = day_text(row.handed_at.date()) if row.handed_at else ""
    told = {"who": row.handed_by or "–", "day": day, "found": ", ".join(found)}
    return Need(
        _("Add or return the report"),
        tournament.name,
        reverse("desk:handed", args=[tournament.event_id, row.number]),
        _("Sent by %(who)s on %(day)s: %(found)s. %(remark)s") % {**told, "remark": row.remark},
        progress.step.deadline,
        row.handed_at,
    )


def _to_hand_over(arbitrates: Sequence[Tournament], progress: Mapping[int, Progress]) -> Iterator[Need]:
    """Yield the tournaments whose report the person, as chief arbiter, has to hand over (8.1)."""
    for tournament in arbitrates:
        step = progress[tournament.pk].step
        if step.code != "upload":
            continue
        was_sent_back = tournament.handed_state is not None  # type: ignore[attr-defined]
        yield Need(
            _("Correct the report and send it again") if was_sent_back else _("Send the report"),
            tournament.name,
            reverse("desk:arbiter", args=[tournament.event_id]),
            _("The rating officer submits it for rating."),
            step.deadline,
        )


def _appeals_possible(
    user: Any, decisions: Sequence[TrailEntry], progress: Mapping[int, Progress]
) -> Iterator[Need]:
    """Yield the decisions not to rate against which the organiser can still appeal (0.4)."""
    for entry in decisions:
        if is_appealable(entry, user, progress):
            url = reverse("desk:lodge", args=[entry.tournament.event_id])
            deadline = progress[entry.tournament_id].step.deadline
            name = entry.tournament.name
            yield Need(_("Decide whether to appeal"), name, url, entry.reason, deadline, entry.at)


def _appeals_to_decide(user: Any) -> Iterator[Need]:
    if not can_decide_appeals(user):
        return
    waiting = Appeal.objects.filter(state=AppealState.OPEN).select_related("tournament")
    for row in waiting.order_by("lodged_at", "pk")[:MAX_ROWS]:
        url = reverse("desk:appeal", args=[row.tournament.event_id])
        yield Need(_("Decide the appeal"), row.tournament.name, url, row.statement, since=row.lodged_at)


def _transfers(user: Any) -> Iterator[Need]:
    """Yield the transfers for which the other side asked."""
    mine = federations_of(user)
    if not mine:
        return
    asked = transfers_of(user).filter(state=TransferState.ASKED).exclude(asked_for__in=mine)
    rows: QuerySet[Transfer] = asked.select_related("player").order_by("asked_at", "pk")
    for row in rows[:MAX_ROWS]:
        way = f"{row.from_federation_id} → {row.to_federation_id}"
        yield Need(
            _("Approve or refuse the transfer"),
            row.player.name,
            reverse("people:transfers"),
            way,
            since=row.asked_at,
        )


def _applications(user: Any) -> Iterator[Need]:
    if not is_staff(user):
        return
    waiting = Application.objects.filter(state=ApplicationState.WAITING).order_by("applied_at", "pk")
    for row in waiting[:MAX_ROWS]:
        url = reverse("people:applications")
        yield Need(
            _("Decide on the FIDE ID application"),
            row.name,
            url,
            str(row.federation_id),
            since=row.applied_at,
        )


def _changes(user: Any) -> Iterator[Need]:
    """Yield the requests of federations to change a player's data."""
    if not is_staff(user):
        return
    waiting = ChangeRequest.objects.filter(state=RequestState.WAITING).select_related("player")
    for row in waiting.order_by("asked_at", "pk")[:MAX_ROWS]:
        url = reverse("changes:decide", args=[row.pk])
        what = _("Decide on the reported death") if row.died_on else _("Decide on the data change request")
        yield Need(what, row.player.name, url, row.reason, since=row.asked_at)


def _merges(user: Any) -> Iterator[Need]:
    """Yield the merges that a colleague proposed and the person may confirm."""
    if not is_staff(user):
        return
    waiting = MergeProposal.objects.filter(state=RequestState.WAITING).exclude(asked_by=user)
    for row in waiting.select_related("player").order_by("asked_at", "pk")[:MAX_ROWS]:
        url = reverse("people:merge")
        yield Need(_("Confirm the merge"), row.player.name, url, row.reason, since=row.asked_at)
