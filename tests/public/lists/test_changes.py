"""The changes of a list: gains, losses, initial ratings, players who became unrated."""

from __future__ import annotations

import csv
import json
from datetime import date

import pytest
from django.test import Client

from players.models import Federation, FederationExclusion, Player
from ratings.models import ListEntry
from ratings.movements import DIED, GONE, HEAD, MERGED
from ratings.systems.otb.listing import EntryStatus
from ratings.systems.registry import reason_of
from tests import make
from tests.public.pages import page, rows, text_of

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/changes/"


def test_gains_losses_initial_and_lost_ratings_are_shown(client: Client) -> None:
    first = make.rating_list()
    strong, weak, *others = (
        make.entry(rating_list=first, rating=rating, player__name=f"P{place}, P").player
        for place, rating in enumerate((1900, 1401, 1800, 1800, 1800, 1800))
    )
    newcomer = make.player(name="Newcomer, Nora")
    event = make.tournament()
    games = [(place, 7, place + 1, "1/2") for place in range(2, 7)]
    make.play_and_rate(event, [strong, weak, *others, newcomer], [(1, 1, 2, "1-0"), *games[:4]])
    second = make.tournament(start=date(2026, 1, 15))
    make.play_and_rate(second, [newcomer, strong], [(1, 1, 2, "1/2")])
    make.publish("rapid", date(2026, 2, 1))
    shown = client.get(ADDRESS)
    markup = shown.content.decode()
    assert rows(markup)[1:] == [["P0, P", "SUI", "1902", "▲ +2 gain"]]
    assert list(shown.context["moved"].losses) == []
    assert rows(markup, table=1)[1:] == [["Newcomer, Nora", "SUI", "1814"]]
    assert rows(markup, table=2)[1:] == [["P1, P", "SUI", "1401", reason_of("below-floor-6.2.1").text]]


def test_tournaments_and_games_are_counted(client: Client) -> None:
    make.play_month(3)
    assert "3 tournaments, 21 rated games." in text_of(page(client, ADDRESS))


def test_one_game_is_counted_as_one(client: Client) -> None:
    first = make.rating_list()
    pair = [make.entry(rating_list=first, rating=1800).player for _ in range(2)]
    make.play_and_rate(make.tournament(), pair, [(1, 1, 2, "1-0")])
    make.publish("rapid", date(2026, 2, 1))
    assert "1 tournament, 1 rated game." in text_of(page(client, ADDRESS))


def test_list_without_anything_has_no_empty_tables(client: Client) -> None:
    make.rating_list()
    make.publish("rapid", date(2026, 2, 1))
    markup = page(client, ADDRESS)
    assert ('class="empty"' in markup, "<table" in markup) == (True, False)


def test_imported_list_is_compared_with_the_previous_one(client: Client) -> None:
    first, second = make.rating_list(), make.rating_list(date=date(2026, 2, 1))
    ratings = {
        "Up, U": (1500, 1530),
        "Down, D": (1600, 1550),
        "Still, S": (1700, 1700),
        "New, N": (None, 1650),
        "Gone, G": (1800, None),
        "Dead, D": (1900, None),
        "Merged, M": (1850, None),
    }
    for name, (before, now) in ratings.items():
        player = make.player(name=name)
        for rating_list, rating in ((first, before), (second, now)):
            if rating:
                make.entry(rating_list=rating_list, player=player, rating=rating)
    Player.objects.filter(name="Dead, D").update(died_on=date(2026, 1, 20))
    Player.objects.filter(name="Merged, M").update(merged_into=Player.objects.get(name="New, N"))
    shown = client.get(ADDRESS)
    markup = shown.content.decode()
    assert [rows(markup, table=number)[1:] for number in range(3)] == [
        [["Up, U", "SUI", "1530", "▲ +30 gain"]],
        [["Down, D", "SUI", "1550", "▼ −50 loss"]],
        [["New, N", "SUI", "1650"]],
    ]
    left = [(row.name, row.before, row.reason) for row in shown.context["moved"].left]
    assert left == [("Dead, D", 1900, DIED), ("Merged, M", 1850, MERGED), ("Gone, G", 1800, GONE)]
    assert (shown.context["taken"], shown.context["before"].date) == (None, date(2026, 1, 1))


def test_excluded_federation_removes_its_players(client: Client) -> None:
    first = make.rating_list()
    france = make.federation(code="FRA", name="France")
    make.entry(rating_list=first, player__name="Far, F", player__federation=france, rating=1700)
    make.entry(rating_list=first, player__name="Near, N", rating=1600)
    FederationExclusion.objects.create(
        federation=france, excluded_from=date(2026, 1, 15), recorded_at=make.noon(date(2026, 1, 15))
    )
    make.publish("rapid", date(2026, 2, 1))
    left = client.get(ADDRESS).context["moved"].left
    assert [(row.name, row.federation, row.before, row.reason) for row in left] == [
        ("Far, F", "FRA", 1700, EntryStatus.WITHHELD)
    ]


