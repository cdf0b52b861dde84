"""Lines of corrections from before positions were kept: each tells for itself what the next list takes (D-11)."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.choices import LineKind
from ratings.models import CorrectionLine, ParticipantRating
from ratings.systems.otb.period import CorrectionShare
from ratings.systems.otb.values import PoolShare
from tournaments.models import Tournament


def correct_pools(pools: dict[int, list[PoolShare]], player_id: int, lines: Iterable[CorrectionLine]) -> None:
    """Put the corrected event in the place of the former one in the pool of an unrated player (D-11)."""
    for line in lines:
        tournament = line.correction.tournament
        if line.kind != LineKind.POOL or tournament is None or line.position is not None:
            continue
        event_id = tournament.event_id
        shares = pools.get(player_id, [])
        former = [share for share in shares if share.event_id == event_id]
        kept = [share for share in shares if share.event_id != event_id]
        row = line.participant_rating
        if row is not None and row.games:
            was_disregarded = any(share.is_disregarded for share in former)
            kept.append(_corrected_share(tournament, row, was_disregarded=was_disregarded))
        pools[player_id] = kept


def _corrected_share(tournament: Tournament, row: ParticipantRating, *, was_disregarded: bool) -> PoolShare:
    return PoolShare(
        tournament.event_id,
        tournament.start,
        tournament.end,
        row.opponents_sum,
        row.games,
        row.half_points,
        is_disregarded=was_disregarded and row.half_points == 0,
    )


def effective(lines: Iterable[CorrectionLine]) -> list[CorrectionLine]:
    """Return the lines that one list takes, without a first rating lost and regained, or brought and lost, before it.

    One that was lost and comes back with other figures leaves their difference (D-11).
    """
    kept: list[CorrectionLine] = []
    for line in lines:
        former = next((item for item in reversed(kept) if _are_opposite(item, line)), None)
        if former is None:
            kept.append(line)
            continue
        kept.remove(former)
        if former.kind == LineKind.LOST:
            kept.append(_regained(former, line))
    return kept


def _are_opposite(former: CorrectionLine, line: CorrectionLine) -> bool:
    if former.corrected_list_id != line.corrected_list_id:
        return False
    ends = (_first_rating_after(former), _first_rating_after(line))
    return ends in {(True, False), (False, True)}


def _first_rating_after(line: CorrectionLine) -> bool | None:
    """Whether a line leaves the player with a first rating, or without; None where it is about neither."""
    if line.kind == LineKind.LOST:
        return False
    return True if line.kind == LineKind.INITIAL and line.before_hundredths is None else None


def _regained(lost: CorrectionLine, found: CorrectionLine) -> CorrectionLine:
    return CorrectionLine(
        correction=found.correction,
        player=found.player,
        corrected_list=found.corrected_list,
        kind=LineKind.CHANGE,
        difference_hundredths=(found.after_hundredths or 0) - (lost.before_hundredths or 0),
        games_difference=found.games_difference + lost.games_difference,
    )


def share_of(line: CorrectionLine) -> CorrectionShare:
    """Return a stored correction line as the period takes it (D-11)."""
    if line.kind == LineKind.LOST:
        return CorrectionShare(is_lost=True)
    if line.kind == LineKind.INITIAL and line.before_hundredths is None:
        return CorrectionShare(first_rating=(line.after_hundredths or 0) // 100, games=line.games_difference)
    return CorrectionShare(difference=line.difference_hundredths, games=line.games_difference)
