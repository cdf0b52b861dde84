"""The public next list so far: provisional figures are marked, and the published list replaces them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from ratings.models import RatingList
from ratings.next_list import update_next_list
from tests import make
from tests.growth import find_growing, pages_of
from tests.public.pages import codes, lines, page, rows, text_of
from tournaments.choices import Registration
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NOW = make.noon(date(2026, 1, 28))


@pytest.fixture(autouse=True)
def clock(time_machine: Any) -> None:
    time_machine.move_to(NOW, tick=False)


def rated_month(size: int = 1) -> make.Month:
    month = make.play_month(size, is_published=False)
    update_next_list("rapid", at=NOW)
    return month


def test_rated_tournament_shows_its_changes_as_provisional(client: Client) -> None:
    month = rated_month()
    event = month.tournaments[0]
    markup = page(client, f"/tournaments/{event.event_id}/")
    text = text_of(markup)
    assert 'data-list="2026-02-01"' in markup
    assert "Change (provisional)" in text
    assert f'href="/players/{month.hero.pk}/rapid/next/"' in markup
    assert rows(markup)[1][:2] == ["1", "Hero, Hanna"]
    crosstable = text_of(page(client, f"/tournaments/{event.event_id}/crosstable/"))
    assert "Change (provisional)" in crosstable


def test_player_page_shows_the_provisional_rating_and_calculation(client: Client) -> None:
    month = rated_month()
    (coming,) = client.get(f"/players/{month.hero.pk}/").context["coming"]
    assert (coming.kind, coming.row.new_rating, coming.change, coming.tournaments) == ("rapid", 1905, 480, 1)
    assert coming.list_date == make.NEXT_LIST
    calculation = page(client, f"/players/{month.hero.pk}/rapid/next/?articles=1")
    assert 'data-list="2026-02-01"' in calculation
    assert [amount for _articles, amount in lines(calculation)][0::99] == ["1900"]
    assert lines(calculation)[-1][1] == "1905"


def test_one_more_game_is_added_to_the_next_list(client: Client) -> None:
    month = rated_month()
    address = f"/players/{month.hero.pk}/rapid/next/"
    answer = client.get(address, {"opponent": "1900", "score": "1"})
    found, before = answer.context["what_if"]["found"], answer.context["it"]
    assert (found.outcome.pd, found.k, found.points) == (50, 20, 1000)
    assert (found.total, found.rating) == (before.unrounded + 1000, 1915)
    assert 'data-points="1000"' in answer.content.decode()
    for opponent, score in (("9999999", "1"), ("1900", "7"), (str(month.newcomer.pk), "1")):
        asked = client.get(address, {"opponent": opponent, "score": score}).context["what_if"]
        assert (bool(asked["error"]), bool(asked["found"])) == (True, False)


def test_calculation_so_far_of_a_merged_id_is_that_of_the_record_it_stays_with(client: Client) -> None:
    month = rated_month()
    Player.objects.filter(pk=month.newcomer.pk).update(merged_into=month.hero)
    answer = client.get(f"/players/{month.newcomer.pk}/rapid/next/")
    assert (answer.status_code, answer["Location"]) == (302, f"/players/{month.hero.pk}/rapid/next/")


def test_unrated_player_sees_the_games_counted_so_far(client: Client) -> None:
    month = rated_month()
    assert ("6.1.4", "1 / 5") in lines(page(client, f"/players/{month.newcomer.pk}/rapid/next/?articles=1"))


@pytest.mark.parametrize("kind", ["rapid", "blitz"])
def test_next_list_page_has_top_players_changes_and_tournaments(client: Client, kind: str) -> None:
    month = make.play_month(1, kind=kind, is_published=False)
    update_next_list(kind, at=NOW)
    answer = client.get(f"/lists/{kind}/next/")
    markup, shown = answer.content.decode(), answer.context["list"]
    assert rows(markup)[1][:4] == ["1", "Hero, Hanna", month.hero.federation_id, "1905"]
    assert (shown.tournaments, shown.top[0].place, shown.top[0].name) == (1, 1, "Hero, Hanna")
    assert month.tournaments[0].name in text_of(markup)


def test_player_asked_for_on_the_next_list_page_has_the_rating_so_far(client: Client) -> None:
    month = rated_month()
    still = make.player(name="Herold, Still")
    make.entry(rating_list=RatingList.objects.get(kind="rapid"), player=still, rating=1810)
    markup = page(client, "/lists/rapid/next/?q=her")
    found = [row[2:] for row in rows(markup)[1:]]
    assert found == [
        [str(month.hero.pk), "1900", "1905", "▲ +5 gain"],
        [str(still.pk), "1810", "1810", "0"],
    ]
    assert f'href="/players/{still.pk}/rapid/next/"' in markup
    assert client.get("/lists/rapid/next/?q=zzzz").context["found"].players == []


def test_next_list_page_without_any_list_is_not_found(client: Client) -> None:
    assert client.get("/lists/rapid/next/").status_code == 404
    assert client.get("/lists/standard/next/").status_code == 404


def test_next_list_page_before_any_result_names_the_reports_to_come(client: Client) -> None:
    make.play_month(1, is_published=False)
    event = make.tournament(start=date(2026, 1, 20))
    answer = client.get("/lists/rapid/next/")
    shown, (missing,) = answer.context["list"], answer.context["coming"].missing
    assert (shown.tournaments, shown.top, missing) == (0, [], event)
    assert answer.context["missing_states"] == {event.pk: "played"}
    assert 'href="/lists/rapid/2026-01-01/"' in answer.content.decode()


def test_tournament_on_hold_is_excluded_and_says_so(client: Client) -> None:
    month = rated_month()
    event = month.tournaments[0]
    make.put_on_hold(Tournament.objects.all())
    update_next_list("rapid", at=NOW)
    markup = page(client, f"/tournaments/{event.event_id}/")
    assert (codes(markup), "data-list" in markup) == (["question"], False)
    assert not client.get(f"/players/{month.hero.pk}/").context["coming"]
    assert codes(page(client, f"/players/{month.hero.pk}/rapid/next/")) == ["unchanged"]
    (held,) = client.get("/lists/rapid/next/").context["coming"].held
    assert event.name in str(held)


def test_tournament_that_is_not_to_be_rated_shows_no_figures(client: Client) -> None:
    month = rated_month()
    Tournament.objects.update(registration=Registration.NOT_RATED)
    text = text_of(page(client, f"/tournaments/{month.tournaments[0].event_id}/"))
    assert "Change (provisional)" not in text


def test_published_list_replaces_provisional_figures_at_once(client: Client) -> None:
    month = rated_month()
    before = client.get(f"/players/{month.hero.pk}/")
    make.publish("rapid", make.NEXT_LIST)
    after = client.get(f"/players/{month.hero.pk}/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert not after.context["coming"]
    assert "Rapid 1905" in text_of(after.content.decode())
    assert codes(page(client, f"/players/{month.hero.pk}/rapid/next/")) == ["unchanged"]
    tournament = text_of(page(client, f"/tournaments/{month.tournaments[0].event_id}/"))
    assert "provisional" not in tournament


def test_player_page_changes_with_its_provisional_figures(client: Client) -> None:
    month = make.play_month(1, is_published=False)
    before = client.get(f"/players/{month.hero.pk}/")
    update_next_list("rapid", at=NOW)
    after = client.get(f"/players/{month.hero.pk}/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200


def test_provisional_pages_make_no_more_queries_for_three_rows(client: Client) -> None:
    def fill(size: int) -> dict[str, Any]:
        month = rated_month(size)
        return {
            "hero": month.hero.pk, "newcomer": month.newcomer.pk, "event": month.tournaments[0].event_id
        }  # fmt: skip

    shown = pages_of(
        client,
        "/players/{hero}/",
        "/players/{hero}/rapid/next/",
        "/players/{newcomer}/rapid/next/",
        "/lists/rapid/next/",
        "/lists/rapid/next/?q=hero",
        "/tournaments/{event}/",
        "/tournaments/{event}/crosstable/",
    )
    assert find_growing(fill, shown) == {}
