"""Holds of reports, on which no list takes the tournament until they are released (0.4)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from players.choices import Role
from players.own_matters import decides_alone
from tournaments.choices import OPEN_REGISTRATIONS, Action, ReportState, Stage
from tournaments.messages import LIFTED_BY_QC
from tournaments.models import Hold, Report, Tournament
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.line_answers import CODE, answers_in_log
from tournaments.trf import Severity

OUTLIERS = LIFTED_BY_QC | {"performance-outlier", "event-again", "few-games-again", "report-of-others"}
SAME_GAMES = "same-games"
HOLDABLE = (Stage.REPORTED, Stage.RATED)


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
        # One hold of a tournament is open at a time: a person's takes the place of a flag.
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
    is_qc = Q(appointments__role=Role.QC_CHAIR)
    is_alone = decides_alone(by, {tournament.federation_id}, asked_by=None, holders=is_qc)
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        held = tournament.holds.filter(closed_at=None).first()
        if held is None or not tournament.holds.filter(pk=held.pk, closed_at=None).update(
            closed_by=by, closed_at=at
        ):
            raise refused("no-question", _("The report is not on hold. The hold may have been released."))
        if _is_same_games(held):
            _allow_versions(tournament)
        Tournament.objects.filter(pk=tournament.pk).update(is_held=False)
        tournament.refresh_from_db()
        why = with_alone(reason, is_alone=is_alone)
        record_action(tournament, Action.CLEAR, reason=why, by=by, at=at)


def flag_outliers(report: Report, *, at: datetime) -> Hold | None:
    """Flag an accepted report for the QC where its findings say so; this alone holds nothing back."""
    number = sum(finding["code"] in OUTLIERS for finding in report.findings)
    # Lines whose FIDE ID is of another name (D-130); only later versions have answers in the log.
    number += sum(item.get("code") == CODE for item in report.acknowledgement_stated or ())
    number += len(answers_in_log(report.tournament)) if report.version > 1 else 0
    tournament = report.tournament
    # Official events are rated whatever the findings say (0.3).
    if not number or tournament.is_official or tournament.holds.filter(closed_at=None).exists():
        return None
    reason = SENTENCES.state("flagged", number=number)
    return Hold.objects.create(
        tournament=tournament, is_from_findings=True, raised_at=at, **Hold.columns_of(reason)
    )


def flag_same_games(report: Report, *, at: datetime) -> None:
    """Bring a version before the QC that only it allows, as another event has its games (D-129); once for each event.

    A later version without such games takes the flag back.
    """
    tournament = report.tournament
    if report.state != ReportState.CHECKED:
        return
    events = {one["params"]["event_id"] for one in report.findings if one["code"] in LIFTED_BY_QC}
    events -= allowed_games(tournament) if events else set()
    if not events and report.version == 1:
        return
    reason = SENTENCES.state(SAME_GAMES, events=", ".join(sorted(events)))
    held = tournament.holds.filter(closed_at=None).first()
    if held is not None and (not held.is_from_findings or held.stated == reason.items):
        return
    if held is not None and (events or _is_same_games(held)):
        tournament.holds.filter(pk=held.pk).update(closed_at=at)
    if events:
        Hold.objects.create(
            tournament=tournament, is_from_findings=True, raised_at=at, **Hold.columns_of(reason)
        )


def allowed_games(tournament: Tournament) -> set[str]:
    """Return the event IDs whose games the QC allows a tournament to have, by releasing the flag (D-129)."""
    closed = tournament.holds.exclude(closed_at=None).filter(is_from_findings=True)
    flags = [one for one in closed if _is_same_games(one)]
    # A flag also ends by a decision or by a hold: only its release is the answer to it.
    cleared = tournament.log_entries.filter(action=Action.CLEAR, at__in=[one.closed_at for one in flags])
    times = set(cleared.values_list("at", flat=True)) if flags else set()
    answered = [one.stated[0]["events"] for one in flags if one.stated and one.closed_at in times]
    return {event for events in answered for event in events.split(", ")}


def _allow_versions(tournament: Tournament) -> None:
    """Note that versions without other errors can be accepted now."""
    for report in tournament.reports.filter(state=ReportState.CHECKED, has_errors=True).defer(
        "content", "pgn"
    ):
        errors = {one["code"] for one in report.findings if one["severity"] == Severity.ERROR}
        if errors <= LIFTED_BY_QC:
            tournament.reports.filter(pk=report.pk).update(has_errors=False)


def _is_same_games(hold: Hold) -> bool:
    return any(item.get("code") == SAME_GAMES for item in hold.stated or ())


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
