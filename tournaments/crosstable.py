"""The crosstable of a report as it was read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.trf import Pairing, PlayerRecord
from tournaments.trf import Report as TrfReport
from tournaments.trf.checks.pairings import HALF_POINTS

# So many players are shown at first.
SHOWN = 100
# The rank of players without one.
LAST = 10**6


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """A round of a player. `game` is what the game is called in addresses, empty where there is no opponent."""

    round: int
    opponent: int | None
    colour: str
    half_points: int | None
    is_forfeit: bool
    game: str
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class CrosstableBoard:
    """A pairing of a round with the players, and what it is called in addresses and forms."""

    pairing: Pairing
    white: PlayerRecord
    black: PlayerRecord
    is_corrected: bool = False

    @property
    def game(self) -> str:
        return name_of(self.pairing)

    @property
    def half_points(self) -> tuple[int, int]:
        return tuple(HALF_POINTS.get(code, 0) for code in (self.pairing.white_code, self.pairing.black_code))  # type: ignore[return-value]

    @property
    def white_result(self) -> str:
        """The result as White's line has it, in a word."""
        return _result_word(self.pairing.white_code)

    @property
    def black_result(self) -> str:
        """The result as Black's line has it, in a word."""
        return _result_word(self.pairing.black_code)


def _result_word(code: str) -> str:
    words = {"1": _("won"), "=": _("draw"), "0": _("lost"), "": _("no result")}
    return words.get(code, code)


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The players that are shown with their rounds, and of how many."""

    rows: Sequence[tuple[PlayerRecord, Sequence[CrosstableCell]]]
    total: int
    rounds: Sequence[int]

    @property
    def is_whole(self) -> bool:
        return len(self.rows) == self.total


def name_of(pairing: Pairing) -> str:
    """Return what a pairing is called in addresses: the round and White's starting rank, as `7-4`."""
    return f"{pairing.round}-{pairing.white}"


def changed_games(former: TrfReport, later: TrfReport) -> int:
    """Return in how many games two versions of a report differ: in colours, result, or who played."""
    found = {*former.games} ^ {*later.games}
    return len({(game.round, *sorted([game.white, game.black])) for game in found})


def crosstable_of(
    read: TrfReport,
    *,
    corrected: Collection[tuple[int, int]] = (),
    words: str = "",
    is_whole: bool = False,
    always: Collection[int] = (),
) -> Crosstable:
    """Return the crosstable of a report by rank; `always` are players to show, wherever they are.

    `corrected` are the games by round and White that were corrected earlier; `words` leave the other names out.
    """
    games = {(game.round, number): game for game in read.games for number in (game.white, game.black)}
    wanted = words.casefold().split()
    players = sorted(read.by_number.values(), key=lambda one: (one.rank or LAST, one.number))
    found = [
        one
        for one in players
        if one.number in always or all(word in f"{one.name} {one.number}".casefold() for word in wanted)
    ]
    shown = [one for place, one in enumerate(found) if is_whole or place < SHOWN or one.number in always]
    rows = [
        (one, [_cell(one, number, games, corrected) for number in range(1, read.rounds + 1)]) for one in shown
    ]
    return Crosstable(rows, len(found), range(1, read.rounds + 1))


def _cell(
    record: PlayerRecord,
    number: int,
    games: dict[tuple[int, int], Pairing],
    corrected: Collection[tuple[int, int]],
) -> CrosstableCell:
    if number > len(record.results):
        return CrosstableCell(number, None, "", None, is_forfeit=False, game="", is_corrected=False)
    _round, opponent, colour, code = record.results[number - 1]
    game = games.get((number, record.number))
    return CrosstableCell(
        round=number,
        opponent=opponent,
        colour=colour,
        half_points=HALF_POINTS.get(code, 0) if code else None,
        is_forfeit=code in ("+", "-"),
        game=name_of(game) if game else "",
        is_corrected=game is not None and (game.round, game.white) in corrected,
    )


def boards_of(
    read: TrfReport, number: int, *, corrected: Collection[tuple[int, int]] = ()
) -> Iterator[CrosstableBoard]:
    """Yield the pairings of a round in the order of the report."""
    players = read.by_number
    for game in read.games:
        if game.round == number:
            is_corrected = (game.round, game.white) in corrected
            yield CrosstableBoard(game, players[game.white], players[game.black], is_corrected)
