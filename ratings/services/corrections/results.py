"""Correcting one result from its crosstable: at once by who may, else as a request that somebody decides.

Before acceptance the correction is a version of the report (for a chief arbiter, of the file to send), after it an
accepted version, after publication an adjustment on the next list (D-11), which FIDE staff decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, refused
from players.choices import CaseKind, CaseState
from players.own_matters import is_concerned
from players.permissions import is_staff
from players.services.cases import RULES, CaseRules, CaseTask, only_who_asked, open_case
from ratings.services.corrections.reports import current_report, lock_corrected
from ratings.services.corrections.result_mails import tell_decision, tell_players, tell_who_decides
from ratings.services.corrections.tournaments import (
    GameDecision,
    correct_game,
    corrected_content,
    corrected_lines,
    numbers_in,
    pairing_in,
)
from tournaments.choices import Action, ReportState, Stage
from tournaments.models import HandedReport, Report, ResultCorrection, Tournament
from tournaments.permissions import (
    can_decide_correction,
    can_hand_over,
    can_report,
    for_arbiter_or_user,
    reported_by,
)
from tournaments.portal_reasons import with_alone
from tournaments.queries.line_changes import ChangedLine, merged_changes
from tournaments.services.audit_log import tournament_acts
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
    if may_report or own is None or own.state == CaseState.APPROVED:
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
            made = _record_made(source, decision, **values)
        else:
            hold_to_what_was_seen(source.tournament, seen)
            if source.way == Way.REQUEST:
                made = _request(source, decision, **values)
            elif source.way == Way.SEND:
                made = _send(source, decision, by=by, at=at)
            else:
                made = _make_version(source, decision, **values)
                _record_made(source, decision, **values)
        settle_objections(source.tournament, ids, round_number=decision.round, at=at)
        if isinstance(made, ResultCorrection) and made.state == CaseState.APPROVED:
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
    changes = merged_changes([*chosen_changes(report, read, on=at.date()).lines, *mine]).lines
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
    made = _correction(source, decision, reason=reason, by=by, at=at)
    message = _("A correction of this game is already requested. Wait for the decision.")
    open_case(made, second=Refusal("correction-waits", message))
    tell_who_decides(made, is_published=source.is_published)
    return made


def _record_made(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> ResultCorrection:
    """Store a correction that was made at once: nobody waits for anything."""
    made = _correction(source, decision, reason=reason, by=by, at=at)
    made.state, made.decided_by, made.decided_at = CaseState.APPROVED, by, at
    made.save(force_insert=True)
    return made


def _correction(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> ResultCorrection:
    pairing = pairing_in(read_report(bytes(source.report.content)), decision)
    return ResultCorrection(
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


def _grant(correction: ResultCorrection, reason: str, *, by: Any, at: datetime) -> None:
    """Make a requested correction in the report as it is now."""
    source = source_for(by, correction.tournament)
    if source is None or source.way not in (Way.SAVE, Way.ACCEPT, Way.PUBLISHED):
        raise refused("no-report", _("There is no report that could be corrected. Refuse the request."))
    _refuse_another_game(correction, source)
    decision, concerned = decision_of(correction), _concerned(correction)
    # Whoever is concerned came so far only where nobody else could decide.
    is_alone = concerned is not None and is_concerned(by, concerned, asked_by=correction.asked_by_id)
    reason = with_alone(reason.strip(), is_alone=is_alone)
    if source.way == Way.SAVE:
        _make_version(source, decision, reason=reason, by=by, at=at)
    else:
        correct_game(correction.tournament, decision, reason=reason, by=by, on=at.date(), at=at)


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


def _bar(user: Any, correction: ResultCorrection) -> Refusal | None:
    if can_decide_correction(user, correction):
        return None
    message = _("Only FIDE staff or the rating officer can decide on this correction.")
    return Refusal("not-yours", message)


def _begin(correction: ResultCorrection, seen: str | None) -> None:
    tournament = correction.tournament
    if tournament.stage == Stage.PUBLISHED:
        # The lists before the tournament (D-104).
        lock_corrected(tournament, None)
    hold_to_what_was_seen(tournament, seen)


def _concerned(correction: ResultCorrection) -> set[str] | None:
    # Before publication the officer corrects, and an arbiter's request is only a proposal.
    tournament = correction.tournament
    return {tournament.federation_id} if tournament.stage == Stage.PUBLISHED else None


def _tell(correction: ResultCorrection, *, at: datetime) -> None:
    tell_decision(correction, at=at)
    read = read_report(bytes(correction.report.content))
    numbers = [correction.white, correction.black, *filter(None, [correction.other])]
    tell_players(correction, _ids_of(read, numbers), at=at)


def _waits_for(user: Any, today: date) -> Q:
    """Return that officers decide before publication, and staff after it."""
    published = Q(tournament__stage=Stage.PUBLISHED)
    mine = Q(tournament__in=reported_by(user).values("pk")) & ~published
    return mine | published if is_staff(user) else mine


RULES[CaseKind.RESULT] = CaseRules(
    task=CaseTask(_l("Decide on the correction of a result"), sort="decisions"),
    related=("report",),
    left_out=("report__content", "report__pgn", "report__findings"),
    seen_by=lambda user: Q(tournament__in=for_arbiter_or_user(user).values("pk")),
    waits_for=_waits_for,
    bar=_bar,
    bar_to_cancel=only_who_asked,
    begin=_begin,
    grant=_grant,
    with_reason=(CaseState.APPROVED, CaseState.REFUSED),
    apart=(CaseState.APPROVED, CaseState.REFUSED),
    concerned=_concerned,
    # What is made is logged as the correction that it is.
    record=tournament_acts(
        {CaseState.WAITING: Action.ASK_CORRECTION, CaseState.REFUSED: Action.DENY_CORRECTION}
    ),
    tell=_tell,
)
