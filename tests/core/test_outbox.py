"""Due work: one worker at a time, nothing lost and nothing done for a claim that was lost, whatever the clocks say."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

import ratings.tasks
from core import outbox
from players.models import Federation
from players.tasks import send_delivery, send_notice
from ratings.choices import RunState, Work
from ratings.due_runs import RUNS, leave_due, make_all_due, make_due
from ratings.models import Run
from tests.outbox import let_pass
from tests.processes import wait_until
from tests.services import vendor

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
AT = datetime(2026, 3, 4, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def rows() -> QuerySet[Run]:
    """A job that is due."""
    make_due(Work.RATE, "1", at=AT, dispatch=leave_due)
    return Run.objects.filter(work=Work.RATE, subject="1")


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was sent to the workers: nobody listens."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setattr("ratings.due_runs.send_to_workers", lambda *told: found.append(told))
    return found


def do_nothing(row: Run) -> None:
    """A job that has nothing to do."""


def fail(row: Run) -> None:
    raise OperationalError("deadlock detected")


def state(rows: QuerySet[Run]) -> tuple[str, int]:
    run = rows.get()
    return run.state, run.attempts


def elsewhere(work: Callable[[], Any]) -> Any:
    """Return what the work returns in another connection."""

    def there() -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(there).result()


@pytest.mark.parametrize(
    "tell",
    [lambda: make_due(Work.RATE, "2", at=AT), lambda: RUNS.send_after_commit([Run.objects.get()])],
    ids=["made due", "sent again"],
)
def test_workers_hear_of_work_once_it_is_committed(
    tell: Callable[[], Any], rows: QuerySet[Run], sent: list[Any]
) -> None:
    with transaction.atomic():
        tell()
        transaction.set_rollback(True)
    assert sent == []

    with transaction.atomic():
        tell()
        assert sent == []
    assert len(sent) == 1


def test_a_claim_is_refused_while_its_owner_lives(rows: QuerySet[Run]) -> None:
    seen = []

    def do(row: Run) -> None:
        seen.append([elsewhere(lambda: RUNS.perform(rows, do_nothing)) for _ in range(6)])
        seen.append(elsewhere(lambda: RUNS.sweep(leave_it)))

    assert RUNS.perform(rows, do)
    assert seen == [[False] * 6, []]
    assert state(rows) == (RunState.DONE, 1)


def leave_it(row: Run) -> None:
    """Leave a row to the test."""


def test_six_sweeps_and_their_messages_start_one_job(rows: QuerySet[Run], sent: list[Any]) -> None:
    let_pass(rows, MINUTE)
    for _ in range(6):
        RUNS.sweep()
    begun, running = threading.Barrier(len(sent)), []

    def do(row: Run) -> None:
        running.append(row.pk)

    def work(_: Any) -> bool:
        begun.wait(10)
        try:
            return RUNS.perform(rows, do)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(sent)) as pool:
        done = sorted(pool.map(work, sent))

    assert (len(sent), done, len(running)) == (6, [False] * 5 + [True], 1)


def test_what_becomes_due_while_it_is_done_stays_due(rows: QuerySet[Run], sent: list[Any]) -> None:
    def do(row: Run) -> None:
        elsewhere(lambda: make_due(Work.RATE, "1", at=AT, dispatch=leave_due))
        assert state(rows) == (RunState.RUNNING, 0)

    assert RUNS.perform(rows, do)

    assert (state(rows), sent) == ((RunState.DUE, 0), [("ratings.tasks.perform", "rate", "1")])
    assert RUNS.perform(rows, do_nothing)
    assert state(rows) == (RunState.DONE, 1)


def test_what_becomes_due_while_it_fails_is_tried_at_once(rows: QuerySet[Run], sent: list[Any]) -> None:
    def do(row: Run) -> None:
        elsewhere(lambda: make_all_due(Work.RATE, ["1", "2"], at=AT, dispatch=leave_due))
        fail(row)

    with pytest.raises(OperationalError):
        RUNS.perform(rows, do)

    assert (state(rows), len(sent)) == ((RunState.DUE, 0), 1)


def test_a_failure_waits_whatever_the_broker_brings(rows: QuerySet[Run]) -> None:
    tried = []

    def do(row: Run) -> None:
        tried.append(row.attempts)
        fail(row)

    for _ in range(RUNS.max_attempts + 2):
        with pytest.raises(OperationalError):
            RUNS.perform(rows, do)
        assert [RUNS.perform(rows, do) for _ in range(6)] == [False] * 6
        if len(tried) == RUNS.max_attempts:
            break
        assert RUNS.sweep(leave_it) == []
        let_pass(rows, MINUTE)
        assert RUNS.sweep(leave_it) == [rows.get()]

    let_pass(rows, 60 * MINUTE)
    assert (tried, RUNS.perform(rows, do), RUNS.sweep(leave_it)) == ([1, 2, 3, 4, 5], False, [])
    assert state(rows) == (RunState.FAILED, 5)


@pytest.mark.parametrize(
    "task", [ratings.tasks.perform, send_notice, send_delivery], ids=lambda task: task.name
)
def test_no_task_of_due_work_is_retried_by_the_broker(task: Any) -> None:
    with pytest.raises(AttributeError):
        task._orig_run  # noqa: B018 - what Celery wraps for `autoretry_for`


def test_an_owner_without_its_claim_changes_nothing_more(rows: QuerySet[Run]) -> None:
    [lost] = RUNS.claim(rows)
    assert RUNS.claim(rows) == []
    let_pass(rows, MINUTE)
    [taken] = RUNS.claim(rows)

    RUNS.end([lost], state=RunState.FAILED, error="too late")
    assert (state(rows), rows.get().owner, rows.get().error) == ((RunState.RUNNING, 2), taken.owner, "")
    RUNS.end([taken], state=RunState.DONE)

    assert (state(rows), rows.get().owner) == ((RunState.DONE, 2), "")


def test_the_failure_of_an_owner_is_recorded_whatever_a_later_message_brings(rows: QuerySet[Run]) -> None:
    def do(row: Run) -> None:
        assert not elsewhere(lambda: RUNS.perform(rows, do_nothing))
        fail(row)

    with pytest.raises(OperationalError):
        RUNS.perform(rows, do)

    assert (state(rows), rows.get().error) == ((RunState.FAILED, 1), "OperationalError: deadlock detected")


@pytest.mark.skipif(vendor() != "postgresql", reason="SQLite has one writer: nobody waits for a second one")
@pytest.mark.parametrize("is_due_again", [False, True])
def test_a_deadlock_of_two_workers_costs_one_of_them_one_attempt(is_due_again: bool, sent: list[Any]) -> None:
    """It waits as after any failure, and nothing is lost that became due meanwhile."""
    make_all_due(Work.RATE, ["1", "2"], at=AT, dispatch=leave_due)
    codes = {"1": ("AAA", "BBB"), "2": ("BBB", "AAA")}
    Federation.objects.bulk_create(Federation(code=code) for code in codes["1"])
    both_hold_one, done = threading.Barrier(2), []

    def do(row: Run) -> None:
        with transaction.atomic():
            shorten_deadlocks()
            first, second = (Federation.objects.filter(code=code) for code in codes[row.subject])
            first.update(name=row.subject)
            if is_due_again:
                elsewhere(lambda: make_due(Work.RATE, row.subject, at=AT, dispatch=leave_due))
            both_hold_one.wait(10)
            second.update(name=row.subject)
        done.append(row.subject)

    def work(subject: str) -> bool:
        with suppress(OperationalError):
            return elsewhere(lambda: RUNS.perform(Run.objects.filter(subject=subject), do))
        return False

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(work, codes)) == [False, True]
    [victim] = codes.keys() - done
    rows = Run.objects.filter(subject=victim)
    if is_due_again:
        assert {(run.state, run.attempts) for run in Run.objects.all()} == {(RunState.DUE, 0)}
        assert sorted(subject for _task, _work, subject in sent) == ["1", "2"]
    else:
        assert (state(Run.objects.filter(subject__in=done)), sent) == ((RunState.DONE, 1), [])
        assert state(rows) == (RunState.FAILED, 1)
        assert rows.get().error.startswith("OperationalError: deadlock detected")
        assert [RUNS.perform(rows, do) for _ in range(5)] == [False] * 5
        let_pass(rows, MINUTE)
    assert RUNS.perform(rows, do_nothing)
    assert state(rows) == (RunState.DONE, 1 if is_due_again else 2)


def shorten_deadlocks() -> None:
    """Let the database look for a deadlock at once in this transaction, if the tests may say so."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('deadlock_timeout', '20ms', true) WHERE current_setting('is_superuser') = 'on'"
        )


