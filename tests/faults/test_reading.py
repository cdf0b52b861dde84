"""Reading a list and reports, killed at any point: each whole or not there, and in the end the same lists."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from players.models import Player
from ratings.models import ListEntry, RatingList
from ratings.services import runs
from ratings.services.publication.publish import publish_lists
from tests.faults.conftest import LATER, NOW
from tests.faults.processes import CHANCE, ROUNDS, end, kill_after, start
from tests.faults.world import MONTH, hashes, read_list, read_reports, write_a_month
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Report, TrailEntry

pytestmark = pytest.mark.django_db(transaction=True)
READ_BY_A_LIST = (Player, RatingList, ListEntry)


def counted() -> tuple[int, ...]:
    """Return how much there is of what a list brings."""
    return tuple(model.objects.count() for model in READ_BY_A_LIST)


def accepted() -> dict[str, tuple[object, ...]]:
    """Return what stands of each report that is accepted, by event."""
    return {
        report.tournament.event_id: (
            report.version,
            report.sha256,
            Participant.objects.filter(report=report).count(),
            Game.objects.filter(report=report).count(),
            TrailEntry.objects.filter(tournament=report.tournament_id).exclude(action="publish").count(),
        )
        for report in Report.objects.filter(state=ReportState.ACCEPTED)
    }


def seconds_of(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    assert end(start(work)) == 0
    return time.perf_counter() - began


def test_reading_killed_at_any_point(tmp_path: Path) -> None:
    write_a_month(tmp_path)
    of_list = seconds_of(lambda: read_list(tmp_path))
    people = counted()
    of_reports = seconds_of(lambda: read_reports(tmp_path))
    reports = accepted()
    publish_lists(MONTH, by=None, at=NOW)
    files = hashes()
    call_command("flush", interactive=False, verbosity=0)

    for _ in range(ROUNDS):
        kill_after(CHANCE.uniform(0, of_list), lambda: read_list(tmp_path))
        assert counted() in ((0, 0, 0), people)
    read_list(tmp_path)
    assert counted() == people
    for _ in range(ROUNDS):
        kill_after(CHANCE.uniform(0, of_reports), lambda: read_reports(tmp_path))
        found = accepted()
        assert found == {event: reports[event] for event in found}
    read_reports(tmp_path)
    runs.sweep(at=LATER, dispatch=runs.perform_now)
    publish_lists(MONTH, by=None, at=NOW)

    assert (accepted(), hashes()) == (reports, files)
