"""An import through the browser whose worker is killed: nothing is half-written, and the job runs again."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from django.core.files import File
from django.utils import timezone

from benchmarks.world import write_list
from players.models import Player
from ratings.choices import RunState, Work
from ratings.due_runs import leave_due
from ratings.imports.browser import ImportRequest, confirm_import, perform_import, request_import
from ratings.models import FideImport, ListEntry, RatingList, Run
from ratings.runs import perform, perform_now
from ratings.runs import sweep as sweep_runs
from tests import make
from tests.faults.conftest import LATER, NOW
from tests.faults.processes import kill_before
from tests.faults.world import SMALL
from tests.outbox import let_pass

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> tuple[int, int, int]:
    """Return how many players, lists and entries there are."""
    return Player.objects.count(), RatingList.objects.count(), ListEntry.objects.count()


@pytest.fixture
def confirmed(tmp_path: Path) -> FideImport:
    """Return an import that staff confirmed and no worker has begun."""
    staff = make.person("staff")
    path = tmp_path / "list.txt"
    write_list(path, SMALL)
    with path.open("rb") as file:
        request = ImportRequest(date(2026, 1, 1))
        item = request_import(File(file, name=path.name), request, by=staff, at=NOW, dispatch=leave_due)
    perform(Work.READ, str(item.pk), at=NOW)
    confirm_import(item, by=staff, at=NOW, dispatch=leave_due)
    return item


def test_worker_killed_in_the_middle_of_an_import(confirmed: FideImport) -> None:
    item, before = confirmed, rows()
    # The rows of the lists are written by then.
    kill_before('UPDATE "ratings_poolevent"', lambda: perform(Work.IMPORT, str(item.pk), at=NOW))
    item.refresh_from_db()
    assert (rows(), item.result) == (before, None)
    assert Run.objects.get(work=Work.IMPORT).state == RunState.RUNNING

    let_pass(Run.objects.all(), timedelta(minutes=20))
    sweep_runs(at=max(LATER, timezone.now()), dispatch=perform_now)

    item.refresh_from_db()
    assert item.stage == "done"
    assert item.result is not None
    assert rows() == (
        item.result["players"]["created"],
        3,
        sum(i["listed"] for i in item.result["lists"]),
    )
    assert Run.objects.get(work=Work.IMPORT).state == RunState.DONE
    perform_import(item.pk, at=NOW)
    assert RatingList.objects.count() == 3