def test_a_worker_that_dies_at_each_attempt_is_given_up(rows: QuerySet[Run]) -> None:
    for _ in range(RUNS.max_attempts):
        assert RUNS.claim(rows)
        let_pass(rows, MINUTE)

    assert RUNS.claim(rows) == []
    assert (RUNS.sweep(leave_it), state(rows)) == ([], (RunState.FAILED, 5))
    assert rows.get().stated == [{"code": "worker-died"}]


def test_a_claim_is_renewed_while_a_worker_lives_and_its_owner_compared(
    rows: QuerySet[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "BEAT", timedelta(milliseconds=20))

    def do(row: Run) -> None:
        let_pass(rows, 2 * MINUTE)
        wait_until(lambda: RUNS.sweep(leave_it) == [], what="a renewed claim")
        rows.update(owner="another", claimed_at=Now() - 2 * MINUTE)
        wait_until(
            lambda: "heartbeat" not in {thread.name for thread in threading.enumerate()},
            what="the end of the heartbeat",
        )
        assert RUNS.sweep(leave_it) == [rows.get()]

    assert RUNS.perform(rows, do)
    assert (state(rows), rows.get().owner) == ((RunState.RUNNING, 1), "another")


@pytest.fixture(params=[-400, 400], ids=["behind", "ahead"])
def another_clock(request: pytest.FixtureRequest) -> Iterator[None]:
    """A worker whose clock is that many days off."""
    with time_machine.travel(datetime.now(UTC) + timedelta(days=request.param)):
        yield


@pytest.mark.usefixtures("another_clock")
def test_no_clock_of_a_worker_decides(rows: QuerySet[Run]) -> None:
    with pytest.raises(OperationalError):
        RUNS.perform(rows, fail)
    assert (RUNS.perform(rows, do_nothing), RUNS.sweep(leave_it)) == (False, [])
    let_pass(rows, MINUTE)
    [claimed] = RUNS.claim(rows)
    assert (RUNS.claim(rows), RUNS.sweep(leave_it)) == ([], [])
    RUNS.end([claimed], state=RunState.DONE)
    assert state(rows) == (RunState.DONE, 2)


def test_what_was_written_before_the_clock_of_the_database_was_set_back_is_due(rows: QuerySet[Run]) -> None:
    let_pass(rows, timedelta(days=-3))
    assert RUNS.sweep(leave_it) == [rows.get()]
    assert RUNS.claim(rows)
    let_pass(rows, timedelta(days=-3))
    assert RUNS.claim(rows)
