"""Clubs and districts of a federation: pages, file, a table for other sites, and parts of the lists."""

from __future__ import annotations

import csv
import re
from datetime import date
from html import unescape
from io import StringIO
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from players.models import Federation, Membership, Player
from tests import make

CLUBS = "/federations/SUI/clubs/"
CLUB, DISTRICT = "SC Älpha & Söhne", "North"
pytestmark = pytest.mark.django_db


@pytest.fixture
def listed(db: None) -> list[Player]:
    """Return three players on a list: two of a club, of whom one is of its district too, and one who has left."""
    newest = make.rating_list(kind="rapid", date=date(2026, 3, 1))
    swiss, austria = make.federation(code="SUI"), make.federation(code="AUT")
    players = []
    for number, (federation, club, rating) in enumerate(
        ((swiss, CLUB, 1800), (swiss, CLUB, 1900), (austria, CLUB, 2000))
    ):
        player = make.player(name=f"Player, P{number}", federation=federation, birth_year=2015)
        make.entry(rating_list=newest, player=player, federation=federation, rating=rating, birth_year=2015)
        district = DISTRICT if number == 1 else ""
        values = {"federation": swiss, "club": club, "district": district, "number": f"N{number}"}
        Membership.objects.create(player=player, since=date(2026, 1, 1), **values)
        players.append(player)
    return players


def test_a_club_answers_in_other_capitals(listed: list[Player], client: Client) -> None:
    found = client.get(asked(CLUBS, club=CLUB.upper())).context

    assert (found["title"], len(found["everybody"])) == (CLUB, 2)


def test_two_clubs_that_differ_in_capitals_are_two(listed: list[Player], client: Client) -> None:
    Membership.objects.filter(player=listed[0]).update(club=CLUB.upper())

    found = [client.get(asked(CLUBS, club=club)).context for club in (CLUB, CLUB.upper())]

    assert [one["title"] for one in found] == [CLUB, CLUB.upper()]
    assert len({*found[0]["everybody"], *found[1]["everybody"]}) == 2


def asked(page: str, **values: str) -> str:
    return f"{page}?{urlencode(values)}"


def test_clubs_are_listed_with_the_players_of_today(listed: list[Player], client: Client) -> None:
    found = client.get(CLUBS).context["clubs"]

    assert [*found] == [("", CLUB, 1), (DISTRICT, CLUB, 1)]
    assert client.get("/federations/SUI/").context["has_clubs"]
    assert [*client.get("/federations/AUT/clubs/").context["clubs"]] == []


@pytest.mark.parametrize(("asking", "expected"), [({"club": CLUB}, [1, 0]), ({"district": DISTRICT}, [1])])
def test_a_club_has_an_address_a_file_and_a_table(
    listed: list[Player], client: Client, asking: dict[str, str], expected: list[int]
) -> None:
    page = client.get(asked(CLUBS, **asking))
    file = client.get(asked(f"{CLUBS}players.csv", **asking))
    table = client.get(asked(f"{CLUBS}embed/", **asking))

    ids = [listed[place].pk for place in expected]
    assert [one.player.pk for one in page.context["found"].players] == ids
    assert [row[0] for row in csv.reader(StringIO(file.content.decode()))][1:] == [str(pk) for pk in ids]
    assert [one.player.pk for one in table.context["found"].players] == ids
    assert not any(
        f"N{place}" in answer.content.decode() for answer in (page, file, table) for place in range(3)
    )


def test_clubs_of_one_name_are_told_apart_by_their_districts(client: Client) -> None:
    swiss = make.federation(code="SUI")
    for number, district in enumerate((DISTRICT, "South & West")):
        player = make.player(name=f"Player, P{number}", federation=swiss)
        values = {"federation": swiss, "club": CLUB, "district": district}
        Membership.objects.create(player=player, since=date(2026, 1, 1), **values)
        page = f"/players/{player.pk}/"
        for address in (CLUBS, page):
            links = addresses_in(client.get(address).content.decode())
            (link,) = [
                one
                for one in links
                if parse_qs(urlsplit(one).query) == {"club": [CLUB], "district": [district]}
            ]
            found = client.get(link).context["found"].players
            assert [one.player.pk for one in found] == [player.pk]


def test_the_dead_are_no_players_of_a_club(listed: list[Player], client: Client) -> None:
    Player.objects.filter(pk=listed[1].pk).update(died_on=date(2026, 1, 1))

    assert [*client.get(CLUBS).context["clubs"]] == [("", CLUB, 1)]
    assert client.get(asked(CLUBS, district=DISTRICT)).status_code == 404


