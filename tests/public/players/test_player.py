"""Players: search suggestions, the page of a player, merged and deceased players."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import FederationExclusion, Player
from ratings.next_list import update_next_list
from tests import make
from tests.public.pages import codes, page, rows, text_of

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
    first = make.rating_list()
    for number, name in enumerate(["Müller, Jürgen", "Musterfrau, Maria", "O'Brien, Anna", "Łódź, Ewa"], 1):
        make.entry(
            rating_list=first, rating=2000 - number, player__fide_id=4_700_000 + number, player__name=name
        )
    response = client.get("/players/", {"q": words})
    assert [one.player.name for one in response.context["found"].players] == expected
    assert response.status_code == 200


def test_found_player_is_shown_with_title_and_current_ratings(client: Client) -> None:
    rapid = make.rating_list()
    person = {"player__fide_id": 4_700_001, "player__name": "<b>Sample, Anna", "player__women_title": "WGM"}
    entry = make.entry(rating_list=rapid, rating=2100, **person, player__died_on=date(2026, 1, 5))
    markup = page(client, "/players/?q=sample")
    _head, row = rows(markup)
    birth = str(entry.player.birth_year or "")
    expected = ["WGM <b>Sample, Anna †", entry.player.federation_id, birth, "4700001", "2100", "–", "–"]
    assert row == expected
    assert 'href="/players/4700001/"' in markup
    assert "<b>" not in markup


def test_fide_id_in_the_header_search_redirects_to_the_player(client: Client) -> None:
    player = make.player()
    response = client.get("/search", {"q": f" {player.pk} "})
    assert (response.status_code, response.headers["Location"]) == (302, f"/players/{player.pk}/")


def test_search_finds_tournaments_too(client: Client) -> None:
    month = make.play_month()
    event = month.tournaments[0]
    response = client.get("/search", {"q": event.name.lower()})
    assert [found.event_id for found in response.context["tournaments"]] == [event.event_id]
    by_id = client.get("/search", {"q": event.event_id})
    assert [found.event_id for found in by_id.context["tournaments"]] == [event.event_id]


def test_player_page_shows_ratings_history_and_tournaments(client: Client) -> None:
    month = make.play_month()
    markup = page(client, f"/players/{month.hero.pk}/")
    text = text_of(markup)
    # The wording of the page.
    assert "Rapid 1905 ▲ +5 gain World rank Rank 1 Europe 1 SUI 1" in text
    assert "Highest 1905 Feb 2026 Rated games 1 K 20 View calculation" in text
    assert rows(markup)[1:] == [["February 2026", "1905"], ["January 2026", "1900"]]
    event = month.tournaments[0]
    assert rows(markup, table=1)[1:] == [
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
    assert rows(markup, table=2)[1:] == [
        ["February 2026", "rapid", "1905", "▲ +5 gain", "1", ""],
        ["January 2026", "rapid", "1900", "", "0", "Imported"],
    ]


def test_unrated_player_sees_progress_to_the_initial_rating(client: Client) -> None:
    month = make.play_month()
    answer = client.get(f"/players/{month.newcomer.pk}/")
    markup = answer.content.decode()
    (pool,) = [kind["pool"] for kind in answer.context["kinds"] if kind["pool"]]
    assert (pool.games, pool.missing) == (1, 4)
    event = month.tournaments[0]
    assert rows(markup)[1:] == [[event.name, "Sat 10 Jan 2026", "1", "½", "1900", "March 2028"]]


def test_merged_id_redirects_to_the_remaining_player(client: Client) -> None:
    stands = make.player()
    merged = make.player(merged_into=stands)
    make.rating_list(kind="rapid", date=date(2026, 2, 1))
    response = client.get(f"/players/{merged.pk}/")
    assert (response.status_code, response.headers["Location"]) == (301, f"/players/{stands.pk}/")
    response = client.get(f"/players/{merged.pk}/rapid/2026-02-01/")
    assert response.headers["Location"] == f"/players/{stands.pk}/rapid/2026-02-01/"


def test_death_is_shown_and_the_next_list_excludes_the_player(client: Client) -> None:
    month = make.play_month()
    Player.objects.filter(pk=month.hero.pk).update(died_on=date(2026, 2, 10))
    make.publish("rapid", date(2026, 3, 1))
    markup = page(client, f"/players/{month.hero.pk}/")
    # The last rating with its list, and no rank among those who play.
    assert (codes(markup), 'data-last="2026-02-01"' in markup) == (["died"], True)
    assert ("Died 2026" in text_of(markup), "World rank" in text_of(markup)) == (True, False)
    assert codes(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/")) == ["deceased"]


def test_6_2_2_inactivity_is_said_in_head_and_sentence(client: Client) -> None:
    entry = make.entry(rating_list=make.rating_list(), rating=2100, is_inactive=True)
    answer = client.get(f"/players/{entry.player_id}/")
    assert (answer.context["still"].is_inactive, codes(answer.content.decode())) == (True, ["inactive"])
    assert answer.content.decode().count("#active") == 1


def test_exclusion_of_the_federation_is_shown_and_the_rating_is_kept(client: Client) -> None:
    month = make.play_month()
    FederationExclusion.objects.create(
        federation=month.hero.federation,
        excluded_from=date(2026, 2, 5),
        recorded_at=make.noon(date(2026, 2, 5)),
    )
    make.publish("rapid", date(2026, 3, 1))
    markup = page(client, f"/players/{month.hero.pk}/")
    assert (codes(markup), "Rapid not listed" in text_of(markup)) == (["unlisted"], True)
    assert codes(page(client, f"/players/{month.hero.pk}/rapid/2026-03-01/")) == ["withheld"]


@pytest.mark.slow
def test_birth_date_stays_private(client: Client) -> None:
    month = make.play_month()
    Player.objects.filter(pk=month.hero.pk).update(birth_date=date(1980, 11, 23))
    for address in (f"/players/{month.hero.pk}/", "/players/?q=hero", "/lists/rapid/2026-02-01/"):
        markup = page(client, address)
        assert ("1980" in markup, "1980-11-23" in markup, "23 Nov" in markup) == (True, False, False)


def test_unlisted_player_has_a_page(client: Client) -> None:
    player = make.player(name="")
    markup = page(client, f"/players/{player.pk}/")
    assert (codes(markup), "Ranks" in text_of(markup)) == (["on-no-list"], False)


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
def test_unknown_player_is_a_404(client: Client, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, "FIDE ID 1." in answer.content.decode()) == (404, address == "/players/1/")


def test_chart_shows_one_type_or_all_and_ratings_or_games(client: Client) -> None:
    month = make.play_month()
    blitz = make.rating_list(kind="blitz")
    make.entry(rating_list=blitz, player=month.hero, rating=1700)
    address = f"/players/{month.hero.pk}/"

    def shown(query: str) -> tuple[list[str], list[str]]:
        chart = client.get(address + query).context["chart"]
        return chosen(chart), [str(head) for head in chart["table"].heads]

    assert shown("") == (["All", "1 year", "Ratings"], ["List", "Rapid", "Blitz"])
    assert shown("?kind=blitz&range=3y") == (["Blitz", "3 years", "Ratings"], ["List", "Blitz"])
    assert shown("?kind=rapid&chart=games") == (["Rapid", "Games"], ["List", "Games"])
    assert shown("?kind=other&chart=other") == (["All", "1 year", "Ratings"], ["List", "Rapid", "Blitz"])
    games = client.get(f"{address}?kind=rapid&chart=games").context["chart"]["table"].rows
    assert [[str(cell) for cell in row] for row in games] == [["February 2026", "1"], ["January 2026", "0"]]


def chosen(chart: dict[str, Any]) -> list[str]:
    return [one["label"] for switch in chart["switches"] for one in switch["choices"] if one["current"]]


def test_chart_of_one_type_needs_no_switch_by_type(client: Client) -> None:
    chart = client.get(f"/players/{make.play_month().hero.pk}/?range=all").context["chart"]
    assert chosen(chart) == ["All years", "Ratings"]
    assert [one["url"] for one in chart["switches"][1]["choices"]] == [
        "?range=all#history",
        "?chart=games&range=all#history",
    ]


@pytest.mark.parametrize(
    ("asked", "months"),
    [
        ("", ["February 2026", "February 2025"]),
        ("?range=1y", ["February 2026", "February 2025"]),
        ("?range=3y", ["February 2026", "February 2025", "February 2023"]),
        ("?range=all", ["February 2026", "February 2025", "February 2023", "January 2023"]),
    ],
)
def test_chart_shows_the_years_in_the_address(client: Client, asked: str, months: list[str]) -> None:
    player = make.player()
    for day in (date(2023, 1, 1), date(2023, 2, 1), date(2025, 2, 1), date(2026, 2, 1)):
        make.entry(rating_list=make.rating_list(date=day), player=player, rating=1800)
    chart = client.get(f"/players/{player.pk}/{asked}").context["chart"]
    assert [row[0] for row in chart["table"].rows] == months


def listed_for_years(ratings: dict[date, int | None]) -> Player:
    """Return a player with these ratings on rapid lists, None for lists without one."""
    player = make.player()
    for day, rating in ratings.items():
        rating_list = make.rating_list(date=day)
        if rating:
            make.entry(rating_list=rating_list, player=player, rating=rating)
    return player


def history(client: Client, player: Player, asked: str = "") -> tuple[list[tuple[date, int | None]], bool]:
    context = client.get(f"/players/{player.pk}/{asked}").context
    return [(row.rating_list.date, row.change) for row in context["history"]], context["has_more_history"]


def test_changes_are_those_of_the_range_and_the_highest_rating_that_of_all(client: Client) -> None:
    old, base = date(2022, 12, 1), date(2023, 2, 1)
    also = date(2023, 1, 1)
    years = {old: 1900, also: 1900, base: 1850, date(2023, 3, 1): 1860, date(2026, 2, 1): 1860}
    player = listed_for_years(years)

    assert history(client, player) == ([], True)
    assert history(client, player, "?range=3y") == ([(date(2023, 3, 1), 10)], True)
    assert history(client, player, "?range=all") == (
        [(date(2023, 3, 1), 10), (base, -50), (old, None)],
        False,
    )
    for asked in ("", "?range=all"):
        [kind] = [one for one in client.get(f"/players/{player.pk}/{asked}").context["kinds"] if one["entry"]]
        assert (kind["profile"].highest.rating, kind["profile"].highest.rating_list.date) == (1900, old)


def test_first_change_is_counted_from_the_list_before_the_range(client: Client) -> None:
    player = listed_for_years({date(2022, 11, 1): 1800, date(2023, 5, 1): 1830, date(2026, 2, 1): 1830})
    assert history(client, player, "?range=3y") == ([(date(2023, 5, 1), 30)], True)


def test_games_are_shown_for_two_years(client: Client) -> None:
    player = listed_for_years({date(2024, 3, 1): 1800, date(2024, 4, 1): 1830, date(2026, 2, 1): 1830})
    chart = client.get(f"/players/{player.pk}/?chart=games").context["chart"]
    assert [str(row[0]) for row in chart["table"].rows] == ["February 2026", "April 2024", "March 2024"]


def test_player_who_left_the_lists_years_ago_keeps_the_history(client: Client) -> None:
    first = date(2020, 1, 1)
    player = listed_for_years({first: 1800, date(2020, 2, 1): 1810, date(2026, 2, 1): None})
    kinds = client.get(f"/players/{player.pk}/").context["kinds"]
    assert [kind["profile"].highest.rating for kind in kinds if kind["profile"].highest] == [1810]
    assert history(client, player, "?range=all")[0] == [(date(2020, 2, 1), 10), (first, None)]


def test_provisional_tournament_comes_first(client: Client) -> None:
    month = make.play_month(1)
    event = make.tournament(name="Winter Rapid", start=date(2026, 2, 10))
    make.play_and_rate(event, month.everybody, [(1, 1, 2, "1-0")])
    update_next_list("rapid", at=make.noon(date(2026, 2, 20)))
    row = rows(page(client, f"/players/{month.hero.pk}/"), table=1)[1]
    assert (row[0].split(" rapid")[0], row[-1]) == ("Winter Rapid", "March 2026 provisional")


def test_results_show_strength_and_repeated_opponents(client: Client) -> None:
    month = make.play_month(3)
    record = client.get(f"/players/{month.hero.pk}/").context["record"]
    assert {key: (score.wins, score.draws, score.losses) for key, score in record.by_strength.items()} == {
        "weaker": (9, 0, 0)
    }
    assert [(met.opponent.fide_id, met.score.games) for met in record.most_met] == [
        (player.pk, 3) for player in sorted([*month.others, month.newcomer], key=lambda player: player.name)
    ]
    assert [game.opponent.fide_id for game in record.best_wins] == [
        *[month.others[0].pk] * 3,
        *[month.others[1].pk] * 2,
    ]
