"""Correcting a tournament whose report is accepted or published, its conditions or one game; the effect comes first.

A game is not rated after all, rated again, or has another result (4.1, D-11); conditions: D-82.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _

from core.dry_runs import carrying_out
from core.errors import refused
from players.models import Player
from players.own_matters import decides_alone
from players.permissions import is_staff
from ratings.rate import rate_contents
from ratings.services.corrections.reports import Effect, Share, correct_report, current_report, lock_corrected
from ratings.systems.otb.values import UNRATED, Participation
from tournaments.choices import GameMark, Stage
from tournaments.conditions import Conditions
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.portal_reasons import SENTENCES, with_alone
from tournaments.services.changed_meanwhile import hold_to_what_was_seen
from tournaments.services.condition_corrections import change_conditions
from tournaments.services.corrected_versions import corrected_name
from tournaments.services.marks import Mark, mark_games
from tournaments.services.report_corrections import request_new_rating
from tournaments.services.reports import accept_report, upload_report
from tournaments.trf import (
    RESULTS,
    Pairing,
    PlayerRecord,
    decided_lines,
    pairing_of,
    read_report,
    recoloured_lines,
    swapped_lines,
    with_lines,
)
from tournaments.trf import Report as TrfReport
from tournaments.trf.changed_lines import as_written

RATED_AGAIN = "rated"
# Mistakes of a game besides its result: exchanged colours, and a line that is of another player.
COLOURS, WHITE_PLAYER, BLACK_PLAYER = "colours", "white-player", "black-player"
# Another participant of the tournament played this game: the two take each other's place in the round.
SWAP_WHITE, SWAP_BLACK = "swap-white", "swap-black"
ABSENT = Participation(UNRATED, (), 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class GameDecision:
    """What is decided of the game in which a starting rank has white.

    The verdict is a mark, `rated`, a result of `RESULTS`, `colours` (they are exchanged), `white-player` or
    `black-player` (the whole line is of `player`), or `swap-white` or `swap-black`: in this round the starting rank
    `other` takes the place of White or Black, who takes that of `other`.
    """

    round: int
    white: int
    verdict: str
    reference: str = ""
    player: Player | None = None
    other: int | None = None

    @property
    def is_of_the_report(self) -> bool:
        """Whether the decision changes what the report says, and not only whether the game is rated."""
        return self.verdict in (*RESULTS, COLOURS, WHITE_PLAYER, BLACK_PLAYER, SWAP_WHITE, SWAP_BLACK)


def correct_game(
    tournament: Tournament,
    decision: GameDecision,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
    is_dry_run: bool = False,
) -> Effect:
    """Carry out a decision on one game and return its effect; a dry run writes nothing.

    Before publication a corrected result is a new version of the report, which is accepted in its place.
    `RefusedError` where there is no report, no such game, no reference, or where nothing would differ, and as the
    acceptance of a version refuses. `seen` is as for `correct_report`.
    """
    report = current_report(tournament)
    if report is None:
        raise refused("no-report", _("No report of this tournament has been accepted."))
    if not Game.objects.filter(
        report=report, round=decision.round, white=decision.white, black__isnull=False
    ).exists():
        message = _("Player %(white)s has no game with White in round %(round)s.")
        raise refused("no-such-game", message % {"white": decision.white, "round": decision.round}, "white")
    if tournament.stage == Stage.PUBLISHED:
        return correct_report(
            tournament,
            corrected_content(bytes(report.content), decision),
            file_name=report.file_name,
            reason=reason,
            by=by,
            on=on,
            at=at,
            marks=_marks(report, decision),
            seen=seen,
            is_dry_run=is_dry_run,
        )
    with carrying_out(is_dry_run=is_dry_run):
        hold_to_what_was_seen(tournament, seen)
        before = rate_contents(report).participations
        if decision.is_of_the_report:
            report = _accept_corrected(tournament, report, decision, reason=reason, by=by, on=on, at=at)
        else:
            mark_games(tournament, [_as_mark(decision)], by=by, at=at)
        return Effect(tournament, shares=_shares_since(before, report))


def _shares_since(before: Mapping[int, Participation], report: Report) -> tuple[Share, ...]:
    """Return the participants whose games or changes differ from a former rating of the tournament."""
    after = rate_contents(report).participations
    people = Participant.objects.filter(report=report).select_related("player").order_by("number")
    return tuple(
        Share(
            person,
            (former.games, after[person.number].games),
            (former.change, after[person.number].change),
        )
        for person in people
        if (former := before.get(person.number, ABSENT)) != after[person.number]
    )


def _accept_corrected(
    tournament: Tournament,
    report: Report,
    decision: GameDecision,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
) -> Report:
    """Accept a version with the decision in place of the accepted one; its warnings stay acknowledged as they were."""
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved with the report."), "reason")
    content = corrected_content(bytes(report.content), decision)
    pgn = None if report.pgn is None else bytes(report.pgn)
    values: dict[str, Any] = {"by": by, "on": on, "at": at}
    made = upload_report(tournament, content, file_name=corrected_name(report.file_name), pgn=pgn, **values)
    made.corrected_from = report
    made.save(update_fields=["corrected_from"])
    # The warnings of the accepted version were acknowledged with reasons, and come again with the new one.
    given = report.acknowledgement_stated or [{"words": report.acknowledgement}]
    acknowledgement = SENTENCES.join(given, reason) if report.acknowledgement else reason
    return accept_report(made, acknowledgement=acknowledgement, **values)


def pairing_in(read: TrfReport, decision: GameDecision) -> Pairing:
    """Return the game that a decision concerns; `RefusedError` where the report has none."""
    pairing = pairing_of(read, round_number=decision.round, white=decision.white)
    if pairing is None:
        raise refused("no-such-game", _("The report does not have this game."), "white")
    return pairing


def numbers_in(read: TrfReport, decision: GameDecision) -> list[int]:
    """Return the starting ranks whom a decision concerns: the players of the game, and who takes a place in it."""
    pairing, other = pairing_in(read, decision), [] if decision.other is None else [decision.other]
    return [pairing.white, pairing.black, *other]


def corrected_content(content: bytes, decision: GameDecision) -> bytes:
    """Return the bytes of a report with what is decided of a game; a mark changes none.

    `RefusedError` for a game or line that cannot be corrected so, or where nothing would differ.
    """
    if not decision.is_of_the_report:
        return content
    read = read_report(content)
    return as_written(with_lines(read, corrected_lines(read, decision)), content)


def corrected_lines(read: TrfReport, decision: GameDecision) -> dict[int, str]:
    """Return the lines that a decision on a game changes, by their numbers from 1; `RefusedError` as above."""
    pairing = pairing_in(read, decision)
    if decision.verdict in RESULTS:
        if (pairing.white_code, pairing.black_code) == RESULTS[decision.verdict]:
            raise refused("nothing-changes", _("The report already has this result."), "verdict")
        return decided_lines(read, {pairing: decision.verdict})
    if decision.verdict == COLOURS:
        return recoloured_lines(read, pairing)
    if decision.verdict in (SWAP_WHITE, SWAP_BLACK):
        return _swap_lines(read, pairing, decision)
    number = pairing.white if decision.verdict == WHITE_PLAYER else pairing.black
    return _line_of_player(read, read.by_number()[number], decision.player)


def _swap_lines(read: TrfReport, pairing: Pairing, decision: GameDecision) -> dict[int, str]:
    """Return the lines of a round in which two participants take each other's place."""
    if decision.other is None or decision.other not in read.by_number():
        raise refused("opponent-missing", _("Select the player who played this game."), "other")
    if decision.other in (pairing.white, pairing.black):
        message = _("This player already plays this game. For the wrong colours, exchange the colours.")
        raise refused("nothing-changes", message, "other")
    number = pairing.white if decision.verdict == SWAP_WHITE else pairing.black
    return swapped_lines(read, decision.round, number, decision.other)


