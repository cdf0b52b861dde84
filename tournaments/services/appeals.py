"""Appeals to FIDE Council against decisions not to rate (FIDE R&B 2024, 0.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from players.choices import Role
from players.models import LogEntry
from players.own_matters import decides_alone
from tournaments import regulations
from tournaments.choices import Action, AppealGround, AppealState, Registration
from tournaments.models import Appeal, Tournament
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.evidence import add_appeal_files, file_refusals
from tournaments.services.limits import refuse_too_many_bytes
from tournaments.signals import appeal_upheld

OUTCOMES = {AppealState.UPHELD: Action.UPHOLD, AppealState.DISMISSED: Action.DISMISS}


@dataclass(frozen=True, slots=True)
class AppealRequest:
    """What is lodged: on which ground, in whose name, and files as pairs of name and bytes."""

    ground: str
    statement: str
    organiser: str
    files: Sequence[tuple[str, bytes]] = field(default_factory=list)


def lodge_appeal(tournament: Tournament, request: AppealRequest, *, by: Any, at: datetime) -> Appeal:
    """Submit an appeal against the decision not to rate, up to the 7th UTC day after its communication (0.4).

    `RefusedError` later, if there is no such decision, or if another user appealed; a second click of the same user
    returns the existing appeal.
    """
    decision = decision_not_to_rate(tournament)
    standing = Appeal.objects.filter(decision=decision).first() if decision else None
    # The second click of one person; the deadline may have passed between the two.
    if standing is not None and standing.lodged_by == by and standing.statement == request.statement.strip():
        return standing
    refusals = [*lodging_refusals(tournament, decision, on=_day(at)), *_request_refusals(request)]
    if refusals or decision is None:
        raise RefusedError(refusals)
    # A decision has one appeal by the database, so that of two officers at once the second is refused.
    with refusing_second(_appealed_already()):
        refuse_too_many_bytes(by, [content for _name, content in request.files], at=at)
        return _lodge(tournament, decision, request, by=by, at=at)


def decide_appeal(
    appeal: Appeal, outcome: AppealState, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Appeal:
    """Uphold or dismiss an open appeal with Council's reasons, and return it.

    If upheld, the next possible list includes the tournament, even after its third. `RefusedError` without
    reasons, if it is already decided, for the user who made the decision, or if a step follows the last one that the
    author has `seen` (None skips this check).
    """
    refusals = [*_deciding_refusals(appeal, reason, by)]
    if refusals:
        raise RefusedError(refusals)
    federations, is_council = {appeal.tournament.federation_id}, Q(appointments__role=Role.COUNCIL)
    is_alone = decides_alone(by, federations, asked_by=appeal.lodged_by_id, holders=is_council)
    with transaction.atomic():
        hold_to_what_was_seen(appeal.tournament, seen)
        owned = Appeal.objects.filter(pk=appeal.pk, state=AppealState.OPEN)
        if not owned.update(state=outcome, outcome_reason=reason.strip(), decided_by=by, decided_at=at):
            raise refused("decided", _("The appeal has already been decided."))
        if outcome == AppealState.UPHELD:
            _rate_after_all(appeal, on=_day(at))
        tournament = Tournament.objects.get(pk=appeal.tournament_id)
        # A dismissed appeal leaves the registration as it was, and the log names a former state only where it changed.
        before = Registration.NOT_RATED if outcome == AppealState.UPHELD else ""
        why = with_alone(reason, is_alone=is_alone)
        record_action(tournament, OUTCOMES[outcome], reason=why, by=by, at=at, before=before, is_public=True)
        if outcome == AppealState.UPHELD:
            appeal.refresh_from_db()
            appeal_upheld.send(Appeal, appeal=appeal, at=at)
    appeal.refresh_from_db()
    return appeal


def decision_not_to_rate(tournament: Tournament) -> LogEntry | None:
    """Return the current decision not to rate, None without one."""
    if tournament.registration != Registration.NOT_RATED:
        return None
    # After a restored report the QC may decide again: only the newest decision counts.
    return tournament.log_entries.filter(action=Action.NOT_RATE).order_by("-at", "-pk").first()


def lodging_refusals(tournament: Tournament, decision: LogEntry | None, *, on: date) -> Iterator[Refusal]:
    """Yield why no appeal can be lodged on a day (0.4)."""
    if decision is None:
        yield Refusal(
            "no-decision-0.4",
            _("There is no decision not to rate this tournament, so no appeal is possible."),
        )
        return
    if Appeal.objects.filter(decision=decision).exists():
        yield _appealed_already()
    elif not regulations.may_appeal(communicated_on(decision), on):
        message = _("The 7 days for an appeal ended on %(day)s at 24:00 UTC (article 0.4).")
        ended = regulations.appeal_ends(communicated_on(decision))
        yield Refusal("appeal-late-0.4", message % {"day": date_format(ended)})


def communicated_on(decision: LogEntry) -> date:
    """Return the UTC day on which a decision was communicated: that of its record, which the officer reads at once."""
    return _day(decision.at)


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _lodge(
    tournament: Tournament, decision: LogEntry, request: AppealRequest, *, by: Any, at: datetime
) -> Appeal:
    appeal = Appeal.objects.create(
        tournament=tournament,
        decision=decision,
        communicated_on=communicated_on(decision),
        ground=request.ground,
        statement=request.statement.strip(),
        organiser=request.organiser.strip(),
        lodged_by=by,
        lodged_at=at,
    )
    # Before the step is recorded, whose mail invites Council to read the files.
    add_appeal_files(appeal, request.files, by=by, at=at)
    reason = SENTENCES.state("ground", ground=appeal.ground)
    record_action(tournament, Action.APPEAL, reason=reason, by=by, at=at)
    return appeal


def _request_refusals(request: AppealRequest) -> Iterator[Refusal]:
    if request.ground not in AppealGround.values:
        yield Refusal("ground-missing", _("Select the grounds."), "ground")
    if not request.statement.strip():
        yield Refusal("statement-missing", _("Explain why the tournament should be rated."), "statement")
    if not request.organiser.strip():
        yield Refusal(
            "organiser-missing", _("Enter the organiser you appeal for (article 0.4)."), "organiser"
        )
    yield from file_refusals(request.files)


def _deciding_refusals(appeal: Appeal, reason: str, by: Any) -> Iterator[Refusal]:
    if not reason.strip():
        yield Refusal("reason-missing", _("Enter the reasons of FIDE Council. They are public."), "reason")
    # Nobody judges a decision of their own.
    if by is not None and appeal.decision.by_id == by.pk:
        message = _(
            "You cannot decide an appeal against your own decision. Another Council member must decide."
        )
        yield Refusal("own-decision", message)


def _rate_after_all(appeal: Appeal, *, on: date) -> None:
    owned = Tournament.objects.filter(pk=appeal.tournament_id, registration=Registration.NOT_RATED)
    # Claimed by the expected state: the QC may have changed its decision while Council deliberated.
    if not owned.update(registration=Registration.APPROVED, upheld_on=on):
        raise refused("wrong-state", _("The decision not to rate is no longer valid."))


def _appealed_already() -> Refusal:
    return Refusal("appealed-already", _("An appeal against this decision has already been submitted."))
