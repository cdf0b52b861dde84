"""Many reports at once, from files: in the same order whatever the order in which they are named, on several cores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import structlog
from django.db import OperationalError

from core.bulk import analyze_tables, gc_disabled
from core.digests import sha256_of
from core.processes import in_processes
from ratings.services.submission import submit_group
from ratings.services.submitted import Submitted, Terms, event_id_of
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.services.parts import MAX_PARTS

GROUP = 50
# What is read of a report takes some thirty times its bytes.
GROUP_BYTES = 1_500_000
# So often is a group tried where others keep the database busy; each time waits as long as the database does.
MAX_ATTEMPTS = 3
logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report's file, and that of its games, with the terms of its tournament.

    `followers` are the SHA-256 of the files that take its place in the same call, `parts_before` the number of parts
    of its event in the same call that come before it (D-117).
    """

    path: Path
    terms: Terms
    pgn: Path | None = None
    followers: frozenset[str] = frozenset()
    parts_before: int = 0

    def read(self) -> Submitted:
        """Return the file with its contents."""
        pgn = self.pgn.read_bytes() if self.pgn else None
        terms = replace(self.terms, pgn=pgn)
        return Submitted(self.path.read_bytes(), terms, self.path.name, self.followers)


def submit_files(files: Sequence[ReportFile], *, at: datetime, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Submit files as `submit` does one, in transactions of some fifty, and yield a result for each, in their order.

    Of several files of one event the one submitted last stands, of one day the last by name: the order of the files
    changes no list. What is in already is left as it is, and rated where it was not: the same call again ends what
    was broken off. What went in before a failure stays in.
    """
    groups = list(_groups(files))
    tasks = [([file for _, file in group], number, at) for number, group in enumerate(groups, 1)]
    if jobs == 1 or len(tasks) == 1:
        done: Iterator[tuple[int, list[dict[str, Any]]]] = (
            (number, submit_file_group(*task)) for number, task in enumerate(tasks)
        )
    else:
        function = f"{submit_file_group.__module__}.{submit_file_group.__name__}"
        done = in_processes(function, tasks, jobs=jobs)
    results: dict[int, dict[str, Any]] = {}
    following = 0
    for number, some in done:
        results |= zip((place for place, _ in groups[number]), some, strict=True)
        while following in results:
            yield results.pop(following)
            following += 1


def submit_file_group(files: Sequence[ReportFile], number: int, at: datetime) -> list[dict[str, Any]]:
    """Submit some files together and return their results as plain values; `number` counts the groups from 1."""
    submitted = [file.read() for file in files]
    with gc_disabled():
        submissions = _submit_patiently(submitted, at=at)
    if number.bit_count() == 1:
        # After the first, second, fourth, eighth group: in empty tables each has doubled what there was.
        analyze_tables(Tournament, Report, Participant, Game)
    return [submission.as_json() for submission in submissions]


def _submit_patiently(submitted: Sequence[Submitted], *, at: datetime) -> list[Any]:
    """Submit a group, again where the database was busy with others for too long: what is in stays in."""
    for attempt in range(1, MAX_ATTEMPTS):
        try:
            return submit_group(submitted, at=at)
        except OperationalError:
            logger.warning("database busy, reports are tried again", reports=len(submitted), attempt=attempt)
    return submit_group(submitted, at=at)


def _groups(files: Sequence[ReportFile]) -> Iterator[list[tuple[int, ReportFile]]]:
    """Yield so many files together as are held in memory at once, with their places.

    Those of an event are together, with all its parts.
    """
    group: list[tuple[int, ReportFile]] = []
    size = 0
    for bytes_more, event in _events(files):
        if group and (len(group) + len(event) > GROUP or size + bytes_more > GROUP_BYTES):
            yield _first_versions_first(group)
            group, size = [], 0
        group += event
        size += bytes_more
    if group:
        yield _first_versions_first(group)


def _events(files: Sequence[ReportFile]) -> Iterator[tuple[int, list[tuple[int, ReportFile]]]]:
    """Yield the files of each event with their places, and how many bytes they have together.

    The version to stand comes last; monthly parts are one event.
    """
    events: dict[str, list[tuple[int, ReportFile, str]]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for place in sorted(range(len(files)), key=lambda place: _order(files[place])):
        file = files[place]
        content = file.path.read_bytes()
        event_id = event_id_of(content, file.terms)
        events[event_id].append((place, file, sha256_of(content)))
        sizes[event_id] += len(content)
    before = {event_id: some[0][1].terms.conditions.continues for event_id, some in events.items()}
    whole: dict[str, list[tuple[int, ReportFile]]] = defaultdict(list)
    whole_sizes: dict[str, int] = defaultdict(int)
    for event_id, some in events.items():
        first, parts_before = event_id, 0
        # Bounded: a list of files may name parts that continue each other in a circle.
        while before[first] in events and parts_before < MAX_PARTS:
            first, parts_before = before[first], parts_before + 1
        digests = [digest for _, _, digest in some]
        whole_sizes[first] += sizes[event_id]
        for number, (place, file, digest) in enumerate(some):
            followers = frozenset(digests[number + 1 :]) - {digest}
            whole[first].append((place, replace(file, followers=followers, parts_before=parts_before)))
    for first, parts in whole.items():
        yield whole_sizes[first], parts


def _order(file: ReportFile) -> tuple[Any, ...]:
    return file.terms.submitted_on, str(file.path)


def _first_versions_first(group: list[tuple[int, ReportFile]]) -> list[tuple[int, ReportFile]]:
    """Return a group so that few files wait for another: first parts, then those with most followers first."""
    return sorted(group, key=lambda item: (item[1].parts_before, -len(item[1].followers), _order(item[1])))
