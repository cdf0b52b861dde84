"""Beat sends a task again once a worker has begun it, whatever the clocks of their machines say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from celery.beat import ScheduleEntry
from django.conf import settings

from portal.celery import Schedule, app, follow_tasks
from ratings.tasks import link_log


def sent_for(entry: ScheduleEntry, monkeypatch: pytest.MonkeyPatch, *, times: int) -> list[Any]:
    """Return what beat has handed to the broker, which gets nothing here."""
    sent: list[Any] = []
    schedule = Schedule(app=app, lazy=True)
    monkeypatch.setattr(Schedule, "apply_async", lambda self, entry, **options: sent.append(entry.task))
    for _ in range(times):
        schedule.apply_entry(entry)
    return sent


def test_no_task_ends_by_the_clock_of_its_sender() -> None:
    assert [name for name, entry in settings.CELERY_BEAT_SCHEDULE.items() if entry.get("options")] == []


def test_a_start_sends_each_task_once_and_needs_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was missed while beat was away is done; a file of the run before would be damaged by `kill -9`."""
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    sent: list[str] = []
    monkeypatch.setattr(Schedule, "apply_entry", lambda self, entry, producer=None: sent.append(entry.task))
    schedule = Schedule(app=app, schedule_filename="unused", Producer=lambda *given, **options: None)

    while schedule.tick() == 0:
        pass
    schedule.sync()

    assert sorted(sent) == sorted(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())
    assert [path.name for path in tmp_path.iterdir()] == ["beat"]


def test_a_task_that_waits_is_not_sent_again_until_it_begins(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow_tasks()
    entry = ScheduleEntry(name="link-log", task=link_log.name, schedule=60, app=app)

    assert len(sent_for(entry, monkeypatch, times=5)) == 1
    link_log.apply()
    assert len(sent_for(entry, monkeypatch, times=5)) == 1
