"""Recording games: each once, in the order of their end, explained, late ones marked."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import combinations, permutations
from random import Random

import pytest
from django.db import transaction

from arenas.games import KNOWN, RECORDED, REFUSED, cancel_game, describe_game, record_stream
from arenas.models import Arena, Change, Game
from arenas.standings import arena_list
from tests.arenas.played import AT, START, enrol, everything, game, ratings, record

pytestmark = [pytest.mark.django_db, pytest.mark.page]
# `CANCELLED_WORLDS=100 pytest ...` for a long run, which cancels in every order.
WORLDS = int(os.environ.get("CANCELLED_WORLDS", "1"))


@pytest.mark.database
def test_won_game_changes_both_exact_ratings(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)

    answers = record(arena, game(1, "ada", "ben", "1-0"))

    assert [answer.status for answer in answers] == [RECORDED]
    assert ratings(arena, "rapid") == {"ada": "1807.20", "ben": "1692.80"}
    assert ratings(arena, "blitz") == {"ada": "1800.00", "ben": "1700.00"}
    stored = Game.objects.get()
    assert (stored.category, stored.unrated, stored.is_late) == ("rapid", "", False)
    assert stored.explanation["white"]["before"] == "1800.00"
    assert stored.explanation["white"]["after"] == "1807.20"
    assert [step["key"] for step in stored.explanation["white"]["steps"]] == [
        "difference-D-41",
        "change-3.9.1",
        "k20-3.10.1",
        "new-rating-3.9.2",
    ]


def test_changes_in_explanations_have_a_sign(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)
    record(arena, game(1, "ada", "ben", "1-0"))

    shown = describe_game(arena.rules, Game.objects.select_related("white", "black").get())

    last = [side.steps[-1].text for side in (shown.white, shown.black)]
    assert last == ["1800.00 + 7.20 = 1807.20.", "1700.00 − 7.20 = 1692.80."]


def test_lost_game_of_the_first_20_is_explained_with_its_minus(chess_online: Arena) -> None:
    enrol(chess_online, "ada", "ben")
    record(chess_online, game(1, "ada", "ben", "0-1"))

    shown = describe_game(chess_online.rules, Game.objects.select_related("white", "black").get())

    assert shown.white.steps[0].key == "shown-1200-first-5-games"
    assert "1200 − 200" in shown.white.steps[2].text


@pytest.mark.database
def test_same_batch_twice_changes_nothing(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)
    games = [game(1, "ada", "ben", "1-0"), game(2, "ben", "ada", "1/2-1/2")]
    record(arena, *games)
    before = everything(arena)

    answers = record(arena, *games)

    assert [answer.status for answer in answers] == [KNOWN, KNOWN]
    assert everything(arena) == before


def test_game_twice_in_a_batch_is_one_game(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)

    answers = record(arena, game(1, "ada", "ben", "1-0"), game(1, "ada", "ben", "1-0"))

    assert [answer.status for answer in answers] == [RECORDED, KNOWN]
    assert ratings(arena, "rapid") == {"ada": "1807.20", "ben": "1692.80"}


def test_known_id_with_another_result_is_refused(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)
    record(arena, game(1, "ada", "ben", "1-0"))

    answer = record(arena, game(1, "ada", "ben", "0-1", moves=61))[0]

    assert answer.status == REFUSED
    assert re.fullmatch(".* another result, moves", answer.reasons[0])
    assert ratings(arena, "rapid") == {"ada": "1807.20", "ben": "1692.80"}


def test_unknown_member_refuses_that_game_alone(flyordie: Arena) -> None:
    answers = record(flyordie, game(1, "ada", "eve", "1-0"), game(2, "ada", "ben", "1-0"))

    assert [answer.status for answer in answers] == [REFUSED, RECORDED]
    assert [name in answers[0].reasons[0] for name in ("flyordie", "'eve'")] == [True, True]


def test_batch_is_rated_in_the_order_of_the_ends(flyordie: Arena) -> None:
    games = [
        game(1, "ada", "ben", "1-0"),
        game(2, "ada", "cyd", "1-0"),
        game(3, "ben", "cyd", "0-1"),
        game(4, "ada", "ben", "1/2-1/2", played_at=(START + timedelta(hours=3)).isoformat()),
    ]
    record_stream(flyordie, games[::-1], at=AT)

    order = Change.objects.order_by("pk").values_list("game__arena_game_id", flat=True).distinct()
    assert list(dict.fromkeys(order)) == ["g0001", "g0002", "g0003", "g0004"]
    assert Game.objects.filter(is_late=True).count() == 0


def test_late_game_is_rated_on_arrival_and_says_so(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700, cyd=1750)
    record(arena, game(2, "ada", "ben", "1-0"))

    record(arena, game(1, "ada", "cyd", "0-1"), game(3, "cyd", "ben", "1/2-1/2"))

    late = {str(row.arena_game_id): row.is_late for row in Game.objects.all()}
    assert late == {"g0001": True, "g0002": False, "g0003": False}
    assert Game.objects.get(arena_game_id="g0001").explanation["white"]["before"] == "1807.20"


def test_d_147_late_game_belongs_to_its_series_whatever_came_in_between(flyordie: Arena) -> None:
    record(flyordie, game(1, "ada", "ben", "1-0", id="first", played_at="2026-01-10T12:00:00Z"))
    record(flyordie, game(2, "ada", "cyd", "1-0", id="other", played_at="2026-01-11T18:00:00Z"))
    for number in (2, 3):
        when = f"2026-01-10T1{number + 1}:00:00Z"
        made = record(flyordie, game(number, "ada", "ben", "1-0", id=f"late{number}", played_at=when))[0].game
        assert made is not None
        steps = {step["key"]: step["figures"] for step in made.explanation["white"]["steps"]}
        assert (made.is_late, steps["series-D-60"]["games"]) == (True, number)


def test_game_that_ended_at_the_same_instant_is_late_by_its_id(flyordie: Arena) -> None:
    record(flyordie, game(2, "ada", "ben", "1-0", played_at=START.isoformat()))

    record(flyordie, game(1, "ada", "ben", "1-0", played_at=START.isoformat()))

    assert list(Game.objects.order_by("arena_game_id").values_list("is_late", flat=True)) == [True, False]


@pytest.mark.parametrize(
    ("white", "black", "values", "key"),
    [
        ("ada", "ben", {"time_control": "10+5"}, "unrated-time-control-2.3"),
        ("ada", "guest", {}, "unrated-not-full-member-2.1"),
        ("new", "newer", {}, "both-unrated-3.6"),
    ],
)
def test_game_that_the_rules_leave_out_is_recorded_with_the_reason(
    rated: Callable[..., Arena], white: str, black: str, values: dict[str, str], key: str
) -> None:
    arena = rated(ada=1800, ben=1700, new=None, newer=None)
    enrol(arena, "guest", full_member=False)
    before = ratings(arena, "rapid")

    answer = record(arena, game(1, white, black, "1-0", **values))[0]

    assert (answer.status, Game.objects.get().unrated) == (RECORDED, key)
    assert Game.objects.get().explanation["white"]["steps"][0]["key"] == key
    assert ratings(arena, "rapid") == before


@pytest.mark.parametrize(
    ("played_at", "reason"),
    [
        (AT + timedelta(minutes=5, seconds=1), "more than 5 minutes after now"),
        (AT.replace(year=2031), "more than 5 minutes after now"),
        (START.replace(day=4, hour=23), "'ada' joined on 2026-01-05"),
    ],
)
def test_d_105_game_that_ended_ahead_or_before_a_member_joined_is_refused(
    rated: Callable[..., Arena], played_at: datetime, reason: str
) -> None:
    arena = rated(ada=1800, ben=1700)

    answer = record(arena, game(1, "ada", "ben", "1-0", played_at=played_at.isoformat()))[0]

    assert answer.status == REFUSED
    assert reason in answer.reasons[0]
    assert (Game.objects.count(), Change.objects.filter(cause="game").count()) == (0, 0)


@pytest.mark.parametrize("played_at", [AT + timedelta(minutes=5), START.replace(day=5, hour=0)])
def test_d_105_arenas_clock_may_be_five_minutes_ahead(
    rated: Callable[..., Arena], played_at: datetime
) -> None:
    arena = rated(ada=1800, ben=1700)

    assert record(arena, game(1, "ada", "ben", "1-0", played_at=played_at.isoformat()))[0].status == RECORDED


def test_disconnected_player_has_lost_2_4(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1800)

    record(arena, game(1, "ada", "ben", "1-0", disconnected="white"))

    assert ratings(arena, "rapid") == {"ben": "1810.00", "ada": "1790.00"}


def test_1799_6_and_0_6_is_shown_as_1800_twice_3_14(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1260)
    rating = arena.members.get(handle="ada").ratings.get(category="rapid")
    rating.state["rating"] = rating.hundredths = 1799_60
    rating.save(update_fields=["state", "hundredths"])
    before = arena_list(arena, category="rapid")[0]

    record(arena, game(1, "ada", "ben", "1-0"))

    after = arena_list(arena, category="rapid")[0]
    assert [(row.rating, row.shown) for row in (before, after)] == [("1799.60", 1800), ("1800.20", 1800)]


def test_short_game_has_no_effect_d_51(chess_online: Arena) -> None:
    enrol(chess_online, "ada", "ben")

    record(chess_online, game(1, "ada", "ben", "1-0", moves=2))

    assert Game.objects.get().unrated == "short-game-D-51"
    assert ratings(chess_online) == {"ada": "1200", "ben": "1200"}
    assert Change.objects.count() == 0


def test_straight_wins_of_equals_give_16_24_28_30_31_d_60(flyordie: Arena) -> None:
    for handle in ("ada", "ben"):
        rating = flyordie.members.get(handle=handle).ratings.get()
        rating.state |= {"rating": 1000, "games": 20}
        rating.hundredths, rating.games = 1000_00, 20
        rating.save()

    given = []
    for number in range(1, 6):
        record(flyordie, game(number, "ada", "ben", "1-0"))
        given.append(ratings(flyordie)["ada"])

    assert given == ["1016", "1024", "1028", "1030", "1031"]


def test_arenas_own_window_ends_a_series(flyordie: Arena) -> None:
    flyordie.parameters = {"series_window_hours": 1}
    flyordie.save()

    record(flyordie, game(1, "ada", "ben", "1-0"), game(2, "ada", "ben", "1-0"))

    state = flyordie.members.get(handle="ada").ratings.get().state
    assert [series["games"] for series in state["series"]] == [1]


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["foa-rbb", "chess-online", "flyordie"])
@pytest.mark.parametrize("seed", range(WORLDS))
def test_d_88_what_remains_does_not_depend_on_the_order_of_cancelling(
    rated: Callable[..., Arena], chess_online: Arena, flyordie: Arena, slug: str, seed: int
) -> None:
    random = Random(seed)
    arena = rated(ada=1500, ben=1700, new=None, low=110)
    if slug != "foa-rbb":
        arena = {"chess-online": chess_online, "flyordie": flyordie}[slug]
        enrol(arena, "ada", "ben", "new", "low")
    pairs = [pair for pair in combinations(["ada", "ben", "new", "low"], 2) if pair != ("ada", "ben")]
    results = ["1-0", "0-1", "1/2-1/2"]
    games = [game(number, *random.choice(pairs), random.choice(results)) for number in range(45)]
    for batch in (games[:15], games[15:30], games[30:]):
        answers = record(arena, *batch)
        assert {answer.status for answer in answers} == {RECORDED}, [answer.reasons for answer in answers]
    some = random.sample(list(Game.objects.order_by("pk")), 4)
    found = []
    for order in random.sample([*permutations(some)], 24 if WORLDS > 1 else 5):
        with transaction.atomic():
            for item in order:
                cancel_game(Game.objects.get(pk=item.pk), reason="Fair Play", at=AT)
            found.append(everything(arena)[1])
            transaction.set_rollback(True)
    without_versions = [[row[:-1] for row in rows] for rows in found]
    assert all(rows == without_versions[0] for rows in without_versions)


@pytest.mark.database
def test_d_88_first_rating_is_calculated_from_the_games_that_stand(rated: Callable[..., Arena]) -> None:
    """Five draws with 1500 give 1500; the first and the fifth are cancelled in either order: three are left."""
    for first in (1, 5):
        with transaction.atomic():
            arena = rated(ada=1500, new=None)
            for number in range(1, 6):
                record(arena, game(number, "ada", "new", "1/2-1/2"))
            assert ratings(arena, "rapid")["new"] == "1500.00"
            for number in (first, 6 - first):
                cancel_game(Game.objects.get(arena_game_id=f"g{number:04}"), reason="Fair Play", at=AT)
            state = arena.members.get(handle="new").ratings.get(category="rapid").state
            assert (state["rating"], state["games"], state["opponents_sum"]) == (None, 3, 4500_00)
            transaction.set_rollback(True)
