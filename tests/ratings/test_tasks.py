"""The tasks of ratings that start other tasks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from kombu.exceptions import OperationalError

from ratings import tasks
from ratings.choices import RunState, Work
from ratings.due_runs import make_all_due
from ratings.models import Run
from tests import make

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The updates of provisional figures that are handed to a worker."""
    found: list[str] = []
    monkeypatch.setattr(tasks.update_next_lists, "apply_async", lambda **options: found.append("update"))
    return found


def rate(*subjects: str) -> None:
    for subject in subjects:
        tasks.perform(Work.RATE, subject)


def test_ratings_share_the_update_of_the_next_lists_that_waits(queued: list[str]) -> None:
    players = make.PlayerFactory.create_batch(4)
    subjects = [str(make.play(make.tournament(), players, make.round_robin(4)).pk) for _ in range(3)]
    make_all_due(Work.RATE, subjects, at=NOW, dispatch=lambda run, at: None)

    rate(*subjects[:2])
    assert queued == ["update"]

    tasks.update_next_lists()
    rate(subjects[2])
    assert queued == ["update", "update"]
    assert set(Run.objects.values_list("state", flat=True)) == {RunState.DONE}


def test_rating_is_done_where_nobody_can_be_told_to_update_the_next_lists(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**options: object) -> None:
        raise OperationalError("Connection refused.")

    monkeypatch.setattr(tasks.update_next_lists, "apply_async", refuse)
    subject = str(make.play(make.tournament(), make.PlayerFactory.create_batch(4), make.round_robin(4)).pk)
    make_all_due(Work.RATE, [subject], at=NOW, dispatch=lambda run, at: None)

    rate(subject)

    assert Run.objects.get(work=Work.RATE).state == RunState.DONE
