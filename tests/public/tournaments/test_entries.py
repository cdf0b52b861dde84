"""The public entry list of a tournament: its players by their current ratings, and files of them."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from tests import make
from tests.growth import find_growing, pages_of
from tests.public.pages import codes, page, rows
from tournaments.models import Tournament, TournamentEntry

pytestmark = pytest.mark.django_db
ADDRESS = "/tournaments/SUI-SOON/entries/"


def enter(tournament: Tournament, *players: Player) -> None:
    TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=tournament, player=player) for player in players
    )


@pytest.fixture
def coming() -> Tournament:
    """Return a tournament with two rated players and an unrated one on its entry list."""
    event = make.tournament(event_id="SUI-SOON", kind="rapid", start=date(2026, 12, 5))
    ada = make.player(name="Ada", title="WGM", birth_year=2015)
    people = [make.player(name="Cleo"), ada, make.player(name="Ben")]
    lists = {kind: make.rating_list(kind=kind, date=date(2026, 2, 1)) for kind in ("rapid", "blitz")}
    for player, kind, rating in [
        (ada, "rapid", 2001),
        (people[2], "rapid", 1800),
        (people[0], "blitz", 2300),
    ]:
        make.entry(rating_list=lists[kind], player=player, rating=rating)
    enter(event, *people)
    return event


def test_players_are_listed_by_their_current_rating_of_its_type(client: Client, coming: Tournament) -> None:
    answer = client.get(ADDRESS)

    entered = answer.context["entered"]
    assert [(one.player.name, one.ratings) for one in entered.players] == [
        ("Ada", {"rapid": 2001}),
        ("Ben", {"rapid": 1800}),
        ("Cleo", {}),
    ]
    assert (entered.ratings, entered.average) == ([2001, 1800], 1901)
    found = rows(answer.content.decode())
    assert [row[:2] + row[3:] for row in found[1:]] == [
        ["1", "WGM Ada", "2001"],
        ["2", "Ben", "1800"],
        ["3", "Cleo", "unrated"],
    ]


def test_no_year_of_birth_is_shown(client: Client, coming: Tournament) -> None:
    assert "2015" not in page(client, ADDRESS)


def test_an_empty_list_says_so(client: Client) -> None:
    make.tournament(event_id="SUI-SOON")
    assert codes(page(client, ADDRESS)) == ["no-entries"]


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"registration": "waiting"}, 200),
        ({"stage": "reported"}, 200),
        ({"stage": "rated"}, 302),
        ({"stage": "published"}, 302),
        ({"registration": "withdrawn"}, 302),
        ({"registration": "refused"}, 302),
    ],
)
def test_a_rated_or_closed_tournament_leads_to_its_page(
    client: Client, coming: Tournament, values: dict[str, str], status: int
) -> None:
    Tournament.objects.filter(pk=coming.pk).update(**values)
    answer = client.get(ADDRESS)
    file = client.get(f"{ADDRESS}players_list.csv")
    assert (answer.status_code, file.status_code) == (status, {200: 200, 302: 404}[status])
    assert answer.get("Location", "/tournaments/SUI-SOON/") == "/tournaments/SUI-SOON/"


def test_an_unknown_tournament_has_no_list(client: Client) -> None:
    assert client.get("/tournaments/SUI-NEVER/entries/").status_code == 404


def test_the_page_of_the_tournament_counts_the_players(client: Client, coming: Tournament) -> None:
    answer = client.get("/tournaments/SUI-SOON/")
    assert (len(answer.context["entries"].players), ADDRESS in answer.content.decode()) == (3, True)
    enter(coming, make.player())
    assert len(client.get("/tournaments/SUI-SOON/").context["entries"].players) == 4


def test_a_reader_who_has_the_page_gets_it_anew_when_the_list_changes(
    client: Client, coming: Tournament
) -> None:
    etag = client.get(ADDRESS)["ETag"]
    assert client.get(ADDRESS, headers={"if-none-match": etag}).status_code == 304
    coming.entries.first().delete()  # type: ignore[union-attr]
    assert client.get(ADDRESS, headers={"if-none-match": etag}).status_code == 200


def test_more_players_take_no_more_queries(client: Client) -> None:
    def fill(size: int) -> dict[str, Any]:
        newest = make.rating_list(kind="rapid", date=date(2026, 1, 1))
        event = make.tournament(kind="rapid", start=date(2026, 12, 5))
        players = make.PlayerFactory.create_batch(size)
        for player in players:
            make.entry(rating_list=newest, player=player)
            enter(make.tournament(start=date(2026, 12, 6)), player)
        enter(event, *players)
        return {"event": event.event_id}

    shown = pages_of(client, "/tournaments/{event}/entries/", "/tournaments/{event}/", "/tournaments/")
    assert find_growing(fill, shown) == {}


@pytest.mark.parametrize("name", ["players_list_foa.txt", "players_list.zip", "players_list.csv"])
def test_players_of_a_rated_tournament_are_a_file_for_pairing_programs(client: Client, name: str) -> None:
    month = make.play_month(2)
    event = month.tournaments[0]
    players = set(event.reports.get().participants.values_list("player_id", flat=True))

    answer = client.get(f"/tournaments/{event.event_id}/entries/{name}")

    content = answer.getvalue()
    if name.endswith(".zip"):
        content = zipfile.ZipFile(io.BytesIO(content)).read("players_list_foa.txt")
    lines = content.decode().splitlines()[1:]
    assert {int(re.match(r"\d+", line)[0]) for line in lines} == players  # type: ignore[index]
    assert f"/tournaments/{event.event_id}/entries/players_list_foa.txt" in page(
        client, f"/tournaments/{event.event_id}/"
    )


@pytest.mark.parametrize("name", ["players_list.csv", "rapid_rating_list.txt", "x"])
def test_a_registered_tournament_has_no_file_of_players_yet(client: Client, name: str) -> None:
    event = make.tournament(event_id="SUI-SOON")
    assert client.get(f"/tournaments/{event.event_id}/entries/{name}").status_code == 404


def test_players_entered_are_a_file_for_pairing_programs(client: Client, coming: Tournament) -> None:
    content = client.get(f"{ADDRESS}players_list.csv").getvalue().decode()
    assert {line.split(",")[1] for line in content.splitlines()[1:]} == {"Ada", "Ben", "Cleo"}
