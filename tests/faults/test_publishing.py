"""Publishing, broken off: the state before or the state after, and in the end the list that would have been."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, storages
from django.db import connection
from django.test import override_settings

from core.acts import Act
from core.errors import RefusedError
from players.models import LogEntry as PortalLog
from ratings import runs
from ratings.adjust import prepare as prepare_adjustment
from ratings.choices import RunState, Work
from ratings.late_adoption import prepare as prepare_late
from ratings.models import Correction, CorrectionLine, LateAdoption, ListAdjustment, ListFile, RatingList, Run
from ratings.publish.publish import publish_lists
from ratings.systems.otb.adjustment import Adjustment
from ratings.verify.verify import verify_list
from tests import make
from tests.faults.conftest import (
    NOW,
    Undisturbed,
    all_published_once,
    first_publication,
    publish,
    sweep,
    whole_or_absent,
)
from tests.faults.processes import (
    do_until,
    end,
    kill_before,
    long_run,
    random_statements,
    start,
    statements_of,
)
from tests.faults.world import MONTH, hashes, lists_of_the_month, play_a_month
from tests.outbox import let_pass
from tests.services import vendor
from tests.snapshots import Worlds
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.skipif(vendor() != "postgresql", reason="SQLite has no connection to cut")


# Statements of a publication, in their order: it is claimed, its lists are written, its end is noted.
CLAIM, ENTRIES, FILES = (
    'UPDATE "ratings_run"',
    'INSERT INTO "ratings_ratinglist"',
    'INSERT INTO "ratings_listfile"',
)
TAKE_LINES = 'UPDATE "ratings_correctionline"'
MARCH = date(2026, 3, 1)


def no_job_is_ahead_of_its_list() -> None:
    """Assert that no job is said to be done whose list is not there."""
    ended = Run.objects.filter(work=Work.PUBLISH, state=RunState.DONE).values_list("subject", flat=True)
    assert {name.split()[0] for name in ended} <= set(lists_of_the_month())


def is_broken_off(page: str, state: RunState) -> None:
    """Assert that the page of the run says what comes next."""
    said = {RunState.DUE: "If no worker starts it", RunState.RUNNING: "If the worker was killed"}
    assert said[state] in page


@pytest.mark.parametrize(
    ("beginning", "state"),
    [(CLAIM, RunState.DUE), (ENTRIES, RunState.RUNNING), (FILES, RunState.RUNNING)],
    ids=["before its claim", "while entries are written", "while files are written"],
)
def test_worker_killed_at_a_statement(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], beginning: str, state: RunState
) -> None:
    kill_before(beginning, publish)

    assert lists_of_the_month() == []
    run = first_publication()
    assert run.state == state
    is_broken_off(page_of(run), state)

    sweep()

    all_published_once(undisturbed)


def test_worker_killed_between_the_work_and_its_note(
    undisturbed: Undisturbed, page_of: Callable[[Run], str]
) -> None:
    kill_before(len(undisturbed.statements) - 1, publish)

    assert (lists_of_the_month(), hashes()) == (["blitz", "rapid"], undisturbed.files)
    run = Run.objects.get(work=Work.PUBLISH, subject__startswith="blitz")
    assert run.state == RunState.RUNNING
    is_broken_off(page_of(run), RunState.RUNNING)

    sweep()

    all_published_once(undisturbed)


@long_run
def test_worker_killed_at_any_statement(undisturbed: Undisturbed, worlds: Worlds) -> None:
    for statement in random_statements(undisturbed.statements):
        worlds.put_back("due month")
        kill_before(statement, publish)

        whole_or_absent(undisturbed)
        no_job_is_ahead_of_its_list()

        sweep()

        all_published_once(undisturbed)


@pytest.fixture
def corrected_month(transactional_db: None, worlds: Worlds, tmp_path: Path) -> None:
    """The lists of February are published, and a report of them is withdrawn."""

    def stand() -> None:
        worlds.stand("month", lambda: play_a_month(tmp_path))
        publish_lists(MONTH, by=None, at=NOW)
        tournament = Tournament.objects.filter(stage="published").order_by("event_id")[0]
        at = NOW + timedelta(days=9)
        options: dict[str, Any] = {"file_name": "", "reason": "Not played.", "by": None}
        make.correct_report(tournament, None, **options, on=at.date(), at=at)

    worlds.stand("corrected month", stand)


def publish_march() -> None:
    publish_lists(MARCH, by=None, at=datetime(2026, 3, 1, 0, 10, tzinfo=UTC))


def march() -> tuple[dict[str, str], int, int]:
    """Return the hashes of the lists of March, and how many lines of corrections they took, and did not."""
    files = ListFile.objects.filter(rating_list__date=MARCH).values_list("path", "sha256")
    lines = CorrectionLine.objects.all()
    return dict(files), lines.filter(taken_by__date=MARCH).count(), lines.filter(taken_by=None).count()


def test_d_11_worker_killed_while_a_list_takes_a_correction(corrected_month: None, worlds: Worlds) -> None:
    """The lists of March are the same bytes, and each line is taken once."""
    _none, _taken, waiting = march()
    statements = statements_of(publish_march)
    expected = march()
    assert expected[1:] == (waiting, 0)
    # A process that has published keeps what it read: it needs a statement less.
    for statement in [TAKE_LINES, *random_statements(statements[:-1])]:
        worlds.put_back("corrected month")
        kill_before(statement, publish_march)
        assert march()[2] in (0, waiting)
        publish_march()
        assert march() == expected
    for rating_list in RatingList.objects.filter(date=MARCH):
        assert verify_list(rating_list) is None


def act_on_lists() -> None:
    """Adopt a text for the month before and adjust the lists of March, then publish them."""
    act = Act(None, datetime(2026, 2, 20, tzinfo=UTC), "Decided.")
    prepare_late("fide-rapid-blitz-2024-12", date(2026, 1, 1), act, reference="C 1", is_at_once=True)
    for kind in ("rapid", "blitz"):
        prepare_adjustment(kind, MARCH, Adjustment(2000, Fraction(2, 5)), act, reference="C 2")
    publish_march()


def acts_on_lists() -> tuple[Any, ...]:
    """Return what the acts left: how many there are, the corrections and the steps of the log."""
    acts = LateAdoption.objects.count(), ListAdjustment.objects.count(), Correction.objects.count()
    return *acts, PortalLog.objects.filter(area="list").count()


@long_run
def test_d132_d133_acts_on_lists_killed_at_ten_places_are_done_once(
    corrected_month: None, worlds: Worlds
) -> None:
    statements = statements_of(act_on_lists)
    expected = march(), acts_on_lists()
    for place in range(10):
        worlds.put_back("corrected month")
        kill_before(place * len(statements) // 10, act_on_lists)
        act_on_lists()
        assert (march(), acts_on_lists()) == expected
    for rating_list in RatingList.objects.filter(date=MARCH):
        assert verify_list(rating_list) is None


@on_postgresql
@pytest.mark.parametrize(
    ("beginning", "state"),
    [(CLAIM, RunState.DUE), (ENTRIES, RunState.FAILED), (FILES, RunState.FAILED)],
    ids=["before its claim", "while entries are written", "while files are written"],
)
def test_database_connection_cut_at_a_statement(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], beginning: str, state: RunState
) -> None:
    assert end(start(lambda: do_until(beginning, publish, cut_the_connection))) == 1

    assert lists_of_the_month() == []
    run = first_publication()
    assert (run.state, "Error" in run.error) == (state, state == RunState.FAILED)

    sweep()

    all_published_once(undisturbed)


@on_postgresql
@long_run
def test_database_connection_cut_at_any_statement(undisturbed: Undisturbed, worlds: Worlds) -> None:
    # What is noted last is noted by another connection where the first was cut.
    for statement in random_statements(undisturbed.statements[:-1]):
        worlds.put_back("due month")
        end(start(lambda at=statement: do_until(at, publish, cut_the_connection)))  # type: ignore[misc]

        whole_or_absent(undisturbed)
        no_job_is_ahead_of_its_list()
        for run in Run.objects.filter(work=Work.PUBLISH):
            assert ("Error" in run.error) == (run.state == RunState.FAILED)

        sweep()

        all_published_once(undisturbed)


def cut_the_connection() -> None:
    """Let the server end this process's connection, as an administrator or a proxy between them does."""
    used = connection.connection.info
    with connection.connection.connect(used.dsn, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(%s)", [used.backend_pid])


@on_postgresql
def test_connection_cut_between_the_work_and_its_note(undisturbed: Undisturbed) -> None:
    do_until(len(undisturbed.statements) - 1, publish, cut_the_connection)

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


@pytest.mark.parametrize("room", [1, 100_000])
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
    run = first_publication()
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
    Run.objects.filter(work=Work.PUBLISH).update(state=RunState.RUNNING, claimed_at=NOW)
    let_pass(Run.objects.all(), timedelta(days=400))

    with pytest.raises(RefusedError, match="1 February 2026 is later than today, 29 January 2026"):
        runs.sweep(at=back, dispatch=runs.perform_now)
    assert lists_of_the_month() == []
    sweep()

    all_published_once(undisturbed)
    assert ListFile.objects.filter(rating_list__date=MONTH).count() == len(undisturbed.files)
