"""What the QC asks the rating officer, and the answers (0.2, 0.4)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, RefusedError
from core.html.dates import day_text
from players.cases import RULES, CaseRules, CaseTask, nothing, only, open_case
from players.choices import CaseKind, CaseState
from players.own_matters import own_matter
from tournaments.cases import IS_QC, hold_tournament, of_the_queue
from tournaments.changed_meanwhile import hold_to_what_was_seen
from tournaments.choices import POSSIBLE_REGISTRATIONS, Action, Registration, Stage
from tournaments.log import tournament_acts
from tournaments.models import InformationRequest, RequestedChange, Tournament
from tournaments.permissions import can_report, for_user, reported_by
from tournaments.progress import with_days
from tournaments.requested_changes import waiting_request
from tournaments.steps import ONE_DAY

MAX_DAYS_TO_ANSWER = 366


def last_day_to_answer(tournament: Tournament, request: RequestedChange | None, on: date) -> date:
    """Return the last day for an answer to a question asked on a day, while a request of the officer waits or none.

    The QC decides by the first day on a registration or such a request (0.2): the answer comes before it.
    """
    first_day = with_days(tournament, request.changes if request else ()).start
    if on <= first_day and (request is not None or tournament.registration == Registration.WAITING):
        return max(on, first_day - ONE_DAY)
    return on + timedelta(days=MAX_DAYS_TO_ANSWER)


def ask_for_information(
    tournament: Tournament,
    text: str,
    *,
    due_on: date,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
) -> InformationRequest:
    """Ask the officer, with a day by which to answer; `RefusedError` for a day past `last_day_to_answer`.

    Also while an earlier request is open, and where a step follows the one that the author has `seen` last (None skips
    this check).
    """
    refusals = [*_asking_refusals(tournament, text, due_on, on)]
    # Until the answer the other chairs have no task: an officer does not put the own case off so (D-131).
    if bar := own_matter(by, {tournament.federation_id}, holders=IS_QC):
        refusals.append(bar)
    if refusals:
        raise RefusedError(refusals)
    asked = InformationRequest(
        tournament=tournament, reason=text.strip(), due_on=due_on, asked_by=by, asked_at=at
    )
    message = _("An information request is already open. Wait for the reply.")
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        return open_case(asked, second=Refusal("request-open", message, "text"))


def hasten_answer(tournament: Tournament, on: date) -> None:
    """Bring the answer that is awaited before a first day that was moved. Within a transaction."""
    last_day = last_day_to_answer(tournament, waiting_request(tournament), on)
    asked = InformationRequest.objects.filter(tournament=tournament, state=CaseState.WAITING)
    asked.filter(due_on__gt=last_day).update(due_on=last_day)


def _asking_refusals(tournament: Tournament, text: str, due_on: date, on: date) -> list[Refusal]:
    refusals = []
    if not text.strip():
        refusals.append(Refusal("text-missing", _("Enter the information you need."), "text"))
    if due_on < on:
        refusals.append(Refusal("due-past", _("The reply date has already passed."), "due_on"))
    last_day = last_day_to_answer(tournament, waiting_request(tournament), on)
    if due_on > last_day:
        message = _("Enter %(day)s or an earlier date.") % {"day": day_text(last_day)}
        refusals.append(Refusal("due-far", message, "due_on"))
    return refusals


RULES[CaseKind.INFORMATION] = CaseRules(
    task=CaseTask(_l("Reply to the QC"), _l("Reply"), "replies"),
    seen_by=lambda user: Q(tournament__in=for_user(user).values("pk")),
    waits_for=lambda user, today: Q(state=CaseState.WAITING, tournament__in=reported_by(user).values("pk")),
    followed_by=of_the_queue,
    # The QC has still to decide.
    still_open=Q(state=CaseState.APPROVED, tournament__registration__in=POSSIBLE_REGISTRATIONS)
    & ~Q(tournament__stage=Stage.PUBLISHED),
    bar=only(
        lambda user, request: user is None or can_report(user, request.tournament),
        _l("Only the rating officer of the tournament can reply."),
    ),
    begin=hold_tournament,
    grant=nothing,
    verdicts=(CaseState.APPROVED,),
    with_reason=(CaseState.APPROVED,),
    # Who answers decides nothing of their own.
    concerned=nothing,
    record=tournament_acts({CaseState.WAITING: Action.ASK, CaseState.APPROVED: Action.ANSWER}),
)
