"""One game of a report written otherwise: both lines and their points, all else as it was."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.trf.fields import points_text
from tournaments.trf.records.player import PlayerRecord
from tournaments.trf.records.rounds import RoundResult
from tournaments.trf.report import Pairing, Report
from tournaments.trf.writer import LINE_END

# What a pairing can end with, as codes of white and black; the last two are forfeits.
RESULTS = {
    "1-0": ("1", "0"),
    "1/2-1/2": ("=", "="),
    "0-1": ("0", "1"),
    "+/-": ("+", "-"),
    "-/+": ("-", "+"),
}
HALF_POINTS = {"1": 2, "+": 2, "W": 2, "=": 1, "D": 1}
CODE = 7
POINTS = slice(80, 84)


def pairing_of(report: Report, *, round_number: int, white: int) -> Pairing | None:
    """Return the pairing of a round in which a starting rank has white, None where there is none."""
    pairings = (game for game in report.games() if game.round == round_number and game.white == white)
    return next(pairings, None)


def with_result(report: Report, pairing: Pairing, result: str) -> str:
    """Return the text of a report with another result of one pairing; lines end in CR LF.

    `result` is a key of `RESULTS`; `KeyError` for another.
    """
    codes = dict(zip((pairing.white, pairing.black), RESULTS[result], strict=True))
    players = report.by_number()
    changed = {
        players[number].line: _line(report, players[number], pairing.round, code)
        for number, code in codes.items()
    }
    return with_lines(report, changed)


def with_lines(report: Report, changed: Mapping[int, str]) -> str:
    """Return the text of a report with other lines in the place of some, by their numbers from 1."""
    lines = (changed.get(number, line) for number, line in enumerate(report.lines, start=1))
    return "".join(line + LINE_END for line in lines)


def _line(report: Report, player: PlayerRecord, round_number: int, code: str) -> str:
    line = report.lines[player.line - 1]
    former: RoundResult = player.results[round_number - 1]
    at = player.column_of(round_number) - 1 + CODE
    line = line[:at].ljust(at) + code + line[at + 1 :]
    if player.points is None:
        return line
    points = player.points - HALF_POINTS.get(former.code, 0) + HALF_POINTS.get(code, 0)
    start, end = POINTS.start - player.shift, POINTS.stop - player.shift
    return f"{line[:start]}{points_text(points, width=4):>4}{line[end:]}"
