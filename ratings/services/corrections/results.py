"""Correcting one result from its crosstable: at once by who may, else as a request that somebody decides.

Before acceptance the correction is a version of the report (for a chief arbiter, of the file to send), after it an
accepted version, after publication an adjustment on the next list (D-11), which FIDE staff decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, refused, refusing_second
from players.own_matters import decides_alone
from players.permissions import is_staff
from ratings.services.corrections.reports import current_report
from ratings.services.corrections.result_mails import tell_decision, tell_players, tell_who_decides
from ratings.services.corrections.tournaments import (
    GameDecision,
    correct_game,
    corrected_content,
    corrected_lines,
    numbers_in,
    pairing_in,
)
from tournaments.choices import Action, CorrectionState, HandedState, ReportState, Stage
from tournaments.models import HandedReport, Report, ResultCorrection, Tournament
from tournaments.permissions import can_decide_correction, can_hand_over, can_report
from tournaments.portal_reasons import with_alone
from tournaments.queries.line_changes import ChangedLine, merged_changes
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.corrected_versions import apply_changes, corrected_name
from tournaments.services.drafts import chosen_changes
from tournaments.services.handover import keep_checked
from tournaments.services.objections import settle_objections
from tournaments.services.reports import Upload
from tournaments.trf import RESULTS, Pairing, pairing_of, read_report
from tournaments.trf import Report as TrfReport

MAX_LETTERS = 2000


class Way(StrEnum):
    """What becomes of a correction of one person, as pages name it."""

    # A version of a report that is not accepted.
    SAVE = "save"
    # The chief arbiter's file, which is sent again.
    SEND = "send"
    # An accepted version, before any list.
    ACCEPT = "accept"
    # An adjustment on the next list.
    PUBLISHED = "published"
    # Somebody else decides.
    REQUEST = "request"


@dataclass(frozen=True, slots=True)
class CorrectedReport:
    """The report whose results somebody corrects, and what becomes of a correction."""

    tournament: Tournament
    way: Way
    # A version, for a chief arbiter before that the file as it was handed over.
    report: Any

    @property
    def is_published(self) -> bool:
        return self.tournament.stage == Stage.PUBLISHED

    @property
    def decides(self) -> str:
        """Who decides on a request: `staff`, or the `officer`."""
        return "staff" if self.is_published or self.tournament.is_reported_by_staff else "officer"


def source_for(user: Any, tournament: Tournament) -> CorrectedReport | None:
    """Return the report whose results a person corrects or has corrected; None where there is none.

    That is the accepted one; before an acceptance the newest version, and for a chief arbiter the newest own file.
    """
    accepted, may_report = current_report(tournament), can_report(user, tournament)
    if not may_report and not can_hand_over(user, tournament):
        return None
    if tournament.stage == Stage.PUBLISHED:
        way = Way.PUBLISHED if is_staff(user) else Way.REQUEST
        return CorrectedReport(tournament, way, accepted) if accepted else None
    if accepted is not None:
        return CorrectedReport(tournament, Way.ACCEPT if may_report else Way.REQUEST, accepted)
    newest = tournament.reports.filter(state=ReportState.CHECKED).order_by("version").last()
    if newest is not None:
        return CorrectedReport(tournament, Way.SAVE if may_report else Way.REQUEST, newest)
    own = tournament.handed_reports.order_by("number").last()
    if may_report or own is None or own.state == HandedState.TAKEN:
        return None
    return CorrectedReport(tournament, Way.SEND, own)


def correct_result(
    source: CorrectedReport,
    decision: GameDecision,
    *,
    reason: str,
    by: Any,
    at: datetime,
    seen: str | None = None,
) -> ResultCorrection | Report | HandedReport:
    """Correct result, or request it, and return what came of it: a record, a version, or a file to send.

    `RefusedError` where the person may not, without a reason, where nothing would differ, and where a step follows
    the one that the author has `seen` last.
    """
    now = source_for(by, source.tournament)
    # Accepted or published since the page was opened, the same click would be another act.
    if now is None or (now.way, now.report.pk) != (source.way, source.report.pk):
        raise refused("not-yours", _("You cannot correct this report, or it was replaced meanwhile."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with the report."), "reason")
    if not decision.is_of_the_report and not (is_staff(by) and source.way in (Way.ACCEPT, Way.PUBLISHED)):
        raise refused("staff-only", _("FIDE staff decide which games of an accepted report are not rated."))
    read = read_report(bytes(source.report.content))
    ids = _ids_of(read, numbers_in(read, decision))
    values: dict[str, Any] = {"reason": reason.strip(), "by": by, "at": at}
    made: ResultCorrection | Report | HandedReport
    with transaction.atomic():
        if source.way in (Way.ACCEPT, Way.PUBLISHED):
            # It locks the lists before the tournament (D-104).
            correct_game(source.tournament, decision, on=at.date(), seen=seen, **values)
            made = _record(source, decision, CorrectionState.MADE, **values)
        else:
            hold_to_what_was_seen(source.tournament, seen)
            if source.way == Way.REQUEST:
                made = _request(source, decision, **values)
            elif source.way == Way.SEND:
                made = _send(source, decision, by=by, at=at)
            else:
                made = _make_version(source, decision, **values)
                _record(source, decision, CorrectionState.MADE, **values)
        settle_objections(source.tournament, ids, round_number=decision.round, at=at)
        if isinstance(made, ResultCorrection) and made.state == CorrectionState.MADE:
            tell_players(made, ids, at=at)
    return made


def _ids_of(read: TrfReport, numbers: Sequence[int]) -> list[int]:
    players = read.by_number()
    found = (players[number].fide_id for number in numbers if number in players)
    return [fide_id for fide_id in found if fide_id]


def _make_version(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> Report:
    """Make a version with the correction, and with the fixes that were chosen for the version before."""
    report: Report = source.report
    read = read_report(bytes(report.content))
    mine = [
        ChangedLine(line, read.lines[line - 1], text, reason)
        for line, text in corrected_lines(read, decision).items()
    ]
    changes = merged_changes([*chosen_changes(report, read).lines, *mine]).lines
    made, _is_new = apply_changes(report, read, changes, by=by, on=at.date(), at=at, reason=reason)
    return made


def _send(source: CorrectedReport, decision: GameDecision, *, by: Any, at: datetime) -> HandedReport:
    """Keep the arbiter's file with the correction as another one, checked, to be sent."""
    handed: HandedReport = source.report
    content = corrected_content(bytes(handed.content), decision)
    pgn = None if handed.pgn is None else bytes(handed.pgn)
    name = corrected_name(handed.file_name)
    return keep_checked(source.tournament, Upload(content, name, by, at.date(), at, pgn))


