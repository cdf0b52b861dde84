"""Rating, broken off or done twice: every report is rated whole and once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import close_old_connections

from ratings import runs
from ratings.choices import RunState, Work
from ratings.models import ParticipantRating, Run
from tests.faults.conftest import NOW, sweep
from tests.faults.processes import end, kill_before, long_run, random_statements, start, statements_of
from tests.faults.world import unrate

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("played")]
FIELDS = ("participant", "number", "own_rating", "games", "half_points", "opponents_sum", "change_hundredths")


def ratings() -> list[Any]:
    rows = ParticipantRating.objects.order_by("tournament_rating__report", "number")
    return list(rows.values_list("tournament_rating__report", *FIELDS))


def rate(subjects: list[str]) -> None:
    close_old_connections()
    for subject in subjects:
        runs.perform(Work.RATE, subject, at=NOW)


def rated_again_after(statement: int, subjects: list[str], expected: list[Any]) -> set[Any]:
    """Kill the rating at a statement, and see that the sweep ends it; return the reports that were rated before."""
    unrate()
    kill_before(statement, lambda: rate(subjects))
    found = ratings()
    rated = {row[0] for row in found}
    assert found == [row for row in expected if row[0] in rated]

    sweep()

    assert ratings() == expected
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}
    return rated


def test_worker_killed_while_it_rates_the_last_report() -> None:
    expected = ratings()
    subjects = unrate()
    statements = statements_of(lambda: rate(subjects))
    # What is written last of a report.
    ends = [
        number for number, sql in enumerate(statements) if sql.startswith('UPDATE "tournaments_tournament"')
    ]

    assert len(subjects) > 1
    assert rated_again_after(ends[-1], subjects, expected) == {int(subject) for subject in subjects[:-1]}


@long_run
def test_worker_killed_at_any_statement() -> None:
    expected = ratings()
    subjects = unrate()
    for statement in random_statements(statements_of(lambda: rate(subjects))):
        rated_again_after(statement, subjects, expected)


def test_tasks_delivered_twice_at_once() -> None:
    expected = ratings()
    subjects = unrate()

    workers = [start(lambda: rate(subjects)), start(lambda: rate(subjects))]

    assert [end(worker) for worker in workers] == [0, 0]
    assert ratings() == expected
