"""The reports of a generated month, with late ones, second versions and corrections, from a seed.

`python -m benchmarks.reports FOLDER` makes the corrections one by one as FIDE staff do: each is previewed first.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from benchmarks.world import (
    FEDERATIONS,
    PLAYERS_A_REPORT,
    ROUNDS,
    SEED,
    Size,
    federation,
    fide_id,
    name,
    strength,
)
from ratings.systems.otb.rules import months_after

# Subfolders with files of the same names.
AGAIN, CORRECTED = "again", "corrected"
MANIFEST = "manifest.csv"
CONTROLS = {"rapid": "15+10", "blitz": "3+2"}
# Days of the month. Registration is three days before the first event of the previous month, too (0.2).
REGISTERED, SUBMITTED, AGAIN_SUBMITTED = 20, 26, 27
CORRECTED_ON = date(2026, 2, 10)
# The seconds of each call, written beside the reports.
TIMES = "corrected.json"
SHOWN, MADE = "a correction's effect shown", "the correction made"
END = "\r\n"
OTHER_SIDE = {"1": "0", "0": "1", "=": "="}
HALF_POINTS = {"1": 2, "=": 1, "0": 0}
# Errors of an arbiter: a win entered for the loser, and a draw entered as a win.
MISREAD = {"1": "0", "0": "1", "=": "1"}


@dataclass(frozen=True, slots=True)
class Played:
    """An event: its players by seat, and for each round (white seat, black seat, white's result)."""

    number: int
    kind: str
    code: str
    day: str
    players: list[int]
    rounds: list[list[tuple[int, int, str]]]

    @property
    def file_name(self) -> str:
        """Return a name with rating type and federation: `00012-rapid-SUI.trf`."""
        return f"{self.number:05}-{self.kind}-{self.code}.trf"

    def with_a_game_changed(self, lot: str) -> Played:
        """Return the event with another result in one game. The same `lot` gives the same change."""
        chance = random.Random(f"{SEED}-{self.number}-{lot}")  # noqa: S311 no secret
        round_number, board = chance.randrange(ROUNDS), chance.randrange(PLAYERS_A_REPORT // 2)
        rounds = [list(games) for games in self.rounds]
        white, black, result = rounds[round_number][board]
        rounds[round_number][board] = (white, black, MISREAD[result])
        return replace(self, rounds=rounds)


def write_reports(folder: Path, size: Size, *, year: int, month: int, first: int = 0) -> None:
    """Write a month's reports, all submitted after it. Late ones are for events of the previous month.

    They are numbered from `first`, which also seeds players and results, for several months.

    Subfolder `again` has second versions, `corrected` has corrections after publication. The manifest submits the
    reports with their second versions.
    """
    for target in (folder, folder / AGAIN, folder / CORRECTED):
        target.mkdir(parents=True)
    again, corrected = _drawn(size, AGAIN, size.again), _drawn(size, CORRECTED, size.corrected)
    for event in _events(size, year=year, month=month, first=first):
        _write(folder, event)
        standing = event
        if event.number - first in again:
            standing = event.with_a_game_changed(AGAIN)
            _write(folder / AGAIN, standing)
        if event.number - first in corrected:
            _write(folder / CORRECTED, standing.with_a_game_changed(CORRECTED))
    reports = [*folder.glob("*.trf"), *(folder / AGAIN).glob("*.trf")]
    write_manifest(folder / MANIFEST, reports, year=year, month=month)


def write_manifest(manifest: Path, reports: Iterable[Path], *, year: int = 2026, month: int = 1) -> None:
    """Write the manifest that submits the reports beside it."""
    registered_on = months_after(date(year, month, 1), -2).replace(day=REGISTERED).isoformat()
    with manifest.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(
            ["file", "event_id", "kind", "time_control", "federation", "registered_on", "submitted_on"]
        )
        for path in sorted(reports):
            _, kind, code = path.stem.split("-")
            day = AGAIN_SUBMITTED if path.parent.name == AGAIN else SUBMITTED
            submitted_on = date(year, month, day).isoformat()
            name = path.relative_to(manifest.parent).as_posix()
            rows.writerow([name, path.stem, kind, CONTROLS[kind], code, registered_on, submitted_on])


def submission(folder: Path, jobs: int) -> list[str]:
    """Return the command, without the Python executable, that submits the reports of a folder."""
    manifest = f"--manifest={folder / MANIFEST}"
    return ["manage.py", "submit_reports", str(folder), manifest, f"--jobs={jobs}", "--verbosity=0"]


def _drawn(size: Size, what: str, share: float) -> set[int]:
    """Return the numbers of a random share of the reports."""
    chance = random.Random(f"{SEED}-{what}")  # noqa: S311 no secret
    return set(chance.sample(range(size.reports), round(size.reports * share)))


def _events(size: Size, *, year: int, month: int, first: int) -> Iterator[Played]:
    chance = random.Random(SEED + 1 + first)  # noqa: S311 no secret
    late = _drawn(size, "late", size.late)
    months = (f"{year}/{month:02}", f"{year}/{month - 1:02}" if month > 1 else f"{year - 1}/12")
    for number in range(size.reports):
        kind = "blitz" if number % 5 < 2 else "rapid"
        # Events up to day 24 of the month are due for the next list.
        day = f"{months[number in late]}/{1 + number % 24:02}"
        players = chance.sample(range(size.players), PLAYERS_A_REPORT)
        strengths = [strength(index) for index in players]
        rounds = [_round(round_number, strengths, chance) for round_number in range(ROUNDS)]
        yield Played(first + number, kind, FEDERATIONS[number % len(FEDERATIONS)], day, players, rounds)


def _round(round_number: int, strengths: list[int], chance: random.Random) -> list[tuple[int, int, str]]:
    """Pair by the circle method, so that no pair repeats, and draw the results."""
    count = len(strengths)
    ring = [0, *((seat + round_number) % (count - 1) + 1 for seat in range(count - 1))]
    return [
        (white, black, _result(strengths[white] - strengths[black], chance))
        for white, black in zip(ring[: count // 2], reversed(ring[count // 2 :]), strict=True)
    ]


def _result(difference: int, chance: random.Random) -> str:
    """Draw a result with the expected score of the ratings. Up to 20% of games are draws."""
    expected = 1 / (1 + 10 ** (-difference / 400))
    drawn = min(0.2, 2 * expected, 2 - 2 * expected)
    lot = chance.random()
    return "=" if lot < drawn else "1" if lot < drawn / 2 + expected else "0"


def _write(folder: Path, event: Played) -> None:
    text = "".join(line + END for line in _lines(event))
    (folder / event.file_name).write_text(text, encoding="ascii", newline="")


def _lines(event: Played) -> Iterator[str]:
    is_rapid = event.kind == "rapid"
    control = "15 minutes plus 10 sec per move" if is_rapid else "3 minutes plus 2 sec per move"
    yield from (f"012 Open {event.number} of {event.code}", "022 Town", f"032 {event.code}")
    yield from (f"042 {event.day}", f"052 {event.day}", f"062 {len(event.players)}")
    yield from ("092 Individual: Swiss-System", "102 Arbiter, Ada", f"122 {control}")
    yield "132" + " " * 88 + "  ".join([event.day[2:]] * ROUNDS)
    cells: list[list[str]] = [[] for _ in event.players]
    points = [0] * len(event.players)
    for games in event.rounds:
        for white, black, result in games:
            cells[white].append(f"{black + 1:>4} w {result}")
            cells[black].append(f"{white + 1:>4} b {OTHER_SIDE[result]}")
            points[white] += HALF_POINTS[result]
            points[black] += HALF_POINTS[OTHER_SIDE[result]]
    ranking = sorted(range(len(points)), key=lambda seat: -points[seat])
    ranks = {seat: rank for rank, seat in enumerate(ranking, 1)}
    for seat, index in enumerate(event.players):
        yield _player_line(seat, index, points[seat], ranks[seat], cells[seat])


def _player_line(seat: int, index: int, half_points: int, rank: int, cells: list[str]) -> str:
    sex = "w" if index % 9 == 0 else "m"
    score = f"{half_points // 2}.{5 * (half_points % 2)}"
    person = f"001 {seat + 1:>4} {sex}    {name(index):<33} {0:>4} {federation(index)} {fide_id(index):>11}"
    return f"{person} {1940 + index % 76}/00/00 {score:>4} {rank:>4}  " + "  ".join(cells)


def correct_folder(folder: Path) -> dict[str, list[float]]:
    """Make the corrections and return the seconds of each call. Raise RefusedError if one is refused."""
    times: dict[str, list[float]] = {SHOWN: [], MADE: []}
    for path in sorted((folder / CORRECTED).glob("*.trf")):
        for what, seconds in _corrected(path):
            times[what].append(seconds)
    return times


def _corrected(path: Path) -> Iterator[tuple[str, float]]:
    from django.utils import timezone

    from core.acts import Act
    from ratings.amend.amend import amend
    from tournaments.amendments import File
    from tournaments.models import Tournament

    for what in (SHOWN, MADE):
        began = time.perf_counter()
        file = File(name=path.name, content=path.read_bytes())
        act = Act(None, timezone.now(), "A game's result was noted wrongly.", CORRECTED_ON)
        amend(Tournament.objects.get(event_id=path.stem), [file], act, is_dry_run=what == SHOWN)
        yield what, time.perf_counter() - began


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    reports = Path(sys.argv[1])
    (reports / TIMES).write_text(json.dumps(correct_folder(reports)))