def _line_of_player(read: TrfReport, record: PlayerRecord, player: Player | None) -> dict[int, str]:
    if player is None:
        raise refused("player-missing", _("Enter the name or FIDE ID of the right player."), "player")
    if player.fide_id == record.fide_id:
        raise refused("nothing-changes", _("The report already has this player here."), "player")
    # Two lines of one person would rate that player twice.
    if any(other.fide_id == player.fide_id for other in read.players):
        message = _("%(name)s is already in this report, with another starting rank.")
        raise refused("player-used", message % {"name": player.name}, "player")
    # A year of birth may be a minor's of another federation; the rating is that of the person who was named.
    line = record._replace(
        fide_id=player.fide_id,
        # The name has 33 columns in a line of TRF.
        name=player.name[:33].strip(),
        sex=player.sex,
        title=player.title or player.women_title,
        federation=player.federation_id,
        birth_date=None,
        birth_year=None,
        rating=0,
    ).dumps()
    return {record.line: line}


def _marks(report: Report, decision: GameDecision) -> list[Mark]:
    """Return the mark that the decision sets or removes; those of other games stay with their games (D-100)."""
    games = Game.objects.filter(report=report, round=decision.round, white=decision.white)
    former = games.exclude(mark="").first()
    # A corrected result says nothing of whether the game is rated.
    if decision.is_of_the_report and former is None:
        return []
    if decision.verdict == RATED_AGAIN and former is None:
        raise refused("nothing-changes", _("This game is already rated."), "verdict")
    if former and (former.mark, former.mark_reference) == (decision.verdict, decision.reference.strip()):
        raise refused("nothing-changes", _("This game already has this decision."), "verdict")
    return [_as_mark(decision)]


