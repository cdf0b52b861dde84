"""Tries the reader on a folder of reports: `python -m tests.tournaments.trf.corpus FOLDER` (`make corpus DIR=FOLDER`).

Every file is read, checked, written and read again. The cells of its players' lines are compared with those of a
second reader, which shares no code with the portal: the package `trf` where it is installed, else plain columns.
Exit 1 where anything crashes or differs.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module, util
from itertools import zip_longest
from pathlib import Path

from tournaments.trf import Finding, PlayerRecord, check_report, read_report, write_report, write_trf26
from tournaments.trf.reader import SUFFIXES

# Number, name, rating, FIDE ID, half points and rank, then opponent, colour and result of each round.
Cells = tuple[object, ...]
Reader = Callable[[str], Cells]
COLUMNS = {
    "number": (4, 8),
    "name": (14, 47),
    "rating": (48, 52),
    "id": (57, 68),
    "points": (80, 84),
    "rank": (85, 89),
}
ROUNDS, WIDTH = 91, 10
SHOWN = 3


@dataclass(slots=True)
class Outcome:
    """What became of one file: lines and cells that agree, what differs, what was found, and what raised."""

    name: str
    players: int = 0
    games: int = 0
    cells: int = 0
    unread: int = 0
    different: list[str] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    crash: str = ""


def outcome_of(path: Path, read: Reader) -> Outcome:
    """Return what became of a file; a crash is part of it."""
    outcome = Outcome(path.name)
    try:
        report = read_report(path.read_bytes())
        outcome.players = len(report.players)
        outcome.games = sum(pairing.played for pairing in report.games)
        outcome.findings = check_report(report)
        for written in (write_report(report), write_trf26(report)):
            if read_report(written).players != report.players:
                outcome.different.append("written and read again, the players are others")
        for player in report.players:
            _compare(outcome, player, report.lines[player.line - 1], read)
    except Exception as error:
        outcome.crash = f"{type(error).__name__}: {error}"
    return outcome


def _compare(outcome: Outcome, player: PlayerRecord, line: str, read: Reader) -> None:
    """Compare the cells of a line; what the second reader does not read, or reads in other columns, is left out."""
    try:
        theirs = read(line)
    except (ValueError, LookupError, SyntaxError):
        outcome.unread += 1
        return
    for ours, other in zip_longest(_cells(player), theirs):
        # Rounds that only one of the two sees are blank.
        if (ours or None) == (other or None) or {ours, other} <= {None, (None, "", "")}:
            outcome.cells += 1
        else:
            outcome.different.append(f"line {player.line}: {ours!r} here, {other!r} there")


def _cells(player: PlayerRecord) -> Cells:
    rounds = ((result.opponent, result.colour, result.code) for result in player.results)
    return (player.number, player.name, player.rating, player.fide_id, player.points, player.rank, *rounds)


def by_columns(line: str) -> Cells:
    """Return the cells of a line by its columns; `ValueError` where a number is none."""
    texts = {name: line[first:last].strip() for name, (first, last) in COLUMNS.items()}
    numbers = {name: int(texts[name].strip("-") or 0) for name in ("number", "rating", "id", "rank")}
    points = round(2 * float(texts["points"].replace(",", "."))) if texts["points"] else None
    cells = (line[at : at + WIDTH - 2] for at in range(ROUNDS, len(line.rstrip()), WIDTH))
    head = (numbers["number"], texts["name"], numbers["rating"], numbers["id"], points, numbers["rank"])
    return (*head, *(_round(cell[:4], cell[5:6], cell[7:8]) for cell in cells))


def by_package() -> Reader:
    """Return the reader of the package `trf`."""
    entry, tournament = import_module("trf.Entry").PlayerEntry(), import_module("trf.Tournament").Tournament

    def read(line: str) -> Cells:
        players = tournament()
        try:
            entry.load(players, line[4:])
        except import_module("trf.TrfException").TrfException as error:
            raise ValueError(line) from error
        (player,) = players.players
        rounds = (_round(str(game.startrank or ""), game.color, game.result) for game in player.games)
        return (
            player.startrank,
            player.name,
            player.rating,
            player.id,
            round(2 * player.points),
            player.rank,
            *rounds,
        )

    return read


def _round(opponent: str, colour: str, result: str) -> Cells:
    return int(opponent.strip() or 0) or None, colour.strip(" -").lower(), result.strip().upper()


def lines_about(outcomes: Iterable[Outcome], reader: str) -> Iterator[str]:
    """Yield a line a file with its differences under it, then the sums."""
    totals: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    for outcome in outcomes:
        severities = Counter(finding.severity.value for finding in outcome.findings)
        codes.update(finding.code for finding in outcome.findings)
        found = ", ".join(f"{severities[name]} {name}s" for name in ("error", "warning", "notice"))
        yield f"{outcome.name}: {outcome.players} players, {outcome.games} games, {outcome.cells} cells equal; {found}"
        yield from (f"  {text}" for text in outcome.different[:SHOWN])
        if outcome.crash:
            yield f"  CRASH {outcome.crash}"
        totals.update(files=1, cells=outcome.cells, unread=outcome.unread, crashes=bool(outcome.crash))
        totals.update(different=len(outcome.different), agree=not outcome.different and not outcome.crash)
    yield f"{totals['agree']} of {totals['files']} files agree with {reader}: {totals['cells']} cells equal,"
    yield (
        f"{totals['different']} differences, {totals['unread']} lines that it does not read, "
        f"{totals['crashes']} crashes."
    )
    yield "Findings: " + (", ".join(f"{code} {count}" for code, count in codes.most_common()) or "none")


def main(folder: str) -> int:
    """Print what became of the reports in a folder; return 1 where anything crashed or differs."""
    files = [
        path for path in sorted(Path(folder).rglob("*")) if path.suffix.lower() in SUFFIXES and path.is_file()
    ]
    name, read = ("the package trf", by_package()) if util.find_spec("trf") else ("plain columns", by_columns)
    outcomes = [outcome_of(path, read) for path in files]
    print("\n".join(lines_about(outcomes, name)))  # noqa: T201
    return int(not files or any(outcome.crash or outcome.different for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
