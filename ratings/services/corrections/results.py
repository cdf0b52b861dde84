"""Correcting one result from its crosstable: who corrects at once, who requests, and what it does to both players.

Before acceptance the correction is a version of the report (for a chief arbiter, of the file to send), after it an
accepted version, after publication an adjustment on the next list (D-11), which FIDE staff decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import NoticeKind, Role
from players.permissions import is_staff
from players.services import notices
from players.services.claims import confirmed_claims
from ratings.choices import LineKind
from ratings.models import ParticipantRating
from ratings.services.corrections.correct import current_report
from ratings.services.corrections.lines import ListDifference
from ratings.services.corrections.tournaments import (
    GameDecision,
    correct_game,
    corrected_content,
    corrected_lines,
)
from ratings.services.preview import Preview, PreviewRow, preview_report
from tournaments.choices import Action, CorrectionState, HandedState, ReportState, Stage
from tournaments.models import HandedReport, Report, ResultCorrection, Tournament
from tournaments.permissions import can_decide_correction, can_hand_over, can_report
from tournaments.queries.line_changes import ChangedLine, merged_changes
from tournaments.queries.lookups import Lookups
from tournaments.services.audit_log import hold_to_what_was_seen, record_action, reporters_of
from tournaments.services.checking import CheckedReport
from tournaments.services.drafts import chosen_changes
from tournaments.services.handover import keep_checked
from tournaments.services.objections import accepted_objections, settle_objections
from tournaments.services.report_people import ids_in, people_of
from tournaments.services.reports import Upload
from tournaments.services.worksheet import apply_changes, corrected_name
from tournaments.trf import RESULTS, Pairing, Severity, pairing_of, read_report
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


@dataclass(frozen=True, slots=True)
class EffectSide:
    """A player before and after a correction: change in hundredths, new rating.

    `adjustment` is what the next list adds, None before publication. What is not known is None.
    """

    name: str
    k: int | None = None
    changes: tuple[int | None, int | None] = (None, None)
    ratings: tuple[int | None, int | None] = (None, None)
    adjustment: int | None = None

    @property
    def before_and_after(self) -> Sequence[tuple[int | None, int | None]]:
        """Change and rating before the correction, then after it."""
        return [*zip(self.changes, self.ratings, strict=True)]


@dataclass(frozen=True, slots=True)
class ResultEffect:
    """What a correction does: to the two players, for a wrong player to the third, and how many others it concerns."""

    sides: Sequence[EffectSide]
    others: int = 0
    # The half points of White, Black and of who takes the place of one, before and after.
    points: Sequence[tuple[int | None, ...]] = ()


def effect_of(
    source: CorrectedReport, read: TrfReport, decision: GameDecision, *, by: Any, at: datetime
) -> ResultEffect:
    """Return the effect of a correction without making it; `RefusedError` where it cannot be made so."""
    content = corrected_content(bytes(source.report.content), decision)
    after = read_report(content)
    pairing = _pairing(read, decision)
    if source.is_published:
        found = _published_effect(source, read, decision, pairing, by=by, at=at)
    elif not decision.is_of_the_report:
        found = _marked_effect(source, read, decision, pairing, by=by, at=at)
    else:
        has_errors = any(finding["severity"] == Severity.ERROR for finding in source.report.findings)
        tournament = None if has_errors else source.tournament
        found = _effect_between(tournament, read, after, _numbers_of(pairing, decision), on=at.date())
    return replace(found, points=[_points_of(version, pairing, decision) for version in (read, after)])


def _numbers_of(pairing: Pairing, decision: GameDecision) -> list[int]:
    """Return the starting ranks whom a decision concerns: the players of the game, and who takes a place in it."""
    other = [] if decision.other is None else [decision.other]
    return [pairing.white, pairing.black, *other]


def _points_of(read: TrfReport, pairing: Pairing, decision: GameDecision) -> tuple[int | None, ...]:
    players = read.by_number()
    return tuple(players[number].points for number in _numbers_of(pairing, decision))


def _pairing(read: TrfReport, decision: GameDecision) -> Pairing:
    pairing = pairing_of(read, round_number=decision.round, white=decision.white)
    if pairing is None:
        raise refused("no-such-game", _("The report does not have this game."), "white")
    return pairing


def _effect_between(
    tournament: Tournament | None, before: TrfReport, after: TrfReport, numbers: Sequence[int], *, on: date
) -> ResultEffect:
    """Return what differs between two versions that no list has taken, by their previews; points without these."""
    lookups = Lookups()
    lookups.players.load_with_successors({*ids_in(before), *ids_in(after)})
    previews = [_rows_by_player(_preview(tournament, read, lookups, on=on)) for read in (before, after)]
    records = [read.by_number() for read in (before, after)]
    sides, shown = [], set()
    for number in numbers:
        ids = dict.fromkeys(of_report[number].fide_id for of_report in records)
        # A line of another player is shown as both: what one loses, and what the other gains.
        for fide_id in ids:
            pair = [rows.get(fide_id) for rows in previews]
            name = next(
                of_report[number].name for of_report in records if of_report[number].fide_id == fide_id
            )
            sides.append(_previewed(name, pair))
            shown.add(fide_id)
    everybody = previews[0].keys() | previews[1].keys()
    others = sum(
        _result_of(previews[0].get(key)) != _result_of(previews[1].get(key)) for key in everybody - shown
    )
    return ResultEffect(sides, others)


def _preview(tournament: Tournament | None, read: TrfReport, lookups: Lookups, *, on: date) -> Preview | None:
    if tournament is None or not read.players:
        return None
    checked = CheckedReport(read, (), people_of(read, lookups.players, tournament).players)
    return preview_report(checked, tournament, on=on, lookups=lookups)


def _rows_by_player(preview: Preview | None) -> Mapping[int | None, PreviewRow]:
    """Return the players of a preview by the FIDE ID that the portal has of them."""
    return {row.player.fide_id: row for row in preview.rows if row.player} if preview else {}


def _result_of(row: PreviewRow | None) -> tuple[int, int | None]:
    return (row.result.change, row.result.rating) if row and row.result else (0, None)


def _previewed(name: str, pair: Sequence[PreviewRow | None]) -> EffectSide:
    results = [row.result if row else None for row in pair]
    k = next((result.events[0].k for result in results if result and result.base is not None), None)
    changes = [result.change if result and result.base is not None else None for result in results]
    return EffectSide(
        name=name,
        k=k,
        changes=(changes[0], changes[1]),
        ratings=(results[0].rating if results[0] else None, results[1].rating if results[1] else None),
    )


def _marked_effect(
    source: CorrectedReport,
    read: TrfReport,
    decision: GameDecision,
    pairing: Pairing,
    *,
    by: Any,
    at: datetime,
) -> ResultEffect:
    """Return what a mark changes before publication: the changes are those before K."""
    effect = correct_game(
        source.tournament, decision, reason="–", by=by, on=at.date(), at=at, is_dry_run=True
    )
    names = {number: record.name for number, record in read.by_number().items()}
    shares = {share.participant.number: share for share in effect.shares}
    sides = [
        EffectSide(names[number], changes=shares[number].changes if number in shares else (None, None))
        for number in (pairing.white, pairing.black)
    ]
    return ResultEffect(sides, others=len(shares.keys() - {pairing.white, pairing.black}))


def _published_effect(
    source: CorrectedReport,
    read: TrfReport,
    decision: GameDecision,
    pairing: Pairing,
    *,
    by: Any,
    at: datetime,
) -> ResultEffect:
    """Return what the next list would take: a correction that is not kept."""
    effect = correct_game(
        source.tournament, decision, reason="–", by=by, on=at.date(), at=at, is_dry_run=True
    )
    lines: dict[int, list[ListDifference]] = {}
    for line in effect.lines:
        lines.setdefault(line.player_id, []).append(line)
    rated = ParticipantRating.objects.filter(tournament_rating__report=source.report.pk)
    numbers = _numbers_of(pairing, decision)
    rows = {row.number: row for row in rated.filter(number__in=numbers)}
    sides, shown = [], set()
    records = read.by_number()
    for number in numbers:
        row = rows.get(number)
        player_id, k = (row.player_id or 0, row.own_k) if row else (0, None)
        sides.append(_adjusted(records[number].name, k, lines.get(player_id, ())))
        shown.add(player_id)
    if decision.player is not None and decision.player.pk not in shown:
        sides.append(_adjusted(decision.player.name, None, lines.get(decision.player.pk, ())))
        shown.add(decision.player.pk)
    return ResultEffect(sides, others=len(lines.keys() - shown))


def _adjusted(name: str, k: int | None, lines: Sequence[ListDifference]) -> EffectSide:
    """Return a player with the difference of all lists; change and rating of the first that differs."""
    if not lines:
        return EffectSide(name, k, adjustment=0)
    first, difference = lines[0], sum(line.difference for line in lines)
    if first.kind in (LineKind.INITIAL, LineKind.LOST):
        ratings = [None if value is None else value // 100 for value in (first.before, first.after)]
        return EffectSide(name, k, ratings=(ratings[0], ratings[1]), adjustment=difference)
    return EffectSide(name, k, changes=(first.before, first.after), adjustment=difference)


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
    if now is None or (now.way, now.report.pk) != (source.way, source.report.pk):
        raise refused("not-yours", _("You cannot correct this report, or it was replaced meanwhile."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with the report."), "reason")
    if not decision.is_of_the_report and not (is_staff(by) and source.way in (Way.ACCEPT, Way.PUBLISHED)):
        raise refused("staff-only", _("FIDE staff decide which games of an accepted report are not rated."))
    read = read_report(bytes(source.report.content))
    ids = _ids_of(read, _numbers_of(_pairing(read, decision), decision))
    values: dict[str, Any] = {"reason": reason.strip(), "by": by, "at": at}
    made: ResultCorrection | Report | HandedReport
    with transaction.atomic():
        if source.way in (Way.ACCEPT, Way.PUBLISHED):
            # It locks the lists before the tournament (D-104).
            made = _correct(source, decision, seen=seen, **values)
        else:
            hold_to_what_was_seen(source.tournament, seen)
            made = _MAKERS[source.way](source, decision, **values)
        settle_objections(source.tournament, ids, round_number=decision.round, at=at)
        if isinstance(made, ResultCorrection) and made.state == CorrectionState.MADE:
            _tell_players(made, ids, at=at)
    return made


def _ids_of(read: TrfReport, numbers: Sequence[int]) -> list[int]:
    players = read.by_number()
    found = (players[number].fide_id for number in numbers if number in players)
    return [fide_id for fide_id in found if fide_id]


def _save(source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime) -> Report:
    """Make a version with the correction, and with the fixes that were chosen for the version before."""
    report: Report = source.report
    read = read_report(bytes(report.content))
    mine = [
        ChangedLine(line, read.lines[line - 1], text, reason)
        for line, text in corrected_lines(read, decision).items()
    ]
    changes = merged_changes([*chosen_changes(report, read).lines, *mine]).lines
    made, _is_new = apply_changes(report, read, changes, by=by, on=at.date(), at=at, reason=reason)
    _record(source, decision, CorrectionState.MADE, reason=reason, by=by, at=at)
    return made


def _send(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> HandedReport:
    """Keep the arbiter's file with the correction as another one, checked, to be sent."""
    handed: HandedReport = source.report
    content = corrected_content(bytes(handed.content), decision)
    pgn = None if handed.pgn is None else bytes(handed.pgn)
    name = corrected_name(handed.file_name)
    return keep_checked(source.tournament, Upload(content, name, by, at.date(), at, pgn))


