"""The Qualification Commission: decisions, information requests, notes and reports on hold (0.2, 0.4)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from tournaments.choices import FLAGGED, OPEN_REGISTRATIONS, PORTAL_REASONS, Action, Registration, Stage
from tournaments.models import Hold, InformationRequest, InternalNote, Report, Tournament
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.requested_changes import close_request

FROM = {
    Action.ALLOW: (Registration.WAITING, Registration.REFUSED),
    Action.REFUSE: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
    Action.NOT_RATE: (Registration.REGISTERED, Registration.APPROVED),
    Action.WITHDRAW: (Registration.WAITING, Registration.REGISTERED, Registration.APPROVED),
}
TO = {
    Action.ALLOW: Registration.APPROVED,
    Action.REFUSE: Registration.REFUSED,
    Action.NOT_RATE: Registration.NOT_RATED,
    Action.WITHDRAW: Registration.WITHDRAWN,
}
MAX_DAYS_TO_ANSWER = 366
OUTLIERS = ("performance-outlier", "event-again")
HOLDABLE = (Stage.REPORTED, Stage.RATED)


def decide(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    is_public: bool = False,
    seen: str | None = None,
) -> Tournament:
    """Take a decision with its reason and return the tournament as it then stands; an open hold ends with it.

    Everybody may read the reason of a public one. `RefusedError` where the state does not allow it, a reason is
    missing, the event is official (0.3), its games are published already (then only a correction helps, D-11), the
    officer withdraws what has begun (D-81), or a step follows the one that the author has `seen` last.
    """
    refusals = _decision_refusals(tournament, action, reason, at)
    if refusals:
        raise RefusedError(refusals)
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        # What the person decides on is what they saw: who was faster is found out by the update, and told.
        before = tournament.registration
        owned = Tournament.objects.filter(pk=tournament.pk, registration=before).exclude(
            stage=Stage.PUBLISHED
        )
        if before not in FROM[action] or not owned.update(registration=TO[action], is_held=False):
            raise RefusedError([_wrong_state(tournament)])
        tournament.refresh_from_db()
        record_action(tournament, action, reason=reason, by=by, at=at, before=before, is_public=is_public)
        tournament.holds.filter(closed_at=None).update(closed_by=by, closed_at=at)
        if action != Action.ALLOW:
            close_request(tournament, reason=reason, by=by, at=at)
    return tournament


def possible_actions(tournament: Tournament) -> frozenset[Action]:
    """Return what may be decided on a tournament as it stands."""
    if tournament.stage == Stage.PUBLISHED:
        return frozenset()
    barred = (Action.REFUSE, Action.NOT_RATE) if tournament.is_official else ()
    return frozenset(
        action
        for action, states in FROM.items()
        if tournament.registration in states and action not in barred
    )


def _decision_refusals(tournament: Tournament, action: Action, reason: str, at: datetime) -> list[Refusal]:
    if not reason.strip():
        return [Refusal("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")]
    if action in (Action.REFUSE, Action.NOT_RATE) and tournament.is_official:
        return [
            Refusal("official-0.3", _("Official FIDE and continental events must be rated (article 0.3)."))
        ]
    if action == Action.WITHDRAW and tournament.has_begun(at.astimezone(UTC).date()):
        message = _(
            "The tournament has started, so the QC decides on a request to withdraw it (decision D-81)."
        )
        return [Refusal("begun-D-81", message)]
    return []


def _wrong_state(tournament: Tournament) -> Refusal:
    tournament.refresh_from_db()
    message = _(
        "No decision is possible now. Status of the registration: %(state)s. Status of the report: %(stage)s."
    )
    states = {"state": tournament.get_registration_display(), "stage": tournament.get_stage_display()}
    return Refusal("wrong-state", message % states)


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


def add_note(tournament: Tournament, text: str, *, by: Any, at: datetime) -> InternalNote:
    """Keep a note that the QC and FIDE staff alone read; `RefusedError` for an empty one.

    The same person's same note as the last one is the second click of one, and returns that.
    """
    if not text.strip():
        raise refused("note-missing", _("Enter a note."), "text")
    newest: InternalNote | None = tournament.notes.order_by("-pk").first()
    if newest is not None and newest.by == by and newest.text == text.strip():
        return newest
    return InternalNote.objects.create(tournament=tournament, text=text.strip(), by=by, at=at)


def _asking_refusals(text: str, due_on: date, on: date) -> list[Refusal]:
    refusals = []
    if not text.strip():
        refusals.append(Refusal("text-missing", _("Enter the information you need."), "text"))
    if due_on < on:
        refusals.append(Refusal("due-past", _("The reply date has already passed."), "due_on"))
    if (due_on - on).days > MAX_DAYS_TO_ANSWER:
        message = _("The date must be no more than %(days)d days ahead.")
        refusals.append(Refusal("due-far", message % {"days": MAX_DAYS_TO_ANSWER}, "due_on"))
    return refusals


def place_hold(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Hold:
    """Place an accepted report on hold and return the hold; no list takes the tournament until it is released.

    It takes the place of a flag that the findings set. `RefusedError` where there is no accepted report, it is
    published, official (0.3), on hold already, or the author has not `seen` the newest step.
    """
    refusals = _hold_refusals(tournament, reason)
    if refusals:
        raise RefusedError(refusals)
    with refusing_second(_not_now()):
        hold_to_what_was_seen(tournament, seen)
        held = Tournament.objects.filter(
            pk=tournament.pk,
            stage__in=HOLDABLE,
            registration__in=OPEN_REGISTRATIONS,
            is_held=False,
        )
        # Claimed by the expected state: a list that takes the report at this moment comes first.
        if not held.update(is_held=True):
            raise RefusedError([_not_now()])
        tournament.holds.filter(closed_at=None).update(closed_by=by, closed_at=at)
        hold = Hold.objects.create(tournament=tournament, reason=reason.strip(), raised_by=by, raised_at=at)
        tournament.refresh_from_db()
        record_action(tournament, Action.HOLD, reason=reason, by=by, at=at)
    return hold


def release_hold(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> None:
    """Release the hold without a decision against the tournament: the next list that can take it does.

    `RefusedError` without a hold or a reason, or where the author has not `seen` the newest step.
    """
    if not reason.strip():
        raise RefusedError([_reason_missing()])
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        if not tournament.holds.filter(closed_at=None).update(closed_by=by, closed_at=at):
            raise refused("no-question", _("The report is not on hold. The hold may have been released."))
        Tournament.objects.filter(pk=tournament.pk).update(is_held=False)
        tournament.refresh_from_db()
        record_action(tournament, Action.CLEAR, reason=reason, by=by, at=at)


def flag_outliers(report: Report, *, at: datetime) -> Hold | None:
    """Flag an accepted report for the QC where its findings say so; this alone holds nothing back."""
    number = sum(finding["code"] in OUTLIERS for finding in report.findings)
    tournament = report.tournament
    if not number or tournament.is_official or tournament.holds.filter(closed_at=None).exists():
        return None
    reason = PORTAL_REASONS.fill_in(FLAGGED, number=number)
    return Hold.objects.create(tournament=tournament, reason=reason, is_from_findings=True, raised_at=at)


def can_be_held(tournament: Tournament) -> bool:
    """Whether the report can be placed on hold by a person as the tournament stands."""
    is_reported = tournament.stage in HOLDABLE and tournament.is_open
    return is_reported and not tournament.is_held and not tournament.is_official


def _hold_refusals(tournament: Tournament, reason: str) -> list[Refusal]:
    if not reason.strip():
        return [_reason_missing()]
    if tournament.is_official:
        return [
            Refusal("official-0.3", _("Official FIDE and continental events must be rated (article 0.3)."))
        ]
    return []


def _reason_missing() -> Refusal:
    return Refusal("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")


def _not_now() -> Refusal:
    message = _(
        "The report cannot be placed on hold: it is not accepted, already published, or already on hold."
    )
    return Refusal("wrong-state", message)
