"""Players: search as one types, the page of a player, merged and deceased ones."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import FederationExclusion, Player
from tests.factories import ListEntryFactory, PlayerFactory, RatingListFactory, noon, publish
from tests.public.pages import page, rows, text_of
from tests.ratings.played import play_month

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("müller", ["Müller, Jürgen"]),
        ("jurgen MULL", ["Müller, Jürgen"]),
        ("mu", ["Müller, Jürgen", "Musterfrau, Maria"]),
        ("o'brien", ["O'Brien, Anna"]),
        ("brien o an", ["O'Brien, Anna"]),
        ("lodz", ["Łódź, Ewa"]),
        ("4700001", ["Müller, Jürgen"]),
        ("muller maria", []),
        ("99999999999999999999", []),
        ("\x00", []),
    ],
)
def test_player_is_found_as_one_types(client: Client, words: str, expected: list[str]) -> None:
    first = RatingListFactory()
    for number, name in enumerate(["Müller, Jürgen", "Musterfrau, Maria", "O'Brien, Anna", "Łódź, Ewa"], 1):
        ListEntryFactory(
            rating_list=first, rating=2000 - number, player__fide_id=4_700_000 + number, player__name=name
        )
    response = client.get("/players/", {"q": words})
    assert [one.player.name for one in response.context["found"].players] == expected
    assert response.status_code == 200


def test_a_player_found_stands_with_title_and_the_newest_ratings(client: Client) -> None:
    rapid = RatingListFactory()
    person = {"player__fide_id": 4_700_001, "player__name": "<b>Sample, Anna", "player__women_title": "WGM"}
    entry = ListEntryFactory(rating_list=rapid, rating=2100, **person, player__died_on=date(2026, 1, 5))
    markup = page(client, "/players/?q=sample")
    _head, row = rows(markup)
    birth = str(entry.player.birth_year or "")
    expected = ["WGM <b>Sample, Anna †", entry.player.federation_id, birth, "4700001", "2100", "–", "–"]
    assert row == expected
    assert 'href="/players/4700001/"' in markup
    assert "<b>" not in markup


def test_fide_id_in_the_head_of_the_page_leads_to_the_player(client: Client) -> None:
    player = PlayerFactory()
    response = client.get("/search", {"q": f" {player.pk} "})
    assert (response.status_code, response.headers["Location"]) == (302, f"/players/{player.pk}/")


def test_search_finds_tournaments_too(client: Client) -> None:
    month = play_month()
    event = month.tournaments[0]
    response = client.get("/search", {"q": event.name.lower()})
    assert [found.event_id for found in response.context["tournaments"]] == [event.event_id]
    by_id = client.get("/search", {"q": event.event_id})
    assert [found.event_id for found in by_id.context["tournaments"]] == [event.event_id]


def test_player_page_shows_ratings_history_and_tournaments(client: Client) -> None:
    month = play_month()
    markup = page(client, f"/players/{month.hero.pk}/")
    text = text_of(markup)
    assert "Rapid 1905 ▲ +5 gain · K 20 · 1 game Place 1, February 2026 · 1 among active players" in text
    assert "1 in Europe · 1 among active players 1 in SUI · 1 among active players View calculation" in text
    assert rows(markup)[1:] == [["February 2026", "1905"], ["January 2026", "1900"]]
    assert rows(markup, table=1)[1:] == [
        ["February 2026", "rapid", "1905", "▲ +5 gain", "1", ""],
        ["January 2026", "rapid", "1900", "", "0", "Imported."],
    ]
    event = month.tournaments[0]
    assert rows(markup, table=2)[1:] == [
        [event.name, "Sun 11 Jan 2026", "rapid", "1", "1½", "1", "February 2026"]
    ]


def test_unrated_player_sees_how_far_the_first_rating_is(client: Client) -> None:
    month = play_month()
    markup = page(client, f"/players/{month.newcomer.pk}/")
    text = text_of(markup)
    assert "1 of 5 games against rated opponents. 4 more are needed for a initial rating" in text
    event = month.tournaments[0]
    assert rows(markup)[1:] == [[event.name, "Sat 10 Jan 2026", "1", "½", "1900", "March 2028"]]


def test_merged_id_leads_to_the_player_that_stands(client: Client) -> None:
    stands = PlayerFactory()
    merged = PlayerFactory(merged_into=stands)
    RatingListFactory(kind="rapid", date=date(2026, 2, 1))
    response = client.get(f"/players/{merged.pk}/")
    assert (response.status_code, response.headers["Location"]) == (301, f"/players/{stands.pk}/")
    response = client.get(f"/players/{merged.pk}/rapid/2026-02-01/")
    assert response.headers["Location"] == f"/players/{stands.pk}/rapid/2026-02-01/"


def test_death_is_said_and_the_player_leaves_the_next_list(client: Client) -> None:
    month = play_month()
    Player.objects.filter(pk=month.hero.pk).update(died_on=date(2026, 2, 10))
    publish("rapid", date(2026, 3, 1))
    text = text_of(page(client, f"/players/{month.hero.pk}/"))
    assert "Hero, Hanna has died. The ratings are from the last list that showed the player." in text
    assert "Rapid unrated" in text
    text = text_of(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/"))
    assert "The player has died and was removed from the list." in text


def test_exclusion_of_the_federation_is_said_and_the_rating_is_kept(client: Client) -> None:
    month = play_month()
    FederationExclusion.objects.create(
        federation=month.hero.federation, excluded_from=date(2026, 2, 5), recorded_at=noon(date(2026, 2, 5))
    )
    publish("rapid", date(2026, 3, 1))
    text = text_of(page(client, f"/players/{month.hero.pk}/"))
    assert "its players keep their ratings but are not listed (9.1)" in text
    assert "Rapid not listed" in text
    text = text_of(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/"))
    assert "the rating is kept, but not listed" in text


def test_birth_date_stays_private(client: Client) -> None:
    month = play_month()
    Player.objects.filter(pk=month.hero.pk).update(birth_date=date(1980, 11, 23))
    for address in (f"/players/{month.hero.pk}/", "/players/?q=hero", "/lists/rapid/2026-02-01/"):
        markup = page(client, address)
        assert ("1980" in markup, "1980-11-23" in markup, "23 Nov" in markup) == (True, False, False)


def test_player_whom_no_list_shows_has_a_page(client: Client) -> None:
    player = PlayerFactory(name="")
    assert "This player is not on any list." in text_of(page(client, f"/players/{player.pk}/"))


@pytest.mark.parametrize(
    "address",
    [
        "/players/1/",
        "/players/0/",
        "/players/99999999999/",
        "/players/4294967296/",
        "/players/1000001x/",
        "/players/1/tournaments/",
        "/players/1/rapid/2026-02-01/",
    ],
)
def test_player_who_is_not_known_is_a_404(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("number", ["0", "-1", "2", "x", "99999999999", "1e3", "²"])
def test_page_of_tournaments_that_is_not_there_is_a_404(client: Client, number: str) -> None:
    month = play_month()
    response = client.get(f"/players/{month.hero.pk}/tournaments/", {"page": number})
    assert response.status_code == 404


def test_chart_shows_one_kind_or_all_and_ratings_or_games(client: Client) -> None:
    month = play_month()
    blitz = RatingListFactory(kind="blitz")
    ListEntryFactory(rating_list=blitz, player=month.hero, rating=1700)
    address = f"/players/{month.hero.pk}/"

    def shown(query: str) -> tuple[list[str], list[str]]:
        chart = client.get(address + query).context["chart"]
        switches = [one["label"] for one in (*chart["kinds"], *chart["whats"]) if one["current"]]
        return switches, [str(head) for head in chart["table"].heads]

    assert shown("") == (["All rating types", "Ratings"], ["List", "rapid", "blitz"])
    assert shown("?kind=blitz") == (["Blitz", "Ratings"], ["List", "blitz"])
    assert shown("?kind=rapid&chart=games") == (["Rapid", "Games"], ["List", "Games"])
    assert shown("?kind=other&chart=other") == (["All rating types", "Ratings"], ["List", "rapid", "blitz"])
    games = client.get(f"{address}?kind=rapid&chart=games").context["chart"]["table"].rows
    assert [[str(cell) for cell in row] for row in games] == [["February 2026", "1"], ["January 2026", "0"]]


def test_chart_of_one_kind_needs_no_switch(client: Client) -> None:
    chart = client.get(f"/players/{play_month().hero.pk}/").context["chart"]
    assert chart["kinds"] == []
    assert [one["url"] for one in chart["whats"]] == ["?#history", "?chart=games#history"]