def _correct(
    source: CorrectedReport, decision: GameDecision, *, seen: str | None, reason: str, by: Any, at: datetime
) -> ResultCorrection:
    """Correct the accepted or published report at once."""
    correct_game(source.tournament, decision, reason=reason, by=by, on=at.date(), at=at, seen=seen)
    return _record(source, decision, CorrectionState.MADE, reason=reason, by=by, at=at)


def _request(
    source: CorrectedReport, decision: GameDecision, *, reason: str, by: Any, at: datetime
) -> ResultCorrection:
    """Record what somebody requests, and tell those who decide."""
    # What cannot be corrected cannot be requested.
    corrected_content(bytes(source.report.content), decision)
    try:
        with transaction.atomic():
            made = _record(source, decision, CorrectionState.WAITING, reason=reason, by=by, at=at)
    except IntegrityError as error:
        message = _("A correction of this game is already requested. Wait for the decision.")
        raise refused("correction-waits", message) from error
    record_action(source.tournament, Action.ASK_CORRECTION, reason=reason, by=by, at=at)
    _tell_who_decides(made, source)
    return made


# What does not change an accepted or published report at once.
_MAKERS: dict[Way, Callable[..., ResultCorrection | Report | HandedReport]] = {
    Way.SAVE: _save,
    Way.SEND: _send,
    Way.REQUEST: _request,
}


