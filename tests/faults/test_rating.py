"""Rating, broken off or done twice: every report is rated whole and once."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import close_old_connections

from ratings.choices import RunState, Work
from ratings.models import ParticipantRating, Run
from ratings.services import runs
from tests.faults.conftest import NOW, sweep
from tests.faults.processes import CHANCE, ROUNDS, end, kill_after, start
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


def test_worker_killed_at_any_point() -> None:
    expected = ratings()
    subjects = unrate()
    began = time.perf_counter()
    rate(subjects)
    seconds = time.perf_counter() - began
    for _ in range(ROUNDS):
        unrate()
        kill_after(CHANCE.uniform(0, seconds), lambda: rate(subjects))
        found = ratings()
        rated = {row[0] for row in found}
        assert found == [row for row in expected if row[0] in rated]

        sweep()

        assert ratings() == expected
        assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}


def test_tasks_delivered_twice_at_once() -> None:
    expected = ratings()
    subjects = unrate()

    workers = [start(lambda: rate(subjects)), start(lambda: rate(subjects))]

    assert [end(worker) for worker in workers] == [0, 0]
    assert ratings() == expected
