"""Reading a list and reports, killed at any point: each whole or not there, and in the end the same lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from players.models import LogEntry, Player
from ratings.models import ListEntry, RatingList
from ratings.publish.publish import publish_lists
from tests.faults.conftest import NOW, Undisturbed, sweep
from tests.faults.processes import kill_before, long_run, random_statements, statements_of
from tests.faults.world import MONTH, SMALL, hashes, read_list, read_reports, write_a_month
from tests.snapshots import Worlds
from tournaments.choices import ReportState
from tournaments.models import Game, Participant, Report

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
            LogEntry.objects.filter(tournament=report.tournament_id).exclude(action="publish").count(),
        )
        for report in Report.objects.filter(state=ReportState.ACCEPTED)
    }


# Written when the rows of a list, and of a report, are there and before they are committed.
LIST_ROWS, REPORT_ROWS = 'UPDATE "ratings_poolevent"', 'UPDATE "tournaments_tournament"'
RATING = 'INSERT INTO "ratings_tournamentrating"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a list and of reports that nobody has read."""
    unread = tmp_path / "unread"
    unread.mkdir()
    write_a_month(unread)
    return unread


@pytest.fixture
def with_list(transactional_db: None, worlds: Worlds, folder: Path) -> Path:
    """Return the folder; its list is read."""
    worlds.stand("a list without reports", lambda: read_list(folder))
    return folder


def test_reading_of_a_list_killed_before_its_end_leaves_nothing(folder: Path) -> None:
    kill_before(LIST_ROWS, lambda: read_list(folder))
    assert counted() == (0, 0, 0)

    read_list(folder)

    assert counted() == (SMALL.players, 3, 1_717)


@pytest.mark.parametrize(("statement", "accepted_before"), [(REPORT_ROWS, 0), (RATING, 3)])
def test_reading_of_reports_killed_before_its_end_goes_on(
    undisturbed: Undisturbed, with_list: Path, statement: str, accepted_before: int
) -> None:
    kill_before(statement, lambda: read_reports(with_list))
    assert Report.objects.filter(state=ReportState.ACCEPTED).count() == accepted_before

    read_reports(with_list)
    sweep()
    publish_lists(MONTH, by=None, at=NOW)

    assert hashes() == undisturbed.files


@long_run
def test_reading_killed_at_any_statement(undisturbed: Undisturbed, with_list: Path, worlds: Worlds) -> None:
    statements = statements_of(lambda: read_reports(with_list))
    reports = accepted()
    for statement in random_statements(statements):
        worlds.put_back("a list without reports")
        kill_before(statement, lambda: read_reports(with_list))
        found = accepted()
        assert found == {event: reports[event] for event in found}

        read_reports(with_list)
        sweep()
        publish_lists(MONTH, by=None, at=NOW)

        assert (accepted(), hashes()) == (reports, undisturbed.files)
