"""`python -m benchmarks.reading`: cost of reading and checking a large report, against a minimal reader.

The minimal reader cuts the fixed columns of a valid file into values, as open-source readers in Python do: without
encodings, dialects, limits, positions or issues. It raises on the first invalid line.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from tests.tournaments.trf.tournament import tournament
from tournaments.trf import Report, check_report, read_report, write_report
from tournaments.trf.checks.players import has_right_check_digit

PLAYERS, ROUNDS = 2_000, 11
REPEATS = 15
BARE = "bare reader, reads only"


class BareGame(NamedTuple):
    """A round of a player."""

    round: int
    opponent: int | None
    colour: str
    result: str


class BarePlayer(NamedTuple):
    """A line 001."""

    number: int
    sex: str
    title: str
    name: str
    rating: int
    federation: str
    fide_id: int | None
    birth: str
    points: float
    rank: int
    games: list[BareGame]


def bare_read(data: bytes) -> tuple[dict[str, str], list[BarePlayer]]:
    """Return header and players of a valid report. Anything else raises."""
    header: dict[str, str] = {}
    players: list[BarePlayer] = []
    for line in data.decode("utf-8").splitlines():
        if line[:3] == "001":
            players.append(_bare_player(line))
        else:
            header[line[:3]] = line[4:].strip()
    return header, players


def _bare_player(line: str) -> BarePlayer:
    games = []
    for number, start in enumerate(range(91, len(line), 10), 1):
        opponent = line[start : start + 4].strip()
        games.append(
            BareGame(
                number, int(opponent) if opponent else None, line[start + 5], line[start + 7 : start + 8]
            )
        )
    return BarePlayer(
        number=int(line[4:8]),
        sex=line[9],
        title=line[10:13].strip(),
        name=line[14:47].strip(),
        rating=int(line[48:52]),
        federation=line[53:56].strip(),
        fide_id=int(line[57:68]) or None,
        birth=line[69:79].strip(),
        points=float(line[80:84]),
        rank=int(line[85:89]),
        games=games,
    )


def read_and_check(data: bytes) -> Report:
    report = read_report(data)
    check_report(report)
    return report


def report_bytes(players: int) -> bytes:
    """Return a valid report with FIDE IDs of eight digits, whose check digits are all checked."""
    report = tournament(players=players, rounds=ROUNDS)
    ids = filter(has_right_check_digit, range(10_000_000, 99_999_999))
    own = tuple(player._replace(fide_id=next(ids)) for player in report.players)
    return write_report(replace(report, players=own)).encode()


def measured() -> dict[str, float]:
    """Return the processor seconds of each reader, the best of `REPEATS`."""
    data = report_bytes(PLAYERS)
    readers: dict[str, Callable[[bytes], object]] = {
        BARE: bare_read,
        "read": read_report,
        "read and checked": read_and_check,
    }
    best = dict.fromkeys(readers, float("inf"))
    # In turns, so that other load affects all alike. The best run is the reader's own cost.
    for _ in range(REPEATS):
        for name, read in readers.items():
            gc.collect()
            began = time.process_time()
            read(data)
            best[name] = min(best[name], time.process_time() - began)
    return best


def rows(best: Mapping[str, float]) -> Iterator[str]:
    """Yield the table: processor time of each reader, and its ratio to the minimal one."""
    yield f"### a report of {PLAYERS:,} players and {ROUNDS} rounds\n"
    yield "| reader | processor | times the bare reader |"
    yield "|---|---|---|"
    for name, seconds in best.items():
        yield f"| {name} | {seconds * 1000:.1f} ms | {seconds / best[BARE]:.2f} |"


if __name__ == "__main__":
    for row in rows(measured()):
        print(row)  # noqa: T201
