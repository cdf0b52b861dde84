"""Arenas in the admin: FIDE staff alone, parameters checked, tokens shown once, games cancelled visibly."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arenas.arena_form import ArenaForm
from arenas.models import Arena, ArenaToken, Change, Game
from arenas.sentences import sentences
from arenas.tokens import issue_token, token_arena
from tests import make
from tests.arenas.played import AT, enrol, game, ratings, record
from tests.codes import codes_of_form, refusal

pytestmark = [pytest.mark.django_db, pytest.mark.page]
PAGES = ("arena", "arenatoken", "member", "game", "arenalist")


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make.person("staff"))
    return client


@pytest.fixture
def played(rated: Callable[..., Arena]) -> Arena:
    arena = rated(ada=1800, ben=1700)
    record(arena, game(1, "ada", "ben", "1-0"))
    return arena


def _save(staff: Client, arena: Arena, **parameters: str) -> Any:
    address = reverse("admin:arenas_arena_change", args=[arena.pk])
    return staff.post(address, {"name": arena.name} | parameters)


HOURS = "Series window: enter a whole number of hours from 1 to 8784."
NO_CONTROL = "is not a time control. Enter minutes plus seconds per move, for example 10+5."
EXAMPLE = "enter a category, a colon and its time controls, for example “blitz: 3+2, 5+0”."


@pytest.mark.parametrize(
    ("slug", "field", "value", "fault"),
    [
        ("flyordie", "series_window_hours", "0", HOURS),
        ("flyordie", "series_window_hours", "8785", HOURS),
        ("flyordie", "series_window_hours", "1.5", HOURS),
        ("flyordie", "series_window_hours", "true", HOURS),
        (
            "chess-online",
            "time_controls",
            "blitz: 3+2, 3+2",
            "Time controls, line 1: 3+2 appears more than once.",
        ),
        (
            "chess-online",
            "time_controls",
            "blitz: 3+2\n\nrapid: 3+2",
            "Time controls, line 3: 3+2 appears more than once.",
        ),
        (
            "chess-online",
            "time_controls",
            "blitz: 3+2\nblitz: 5+0",
            "Time controls, line 2: blitz appears more than once.",
        ),
        ("chess-online", "time_controls", "blitz:", f"Time controls, line 1: {EXAMPLE}"),
        ("chess-online", "time_controls", "blitz", f"Time controls, line 1: {EXAMPLE}"),
        ("chess-online", "time_controls", "blitz: 3+x", f"Time controls, line 1: “3+x” {NO_CONTROL}"),
        (
            "chess-online",
            "time_controls",
            "b c: 3+2",
            "Time controls, line 1: “b c” is not a category name. Use 20 letters or fewer.",
        ),
        (
            "flyordie",
            "time_controls",
            "\n".join(f"c{i}: {i}+1" for i in range(13)),
            "Time controls: enter at most 12 categories.",
        ),
        (
            "foa-rbb",
            "time_controls",
            "rapid: 3+2",
            "Time controls: the regulations do not list 3+2 under rapid.",
        ),
    ],
)
def test_wrong_parameters_are_said_at_the_field(slug: str, field: str, value: str, fault: str) -> None:
    arena = Arena.objects.get(slug=slug)
    kept = {"slug": slug, "name": arena.name, "system": arena.system}

    assert ArenaForm(kept | {field: value}, instance=arena).errors == {field: [fault]}


def test_d_60_only_systems_with_series_have_a_window(db: None, staff: Client) -> None:
    pages = {
        slug: staff.get(reverse("admin:arenas_arena_change", args=[Arena.objects.get(slug=slug).pk]))
        for slug in ("flyordie", "chess-online")
    }
    new = {"slug": "new", "name": "New", "system": "chess-online", "series_window_hours": "3"}
    added = staff.post(reverse("admin:arenas_arena_add"), new)

    shown = {slug: "series_window_hours" in page.content.decode() for slug, page in pages.items()}
    assert shown == {"flyordie": True, "chess-online": False}
    assert codes_of_form(added.context["adminform"].form) == {"series_window_hours": ["no-series"]}


def test_typed_parameters_are_stored_and_shown_again(db: None, staff: Client) -> None:
    arena = Arena.objects.get(slug="flyordie")

    _save(staff, arena, series_window_hours="48", time_controls="blitz: 3+2 5+0\r\nbullet: 1+0")

    arena.refresh_from_db()
    assert arena.parameters == {
        "series_window_hours": 48,
        "time_controls": {"blitz": ["3+2", "5+0"], "bullet": ["1+0"]},
    }
    page = staff.get(reverse("admin:arenas_arena_change", args=[arena.pk]))
    assert page.context["adminform"].form["time_controls"].value() == "blitz: 3+2, 5+0\nbullet: 1+0"


def test_new_categories_give_members_a_rating_in_each(flyordie: Arena, staff: Client) -> None:
    assert _save(staff, flyordie, time_controls="blitz: 5+0\nbullet: 1+0").status_code == 302
    arena = Arena.objects.get(slug="flyordie")

    record(arena, game(1, "ada", "ben", "1-0", time_control="5+0"), game(2, "ada", "ben", "1-0"))

    assert ratings(arena, "blitz") == {"ada": "1", "ben": "0", "cyd": "0", "dan": "0"}
    assert ratings(arena, "bullet") == {"ada": "0", "ben": "0", "cyd": "0", "dan": "0"}
    unrated = Game.objects.get(arena_game_id="g0002")
    assert (unrated.unrated, unrated.category) == ("unrated-time-control", "")


def test_token_is_shown_once_and_can_be_revoked(db: None, staff: Client) -> None:
    arena = Arena.objects.get(slug="flyordie")
    response = staff.post(
        reverse("admin:arenas_arenatoken_add"), {"arena": arena.pk, "name": "server 1"}, follow=True
    )
    told = next(
        str(message) for message in response.context["messages"] if "cannot see it again" in str(message)
    )
    token = told.partition(": ")[2].partition(". Copy")[0]
    made = ArenaToken.objects.get()
    assert made.expires_at - made.created_at == timedelta(days=365)
    assert token_arena(token, at=made.expires_at - timedelta(seconds=1)) == arena
    assert token_arena(token, at=made.expires_at) is None
    again = staff.get(reverse("admin:arenas_arenatoken_change", args=[made.pk])).content.decode()
    assert token not in again

    staff.post(
        reverse("admin:arenas_arenatoken_changelist"), {"action": "revoke", "_selected_action": [made.pk]}
    )

    assert token_arena(token, at=AT) is None


def test_a_form_sent_again_makes_no_second_token_of_the_name(db: None, staff: Client) -> None:
    arena = Arena.objects.get(slug="flyordie")
    add, typed = reverse("admin:arenas_arenatoken_add"), {"arena": arena.pk, "name": "server 1", "days": "30"}
    staff.post(add, typed)

    again = staff.post(add, typed)
    with refusal() as refused:
        issue_token(arena, name="server 1", at=ArenaToken.objects.get().created_at)

    assert codes_of_form(again.context["adminform"].form) == {"name": refused.found}
    assert ArenaToken.objects.count() == 1
    ArenaToken.objects.update(revoked_at=AT)
    assert staff.post(add, typed).status_code == 302


def test_token_ends_after_the_days_chosen_and_the_list_shows_its_last_use(db: None, staff: Client) -> None:
    arena = Arena.objects.get(slug="flyordie")
    staff.post(reverse("admin:arenas_arenatoken_add"), {"arena": arena.pk, "name": "server 1", "days": "30"})
    made = ArenaToken.objects.get()
    ArenaToken.objects.update(last_used_at=AT)

    page = staff.get(reverse("admin:arenas_arenatoken_changelist")).content.decode()

    assert made.expires_at - made.created_at == timedelta(days=30)
    assert "1 Mar 2026, 12:00" in page
    days = {"arena": arena.pk, "name": "server 2", "days": "4000"}
    assert staff.post(reverse("admin:arenas_arenatoken_add"), days).status_code == 200
    assert ArenaToken.objects.count() == 1


def test_cancellation_asks_for_a_reason_shows_its_effect_and_is_done_once(
    played: Arena, staff: Client
) -> None:
    address = reverse("admin:arenas_game_cancel", args=[Game.objects.get().pk])
    assert "reason" in staff.post(address, {"reason": ""}).context["form"].errors
    assert ratings(played, "rapid") == {"ada": "1807.20", "ben": "1692.80"}

    shown = staff.post(address, {"reason": "Two boards"})
    effect = [(str(member.handle), *ratings) for member, *ratings in shown.context["effect"]]
    assert effect == [("ada", "1807.20", "1800.00"), ("ben", "1692.80", "1700.00")]
    assert ratings(played, "rapid") == {"ada": "1807.20", "ben": "1692.80"}

    for _ in range(2):
        assert staff.post(address, {"reason": "Two boards", "confirm": "1"}).status_code == 302

    assert ratings(played, "rapid") == {"ada": "1800.00", "ben": "1700.00"}
    assert Change.objects.filter(cause="cancelled").count() == 2
    assert Game.objects.get().cancelled_for == "Two boards"
    assert staff.get(reverse("admin:arenas_game_cancel", args=[10**6])).status_code == 404


def test_arena_that_is_new_can_take_members_and_games(db: None, staff: Client) -> None:
    response = staff.post(
        reverse("admin:arenas_arena_add"),
        {"slug": "club", "name": "Club", "system": "chess-online"},
    )
    assert response.status_code == 302
    arena = Arena.objects.get(slug="club")
    enrol(arena, "ada", "ben")
    record(arena, game(1, "ada", "ben", "1-0"))
    assert ratings(arena) == {"ada": "1200", "ben": "1200"}


def test_parameters_that_a_colleague_entered_are_not_overwritten_unseen(played: Arena, staff: Client) -> None:
    address = reverse("admin:arenas_arena_change", args=[played.pk])
    seen = staff.get(address).context["seen"]
    _save(staff, played, time_controls="blitz: 3+2")

    refused = _save(staff, played, time_controls="blitz: 5+0", seen=seen)

    assert codes_of_form(refused.context["adminform"].form) == {"__all__": ["changed-meanwhile"]}
    played.refresh_from_db()
    assert played.parameters["time_controls"] == {"blitz": ["3+2"]}


def test_list_of_games_shows_reasons_in_words(rated: Callable[..., Arena], staff: Client) -> None:
    arena = rated(ada=1800, ben=1700)
    record(arena, game(1, "ada", "ben", "1-0", time_control="7+7"))

    shown = staff.get(reverse("admin:arenas_game_changelist")).content.decode()

    key = "unrated-time-control-2.3"
    (sentence,) = sentences(arena.rules, [{"key": key, "figures": {"time_control": "7+7"}}])
    assert (sentence.text in shown, key in shown) == (True, False)
