"""Reports of invented events as TRF16, written plainly so that no test reads what the portal itself wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

RESULTS = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2": ("=", "="), "+-": ("+", "-"), "-+": ("-", "+")}
PGN_RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2": "1/2-1/2"}
# Three players, each of whom meets the others.
PLAYERS = [(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
ROUNDS = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
POINTS = {"1": 1.0, "+": 1.0, "U": 1.0, "=": 0.5, "H": 0.5}


@dataclass
class Event:
    """An event: players as (FIDE ID, name), and each round as (white, black, result) by starting rank."""

    players: Sequence[tuple[int, str]]
    rounds: Sequence[Sequence[tuple[int, int, str]]]
    name: str = "Open of Alphaville"
    federation: str = "SUI"
    start: str = "2026/01/10"
    end: str = "2026/01/11"
    round_dates: Sequence[str] = field(default_factory=list)
    announced_rounds: int = 0
    birth_years: Mapping[int, int] = field(default_factory=dict)

    def text(self) -> str:
        """Return the report, lines ended by CR LF."""
        lines = [
            f"012 {self.name}",
            "022 Alphaville",
            f"032 {self.federation}",
            f"042 {self.start}",
            f"052 {self.end}",
            f"062 {len(self.players)}",
            "092 Individual: Swiss-System",
            "102 Arbiter, Anna",
            "122 15 minutes plus 10 sec per move",
        ]
        if self.announced_rounds:
            lines.append(f"142 {self.announced_rounds}")
        days = self.round_dates or [self.start[2:]] * len(self.rounds)
        lines.append("132" + " " * 88 + "  ".join(days))
        lines += [self._player(number) for number in range(1, len(self.players) + 1)]
        return "\r\n".join(lines) + "\r\n"

    def content(self) -> bytes:
        return self.text().encode()

    def pgn(self) -> bytes:
        """Return the games over the board as PGN, of two moves each, the players by FIDE ID and name."""
        games = [
            f'[Round "{number}"]\n[White "{self.players[white - 1][1]}"]\n[Black "{self.players[black - 1][1]}"]\n'
            f'[WhiteFideId "{self.players[white - 1][0]}"]\n[BlackFideId "{self.players[black - 1][0]}"]\n'
            f'[Result "{PGN_RESULTS[result]}"]\n\n1. e4 e5 {PGN_RESULTS[result]}\n'
            for number, played in enumerate(self.rounds, 1)
            for white, black, result in played
            if result in PGN_RESULTS
        ]
        return "\n".join(games).encode()

    def _player(self, number: int) -> str:
        fide_id, name = self.players[number - 1]
        cells = [self._cell(number, games) for games in self.rounds]
        points = sum(POINTS.get(cell.strip()[-1:], 0.0) for cell in cells)
        shown = str(fide_id) if fide_id else ""
        born = f"{year}/00/00" if (year := self.birth_years.get(number)) else ""
        return (
            f"001 {number:>4} m    {name:<33} {0:>4} {self.federation:<3} {shown:>11} {born:<10} "
            f"{points:>4} {number:>4}  " + "  ".join(cells)
        )

    @staticmethod
    def _cell(number: int, games: Sequence[tuple[int, int, str]]) -> str:
        for white, black, result in games:
            codes = RESULTS[result]
            is_forfeit = "+" in result
            if number == white:
                return f"{black:>4} {'w'} {codes[0]}" if not is_forfeit else f"{black:>4} - {codes[0]}"
            if number == black:
                return f"{white:>4} {'b'} {codes[1]}" if not is_forfeit else f"{white:>4} - {codes[1]}"
        return "0000 - Z"


def round_robin(results: Sequence[Sequence[str]]) -> list[list[tuple[int, int, str]]]:
    """Return one game a round for each result of a lower-triangle table: results[i][j] of i+2 against j+1."""
    return [
        [(row + 2, column + 1, result)]
        for row, line in enumerate(results)
        for column, result in enumerate(line)
    ]
