"""Statistics of a list: rating classes, ages, federations, games, calculated once."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.archives import make_archives
from ratings.lists import read_lists
from ratings.ranking import ranking_of
from ratings.statistics import PartOfList, results_of, statistics_of
from tests import make
from tests.public.pages import codes, page, rows

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/statistics/"


def test_ratings_are_counted_in_classes_of_a_hundred_points(client: Client) -> None:
    make.play_month(3)
    assert rows(page(client, ADDRESS))[1:] == [
        ["1600–1699", "3"],
        ["1700–1799", "0"],
        ["1800–1899", "0"],
        ["1900–1999", "1"],
    ]


@pytest.mark.parametrize(
    ("group", "classes"),
    [
        ("", [["1600–1699", "2"], ["1700–1799", "1"], ["1800–1899", "1"]]),
        ("active", [["1600–1699", "1"], ["1700–1799", "1"], ["1800–1899", "1"]]),
        ("women", [["1700–1799", "1"]]),
        ("juniors", [["1800–1899", "1"]]),
        ("nobody", [["1600–1699", "2"], ["1700–1799", "1"], ["1800–1899", "1"]]),
    ],
)
def test_ratings_of_a_group_are_counted(client: Client, group: str, classes: list[list[str]]) -> None:
    whole = make.rating_list()
    for rating, more in ((1600, {}), (1601, {"is_inactive": True})):
        make.entry(rating_list=whole, rating=rating, **more)
    make.entry(rating_list=whole, rating=1700, sex="F")
    make.entry(rating_list=whole, rating=1850, birth_year=whole.date.year - 20)
    address = f"/lists/rapid/2026-01-01/statistics/?among={group}"
    markup = page(client, address)
    assert rows(markup)[1:] == classes
    assert rows(page(client, address)) == rows(markup)
    chosen = re.search(r'href="\?([^"]*)#ratings" aria-current="true"', markup)
    assert chosen
    assert chosen[1] == (f"among={group}" if group in ("active", "women", "juniors") else "")


@pytest.mark.parametrize(
    ("born", "band"),
    [
        (2026, "0–11"),
        (2030, "0–11"),
        (2015, "0–11"),
        (2014, "12–15"),
        (2007, "16–19"),
        (2006, "20–29"),
        (1976, "50–64"),
        (1961, "65+"),
        (1900, "65+"),
        (None, "unknown"),
    ],
)
def test_age_is_the_one_reached_in_the_year_of_the_list(client: Client, born: int | None, band: str) -> None:
    make.entry(player__birth_year=born, rating=1801, player__sex="F")
    markup = page(client, "/lists/rapid/2026-01-01/statistics/")
    assert rows(markup, table=1)[1:] == [[band, "1", "1", "1", "1801.0"]]


def test_federations_are_sorted_by_the_average_of_their_top_ten(client: Client) -> None:
    first = make.rating_list()
    for code, top, size in (("SUI", 1900, 11), ("KEN", 2000, 10), ("FRA", 2500, 9), ("ALB", 2400, 2)):
        for place in range(size):
            federation = make.federation(code=code)
            make.entry(rating_list=first, rating=top - place, player__federation=federation)
    make.entry(rating_list=first, rating=2800, is_inactive=True, player__federation_id="KEN")
    markup = page(client, "/lists/rapid/2026-01-01/federations/")
    assert [row[1:] for row in rows(markup)[1:]] == [
        ["KEN", "1995.5", "2068.6", "11", "10", "0"],
        ["SUI", "1895.5", "1895.0", "11", "11", "0"],
        ["FRA", "–", "2496.0", "9", "9", "0"],
        ["ALB", "–", "2399.5", "2", "2", "0"],
    ]


def test_games_of_this_and_previous_lists_are_shown(client: Client) -> None:
    make.play_month(3)
    make.publish("rapid", date(2026, 3, 1))
    markup = page(client, "/lists/rapid/2026-03-01/statistics/")
    assert rows(markup, table=2)[1:] == [["Feb 2026", "21"]]


def test_scores_are_shown_beside_expected_scores(client: Client) -> None:
    make.play_month(2)
    markup = page(client, ADDRESS)
    assert 'id="scores-title"' in markup
    # In both tournaments 1900 beats 1700 and 1699 (.76 each), and 1700 draws with 1699.
    assert [row for row in rows(markup, table=3)[1:] if row[1] != "0"] == [
        ["0–49", "2", "50.0%", "50.0%", "0.0"],
        ["200–249", "4", "100.0%", "76.0%", "+24.0"],
    ]
    stayed = client.get(ADDRESS).context["stayed"]
    assert (stayed.since, stayed.players) == (date(2026, 1, 1), 3)


@pytest.mark.parametrize(
    ("players", "ratings", "tenths"),
    [(0, 0, None), (1, 1801, 18010), (3, 5401, 18003), (3, 5402, 18007), (4, 1, 3)],
)
def test_average_is_rounded_to_the_nearest_tenth(players: int, ratings: int, tenths: int | None) -> None:
    assert PartOfList(players=players, ratings=ratings).average_tenths == tenths


def test_statistics_of_a_list_are_calculated_once(django_assert_num_queries: Any) -> None:
    entry = make.entry()
    counted = statistics_of(entry.rating_list)
    with django_assert_num_queries(0):
        assert statistics_of(entry.rating_list) == counted


def test_publication_calculates_ranks_before_the_first_reader(
    django_assert_num_queries: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks() as afterwards:
        published = make.play_month(1).published
    assert published is not None
    # Ranks must be calculated before the list appears. Otherwise each reader would calculate them.
    with CaptureQueriesContext(connection) as queries:
        for callback in afterwards:
            callback()
    with django_assert_num_queries(0):
        assert ranking_of(published).total == ranking_of(published, federation="SUI").total == 2
    assert [one["sql"] for one in queries if "ratings_listentry" in one["sql"]] == []


def test_compression_calculates_statistics_before_the_first_reader(django_assert_num_queries: Any) -> None:
    published = make.play_month(1).published
    assert published is not None
    make_archives(published)
    lists = read_lists()
    with django_assert_num_queries(0):
        assert statistics_of(published).whole.players == 2
        assert results_of(published, lists).stayed is not None


def test_rolled_back_list_leaves_no_figures() -> None:
    with transaction.atomic():
        published = make.play_month(1).published
        transaction.set_rollback(True)
    assert published is not None
    assert (ranking_of(published).total, statistics_of(published).whole.players) == (0, 0)


def test_unchanged_page_is_a_304_and_an_empty_list_says_so(client: Client) -> None:
    make.rating_list()
    make.publish("rapid", date(2026, 2, 1))
    response = client.get(ADDRESS)
    assert codes(response.content.decode()) == ["no-players"]
    assert client.get(ADDRESS, HTTP_IF_NONE_MATCH=response["ETag"]).status_code == 304


def test_unknown_list_has_no_statistics(client: Client) -> None:
    assert client.get(ADDRESS).status_code == 404


def test_half_of_the_players_are_rated_at_most_the_median(client: Client) -> None:
    for rating in (1600, 1650, 1700, 1990, 2100):
        make.entry(rating=rating)
    median = client.get("/lists/rapid/2026-01-01/statistics/").context["median"]
    assert median == {"rating": 1700, "first": 1600, "last": 1699}
