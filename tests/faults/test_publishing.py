"""Publishing, broken off: the state before or the state after, and in the end the list that would have been."""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, storages
from django.db import connection
from django.test import override_settings

from core.errors import RefusedError
from ratings.choices import RunState, Work
from ratings.models import ListFile, RatingList, Run
from ratings.services import runs
from tests.faults.conftest import NOW, Undisturbed, all_published_once, publish, sweep, whole_or_absent
from tests.faults.processes import CHANCE, ROUNDS, end, kill_after, start
from tests.faults.world import MONTH, lists_of_the_month

pytestmark = pytest.mark.django_db(transaction=True)


def test_worker_killed_at_any_point(undisturbed: Undisturbed, page_of: Callable[[Run], str]) -> None:
    for _ in range(ROUNDS):
        kill_after(CHANCE.uniform(0, undisturbed.seconds), publish)
        whole_or_absent(undisturbed)
    run = Run.objects.get(work=Work.PUBLISH)
    said = {
        RunState.DUE: "If no worker starts it",
        RunState.RUNNING: "If the worker was killed",
        RunState.DONE: "Nothing to do",
    }
    assert said[RunState(run.state)] in page_of(run)

    sweep()

    all_published_once(undisturbed)


def test_database_connection_cut_in_the_middle(
    undisturbed: Undisturbed, page_of: Callable[[Run], str]
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connection to cut")
    for _ in range(ROUNDS):
        worker = start(publish)
        time.sleep(CHANCE.uniform(0, undisturbed.seconds))
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        end(worker)
        whole_or_absent(undisturbed)
        run = Run.objects.get(work=Work.PUBLISH)
        assert run.state in (RunState.DUE, RunState.FAILED, RunState.DONE)
        assert ("Error" in run.error) == (run.state == RunState.FAILED)

    sweep()

    all_published_once(undisturbed)


def test_connection_cut_between_the_work_and_its_note(undisturbed: Undisturbed) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no connection to cut")
    cut: list[int] = []

    def cut_before_the_note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('UPDATE "ratings_run"') and RunState.DONE in params[:1] and not cut:
            cut.append(connection.connection.info.backend_pid)
            with connection.connection.connect(connection.connection.info.dsn, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", cut)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(cut_before_the_note):
        publish()

    assert len(cut) == 1
    all_published_once(undisturbed)


def test_two_publications_at_once(undisturbed: Undisturbed) -> None:
    workers = [start(publish), start(publish)]

    assert [end(worker) for worker in workers] == [0, 0]
    all_published_once(undisturbed)


def test_task_delivered_again_after_it_was_done(undisturbed: Undisturbed) -> None:
    publish()
    first = list(RatingList.objects.order_by("pk").values())

    publish()

    assert list(RatingList.objects.order_by("pk").values()) == first
    all_published_once(undisturbed)


class FullStorage(FileSystemStorage):
    """A folder on a disk with room for so many bytes more."""

    def __init__(self, room: int, **options: Any) -> None:
        super().__init__(**options)
        self._room = room

    def _save(self, name: str, content: File[bytes]) -> str:
        data = content.read()
        fits, self._room = data[: self._room], max(0, self._room - len(data))
        content.seek(0)
        path = super()._save(name, content)
        if len(fits) < len(data):
            with self.open(path, "wb") as file:
                file.write(fits)
            raise OSError(errno.ENOSPC, "No space left on device")
        return path


@pytest.mark.parametrize("room", [0, 1, 100_000])
def test_disk_full_while_files_are_written(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], settings: Any, room: int
) -> None:
    lists = settings.STORAGES["lists"]
    full = {
        "BACKEND": "tests.faults.test_publishing.FullStorage",
        "OPTIONS": {**lists["OPTIONS"], "room": room},
    }
    with override_settings(STORAGES={**settings.STORAGES, "lists": full}):
        storages._storages.pop("lists", None)
        with pytest.raises(OSError, match="No space left"):
            publish()
    storages._storages.pop("lists", None)

    whole_or_absent(undisturbed)
    run = Run.objects.get(work=Work.PUBLISH)
    assert (run.state, run.error) == (RunState.FAILED, "OSError: [Errno 28] No space left on device")
    assert "It retries within 2 minutes." in page_of(run)

    sweep()

    all_published_once(undisturbed)


def test_file_that_a_killed_attempt_left_on_its_way_is_written_over(
    undisturbed: Undisturbed, settings: Any
) -> None:
    folder = Path(settings.VAR_DIR) / "spool"
    folder.mkdir(exist_ok=True)
    for path in undisturbed.files:
        (folder / Path(path).name).write_bytes(b"left over" * 100_000)

    publish()

    all_published_once(undisturbed)
    for path, digest in undisturbed.files.items():
        with storages["lists"].open(path) as file:
            assert hashlib.sha256(file.read()).hexdigest() == digest
    assert list(folder.iterdir()) == []


def test_d_70_sweep_under_a_clock_set_back_leaves_the_list_to_a_later_one(undisturbed: Undisturbed) -> None:
    back = NOW - timedelta(days=3)
    Run.objects.filter(work=Work.PUBLISH).update(state=RunState.RUNNING, started_at=NOW)

    with pytest.raises(RefusedError, match="1 February 2026 is later than today, 29 January 2026"):
        runs.sweep(at=back, dispatch=runs.perform_now)
    assert lists_of_the_month() == []
    sweep()

    all_published_once(undisturbed)
    assert ListFile.objects.filter(rating_list__date=MONTH).count() == len(undisturbed.files)