def addresses_in(page: str) -> list[str]:
    return [unescape(found) for found in re.findall('href="([^"]*)"', page)]


def test_a_page_has_the_best_of_a_large_club_and_the_file_all(
    listed: list[Player], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("public.federations.clubs.SHOWN", 1)
    monkeypatch.setattr("ratings.federations.BATCH", 1)

    pages = [client.get(asked(f"{CLUBS}{name}", club=CLUB)).context["found"] for name in ("", "embed/")]
    file = client.get(asked(f"{CLUBS}players.csv", club=CLUB)).content.decode()

    best, other = listed[1].pk, listed[0].pk
    assert [([one.player.pk for one in found.players], found.is_cut) for found in pages] == [
        ([best], True)
    ] * 2
    assert [row[0] for row in csv.reader(StringIO(file))][1:] == [str(best), str(other)]


def test_the_table_alone_may_stand_in_another_site(listed: list[Player], client: Client) -> None:
    for _visit in range(2):
        page, table = (client.get(asked(f"{CLUBS}{name}", club=CLUB)) for name in ("", "embed/"))
        policies = [answer["Content-Security-Policy"] for answer in (page, table)]

        assert ["frame-ancestors 'none'" in policy for policy in policies] == [True, False]
        assert "frame-ancestors *" in policies[1]
        assert [answer.get("X-Frame-Options") for answer in (page, table)] == ["DENY", None]
        assert "<script" not in table.content.decode()


@pytest.mark.parametrize("query", [{"club": "SC Beta"}, {"club": "\x00"}, {"district": "x" * 5000}])
@pytest.mark.parametrize("page", ["", "players.csv", "embed/"])
def test_an_unknown_club_is_not_there(
    listed: list[Player], client: Client, query: dict[str, str], page: str
) -> None:
    answer = client.get(asked(f"{CLUBS}{page}", **query))
    assert answer.status_code == (200 if query == {"club": "\x00"} and not page else 404)


@pytest.mark.parametrize(
    ("query", "expected"),
    [({"club": CLUB}, [1, 0]), ({"club": CLUB, "federation": "AUT"}, []), ({"district": DISTRICT}, [1])],
)
def test_lists_are_filtered_by_club(
    listed: list[Player], client: Client, query: dict[str, str], expected: list[int]
) -> None:
    found = client.get(asked("/lists/rapid/2026-03-01/", **query)).context["rows"]
    assert [row.entry.player_id for row in found] == [listed[place].pk for place in expected]


def test_a_list_of_a_club_changes_with_its_members(listed: list[Player], client: Client) -> None:
    address = asked("/lists/rapid/2026-03-01/", club=CLUB)
    before = client.get(address)
    same = client.get(address, headers={"If-None-Match": before["ETag"]})
    Membership.objects.filter(player=listed[0]).update(club="SC Beta")

    after = client.get(address, headers={"If-None-Match": before["ETag"]})

    assert (same.status_code, after.status_code) == (304, 200)
    assert [row.entry.player_id for row in after.context["rows"]] == [listed[1].pk]


def test_the_player_page_shows_the_club_and_to_officers_the_number(
    listed: list[Player], client: Client
) -> None:
    address = f"/players/{listed[0].pk}/"
    officers = {code: Client() for code in ("SUI", "AUT")}
    for code, own in officers.items():
        own.force_login(make.person("officer", Federation.objects.get(pk=code)))

    shown = {code: own.get(address).context for code, own in officers.items()}

    assert client.get(address).context["member"].club == CLUB
    assert [
        client.get(address).context["shows_number"],
        shown["SUI"]["shows_number"],
        shown["AUT"]["shows_number"],
    ] == [
        False,
        True,
        False,
    ]
    assert client.get(f"/players/{listed[2].pk}/").context["member"] is None


@pytest.mark.parametrize("page", ["/players/", "/search", "/search/suggestions"])
def test_national_numbers_are_found_by_officers_of_the_federation_alone(
    listed: list[Player], page: str
) -> None:
    found = {}
    for role, code in (("officer", "SUI"), ("deputy", "AUT"), ("staff", None), (None, None)):
        own = Client()
        if role:
            given = {"federation": make.federation(code=code)} if code else {}
            own.force_login(make.appointment(role=role, **given).user)
        context = own.get(page, {"q": "n0"}).context
        players = context["players"] if "suggestions" in page else context["found"].players
        found[role] = [one.player.pk for one in players]

    assert found == {"officer": [listed[0].pk], "deputy": [], "staff": [listed[0].pk], None: []}
