from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from players.models import LogEntry
from ratings import runs
from ratings.choices import RunState, Work
from ratings.due_runs import names_of_month
from ratings.models import Calculation, ListEntry, RatingList, Run
from tests import make
from tests.faults.processes import statements_of
from tests.faults.world import GAMES, MONTH, PLAYERS, hashes, lists_of_the_month, play_a_month
from tests.outbox import let_pass
from tests.snapshots import Worlds
from tests.trf_files import Event
from tournaments.models import Tournament

NOW = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)
LATER = NOW + timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What comes out where nothing breaks, the statements on the way, and the seconds that it takes."""

    files: dict[str, str]
    statements: list[str]
    seconds: float

    def first(self, beginning: str) -> int:
        """Return the number of the first statement that begins so."""
        return next(number for number, sql in enumerate(self.statements) if sql.startswith(beginning))


@pytest.fixture
def played(transactional_db: None, worlds: Worlds, tmp_path: Path) -> None:
    """A month whose reports are rated and whose lists are due."""
    worlds.stand("month", lambda: play_a_month(tmp_path))


@pytest.fixture(scope="session")
def published_once() -> list[Undisturbed]:
    """Return where the first publication of a run is kept, for all tests that compare with it."""
    return []


@pytest.fixture
def undisturbed(
    transactional_db: None, worlds: Worlds, published_once: list[Undisturbed], tmp_path: Path
) -> Undisturbed:
    """Let a month stand whose publication is noted as due; return how it goes where nothing breaks."""

    def stand() -> None:
        worlds.stand("month", lambda: play_a_month(tmp_path))
        for name in names_of_month(MONTH):
            Run.objects.create(work=Work.PUBLISH, subject=name, state=RunState.DUE, created_at=NOW)

    worlds.stand("due month", stand)
    if not published_once:
        began = time.perf_counter()
        statements = statements_of(publish)
        published_once.append(Undisturbed(hashes(), statements, time.perf_counter() - began))
        worlds.stand("due month", stand)
    return published_once[0]


@pytest.fixture
def page_of() -> Callable[[Run], str]:
    """Return a function that reads a run's page as staff do."""
    browser = make.browser("staff")
    return lambda run: browser.get(f"/admin/ratings/run/{run.pk}/change/").content.decode()


@pytest.fixture
def event() -> Tournament:
    """Return a tournament that ended today, whose report is awaited."""
    today = timezone.now().date()
    return make.tournament(start=today, end=today)


@pytest.fixture
def paper(event: Tournament) -> bytes:
    """Return the report of the event, whose players are registered."""
    for fide_id, name in PLAYERS:
        make.player(fide_id=fide_id, name=name, federation=event.federation)
    day = f"{event.end:%Y/%m/%d}"
    return Event(PLAYERS, GAMES, name=event.name, start=day, end=day).content()


def publish() -> None:
    """Do the publications that are due, as a worker does: first the rapid list, then the blitz list."""
    for name in names_of_month(MONTH):
        runs.perform(Work.PUBLISH, name, at=NOW)


def first_publication() -> Run:
    """Return the job of the list that is published first."""
    return Run.objects.get(work=Work.PUBLISH, subject=names_of_month(MONTH)[0])


def sweep() -> None:
    """Let the sweep of twenty minutes later find what is left, and do it."""
    let_pass(Run.objects.all(), timedelta(minutes=20))
    runs.sweep(at=LATER, dispatch=runs.perform_now)


def whole_or_absent(undisturbed: Undisturbed) -> None:
    """Assert that each list of the month is there with all its files, or not at all."""
    kinds = lists_of_the_month()
    expected = {path: digest for path, digest in undisturbed.files.items() if path.split("/")[0] in kinds}
    assert hashes() == expected
    assert ListEntry.objects.exclude(rating_list__in=RatingList.objects.all()).count() == 0
    published = Tournament.objects.filter(stage="published").values_list("kind", flat=True)
    assert set(published) <= set(kinds)


def all_published_once(undisturbed: Undisturbed) -> None:
    """Assert that both lists stand as undisturbed, and nothing twice."""
    assert (lists_of_the_month(), hashes()) == (["blitz", "rapid"], undisturbed.files)
    ends = Run.objects.filter(work=Work.PUBLISH).values_list("subject", "state", "error")
    assert sorted(ends) == [(name, RunState.DONE, "") for name in sorted(names_of_month(MONTH))]
    entries = LogEntry.objects.filter(area="tournament", action="publish").values_list(
        "tournament", flat=True
    )
    assert sorted(entries) == sorted(Tournament.objects.values_list("pk", flat=True))
    rows = Calculation.objects.filter(rating_list__date=MONTH).values_list("rating_list", "player")
    assert len(rows) == len(set(rows))