def _record(
    source: CorrectedReport,
    decision: GameDecision,
    state: CorrectionState,
    *,
    reason: str,
    by: Any,
    at: datetime,
) -> ResultCorrection:
    pairing = _pairing(read_report(bytes(source.report.content)), decision)
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
    with transaction.atomic():
        waiting = ResultCorrection.objects.filter(pk=correction.pk, state=CorrectionState.WAITING)
        decided = {"state": state, "decision_reason": reason.strip(), "decided_by": by, "decided_at": at}
        if not waiting.update(**decided):
            return False
        if is_granted:
            _grant(correction, seen=seen, reason=reason.strip(), by=by, at=at)
        else:
            hold_to_what_was_seen(tournament, seen)
            record_action(tournament, Action.DENY_CORRECTION, reason=reason, by=by, at=at)
        _tell_decision(correction, state, reason=reason.strip(), at=at)
        read = read_report(bytes(correction.report.content))
        numbers = [correction.white, correction.black, *filter(None, [correction.other])]
        correction.state, correction.decided_by = state, by
        _tell_players(correction, _ids_of(read, numbers), at=at)
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
        report, read = source.report, read_report(bytes(source.report.content))
        lines = corrected_lines(read, decision).items()
        changes = [ChangedLine(line, read.lines[line - 1], text, reason) for line, text in lines]
        apply_changes(report, read, changes, by=by, on=at.date(), at=at, reason=reason)
    else:
        values: dict[str, Any] = {"reason": reason, "by": by, "on": at.date(), "at": at}
        correct_game(correction.tournament, decision, seen=seen, **values)


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
    numbers = _numbers_of(game, decision_of(correction)) if game else []
    named = [players[number] for number in numbers if number in players]
    rounds = [one.results[correction.round - 1 : correction.round] for one in named]
    return [(one.fide_id, one.name, *result) for one, result in zip(named, rounds, strict=True)]


