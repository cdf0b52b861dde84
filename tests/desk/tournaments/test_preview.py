"""The preview of a report before its acceptance."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Federation
from ratings.models import Calculation
from tests import make
from tests.conftest import NOW
from tests.public.pages import page, rows
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event
from tournaments.conditions import Conditions
from tournaments.models import Tournament
from tournaments.registration import register_tournament
from tournaments.reports import upload_report


@pytest.fixture
def uploaded(swiss: Federation) -> Tournament:
    make.first_list(FIRST)
    request = Conditions(
        name="Open of Alphaville",
        federation_code="SUI",
        kind="rapid",
        base_seconds=900,
        increment_seconds=10,
        start=date(2026, 1, 10),
        end=date(2026, 1, 11),
        schedule=["2026-01-10"] * 5,
    )
    tournament = register_tournament(request, by=None, on=date(2026, 1, 5), at=NOW)
    upload_report(
        tournament,
        Event(PLAYERS, ALL_PLAY).content(),
        file_name="report.trf",
        by=None,
        on=date(2026, 1, 20),
        at=NOW,
    )
    return tournament


def test_preview_shows_initial_ratings_and_changes_and_saves_nothing(
    officer: Client, uploaded: Tournament
) -> None:
    address = f"/desk/tournaments/{uploaded.event_id}/reports/1/preview"
    told = rows(page(officer, address))
    assert [told[6][1].startswith("Player, P1006"), *told[6][2:5]] == [True, "unrated", "", "1902"]
    assert (told[1][2], told[1][4]) == ("2000", "2007")
    assert Calculation.objects.count() == 0