def _as_mark(decision: GameDecision) -> Mark:
    verdict = GameMark(decision.verdict) if decision.verdict in GameMark.values else ""
    return Mark(decision.round, decision.white, verdict, decision.reference)


def correct_conditions(
    tournament: Tournament,
    wanted: Conditions,
    *,
    reason: str,
    by: Any,
    on: date,
    at: datetime,
    seen: str | None = None,
    content: bytes | None = None,
    file_name: str = "",
    is_dry_run: bool = False,
) -> Effect:
    """Correct what FIDE staff correct of the conditions (`CORRECTED`), and return the effect (D-82).

    Before publication the report is rated anew; afterwards the next list takes the differences (D-11). Where the
    report says otherwise, too, the corrected one (`content`) takes its place. A dry run writes nothing.
    `RefusedError` for anybody else, for officers of its federation (D-131), without an accepted report or a reason,
    where nothing differs or a rule stands against it, and where a step follows the one that the author has `seen` last.
    """
    if not is_staff(by):
        raise refused("staff-only", _("FIDE staff correct the conditions."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. It is saved and published."), "reason")
    is_alone = decides_alone(by, {tournament.federation_id}, asked_by=None)
    reason = with_alone(reason, is_alone=is_alone)
    with carrying_out(is_dry_run=is_dry_run):
        lock_corrected(tournament, wanted)
        hold_to_what_was_seen(tournament, seen)
        locked = Tournament.objects.get(pk=tournament.pk)
        report = current_report(locked)
        if report is None:
            raise refused("no-report", _("No report of this tournament has been accepted."))
        content, file_name = content or bytes(report.content), file_name or report.file_name
        values: dict[str, Any] = {"file_name": file_name, "reason": reason, "by": by, "on": on, "at": at}
        if locked.stage == Stage.PUBLISHED:
            # It takes the same locks again: within a transaction that is no wait.
            return correct_report(locked, content, conditions=wanted, **values)
        before = rate_contents(report).participations
        changes = change_conditions(locked, wanted, on=on)
        again = request_new_rating(locked, changes, content, **values)
        return Effect(locked, shares=_shares_since(before, again), changes=tuple(changes))