def _tell_who_decides(correction: ResultCorrection, source: CorrectedReport) -> None:
    tournament = source.tournament
    staff = Q(appointments__role=Role.STAFF, is_active=True)
    people = (
        get_user_model().objects.filter(staff).distinct() if source.is_published else reporters_of(tournament)
    )
    values = {"name": tournament.name, "round": correction.round}
    notices.post(
        to=[user for user in people if user.pk != correction.asked_by_id],
        kind=NoticeKind.APPEAL,
        key=f"correction:{correction.pk}",
        subject=lambda: _("Correction of a result requested: %(name)s") % values,
        text=lambda: "\n\n".join(
            [
                _("A correction of a result of round %(round)d is requested. Approve or refuse it.") % values,
                correction.reason,
                settings.SITE_URL + reverse("desk:correction", args=[correction.pk]),
            ]
        ),
        at=correction.asked_at,
    )


def _tell_decision(
    correction: ResultCorrection, state: CorrectionState, *, reason: str, at: datetime
) -> None:
    if correction.asked_by is None:
        return
    values = {"name": correction.tournament.name, "state": state.label, "round": correction.round}
    notices.post(
        to=[correction.asked_by],
        kind=NoticeKind.DECISION,
        key=f"correction:{correction.pk}:{state}",
        subject=lambda: _("Correction %(state)s: %(name)s") % values,
        text=lambda: "\n\n".join(
            [
                _("Your request to correct a result of round %(round)d: %(state)s.") % values,
                reason,
                settings.SITE_URL + reverse("desk:correction", args=[correction.pk]),
            ]
        ),
        at=at,
    )


def _tell_players(correction: ResultCorrection, fide_ids: Collection[int], *, at: datetime) -> None:
    """Tell the players of a game that its correction was made, and those who objected that it was refused.

    The accounts are those of confirmed records; whoever decided or requested it knows.
    """
    is_made, tournament = correction.state == CorrectionState.MADE, correction.tournament
    people = {one.user for one in accepted_objections(tournament, fide_ids, round_number=correction.round)}
    if is_made:
        people |= {claim.user for claim in confirmed_claims(fide_ids)}
    known = {correction.asked_by_id, correction.decided_by_id}
    values = {"name": tournament.name, "round": correction.round}

    def text() -> str:
        if is_made:
            line = _("Your result of round %(round)d of %(name)s was corrected.")
        else:
            line = _("A correction of your result in round %(round)d of %(name)s was refused.")
        address = settings.SITE_URL + reverse("chess:result", args=[tournament.event_id])
        return f"{line % values}\n\n{address}"

    notices.post(
        to=sorted((user for user in people if user.pk not in known), key=lambda user: user.pk),
        kind=NoticeKind.CLAIM,
        key=f"corrected:{correction.pk}:{correction.state}",
        subject=lambda: (
            (_("Result corrected: %(name)s") if is_made else _("Correction refused: %(name)s")) % values
        ),
        text=text,
        at=at,
    )


def withdraw_correction(correction: ResultCorrection, *, by: Any, at: datetime) -> bool:
    """Cancel one's own request that waits, and return whether this call did."""
    own = ResultCorrection.objects.filter(pk=correction.pk, asked_by=by, state=CorrectionState.WAITING)
    return bool(own.update(state=CorrectionState.WITHDRAWN, decided_by=by, decided_at=at))
