"""Members of arenas with their rating changes."""

from __future__ import annotations

import pytest

from arenas.models import Arena, Member
from tests.api.conftest import Get, Post

pytestmark = pytest.mark.django_db


def test_history_explains_every_change(get_arena: Get) -> None:
    rows = get_arena("/foa-rbb/members/{ada}/history?category=rapid")["results"]

    assert [(row["number"], row["cause"], row["before"], row["after"], row["game"]) for row in rows] == [
        (2, "game", "1800.00", "1807.20", "g0001"),
        (1, "first", None, "1800.00", None),
    ]
    assert ("rapid" in rows[1]["steps"][0]["text"], "1800" in rows[1]["steps"][0]["text"]) == (True, True)


def test_members_are_added_changed_known_or_refused_in_the_order_sent(arena: Arena, post: Post) -> None:
    dov = {"handle": "dov", "full_member": True, "joined": "2026-02-01"}
    sent = [{"handle": "eli"}, dov, {**dov, "full_member": False}, dov | {"handle": "fay", "fide_id": 9}, 5]
    answers = post({"members": sent}, to="members")["members"]
    assert [(one["handle"], one["status"]) for one in answers] == [
        ("eli", "refused"),
        ("dov", "added"),
        ("dov", "changed"),
        ("fay", "refused"),
        (None, "refused"),
    ]
    assert answers[0]["reasons"] == ["full_member is missing", "joined is missing"]
    assert answers[3]["reasons"] == ["no player has FIDE ID 9"]
    assert post(dov, to="members")["members"][0]["status"] == "changed"
    assert post([dov], to="members")["members"][0]["status"] == "known"
    assert Member.objects.filter(arena=arena, handle="dov", is_full_member=True).count() == 1


@pytest.mark.parametrize(
    ("body", "slug", "status"),
    [([], "foa-rbb", 400), ([{}] * 1001, "foa-rbb", 400), ([], "flyordie", 403), ([], "none", 404)],
)
def test_members_of_no_or_another_arena_are_refused(
    post: Post, body: list[object], slug: str, status: int
) -> None:
    post(body, to="members", slug=slug, status=status)
