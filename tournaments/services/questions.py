"""Reports under question: raised by a person, who thereby holds the tournament back, or by the findings."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.choices import OPEN_REGISTRATIONS, Action, Stage
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Question, Report, Tournament
from tournaments.services.trail import record_step

OUTLIERS = ("performance-outlier", "event-again")
QUESTIONABLE = (Stage.REPORTED, Stage.RATED)


def raise_question(tournament: Tournament, *, reason: str, by: Any, at: datetime) -> Question:
    """Put an accepted report under question and return the question; no list takes the tournament until it is closed.

    Where the findings raised one already, the person's takes its place. `RefusedError` where there is no accepted
    report, it is published, official (0.3), or a person's question is open.
    """
    refusals = _refusals(tournament, reason)
    if refusals:
        raise RefusedError(refusals)
    try:
        with transaction.atomic():
            held = Tournament.objects.filter(
                pk=tournament.pk,
                stage__in=QUESTIONABLE,
                registration__in=OPEN_REGISTRATIONS,
                is_held=False,
            )
            if not held.update(is_held=True):
                raise RefusedError([_not_now()])
            tournament.questions.filter(closed_at=None).update(closed_by=by, closed_at=at)
            question = Question.objects.create(
                tournament=tournament, reason=reason.strip(), raised_by=by, raised_at=at
            )
            tournament.refresh_from_db()
            record_step(tournament, Action.QUESTION, reason=reason, by=by, at=at)
    except IntegrityError as error:
        raise RefusedError([_not_now()]) from error
    return question


def clear_question(tournament: Tournament, *, reason: str, by: Any, at: datetime) -> None:
    """Close the open question without a decision against the tournament: the next list that can take it does.

    `RefusedError` without an open question or a reason.
    """
    if not reason.strip():
        raise RefusedError([_reason_missing()])
    with transaction.atomic():
        if not tournament.questions.filter(closed_at=None).update(closed_by=by, closed_at=at):
            raise RefusedError([Refusal("no-question", _("No question is open; it may have been closed."))])
        Tournament.objects.filter(pk=tournament.pk).update(is_held=False)
        tournament.refresh_from_db()
        record_step(tournament, Action.CLEAR, reason=reason, by=by, at=at)


def question_outliers(report: Report, *, at: datetime) -> Question | None:
    """Put an accepted report before the QC for what stands out in its findings; this alone holds nothing back."""
    number = sum(finding["code"] in OUTLIERS for finding in report.findings)
    tournament = report.tournament
    if not number or tournament.is_official or tournament.questions.filter(closed_at=None).exists():
        return None
    reason = ngettext(
        "%(number)d result or event of the report stands out in its findings.",
        "%(number)d results or events of the report stand out in its findings.",
        number,
    )
    return Question.objects.create(
        tournament=tournament, reason=reason % {"number": number}, is_from_findings=True, raised_at=at
    )


def is_questionable(tournament: Tournament) -> bool:
    """Whether the report can be put under question by a person as the tournament stands."""
    is_reported = tournament.stage in QUESTIONABLE and tournament.is_open
    return is_reported and not tournament.is_held and not tournament.is_official


def _refusals(tournament: Tournament, reason: str) -> list[Refusal]:
    if not reason.strip():
        return [_reason_missing()]
    if tournament.is_official:
        return [Refusal("official-0.3", _("Official FIDE and continental events shall be rated (0.3)."))]
    return []


def _reason_missing() -> Refusal:
    return Refusal("reason-missing", _("Give the reason; it is kept and shown to the officer."), "reason")


def _not_now() -> Refusal:
    message = _(
        "The report cannot be put under question: there is none accepted, it is published, or it is already."
    )
    return Refusal("wrong-state", message)