def test_first_list_has_no_list_to_compare_with(client: Client) -> None:
    make.entry(rating_list=make.rating_list())
    shown = client.get("/lists/rapid/2026-01-01/changes/").context
    assert (shown["taken"], shown["before"]) == (None, None)


def test_page_is_unchanged_when_a_player_changes_federation_or_name(client: Client) -> None:
    month = make.play_month()
    before = page(client, ADDRESS)
    Player.objects.filter(pk=month.hero.pk).update(name="Other, O", federation=make.federation(code="MLT"))
    assert page(client, ADDRESS) == before


@pytest.fixture
def _three_lists() -> None:
    one, two, three = (make.rating_list(date=date(2026, month, 1)) for month in (1, 2, 3))
    stays, moves, goes, comes = (
        make.player(fide_id=number, name=f"P{number}, =1+1", title="", sex="F", birth_year=2010)
        for number in (1001, 1002, 1003, 1004)
    )
    for rating_list, player, rating, games in (
        (one, stays, 1900, 0), (one, moves, 1800, 3), (one, goes, 1700, 0),
        (two, stays, 1900, 0), (two, moves, 1815, 5), (two, comes, 1600, 5),
        (three, stays, 1900, 0), (three, moves, 1815, 0), (three, comes, 1600, 0),
    ):  # fmt: skip
        make.entry(rating_list=rating_list, player=player, rating=rating, games=games, k_factor=20)


def delta(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.getvalue().decode()


@pytest.mark.usefixtures("_three_lists")
def test_delta_has_added_removed_and_changed_players_by_fide_id(client: Client) -> None:
    head, *told = delta(client, "/lists/rapid/2026-02-01/changes.csv").splitlines()
    assert head.split(",") == [*HEAD]
    assert told == [
        'changed,1002,"P1002, =1+1",SUI,,F,2010,1815,5,20,false,rating games',
        'removed,1003,"P1003, =1+1",SUI,,F,2010,1700,0,20,false,',
        'added,1004,"P1004, =1+1",SUI,,F,2010,1600,5,20,false,',
    ]


@pytest.mark.usefixtures("_three_lists")
def test_delta_since_another_list_as_json(client: Client) -> None:
    found = json.loads(delta(client, "/lists/rapid/2026-03-01/changes.json?since=2026-01-01"))

    changes = found.pop("changes")
    assert found == {"kind": "rapid", "date": "2026-03-01", "since": "2026-01-01"}
    assert [(one["change"], one["fide_id"], one.get("before")) for one in changes] == [
        ("changed", 1002, {"rating": 1800, "games": 3}),
        ("removed", 1003, None),
        ("added", 1004, None),
    ]


@pytest.mark.usefixtures("_three_lists")
def test_delta_applied_to_the_older_list_is_the_newer_one(client: Client) -> None:
    def listed(day: str) -> dict[int, tuple[int, int]]:
        rows = ListEntry.objects.filter(rating_list__date=day).values_list("player_id", "rating", "games")
        return {player: (rating or 0, games) for player, rating, games in rows}

    state = listed("2026-01-01")
    for one in json.loads(delta(client, "/lists/rapid/2026-02-01/changes.json"))["changes"]:
        if one["change"] == "removed":
            del state[one["fide_id"]]
        else:
            state[one["fide_id"]] = (one["rating"], one["games"])
    assert state == listed("2026-02-01")


@pytest.mark.usefixtures("_three_lists")
def test_delta_of_equal_lists_is_empty(client: Client) -> None:
    same = json.loads(delta(client, "/lists/rapid/2026-03-01/changes.json?since=2026-03-01"))
    assert same["changes"] == []


@pytest.mark.usefixtures("_three_lists")
def test_delta_hides_the_year_of_a_minor_with_an_age_band(client: Client) -> None:
    Federation.objects.update(hides_birth_years_of_minors=True)
    rows = csv.DictReader(delta(client, "/lists/rapid/2026-02-01/changes.csv").splitlines())
    assert {row["birth_year"] for row in rows} == {""}


@pytest.mark.usefixtures("_three_lists")
@pytest.mark.parametrize(
    "address",
    [
        "/lists/rapid/2026-01-01/changes.csv",
        "/lists/rapid/2026-02-01/changes.csv?since=2025-12-01",
        "/lists/rapid/2026-02-01/changes.csv?since=yesterday",
        "/lists/rapid/2026-02-01/changes.xml",
    ],
)
def test_delta_without_a_list_to_compare_with_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
