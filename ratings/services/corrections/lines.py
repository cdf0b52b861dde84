"""The difference that a correction makes to a player on one list, as a line for the next (D-11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ratings.choices import LineKind
from ratings.ledger.chain import POINT, Chain
from ratings.ledger.mergers import Mergers
from ratings.models import Correction, CorrectionLine, RatingList
from ratings.systems.otb.period import PeriodResult
from ratings.systems.registry import key_of_each

NOTHING = PeriodResult("", completed=0, reached_2300=False, reached_2400=False)


@dataclass(frozen=True, slots=True)
class ListDifference:
    """A player's difference on one corrected list; changes and first ratings in hundredths.

    `change` is the part of the difference without an initial rating.
    """

    player_id: int
    corrected_list: RatingList
    kind: LineKind
    before: int | None = None
    after: int | None = None
    difference: int = 0
    games: int = 0
    change: int = 0

    @property
    def is_effective(self) -> bool:
        """Whether the line itself has the difference that the next list adds."""
        return bool(self.difference or self.games or self.change) or self.kind != LineKind.CHANGE

    @property
    def figures(self) -> tuple[int | None, int | None, int, int, int]:
        """The figures in the order of the fields."""
        return self.before, self.after, self.difference, self.games, self.change

    def as_row(self) -> CorrectionLine:
        return CorrectionLine(
            player_id=self.player_id,
            corrected_list=self.corrected_list,
            kind=self.kind,
            before_hundredths=self.before,
            after_hundredths=self.after,
            difference_hundredths=self.difference,
            games_difference=self.games,
            change_hundredths=self.change,
        )


def lines_between(before: Chain, after: Chain, mergers: Mergers) -> tuple[ListDifference, ...]:
    """Return the differences between two chains, by list and player.

    A player whose account changes without a difference on any list, such as an inactive one, has a line too.
    """
    lines: dict[int, list[ListDifference]] = defaultdict(list)
    for line in _lines(before, after):
        lines[mergers.held_by(line.player_id)].append(line)
    found: list[ListDifference] = []
    for player_id, of_player in lines.items():
        effective = [line for line in of_player if line.is_effective]
        if not effective and after.accounts[player_id] != before.accounts[player_id]:
            effective = of_player[:1]
        found += effective
    return tuple(sorted(found, key=lambda line: (line.corrected_list.date, line.player_id)))


def record_lines(correction: Correction, lines: Iterable[ListDifference]) -> None:
    """Store the lines of a correction, for the next list to take."""
    for line in lines:
        row = line.as_row()
        row.correction = correction
        row.save(force_insert=True)


def _lines(before: Chain, after: Chain) -> Iterator[ListDifference]:
    for list_id, rating_list in {**before.lists, **after.lists}.items():
        former, latter = before.results.get(list_id, {}), after.results.get(list_id, {})
        for player_id in sorted(former.keys() | latter.keys()):
            pair = former.get(player_id, NOTHING), latter.get(player_id, NOTHING)
            if pair[0] != pair[1]:
                yield _line(player_id, rating_list, *pair)


def _line(
    player_id: int, rating_list: RatingList, before: PeriodResult, after: PeriodResult
) -> ListDifference:
    first, second = _change(before), _change(after)
    line = ListDifference(
        player_id, rating_list, LineKind.CHANGE, games=_games(after) - _games(before), change=second - first
    )
    if _is_rated(before) and not _is_rated(after):
        return replace(line, kind=LineKind.LOST, before=(before.rating or 0) * POINT)
    if _is_rated(after) and not _is_rated(before):
        return replace(line, kind=LineKind.INITIAL, after=(after.rating or 0) * POINT)
    former, latter = _initial(before), _initial(after)
    if _is_by_standard(before) and _is_by_standard(after) and before.base != after.base:
        former, latter = (POINT * (item.base or 0) + item.change for item in (before, after))
    if former is not None and latter is not None:
        difference = latter - former
        kind = LineKind.INITIAL if difference else LineKind.CHANGE
        return replace(line, kind=kind, before=former, after=latter, difference=difference)
    if before.base is None and after.base is None and before.shares != after.shares:
        return replace(line, kind=LineKind.POOL)
    return replace(line, before=first, after=second, difference=second - first)


def _is_rated(result: PeriodResult) -> bool:
    """Return whether a list gave or continued a rating: being under the floor alone does not lose it (D-11)."""
    return result.rating is not None or result.base is not None


def _is_by_standard(result: PeriodResult) -> bool:
    """Return whether a list gave a first rating from a standard rating: FIDE may correct that one (D-125)."""
    return result.outcome in key_of_each("first_by_standard")


def _initial(result: PeriodResult) -> int | None:
    is_initial = result.outcome in key_of_each("initial") and result.rating is not None
    return (result.rating or 0) * POINT if is_initial else None


def _change(result: PeriodResult) -> int:
    return result.change if result.base is not None else 0


def _games(result: PeriodResult) -> int:
    """Return the games that a list adds to those completed."""
    if result.base is not None:
        return result.games
    return result.completed if result.rating is not None else 0
