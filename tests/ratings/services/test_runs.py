"""Due work: nothing is lost with a message, nothing is done twice."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.translation import override

from core.errors import RefusedError
from ratings.choices import NOT_FIRST, RunState, Work
from ratings.models import ListEntry, Run, TournamentRating
from ratings.services import due_runs, runs
from tests.codes import refusal
from tests.conftest import NOW
from tests.processes import PATIENCE
from tournaments.models import Report


@pytest.fixture
def rated(month: Any) -> Run:
    return Run.objects.get(work=Work.RATE)


def at(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


def test_accepted_report_leaves_a_run_that_is_done(rated: Run) -> None:
    assert (rated.subject, rated.state, rated.attempts) == (str(Report.objects.get().pk), RunState.DONE, 1)


def test_delivering_a_task_twice_rates_once(rated: Run) -> None:
    before = TournamentRating.objects.get().pk
    runs.perform(Work.RATE, rated.subject, at=at(1))
    assert TournamentRating.objects.get().pk == before
    assert Run.objects.get(pk=rated.pk).attempts == 1


@pytest.mark.parametrize(
    ("state", "fields", "minutes", "is_enqueued"),
    [
        (RunState.DUE, {}, 2, True),
        (RunState.DUE, {}, 0, False),
        (RunState.RUNNING, {"started_at": NOW}, 1, True),
        (RunState.RUNNING, {"started_at": NOW}, 0, False),
        (RunState.FAILED, {"finished_at": NOW, "attempts": 1}, 2, True),
        (RunState.FAILED, {"finished_at": NOW, "attempts": 5}, 60, False),
        (RunState.DONE, {}, 60, False),
    ],
)
def test_sweep_takes_up_what_is_due_stuck_or_failed(
    rated: Run, state: RunState, fields: dict[str, Any], minutes: int, is_enqueued: bool
) -> None:
    Run.objects.update(state=state, created_at=NOW, **fields)
    swept = runs.sweep(at=at(minutes), dispatch=runs.perform_now)
    assert [run.pk for run in swept] == ([rated.pk] if is_enqueued else [])
    expected = RunState.DONE if is_enqueued else state
    assert Run.objects.get().state == expected


def test_failing_work_is_noted_with_its_error(db: None) -> None:
    Run.objects.create(work=Work.PUBLISH, subject="2026-02-02", created_at=NOW)
    with refusal() as refused:
        runs.perform(Work.PUBLISH, "2026-02-02", at=NOW)
    run = Run.objects.get()
    assert (run.state, run.attempts) == (RunState.FAILED, 1)
    assert (refused.found, run.error) == (["list-date-6.1"], f"RefusedError: {NOT_FIRST}")


def test_verification_ends_with_the_first_difference_and_is_not_tried_again(month: Any, run: Any) -> None:
    run("publish_lists", "2026-02-01")
    due_runs.make_due(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    runs.perform(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    assert Run.objects.get(work=Work.VERIFY).state == RunState.DONE
    ListEntry.objects.filter(player=1001, rating_list__date="2026-02-01").update(rating=2500)
    due_runs.make_due(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    failed = Run.objects.get(work=Work.VERIFY)
    assert (failed.state, "1001" in failed.error) == (RunState.FAILED, True)
    assert [run for run in runs.sweep(at=at(60)) if run.work == Work.VERIFY] == []


@pytest.mark.django_db(transaction=True)
def test_a_claim_is_renewed_while_a_worker_lives_and_lost_within_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = timezone.now() - timedelta(hours=1)
    run = Run.objects.create(work=Work.RATE, subject="0", state=RunState.DUE, created_at=before)
    seen: list[bool] = []

    def work(*args: Any, **options: Any) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and Run.objects.get(pk=run.pk).started_at == before:
            time.sleep(0.02)
        seen.append(Run.objects.get(pk=run.pk).started_at > before)
        swept = runs.sweep(at=timezone.now(), dispatch=due_runs.leave_due)
        seen.append(run in swept)

    monkeypatch.setattr(runs, "BEAT", timedelta(milliseconds=50))
    monkeypatch.setattr(runs, "_perform", work)
    runs.perform(Work.RATE, "0", at=before)

    assert seen == [True, False]
    now = timezone.now()
    Run.objects.update(state=RunState.RUNNING, started_at=now)
    taken = [runs.sweep(at=now + timedelta(seconds=after), dispatch=due_runs.leave_due) for after in (59, 60)]
    assert taken == [[], [run]]


def test_an_error_is_stored_in_english_whatever_the_language(db: None) -> None:
    Run.objects.create(work=Work.PUBLISH, subject="2026-02-02", created_at=NOW)
    with override("de"), pytest.raises(RefusedError):
        runs.perform(Work.PUBLISH, "2026-02-02", at=NOW)
    assert NOT_FIRST in Run.objects.get().error
