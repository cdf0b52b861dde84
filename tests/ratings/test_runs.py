"""Due work: nothing is lost with a message, nothing is done twice."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.utils.translation import override

from core.errors import RefusedError
from ratings import due_runs, runs
from ratings.choices import SENTENCES, Origin, RunState, Work
from ratings.due_runs import RUNS
from ratings.models import ListEntry, Run, TournamentRating
from ratings.verifications import verifications_of
from tests import make
from tests.codes import refusal
from tests.conftest import NOW
from tests.outbox import let_pass
from tests.ratings.alphaville import publish
from tournaments.models import Report


@pytest.fixture
def rated(month: Any) -> Run:
    return Run.objects.get(work=Work.RATE)


def at(minutes: int) -> datetime:
    return NOW + timedelta(minutes=minutes)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("differences", "expected"), [([None], "verified"), ([None, "players"], "different")]
)
def test_what_a_command_verified_is_shown_as_what_the_worker_did(
    differences: list[Any], expected: str
) -> None:
    rating_list = make.rating_list(origin=Origin.PUBLISHED)
    for difference in differences:
        runs.note_verification(rating_list, difference, at=NOW)

    assert [one.state for one in verifications_of([rating_list]).values()] == [expected]


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
        (RunState.DUE, {"attempts": 0}, 2, True),
        (RunState.DUE, {"attempts": 0}, 0, False),
        (RunState.RUNNING, {}, 1, True),
        (RunState.RUNNING, {}, 0, False),
        (RunState.FAILED, {"due_at": Now() + timedelta(minutes=1)}, 2, True),
        (RunState.FAILED, {"due_at": Now() + timedelta(minutes=1)}, 0, False),
        (RunState.FAILED, {"attempts": 5}, 60, False),
        (RunState.DONE, {}, 60, False),
    ],
)
def test_sweep_takes_up_what_is_due_stuck_or_failed(
    rated: Run, state: RunState, fields: dict[str, Any], minutes: int, is_enqueued: bool
) -> None:
    Run.objects.update(**{"state": state, "due_at": Now(), "claimed_at": Now(), **fields})
    let_pass(Run.objects.all(), timedelta(minutes=minutes))
    swept = runs.sweep(at=at(minutes), dispatch=runs.perform_now)
    assert [run.pk for run in swept] == ([rated.pk] if is_enqueued else [])
    expected = RunState.DONE if is_enqueued else state
    assert Run.objects.get().state == expected


def test_publication_that_the_release_before_noted_is_one_of_each_list(db: None) -> None:
    Run.objects.create(work=Work.PUBLISH, subject="2026-02-01", created_at=NOW)
    assert runs.perform(Work.PUBLISH, "2026-02-01", at=NOW, dispatch=due_runs.leave_due)
    assert set(Run.objects.values_list("subject", "state")) == {
        ("2026-02-01", RunState.DONE),
        ("rapid 2026-02-01", RunState.DUE),
        ("blitz 2026-02-01", RunState.DUE),
    }


@pytest.mark.slow
def test_command_waits_for_the_worker_that_is_at_it(rated: Run) -> None:
    """Here it died: its claim is lost meanwhile."""
    Run.objects.update(state=RunState.RUNNING, claimed_at=Now() - RUNS.lost_after + timedelta(seconds=0.3))
    assert not runs.perform(Work.RATE, rated.subject, at=NOW)
    runs.perform_now(rated, NOW)
    assert (Run.objects.get().state, Run.objects.get().attempts) == (RunState.DONE, 2)


def test_failing_work_is_noted_with_its_error(db: None) -> None:
    Run.objects.create(work=Work.PUBLISH, subject="rapid 2026-02-02", created_at=NOW)
    with refusal() as refused:
        runs.perform(Work.PUBLISH, "rapid 2026-02-02", at=NOW)
    run = Run.objects.get()
    assert (run.state, run.attempts) == (RunState.FAILED, 1)
    assert (refused.found, run.stated) == (["list-date-6.1"], [{"code": "list-date-6.1"}])


def test_verification_ends_with_the_first_difference_and_is_not_tried_again(month: Any) -> None:
    publish("2026-02-01")
    due_runs.make_due(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    runs.perform(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    assert Run.objects.get(work=Work.VERIFY).state == RunState.DONE
    ListEntry.objects.filter(player=1001, rating_list__date="2026-02-01").update(rating=2500)
    due_runs.make_due(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    with pytest.raises(runs.NotAsPublishedError):
        runs.perform(Work.VERIFY, "rapid 2026-02-01", at=NOW)
    failed = Run.objects.get(work=Work.VERIFY)
    assert (failed.state, "1001" in failed.why) == (RunState.FAILED, True)
    let_pass(Run.objects.all(), timedelta(hours=1))
    assert [run for run in runs.sweep(at=at(60)) if run.work == Work.VERIFY] == []


def test_an_error_is_stored_in_english_whatever_the_language(db: None) -> None:
    Run.objects.create(work=Work.PUBLISH, subject="rapid 2026-02-02", created_at=NOW)
    with override("de"), pytest.raises(RefusedError):
        runs.perform(Work.PUBLISH, "rapid 2026-02-02", at=NOW)
    run = Run.objects.get()
    assert run.error == f"RefusedError: {SENTENCES.state('list-date-6.1')}"
    with override("de"):
        assert run.why == SENTENCES.say("list-date-6.1")
    due_runs.make_due(Work.PUBLISH, "rapid 2026-02-02", at=NOW, dispatch=due_runs.leave_due)
    assert Run.objects.get().why == ""


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_error_of_a_library_is_shown_as_it_is(language: str) -> None:
    values = RUNS.values_of_failure(Run(), OSError(28, "No space left on device"), is_last=True)
    with override(language):
        assert Run(error=values["error"], stated=values["stated"]).why == (
            "OSError: [Errno 28] No space left on device"
        )
