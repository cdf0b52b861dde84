"""What the QC asks the rating officer, and the answers (0.2, 0.4)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from tournaments.choices import Action
from tournaments.models import InformationRequest, Tournament
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen

MAX_DAYS_TO_ANSWER = 366


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
    """Ask the officer, with a day by which to answer; `RefusedError` while an earlier request is open.

    Also where a step follows the one that the author has `seen` last (None skips this check).
    """
    refusals = [*_asking_refusals(text, due_on, on)]
    if refusals:
        raise RefusedError(refusals)
    # One at a time, by a constraint: of two who ask at once the second is told so.
    with refusing_second(
        Refusal("request-open", _("An information request is already open. Wait for the reply."), "text")
    ):
        hold_to_what_was_seen(tournament, seen)
        made = InformationRequest.objects.create(
            tournament=tournament, text=text.strip(), due_on=due_on, asked_by=by, asked_at=at
        )
        record_action(tournament, Action.ASK, reason=text, by=by, at=at)
    return made


def answer_request(request: InformationRequest, answer: str, *, by: Any, at: datetime) -> InformationRequest:
    """Give the answer, late or not; `RefusedError` for an empty one, or where an answer was given."""
    if not answer.strip():
        raise refused("answer-missing", _("Enter a reply."), "answer")
    with transaction.atomic():
        owned = InformationRequest.objects.filter(pk=request.pk, answered_at=None)
        # A clock that was set back in between makes no answer come before its question.
        answered_at = max(at, request.asked_at)
        if not owned.update(answer=answer.strip(), answered_by=by, answered_at=answered_at):
            raise refused("answered", _("This request has already been answered."))
        record_action(request.tournament, Action.ANSWER, reason=answer, by=by, at=at)
    request.refresh_from_db()
    return request


def _asking_refusals(text: str, due_on: date, on: date) -> list[Refusal]:
    refusals = []
    if not text.strip():
        refusals.append(Refusal("text-missing", _("Enter the information you need."), "text"))
    if due_on < on:
        refusals.append(Refusal("due-past", _("The reply date has already passed."), "due_on"))
    # The deadline of the case follows from this day: a slip in the year would hide it from the queue.
    if (due_on - on).days > MAX_DAYS_TO_ANSWER:
        message = _("The date must be no more than %(days)d days ahead.")
        refusals.append(Refusal("due-far", message % {"days": MAX_DAYS_TO_ANSWER}, "due_on"))
    return refusals
