"""The calculation of a list from top to bottom: every figure with its article, every unrated game with its reason."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from players.models import Player
from ratings.calculations.values import Explained
from ratings.models import RatingList
from tests import make
from tests.public.pages import articles, codes, lines, page, rows, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FIRST = date(2026, 1, 1)
NEXT = date(2026, 2, 1)


def rated(rating: int, name: str, *, k: int = 20, kind: str = "rapid") -> Player:
    """Return a player on the first list."""
    rating_list = make.rating_list(kind=kind, date=FIRST)
    player: Player = make.entry(rating_list=rating_list, rating=rating, k_factor=k, player__name=name).player
    return player


def calculation(client: Client, player: Player) -> str:
    """Return the markup with the articles shown."""
    return page(client, f"/players/{player.pk}/rapid/{NEXT}/?articles=1")


def explained_on(client: Client, player: Player) -> Explained:
    found: Explained = client.get(f"/players/{player.pk}/rapid/{NEXT}/").context["it"]
    return found


def test_change_is_shown_from_the_previous_to_the_new_rating(client: Client) -> None:
    hero = rated(2134, "Hero, Hanna")
    others = [rated(rating, f"Other, O{rating}") for rating in (2222, 1600, 2100)]
    event = make.tournament(name="Open of Alphaville")
    guest = make.player(name="Guest, Gail")
    make.play_and_rate(
        event,
        [hero, *others, guest, None],
        [
            (1, 1, 2, "1/2"),
            (2, 3, 1, "0-1"),
            (3, 1, 4, "+-"),
            (4, 1, 5, "1-0"),
            (5, 1, None, "bye"),
            (6, 6, 1, "1-0"),
        ],
    )
    make.publish("rapid", NEXT)
    markup = calculation(client, hero)
    unrated = "The opponent was unrated at the start of the tournament. 7.3.1"
    assert rows(markup)[1:] == [
        ["1", "White against Other, O2222", "2222", "−88", "½", "0.38", "+0.12", "", "▲ +2.4 gain"],
        [
            "2",
            "Black against Other, O1600",
            "1600",
            "534 counts as 400",
            "1",
            "0.92",
            "+0.08",
            "",
            "▲ +1.6 gain",
        ],
        ["3", "Other, O2100 unrated game", "2100", "Score 1. Forfeit: the game was not played. 4.1"],
        ["4", "White against Guest, Gail unrated game", "unrated", f"Score 1. {unrated}"],
        ["5", "no opponent unrated game", "", "No opponent in this round. 4.1"],
        ["6", "Black against Guest 6 unrated game", "unrated", f"Score 0. {unrated}"],
        ["", "2 rated games", "", "", "1½", "1.30", "+0.20", "", "▲ +4.0 gain"],
    ]
    assert markup.count('<tr class="struck"') == 4
    assert lines(markup) == [
        ("6.1", "2134"),
        ("7.3.2", "▲ +4.0 gain"),
        ("7.3.4", "▲ +4 gain"),
        ("7.3.4", "2138"),
    ]
    assert "K = 20: 30 or more rated games, and never rated 2400 or higher. 7.3.3" in text_of(markup)


def test_sentence_and_sum_are_those_of_the_stored_games(client: Client) -> None:
    hero = rated(2134, "Hero, Hanna")
    others = [rated(rating, f"Other, O{rating}") for rating in (2222, 1600, 2100)]
    make.play_and_rate(
        make.tournament(), [hero, *others], [(1, 1, 2, "1/2"), (2, 3, 1, "1-0"), (3, 1, 4, "1-0")]
    )
    make.publish("rapid", NEXT)
    it = explained_on(client, hero)
    (event,) = it.events
    assert (it.half_points, it.expected, it.change_before_k, it.k_used) == (3, 185, -35, 20)
    assert 50 * it.half_points - it.expected == it.change_before_k == event.participation.change
    assert sum(game.points or 0 for game in event.counting) == event.points == it.unrounded == -700
    assert it.totals[-1] == 213400 - 700
    answer = client.get(f"/players/{hero.pk}/rapid/{NEXT}/")
    shown = answer.context
    assert (shown["telling"], shown["decimals"]) == (event.games[1], 1)
    # All three have one surname.
    assert shown["telling_name"] == others[1].name
    assert [shown["bar"](game) for game in event.games] == [(60, 8), (2, 58), (60, 28)]
    markup = answer.content.decode()
    assert ('data-sum="-700"' in markup, 'data-telling="2"' in markup) == (True, True)


def test_articles_are_shown_on_request_only(client: Client) -> None:
    month = make.play_month()
    plain = page(client, f"/players/{month.hero.pk}/rapid/{NEXT}/")
    assert ('class="article"' in plain, "?articles=1" in plain) == (False, True)
    assert 'class="article"' in calculation(client, month.hero)


def test_tournaments_and_corrections_add_up_to_the_sum(client: Client) -> None:
    hero, other = rated(1800, "Hero, Hanna", k=15), rated(1900, "Other, Otto")
    for place in range(2):
        event = make.tournament(start=date(2026, 1, 5 + 3 * place))
        make.play_and_rate(event, [hero, other], [(1, 1, 2, "1-0"), (2, 2, 1, "1-0")])
    make.publish("rapid", NEXT)
    shown = client.get(f"/players/{hero.pk}/rapid/{NEXT}/").context
    assert len(shown["added_events"]) == 2
    # Every game gave the same.
    assert shown["telling"] is None
    assert sum(event.points for event in shown["added_events"]) == shown["it"].unrounded
    assert shown["decimals"] == 1


def test_own_page_speaks_to_the_player(client: Client) -> None:
    month = make.play_month()
    client.force_login(make.claim(player=month.hero).asked_by)
    for player, is_own in ((month.hero, True), (month.others[0], False)):
        answer = client.get(f"/players/{player.pk}/rapid/{NEXT}/")
        assert (answer.context["is_own"], "private" in answer["Cache-Control"]) == (is_own, True)


def test_k_is_reduced_where_games_times_k_exceeds_700(client: Client) -> None:
    hero, other = rated(1800, "Hero, Hanna"), rated(1800, "Other, Otto")
    for place in range(3):
        event = make.tournament(start=date(2026, 1, 5 + 3 * place))
        make.play_and_rate(event, [hero, other], [(number, 1, 2, "1-0") for number in range(1, 14)])
    make.publish("rapid", NEXT)
    shown = lines(calculation(client, hero))
    assert shown.count(("7.3.2", "▲ +110.5 gain")) == 3
    assert shown[-2] == ("7.3.4", "▲ +332 gain")
    it = explained_on(client, hero)
    assert (it.k_used, it.games, it.unrounded) == (17, 39, 33150)


def test_initial_rating_is_shown_step_by_step(client: Client) -> None:
    others = [rated(1800, f"Other, O{place}") for place in range(5)]
    newcomer = make.player(name="Newcomer, Nora")
    make.play_and_rate(
        make.tournament(name="Open of Alphaville"),
        [newcomer, *others],
        [(number, 1, number + 1, "1-0" if number < 4 else "0-1") for number in range(1, 6)],
    )
    make.publish("rapid", NEXT)
    markup = calculation(client, newcomer)
    text = text_of(markup)
    assert rows(markup, table=1)[1:] == [["Open of Alphaville", "Sat 10 Jan 2026", "5", "3", "9000"]]
    for line in (
        "5 games against rated opponents, score 6.1.4 3",
        "Ra = (9000 + 2 × 1800) ÷ (5 + 2): opponents and two hypothetical opponents rated 1800 7.2.3 1800",
        "p = (3 + 1) ÷ (5 + 2), to hundredths D-7 0.57",
        "dp from the table, for this p 7.1.1 +50",
        "Ru = Ra + dp, rounded to the nearest whole number 7.2.4 1850",
        "Rating in February 2026 7.2.4 1850",
        "K = 40: fewer than 30 rated games. 7.3.3",
    ):
        assert line in text
    assert sum_of_initial(markup) == ["1800", "50", "1850"]


def sum_of_initial(markup: str) -> list[str]:
    """Return the figures of the sum that leads to a first rating."""
    sheet = markup.partition("data-initial=")[2].partition("</section>")[0]
    return re.findall(r'<b class="[^"]*heading[^"]*">([^<]*)</b>', sheet)[:3]


def test_text_of_2022_is_shown_with_its_own_articles(client: Client) -> None:
    first = make.rating_list(kind="rapid", date=date(2023, 5, 1))
    others = [
        make.entry(rating_list=first, rating=1800, player__name=f"O{place}").player for place in range(5)
    ]
    newcomer = make.player()
    event = make.tournament(start=date(2023, 5, 6))
    make.play_and_rate(event, [newcomer, *others], [(number, 1, number + 1, "1-0") for number in range(1, 6)])
    make.publish("rapid", date(2023, 6, 1))
    markup = page(client, f"/players/{newcomer.pk}/rapid/2023-06-01/?articles=1")
    shown = lines(markup)
    assert [line for line in (("7.23", "1800"), ("7.24", "+100")) if line not in shown] == []
    # 20 points for each half point over 50 %, of no p of the table: the sum names none.
    assert sum_of_initial(markup) == ["1800", "100", "1900"]
    assert "p =" not in text_of(markup.partition("data-initial=")[2].partition("</section>")[0])
    text = text_of(page(client, f"/players/{others[0].pk}/rapid/2023-06-01/"))
    assert "No game of this tournament" not in text


def test_standard_rating_is_used_without_one_of_the_type(client: Client) -> None:
    guest = rated(1850, "Guest, Gail", kind="standard")
    other = rated(1900, "Other, Otto")
    make.play_and_rate(make.tournament(), [guest, other], [(1, 1, 2, "1-0")])
    make.publish("rapid", NEXT)
    markup = calculation(client, guest)
    shown = lines(markup)
    assert [line for line in (("7.2.1", "1850"), ("D-5", "1850")) if line not in shown] == []
    assert (shown[-1], {"7.3.3", "D-21"} <= articles(markup)) == (("7.2.1", "1873"), True)
    assert rows(calculation(client, other))[1][1].endswith("7.2.1")


def test_zero_in_the_first_event_is_disregarded(client: Client) -> None:
    other, newcomer = rated(1900, "Other, Otto"), make.player()
    make.play_and_rate(make.tournament(), [newcomer, other], [(1, 1, 2, "0-1")])
    make.publish("rapid", NEXT)
    assert lines(calculation(client, newcomer))[-1] == ("7.2.2", "unrated")


def test_rating_under_the_floor_is_lost(client: Client) -> None:
    weak, strong = rated(1400, "Weak, Wim"), rated(1500, "Strong, Stan")
    make.play_and_rate(make.tournament(), [weak, strong], [(1, 1, 2, "0-1"), (2, 2, 1, "1-0")])
    make.publish("rapid", NEXT)
    markup = calculation(client, weak)
    assert (codes(markup), ("6.2.1", "unrated") in lines(markup)) == (["below-floor"], True)


def test_list_without_games_names_the_last_game(client: Client) -> None:
    hero, other = rated(1800, "Hero, Hanna"), rated(1900, "Other, Otto")
    event = make.tournament()
    make.play_and_rate(event, [hero, other], [(1, 1, 2, "1-0")])
    make.publish("rapid", NEXT)
    make.publish("rapid", date(2026, 3, 1))
    answer = client.get(f"/players/{hero.pk}/rapid/2026-03-01/")
    last = answer.context["last"]
    assert (last.event, last.active_until) == (event, date(2027, 1, 1))
    assert codes(answer.content.decode()) == ["unchanged"]
    assert [other.change for other in answer.context["it"].others] == [0, 13, None]


def test_list_without_games_names_the_last_game_of_a_merged_id(client: Client) -> None:
    first = make.rating_list()
    going, staying, *others = (make.entry(rating_list=first, rating=1800).player for _ in range(4))
    events = [make.tournament(start=date(2026, month, 10)) for month in (1, 2)]
    for event, pair in zip(events, ([staying, others[0]], [going, others[1]]), strict=True):
        make.play_and_rate(event, pair, [(1, 1, 2, "1-0")])
        make.publish_after(event)
    make.merge_by_two(
        going, into=staying, reason="One person", by=make.person("staff"), at=make.noon(date(2026, 3, 5))
    )
    for month in (4, 5):
        make.publish("rapid", date(2026, month, 1))
    last = client.get(f"/players/{staying.pk}/rapid/2026-05-01/").context["last"]
    assert (last.event, last.active_until) == (events[1], date(2027, 2, 1))
    before = client.get(f"/players/{staying.pk}/rapid/2026-03-01/").context["last"]
    assert before.event == events[0]


def test_d102_list_without_games_names_no_game_that_a_correction_took_away(client: Client) -> None:
    pair = [rated(1800, "Hero, Hanna"), rated(1900, "Other, Otto")]
    events = [make.tournament(start=date(2026, month, 10)) for month in (1, 2)]
    for event in events:
        make.play_and_rate(event, pair, [(1, 1, 2, "1-0")])
        make.publish_after(event)
    make.correct_report(events[1], None, reason="It was no tournament.", on=date(2026, 3, 5))
    for month in (4, 5):
        make.publish("rapid", date(2026, month, 1))
    last = client.get(f"/players/{pair[0].pk}/rapid/2026-05-01/").context["last"]
    assert (last.event, last.active_until) == (events[0], date(2027, 1, 1))


def test_list_without_games_says_that_the_rating_is_carried_over(client: Client) -> None:
    idle = rated(1750, "Idle, Ida")
    make.publish("rapid", NEXT)
    markup = calculation(client, idle)
    assert (codes(markup), lines(markup)[-1]) == (["unchanged"], ("", "1750"))


def test_rating_of_a_player_who_returns_is_not_called_initial(client: Client) -> None:
    player = rated(1800, "Return, Rita")
    reason = "A namesake."
    told = {"reason": reason, "by": None}
    make.correct_player(player, {"died_on": date(2026, 1, 20)}, at=make.noon(date(2026, 1, 25)), **told)
    make.publish("rapid", NEXT)
    make.publish("rapid", date(2026, 3, 1))
    player.refresh_from_db()
    make.correct_player(player, {"died_on": None}, at=make.noon(date(2026, 3, 10)), **told)
    make.publish("rapid", date(2026, 4, 1))
    markup = page(client, f"/players/{player.pk}/rapid/2026-04-01/?articles=1")
    text = text_of(markup)
    assert (("D-11", "1800.00") in lines(markup), reason in text, "nitial rating" in text) == (
        True,
        True,
        False,
    )
    assert codes(markup) == ["corrected-first"]


def test_imported_list_says_that_it_has_no_calculation(client: Client) -> None:
    player = rated(1750, "Player, Pat")
    answer = client.get(f"/players/{player.pk}/rapid/{FIRST}/")
    assert (codes(answer.content.decode()), answer.context["it"].previous) == (["imported"], None)


def test_k_outside_the_rules_is_that_of_the_imported_list(client: Client) -> None:
    hero, other = rated(1800, "Hero, Hanna", k=15), rated(1800, "Other, Otto")
    make.play_and_rate(make.tournament(), [hero, other], [(1, 1, 2, "1-0")])
    make.publish("rapid", NEXT)
    assert "D-12" in articles(calculation(client, hero))


def test_player_not_on_a_list_has_no_calculation(client: Client) -> None:
    month = make.play_month()
    stranger = make.player()
    for player, on in ((stranger, "2026-02-01"), (month.newcomer, "2026-01-01")):
        assert client.get(f"/players/{player.pk}/rapid/{on}/").status_code == 404
    assert client.get(f"/players/{month.hero.pk}/blitz/2026-02-01/").status_code == 404
    assert client.get(f"/players/{month.hero.pk}/rapid/2026-03-01/").status_code == 404


def test_every_reference_links_to_its_meaning(client: Client) -> None:
    month = make.play_month()
    meanings = page(client, "/rules/reasons/")
    for player in (month.hero, month.newcomer):
        markup = page(client, f"/players/{player.pk}/rapid/2026-02-01/?articles=1")
        targets = {part.partition('"')[0] for part in markup.split('href="/rules/reasons/#')[1:]}
        assert targets != set()
        assert [target for target in targets if f'id="{target}"' not in meanings] == []


def test_round_robin_of_unrated_players_explains_unrated_games(client: Client) -> None:
    players = [make.player() for _ in range(3)]
    make.rating_list()
    make.play_and_rate(make.tournament(), players, make.round_robin(3))
    make.publish("rapid", NEXT)
    assert RatingList.objects.get(date=NEXT).listed == 0
    markup = calculation(client, players[0])
    assert (codes(markup), lines(markup)[-1][1]) == (["no-game"], "unrated")
