"""The difference that a correction makes to a player on one list, as a line for the next (D-11)."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.choices import LineKind
from ratings.models import CorrectionLine, RatingList
from ratings.systems.otb.period import PeriodResult
from ratings.systems.words import concept_of

INITIAL = "initial"
POINT = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A player's difference on one corrected list; changes and first ratings in hundredths."""

    player_id: int
    corrected_list: RatingList
    kind: LineKind
    before: int | None = None
    after: int | None = None
    difference: int = 0
    games: int = 0

    @property
    def is_effective(self) -> bool:
        """Whether the next list has anything to take from it."""
        return bool(self.difference or self.games) or self.kind != LineKind.CHANGE

    def as_row(self) -> CorrectionLine:
        return CorrectionLine(
            player_id=self.player_id,
            corrected_list=self.corrected_list,
            kind=self.kind,
            before_hundredths=self.before,
            after_hundredths=self.after,
            difference_hundredths=self.difference,
            games_difference=self.games,
        )


def line_of(
    player_id: int, rating_list: RatingList, before: PeriodResult, after: PeriodResult, *, is_rated_now: bool
) -> Line | None:
    """Return the line that leads from one calculation to the other, None where nothing differs.

    `is_rated_now` says whether the newest list, with the corrections since, holds a rating of the player, shown or
    withheld: only then can a rating be lost, and only otherwise can a correction bring a first one.
    """
    has_nothing_left = after.rating is None and after.base is None
    if before.rating is not None and has_nothing_left and is_rated_now:
        return Line(player_id, rating_list, LineKind.LOST, _rating(before), None, games=-before.completed)
    if before.rating is None and after.rating is not None and not is_rated_now:
        return Line(player_id, rating_list, LineKind.INITIAL, None, _rating(after), games=after.completed)
    line = _difference(player_id, rating_list, before, after)
    return line if line.is_effective else None


def _difference(player_id: int, rating_list: RatingList, before: PeriodResult, after: PeriodResult) -> Line:
    if _is_initial(before) and _is_initial(after):
        first, second, kind = _rating(before), _rating(after), LineKind.INITIAL
    elif before.base is not None or after.base is not None:
        first, second, kind = before.change, after.change, LineKind.CHANGE
    elif before.shares != after.shares:
        return Line(player_id, rating_list, LineKind.POOL)
    else:
        first, second, kind = 0, 0, LineKind.CHANGE
    return Line(
        player_id,
        rating_list,
        LineKind.CHANGE if first == second else kind,
        first,
        second,
        second - first,
        after.completed - before.completed,
    )


def _is_initial(result: PeriodResult) -> bool:
    return concept_of(result.outcome) == INITIAL


def _rating(result: PeriodResult) -> int:
    return (result.rating or 0) * POINT
