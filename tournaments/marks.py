"""Marks of games that are not rated: they belong to the game, not to a version of its report (4.1, D-83, D-100)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.models import Player
from tournaments.changed_fields import MARK
from tournaments.choices import Action, GameMark, ReportState, Stage
from tournaments.log import record_action
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.signals import reports_accepted
from tournaments.trf import Report as TrfReport


@dataclass(frozen=True, slots=True)
class Mark:
    """A game by round and white's starting rank, why it is not rated (empty: rated again), and the reference."""

    round: int
    white: int
    reason: GameMark | str
    reference: str


class MarkedPlayer(NamedTuple):
    """A player of a marked game: FIDE ID where the portal knows it, else the starting rank."""

    fide_id: int | None
    number: int


@dataclass(frozen=True, slots=True)
class KeptMark:
    """A mark of a former version, by round and pair."""

    round: int
    pair: tuple[MarkedPlayer, MarkedPlayer]
    names: tuple[str, str]
    reason: GameMark
    reference: str


def apply_marks(report: Report, marks: Sequence[Mark]) -> None:
    """Set the marks on a report's games; `RefusedError` for one that is no played game or has no reference."""
    refusals = [refusal for mark in marks if (refusal := _refusal(report, mark))]
    if refusals:
        raise RefusedError(refusals)
    write_marks(report, marks)


def write_marks(report: Report, marks: Iterable[Mark]) -> None:
    """Set marks that were looked at before."""
    for mark in marks:
        # A game that is rated again has no reference: the step of the log keeps why.
        reference = mark.reference.strip() if mark.reason else ""
        games = Game.objects.filter(report=report, round=mark.round, white=mark.white)
        games.update(mark=mark.reason, mark_reference=reference)


def mark_changes(report: Report, marks: Iterable[Mark]) -> list[dict[str, str]]:
    """Return what marks are about to change, as a step of the log keeps it; the marks are set afterwards."""
    former = {(game.round, game.white): game for game in Game.objects.filter(report=report).exclude(mark="")}
    changes = []
    for mark in marks:
        game = former.get((mark.round, mark.white))
        before = mark_text(game.round, game.mark, game.mark_reference) if game else ""
        after = mark_text(mark.round, mark.reason, mark.reference.strip()) if mark.reason else ""
        changes.append({"field": MARK, "before": before, "after": after})
    return changes


def mark_text(round_number: int, reason: str, reference: str) -> str:
    """Return a mark as the log keeps it: `3 fair-play FPL 7/2026`. In another version the game may have other ranks."""
    return f"{round_number} {reason} {reference}"


def _refusal(report: Report, mark: Mark) -> Refusal | None:
    if mark.reason and not mark.reference.strip():
        return Refusal(
            "mark-reference-missing", _("Enter the reference of the decision (article 4.1)."), "reference"
        )
    # An unplayed game is not rated anyway (4.1).
    played = Game.objects.filter(report=report, round=mark.round, white=mark.white, is_played=True)
    if not played.exists():
        message = _("Player %(white)s has no played game with White in round %(round)s.")
        return Refusal("no-such-game", message % {"white": mark.white, "round": mark.round})
    return None


def kept_marks(tournament: Tournament) -> list[KeptMark]:
    """Return the marks in the accepted report; where that was withdrawn, in the one that was accepted last."""
    reports = tournament.reports.filter(state__in=[ReportState.ACCEPTED, ReportState.WITHDRAWN])
    # "accepted" sorts before "withdrawn".
    report = reports.order_by("state", "-version").values("pk")[:1]
    games = Game.objects.filter(report__in=report).exclude(mark="")
    rows = list(games.order_by("round", "white"))
    if not rows:
        return []
    # Starting ranks may be others in another version: a player is found again by FIDE ID.
    people = {row.number: row for row in Participant.objects.filter(report=rows[0].report_id)}
    return [_kept_mark(game, people[game.white], people[game.black or 0]) for game in rows]


def _kept_mark(game: Game, white: Participant, black: Participant) -> KeptMark:
    return KeptMark(
        round=game.round,
        pair=(MarkedPlayer(white.player_id, white.number), MarkedPlayer(black.player_id, black.number)),
        names=(white.name, black.name),
        reason=GameMark(game.mark),
        reference=game.mark_reference,
    )


def marks_in(
    report: TrfReport, players: Mapping[int, Player], marks: Iterable[KeptMark]
) -> list[tuple[KeptMark, Mark | None]]:
    """Return marks of a former version, each as this version has the game, None where it has no such pairing.

    `players` are those of this version by starting rank.
    """
    games = {(game.round, frozenset((game.white, game.black))): game.white for game in report.games}
    numbers = {player.fide_id: number for number, player in players.items()}
    found = []
    for mark in marks:
        ranks = frozenset(_rank(seat, numbers, players) for seat in mark.pair)
        white = games.get((mark.round, ranks))
        found.append((mark, None if white is None else Mark(mark.round, white, mark.reason, mark.reference)))
    return found


def _rank(seat: MarkedPlayer, numbers: Mapping[int, int], known: Collection[int]) -> int:
    """Return a player's starting rank in another version, 0 for one who is not in it."""
    # Without a FIDE ID only the starting rank is left, unless a known player has it in the other version.
    is_unknown = seat.fide_id is None and seat.number not in known
    return seat.number if is_unknown else numbers.get(seat.fide_id or 0, 0)


def marks_refusals(
    report: TrfReport, players: Mapping[int, Player], marks: Iterable[KeptMark]
) -> Iterator[Refusal]:
    """Yield for each marked game that a version of the report no longer has, what staff do about it (D-100)."""
    for mark, found in marks_in(report, players, marks):
        if found is not None:
            continue
        message = _(
            "Round %(round)d, %(white)s – %(black)s is marked “%(mark)s” (%(reference)s), but this version does "
            "not have this game. Correct the pairing, or ask FIDE staff to remove the mark first."
        )
        values = {
            "round": mark.round,
            "white": mark.names[0],
            "black": mark.names[1],
            "mark": mark.reason.label,
            "reference": mark.reference,
        }
        yield Refusal("marked-game-missing", message % values)


def mark_games(
    tournament: Tournament, marks: Sequence[Mark], *, reason: str, by: Any, at: datetime
) -> Report:
    """Mark games of an accepted report that is not published yet, queue its rating, and return the report.

    From now on lists include the report only as rated with the marks (D-100).

    `RefusedError` without such a report or game, or without a reference; then nothing is written. Published reports
    are corrected instead (D-11).
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        report = locked.reports.filter(state=ReportState.ACCEPTED).first()
        if report is None or locked.stage == Stage.PUBLISHED:
            message = _(
                "Games can only be marked after the report is accepted and before it is published "
                "(article 4.1)."
            )
            raise refused("not-markable", message)
        changes = mark_changes(report, marks)
        apply_marks(report, marks)
        # Rated anew before a list takes it (D-100).
        Tournament.objects.filter(pk=locked.pk).update(stage=Stage.REPORTED)
        said = SENTENCES.join(map(_sentence, marks), reason)
        record_action(locked, Action.MARK, reason=said, by=by, at=at, changes=changes)
        # The signal queues the rating, which has to be done anew with the marks.
        reports_accepted.send(Report, reports=[report], at=at, dispatch=None)
    return report


def _sentence(mark: Mark) -> dict[str, Any]:
    game = {"round": mark.round, "white": mark.white}
    if not mark.reason:
        return {"code": "mark-removed", **game}
    return {"code": "game-marked", **game, "mark": str(mark.reason), "reference": mark.reference.strip()}
