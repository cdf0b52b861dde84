"""The third list after a tournament: until when a report is in time, and for whom there is none (8.1)."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from ratings.models import TournamentRating
from ratings.publish.publish import publish_list
from tests import make
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event
from tournaments.amendments import Result
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in (2, 3, 4, 5))
LATE = "2026-04-05"


@pytest.fixture
def lists() -> None:
    """The first list and those of February and March: the third one after January is that of April."""
    make.first_list(FIRST)
    for day in (FEBRUARY, MARCH):
        make.publish("rapid", day)


def list_of_the_tournament() -> date | None:
    return TournamentRating.objects.values_list("included_in__date", flat=True).get()


def test_d_76_third_list_that_is_late_takes_what_came_before_its_publication(lists: None) -> None:
    told = make.submit(Event(PLAYERS, ALL_PLAY), submitted=LATE)
    assert (told["accepted"], told["list"]) == (True, "2026-04-01")
    publish_list("rapid", APRIL, by=None, at=make.noon(date(2026, 4, 6)))
    assert list_of_the_tournament() == APRIL


def test_d_76_a_list_before_the_third_leaves_what_came_after_its_date() -> None:
    make.first_list(FIRST)
    make.publish("rapid", FEBRUARY)
    assert make.submit(Event(PLAYERS, ALL_PLAY), submitted="2026-03-05")["list"] == "2026-04-01"
    publish_list("rapid", MARCH, by=None, at=make.noon(date(2026, 3, 6)))
    assert list_of_the_tournament() is None


def test_d_128_a_report_put_right_before_a_late_list_stays_on_it() -> None:
    make.first_list(FIRST)
    make.submit(Event(PLAYERS, ALL_PLAY))
    tournament, after = Tournament.objects.get(), date(2026, 2, 2)
    make.correct_game(tournament, Result(1, 1, result="1/2-1/2"), on=after, at=make.noon(after))
    publish_list("rapid", FEBRUARY, by=None, at=make.noon(date(2026, 2, 3)))
    assert TournamentRating.objects.get(included_in__date=FEBRUARY).report.version == 2


@pytest.mark.parametrize(
    "options", [["--official"], ["--decided-by", "council", "--reference", "Council 1/2026"]]
)
def test_d_111_what_fide_staff_report_has_no_third_list(
    lists: None, client: Client, options: list[str]
) -> None:
    make.publish("rapid", APRIL)
    with pytest.raises(make.RefusedCommandError, match=r"third-list-8\.1"):
        make.submit(Event(PLAYERS, ALL_PLAY, name="Of a federation"), submitted=LATE)
    told = make.submit(Event(PLAYERS, ALL_PLAY), *options, submitted=LATE)
    assert (told["accepted"], told["list"]) == (True, "2026-05-01")
    make.publish("rapid", MAY)
    assert list_of_the_tournament() == MAY
    page = client.get(f"/players/{PLAYERS[0][0]}/rapid/{MAY}/?articles=1").content.decode()
    assert "D-111" in page


def test_d_116_presidents_decision_on_an_event_of_2700_or_less_is_refused(lists: None) -> None:
    with pytest.raises(make.RefusedCommandError, match=r"president-average-0\.2"):
        make.submit(
            Event(PLAYERS, ALL_PLAY), "--decided-by", "president", "--reference", "Letter of 5 January"
        )
    assert not TournamentRating.objects.exists()


@pytest.mark.parametrize(("option", "on"), [("--official", "2026-02-01"), ("--continental", "2026-03-01")])
def test_d_115_only_official_events_of_fide_may_end_on_the_day_before_a_list(option: str, on: str) -> None:
    make.first_list(FIRST)
    event = Event(PLAYERS, ALL_PLAY, start="2026/01/31", end="2026/01/31")
    assert make.submit(event, option, submitted="2026-01-31")["list"] == on
    february = make.publish("rapid", FEBRUARY)
    assert TournamentRating.objects.filter(included_in=february).exists() == (option == "--official")
