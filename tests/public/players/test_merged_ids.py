"""Pages published under a FIDE ID that was merged later remain, and other URLs redirect to the player."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Player
from tests import make
from tests.growth import find_growing, pages_of
from tests.public.pages import codes, page, rows

pytestmark = pytest.mark.django_db

API = "/api/v1"


@pytest.fixture
def successor(month: make.Month) -> Player:
    """Return the player that the month's hero was merged into."""
    made = make.player(name="Hero, Johanna")
    Player.objects.filter(pk=month.hero.pk).update(merged_into=made)
    return made


def test_history_of_the_successor_shows_the_past_under_the_former_id(
    client: Client, month: make.Month, successor: Player
) -> None:
    old = month.hero.pk
    markup = page(client, f"/players/{successor.pk}/")

    event = month.tournaments[0]
    assert rows(markup)[1:] == [
        [
            f"{event.name} rapid, {event.federation_id}",
            "Sun 11 Jan 2026",
            "1",
            "1½ /2",
            "1700",
            "2500",
            "▲ +4.8 gain",
            "February 2026",
        ]
    ]
    former = markup.partition(f'data-former="{old}"')[2]
    assert rows(former)[1:] == [
        ["February 2026", "rapid", "1905", "▲ +5 gain", "1", ""],
        ["January 2026", "rapid", "1900", "", "0", "Imported"],
    ]
    assert markup.count(f'href="/players/{old}/rapid/2026-02-01/"') == 2


def test_cached_page_is_invalid_after_a_merge(client: Client, month: make.Month) -> None:
    successor = make.player()
    address = f"/players/{successor.pk}/"
    known = client.get(address).headers["ETag"]

    Player.objects.filter(pk=month.hero.pk).update(merged_into=successor)

    assert client.get(address, headers={"if-none-match": known}).status_code == 200


def test_old_links_redirect_to_the_player(client: Client, month: make.Month, successor: Player) -> None:
    old, new = month.hero.pk, successor.pk
    for name in ("", "record/", "badge.svg", "feed.atom"):
        response = client.get(f"/players/{old}/{name}")
        assert (response.status_code, response.headers["Location"]) == (301, f"/players/{new}/{name}")


@pytest.mark.parametrize("path", ["rapid/2026-02-01/", "rapid/2026-01-01/", "on/2026-02-01/", "tournaments/"])
def test_page_of_a_published_list_remains_and_names_the_successor(
    client: Client, month: make.Month, successor: Player, path: str
) -> None:
    markup = page(client, f"/players/{month.hero.pk}/{path}")

    assert "merged" in codes(markup)
    assert markup.count(f'href="/players/{successor.pk}/"') == 1


def test_list_without_the_old_id_redirects(client: Client, month: make.Month, successor: Player) -> None:
    later = f"/players/{month.hero.pk}/rapid/2026-03-01/"
    assert client.get(later).headers["Location"] == f"/players/{successor.pk}/rapid/2026-03-01/"
    newcomer = month.newcomer
    Player.objects.filter(pk=newcomer.pk).update(merged_into=successor)
    place = client.get(f"/lists/rapid/2026-02-01/at/{newcomer.pk}/")
    assert (place.status_code, place.headers["Location"]) == (
        302,
        f"/lists/rapid/2026-02-01/at/{successor.pk}/",
    )
    of_old = client.get(f"/lists/rapid/2026-02-01/at/{month.hero.pk}/").headers["Location"]
    assert of_old == f"/lists/rapid/2026-02-01/?mark={month.hero.pk}#p{month.hero.pk}"


@pytest.mark.parametrize("words", ["{old}", "hanna", "johanna"])
def test_search_finds_the_successor_by_the_old_id_and_both_names(
    client: Client, month: make.Month, successor: Player, words: str
) -> None:
    query = words.format(old=month.hero.pk)
    found = client.get("/players/", {"q": query}).context["found"]
    assert [one.player.pk for one in found.players] == [successor.pk]
    answered = client.get(f"{API}/players", {"q": query}).json()["results"]
    assert [one["fide_id"] for one in answered] == [successor.pk]


def test_api_redirects_and_names_former_ids(client: Client, month: make.Month, successor: Player) -> None:
    old, new = month.hero.pk, successor.pk
    moved = client.get(f"{API}/players/{old}")
    assert (moved.status_code, moved["Location"]) == (301, f"http://testserver{API}/players/{new}")
    assert client.get(f"{API}/players/{new}").json()["former_ids"] == [old]
    kept = client.get(f"{API}/players/{old}/history").json()
    assert (kept["fide_id"], kept["merged_into"]) == (old, new)
    assert [(row["date"], row["rating"]) for row in kept["results"]] == [
        ("2026-02-01", 1905),
        ("2026-01-01", 1900),
    ]
    assert client.get(f"{API}/players/{new}/history").json()["merged_into"] is None


def test_api_returns_published_calculations_and_redirects_others(
    client: Client, month: make.Month, successor: Player
) -> None:
    old = month.hero.pk
    kept = client.get(f"{API}/players/{old}/calculations/rapid/2026-02-01").json()
    assert (kept["fide_id"], kept["new_rating"]) == (old, 1905)
    Player.objects.filter(pk=old).update(merged_into=None)
    stranger = make.player(merged_into=month.hero)
    moved = client.get(f"{API}/players/{stranger.pk}/calculations/rapid/2026-02-01")
    expected = f"http://testserver{API}/players/{old}/calculations/rapid/2026-02-01"
    assert (moved.status_code, moved["Location"]) == (301, expected)


def test_queries_do_not_grow_with_the_former_ids(client: Client) -> None:
    def fill(size: int) -> dict[str, int]:
        month = make.play_month(3)
        for other in month.others[:size]:
            Player.objects.filter(pk=other.pk).update(merged_into=month.hero)
        return {"hero": month.hero.pk}

    assert find_growing(fill, pages_of(client, "/players/{hero}/")) == {}


def test_later_list_of_the_successor_includes_the_former_id(
    client: Client, month: make.Month, successor: Player
) -> None:
    make.publish("rapid", date(2026, 3, 1))
    assert f'data-former="{month.hero.pk}"' in page(client, f"/players/{successor.pk}/")


def test_record_and_games_against_count_the_games_under_the_former_id(
    client: Client, month: make.Month, successor: Player
) -> None:
    """Under the former ID, the hero beat one opponent and drew with the newcomer."""
    other = month.others[0]
    alone = rows(page(client, f"/players/{successor.pk}/record/"))
    assert alone[1:] == [["Rapid, white", "1 won, 1 drawn, 0 lost", "1½ /2"]]
    met = page(client, f"/players/compare/?player={successor.pk}&player={other.pk}")
    assert rows(met, table=2)[1:] == [["Hero, Johanna", "1 won, 0 drawn, 0 lost", "1 /1"]]