def _request(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> ResultCorrection:
    """Record what somebody requests, and tell those who decide."""
    # What cannot be corrected cannot be requested.
    corrected_content(bytes(source.report.content), decision)
    with refusing_second(
        Refusal(
            "correction-waits", _("A correction of this game is already requested. Wait for the decision.")
        )
    ):
        made = _record(source, decision, CorrectionState.WAITING, reason=reason, by=by, at=at)
    record_action(source.tournament, Action.ASK_CORRECTION, reason=reason, by=by, at=at)
    tell_who_decides(made, is_published=source.is_published)
    return made


def _record(
    source: CorrectedReport,
    decision: GameDecision,
    state: CorrectionState,
    *,
    reason: str,
    by: Any,
    at: datetime,
) -> ResultCorrection:
    pairing = pairing_in(read_report(bytes(source.report.content)), decision)
    is_made = state == CorrectionState.MADE
    return ResultCorrection.objects.create(
        tournament=source.tournament,
        report_id=source.report.pk,
        round=decision.round,
        white=pairing.white,
        black=pairing.black,
        result_before=result_of(pairing),
        verdict=decision.verdict,
        mark_reference=decision.reference.strip(),
        player=decision.player,
        other=decision.other,
        reason=reason,
        asked_by=by,
        asked_at=at,
        state=state,
        decided_by=by if is_made else None,
        decided_at=at if is_made else None,
    )


def result_of(pairing: Pairing) -> str:
    """Return the result of a pairing as a key of `RESULTS`, empty for another."""
    codes = (pairing.white_code, pairing.black_code)
    return next((name for name, pair in RESULTS.items() if pair == codes), "")


def decision_of(correction: ResultCorrection) -> GameDecision:
    """Return the decision that a correction asks for."""
    return GameDecision(
        correction.round,
        correction.white,
        correction.verdict,
        correction.mark_reference,
        correction.player,
        correction.other,
    )


def decide_correction(
    correction: ResultCorrection,
    *,
    is_granted: bool,
    reason: str,
    by: Any,
    at: datetime,
    seen: str | None = None,
) -> bool:
    """Make a requested correction or refuse it, tell who requested it, and return whether this call did.

    `RefusedError` for somebody else, without a reason, or where the game is not the same any more.
    """
    tournament = Tournament.objects.get(pk=correction.tournament_id)
    correction.tournament = tournament
    if not can_decide_correction(by, correction):
        raise refused("not-yours", _("Only FIDE staff or the rating officer can decide on this correction."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with the decision."), "reason")
    state = CorrectionState.MADE if is_granted else CorrectionState.REFUSED
    # Before publication the officer corrects, and an arbiter's request is only a proposal.
    is_alone = tournament.stage == Stage.PUBLISHED and decides_alone(
        by, {tournament.federation_id}, asked_by=correction.asked_by_id
    )
    reason = with_alone(reason, is_alone=is_alone)
    with transaction.atomic():
        waiting = ResultCorrection.objects.filter(pk=correction.pk, state=CorrectionState.WAITING)
        decided = {"state": state, "decision_reason": reason.strip(), "decided_by": by, "decided_at": at}
        # Of two who decide at once the second finds nothing that waits.
        if not waiting.update(**decided):
            return False
        if is_granted:
            _grant(correction, seen=seen, reason=reason, by=by, at=at)
        else:
            hold_to_what_was_seen(tournament, seen)
            record_action(tournament, Action.DENY_CORRECTION, reason=reason, by=by, at=at)
        tell_decision(correction, state, reason=reason.strip(), at=at)
        read = read_report(bytes(correction.report.content))
        numbers = [correction.white, correction.black, *filter(None, [correction.other])]
        correction.state, correction.decided_by = state, by
        tell_players(correction, _ids_of(read, numbers), at=at)
    return True


def _grant(correction: ResultCorrection, *, seen: str | None, reason: str, by: Any, at: datetime) -> None:
    """Make a requested correction in the report as it is now."""
    source = source_for(by, correction.tournament)
    if source is None or source.way not in (Way.SAVE, Way.ACCEPT, Way.PUBLISHED):
        raise refused("no-report", _("There is no report that could be corrected. Refuse the request."))
    _refuse_another_game(correction, source)
    decision = decision_of(correction)
    if source.way == Way.SAVE:
        hold_to_what_was_seen(correction.tournament, seen)
        _make_version(source, decision, reason=reason, by=by, at=at)
    else:
        correct_game(correction.tournament, decision, reason=reason, by=by, on=at.date(), at=at, seen=seen)


def _refuse_another_game(correction: ResultCorrection, source: CorrectedReport) -> None:
    """Refuse to correct a game that has other players or another result than when it was requested."""
    if correction.report_id == source.report.pk:
        return
    read = [read_report(bytes(report.content)) for report in (correction.report, source.report)]
    games = [pairing_of(report, round_number=correction.round, white=correction.white) for report in read]
    seats = [_seats(report, game, correction) for report, game in zip(read, games, strict=True)]
    if None in games or games[0] != games[1] or seats[0] != seats[1]:
        message = _("The report was replaced, and this game has changed. Refuse the request.")
        raise refused("game-changed", message)


def _seats(read: TrfReport, game: Pairing | None, correction: ResultCorrection) -> list[Any]:
    """Return who plays a game, and who takes a place in it with what that player has in the round."""
    players = read.by_number()
    numbers = numbers_in(read, decision_of(correction)) if game else []
    named = [players[number] for number in numbers if number in players]
    rounds = [one.results[correction.round - 1 : correction.round] for one in named]
    return [(one.fide_id, one.name, *result) for one, result in zip(named, rounds, strict=True)]


def withdraw_correction(correction: ResultCorrection, *, by: Any, at: datetime) -> bool:
    """Cancel one's own request that waits, and return whether this call did."""
    own = ResultCorrection.objects.filter(pk=correction.pk, asked_by=by, state=CorrectionState.WAITING)
    return bool(own.update(state=CorrectionState.WITHDRAWN, decided_by=by, decided_at=at))
