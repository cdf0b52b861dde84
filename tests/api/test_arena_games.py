"""Games of arenas: each recorded once, with its own result, only with the arena's own token."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arenas.models import Arena, ArenaToken, Game
from arenas.tokens import issue_token, revoke_token
from tests.api.conftest import ARENAS, Get, Post, assert_promised
from tests.arenas.played import AT, enrol, sent

pytestmark = pytest.mark.django_db


def test_one_game_is_rated_and_answered_with_both_changes(arena: Arena, post: Post) -> None:
    answer = post(sent(1, "ada", "ben", "1-0"))

    assert {name: answer[name] for name in ("recorded", "known", "refused", "rated", "late")} == {
        "recorded": 1,
        "known": 0,
        "refused": 0,
        "rated": 1,
        "late": 0,
    }
    (row,) = answer["games"]
    assert (row["id"], row["status"], row["reasons"], row["game"]["rated"]) == ("g0001", "recorded", [], True)
    white = row["game"]["white"]
    assert (white["before"], white["after"], white["change"]) == ("1800.00", "1807.20", "7.20")
    assert [step["key"] for step in white["steps"]] == [
        "difference-D-41",
        "change-3.9.1",
        "k20-3.10.1",
        "new-rating-3.9.2",
    ]
    assert white["steps"][3]["text"] == "1800.00 + 7.20 = 1807.20."
    assert row["game"]["black"]["change"] == "-7.20"


@pytest.mark.parametrize("wrap", [list, lambda games: {"games": games}])
def test_batch_is_answered_as_sent_and_rated_by_end(arena: Arena, post: Post, wrap: Any) -> None:
    answer = post(wrap([sent(2, "ben", "ada", "1-0"), sent(1, "ada", "ben", "1-0")]))

    assert [row["id"] for row in answer["games"]] == ["g0002", "g0001"]
    assert answer["games"][0]["game"]["black"]["before"] == "1807.20"
    assert answer["late"] == 0


def test_only_the_invalid_game_is_refused(arena: Arena, post: Post) -> None:
    enrol(Arena.objects.get(slug="flyordie"), "ada2")
    broken = [
        {"id": "x", "white": "ada"},
        sent(2, "ada", "eve", "1-0"),
        "no game",
        sent(3, "ada", "ben", "2-0", played_at="yesterday"),
        sent(4, "ada", "ben", "1-0", played_at="2031-01-01T12:00:00Z"),
        sent(5, "ada", "ada2", "1-0"),
    ]

    answer = post([*broken, sent(1, "ada", "ben", "1-0")])

    assert [row["status"] for row in answer["games"]] == ["refused"] * 6 + ["recorded"]
    assert "played_at" in answer["games"][0]["reasons"][0]
    (unknown,) = answer["games"][1]["reasons"]
    assert ("foa-rbb" in unknown, "'eve'" in unknown) == (True, True)
    assert (answer["games"][2]["id"], len(answer["games"][2]["reasons"])) == (None, 1)
    assert len(answer["games"][3]["reasons"]) == 2
    assert "5 minutes" in answer["games"][4]["reasons"][0]
    assert (answer["recorded"], answer["refused"], Game.objects.count()) == (1, 6, 1)


def test_unrated_game_has_a_reason(arena: Arena, post: Post) -> None:
    answer = post(sent(1, "ada", "ben", "1-0", time_control="7+7"))

    game = answer["games"][0]["game"]
    assert (game["rated"], game["unrated"], game["category"]) == (False, "unrated-time-control-2.3", "")
    assert "7+7" in game["reason"]
    assert game["white"]["change"] is None


def test_batch_of_500_takes_a_few_queries(
    arena: Arena, post: Post, django_assert_max_num_queries: Any
) -> None:
    post([sent(number, "ada", "ben", "1/2-1/2") for number in range(1, 6)])

    with django_assert_max_num_queries(40):
        answer = post([sent(number, "ada", "ben", "1/2-1/2") for number in range(6, 506)])

    assert answer["recorded"] == 500


def test_arena_token_opens_its_own_arena_only(arena: Arena, post: Post, arena_token: str) -> None:
    game = sent(1, "ada", "ben", "1-0")
    other = issue_token(Arena.objects.get(slug="flyordie"), name="other", at=timezone.now())[0]

    missing, unknown = (post(game, bearer=bearer, status=401)["detail"] for bearer in ("", "guessed"))
    assert "flyordie" in post(game, bearer=other, status=403)["detail"]
    post(game, slug="nowhere", status=404)
    revoke_token(ArenaToken.objects.get(arena=arena), at=AT)
    assert (post(game, status=401)["detail"], missing == unknown) == (unknown, False)
    assert Game.objects.count() == 0


def test_missing_token_is_a_401_with_a_challenge(client: Client, arena: Arena) -> None:
    response = client.post(f"{ARENAS}/{arena.slug}/games", "{}", content_type="application/json")

    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert response["Content-Type"] == "application/problem+json"
    assert response["RateLimit-Limit"] == "600"


def test_token_use_is_recorded_without_its_text(arena: Arena, post: Post, arena_token: str) -> None:
    post(sent(1, "ada", "ben", "1-0"))

    stored = ArenaToken.objects.get(arena=arena)
    assert stored.last_used_at is not None
    assert stored.last_used_at - AT > timedelta(0)
    assert arena_token not in repr(vars(stored))


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ("{", 400, "The body is not JSON"),
        ("", 400, "Invalid values. See `errors`."),
        ("{}", 400, "Invalid values. See `errors`."),
        ('{"id": NaN}', 400, "The body is not JSON: NaN is not a JSON value."),
        ('{"id": 1, "id": 2}', 400, "The body is not JSON: a name appears more than once in the object."),
        (b"\xff", 400, "The body is not UTF-8."),
        ("[" * 100_000, 400, "The body is not JSON"),
        ("[]", 400, "Invalid values. See `errors`."),
        ("7", 400, "Invalid values. See `errors`."),
        ("[" + ",".join(["{}"] * 1001) + "]", 400, "Invalid values. See `errors`."),
        (b" " * (4 * 1024 * 1024 + 1), 413, "The body is larger than 4 MiB. Send several smaller requests."),
    ],
)
def test_invalid_batch_body_is_a_problem(post: Post, body: Any, status: int, detail: str) -> None:
    assert post(body, status=status)["detail"].startswith(detail)


def test_body_of_another_kind_is_a_415(client: Client, arena: Arena, arena_token: str) -> None:
    headers = {"authorization": f"Bearer {arena_token}"}
    response = client.post(f"{ARENAS}/{arena.slug}/games", "x", content_type="text/csv", headers=headers)

    assert response.status_code == 415


def test_game_rate_is_in_the_headers(client: Client, arena: Arena, post: Post, settings: Any) -> None:
    response = client.get(f"{ARENAS}/{arena.slug}/games")
    assert response["RateLimit-Limit"] == "600"
    assert response["RateLimit-Policy"] == "600;w=60"
    cache.clear()


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=st.sampled_from(sorted({**sent(1, "ada", "ben", "1-0"), "disconnected": None})), value=VALUES)
def test_no_value_causes_a_server_error(post: Post, name: str, value: Any) -> None:
    cache.clear()
    (row,) = post([{**sent(1, "ada", "ben", "1-0"), name: value}])["games"]

    assert row["status"] in ("recorded", "known", "refused")
    assert bool(row["reasons"]) == (row["status"] == "refused")


def test_pages_are_linked(get_arena: Get) -> None:
    first = get_arena("/foa-rbb/games?limit=2")
    cursor = first["next"].partition("cursor=")[2].partition("&")[0]
    second = get_arena(f"/foa-rbb/games?limit=2&cursor={cursor}")

    assert [row["id"] for row in first["results"] + second["results"]] == ["g0003", "g0002", "g0001"]
    assert second["next"] is None


def test_answer_to_a_batch_matches_the_schema(played: Arena, post: Post) -> None:
    answer = post([sent(1, "ada", "ben", "1-0"), sent(9, "ada", "ben", "1-0"), {}])

    assert_promised(answer, "/arenas/{arena}/games", "post")
