"""What the QC asks an officer before it decides, the answer, and the notes that it keeps for itself."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.choices import Action
from tournaments.errors import Refusal, RefusedError
from tournaments.models import InformationRequest, InternalNote, Tournament
from tournaments.services.trail import record_step

MOST_DAYS_TO_ANSWER = 366


def ask_for_information(
    tournament: Tournament, text: str, *, due_on: date, by: Any, on: date, at: datetime
) -> InformationRequest:
    """Ask the officer, with a day by which to answer; `RefusedError` while an earlier request is open."""
    refusals = [*_asking_refusals(text, due_on, on)]
    if refusals:
        raise RefusedError(refusals)
    try:
        with transaction.atomic():
            made = InformationRequest.objects.create(
                tournament=tournament, text=text.strip(), due_on=due_on, asked_by=by, asked_at=at
            )
            record_step(tournament, Action.ASK, reason=text, by=by, at=at)
    except IntegrityError as error:
        message = _("A request is open already; wait for its answer.")
        raise RefusedError([Refusal("request-open", message, "text")]) from error
    return made


def answer_request(request: InformationRequest, answer: str, *, by: Any, at: datetime) -> InformationRequest:
    """Give the answer, late or not; `RefusedError` for an empty one, or where an answer was given."""
    if not answer.strip():
        raise RefusedError([Refusal("answer-missing", _("Write the answer."), "answer")])
    with transaction.atomic():
        owned = InformationRequest.objects.filter(pk=request.pk, answered_at=None)
        # A clock that was set back in between makes no answer come before its question.
        answered_at = max(at, request.asked_at)
        if not owned.update(answer=answer.strip(), answered_by=by, answered_at=answered_at):
            raise RefusedError([Refusal("answered", _("It was answered already."))])
        record_step(request.tournament, Action.ANSWER, reason=answer, by=by, at=at)
    request.refresh_from_db()
    return request


def add_note(tournament: Tournament, text: str, *, by: Any, at: datetime) -> InternalNote:
    """Keep a note that the QC and FIDE staff alone read; `RefusedError` for an empty one.

    The same person's same note as the last one is the second click of one, and returns that.
    """
    if not text.strip():
        raise RefusedError([Refusal("note-missing", _("Write the note."), "text")])
    newest: InternalNote | None = tournament.notes.order_by("-pk").first()
    if newest is not None and newest.by == by and newest.text == text.strip():
        return newest
    return InternalNote.objects.create(tournament=tournament, text=text.strip(), by=by, at=at)


def _asking_refusals(text: str, due_on: date, on: date) -> list[Refusal]:
    refusals = []
    if not text.strip():
        refusals.append(Refusal("text-missing", _("Say what you ask for."), "text"))
    if due_on < on:
        refusals.append(Refusal("due-past", _("The day for the answer is over already."), "due_on"))
    if (due_on - on).days > MOST_DAYS_TO_ANSWER:
        message = _("That is more than %(days)d days ahead. Check the day.")
        refusals.append(Refusal("due-far", message % {"days": MOST_DAYS_TO_ANSWER}, "due_on"))
    return refusals
