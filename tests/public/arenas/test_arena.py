"""The pages of arenas: content, access, and query counts that do not grow."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from arenas.days import end_arena_day
from arenas.models import Arena, Game, Member
from arenas.systems import SYSTEMS
from core.web.etags import edition
from tests.arenas.played import AT, enrol, game, record
from tests.growth import find_growing, pages_of
from tests.public.arenas.conftest import HOSTILE, LONG

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def addresses() -> list[str]:
    """Return the URL of every page of the arena."""
    numbers = {str(member.handle): member.pk for member in Member.objects.all()}
    games = [reverse("arenas:game", args=["foa-rbb", pk]) for pk in Game.objects.values_list("pk", flat=True)]
    members = [reverse("arenas:member", args=["foa-rbb", pk]) for pk in numbers.values()]
    return [
        "/arenas/",
        "/arenas/foa-rbb/",
        "/arenas/chess-online/",
        "/arenas/flyordie/",
        *(f"/arenas/{slug}/rules/" for slug in SYSTEMS),
        "/arenas/foa-rbb/?category=bullet",
        "/arenas/foa-rbb/?show=unrated",
        "/arenas/foa-rbb/?q=AD",
        "/arenas/foa-rbb/?at=2026-01-10T13:00",
        "/arenas/foa-rbb/?at=2026-01-10T13:00&show=unrated",
        "/arenas/foa-rbb/lists/",
        "/arenas/flyordie/lists/",
        "/arenas/foa-rbb/lists/2026-02-01/",
        *games,
        *members,
    ]


def test_pages_are_open_to_everybody_and_show_a_hostile_username_as_text(
    played: Arena, client: Client
) -> None:
    answers = [client.get(address) for address in addresses()]
    pages = [answer.content.decode() for answer in answers]

    assert {answer.status_code for answer in answers} == {200}
    assert [page for page in pages if HOSTILE in page] == []
    assert sum("&lt;script&gt;" in page for page in pages) > 3


def test_list_shows_ranks_and_exact_ratings(played: Arena, client: Client) -> None:
    rows = client.get("/arenas/foa-rbb/").context["rows"]

    assert [(line.place, line.row.handle, line.row.rating, line.row.shown) for line in rows] == [
        (1, "ada", "1810.60", 1811),
        (2, "ben", "1689.40", 1689),
    ]


def test_list_as_of_an_instant_shows_ratings_of_then(played: Arena, client: Client) -> None:
    rows = client.get("/arenas/foa-rbb/?at=2026-01-10T12:59").context["rows"]

    assert [(line.place, line.row.handle, line.row.rating) for line in rows] == [
        (1, "ada", "1796.60"),
        (2, "ben", "1703.40"),
    ]


def test_members_without_rating_have_a_list_of_their_own(played: Arena, client: Client) -> None:
    rows = client.get("/arenas/foa-rbb/?show=unrated").context["rows"]

    assert [(line.place, line.row.handle) for line in rows] == [(None, HOSTILE), (None, LONG), (None, "cyd")]


def test_pages_of_the_list_follow_each_other(flyordie: Arena, client: Client) -> None:
    enrol(flyordie, *(f"member{number:03}" for number in range(200)))

    first = client.get("/arenas/flyordie/")
    second = client.get(f"/arenas/flyordie/{first.context['page'].next_url}")
    then = client.get("/arenas/flyordie/?at=2026-02-01T00:00&page=3")

    assert [row.place for row in second.context["rows"]] == list(range(101, 201))
    assert second.context["page"].label == "Ranks 101 to 200"
    assert [row.place for row in then.context["rows"]] == list(range(201, 205))
    assert client.get("/arenas/flyordie/?at=2026-02-01T00:00&page=4").status_code == 404


def test_number_of_queries_does_not_grow(flyordie: Arena, client: Client) -> None:
    def fill(size: int) -> dict[str, int]:
        record(flyordie, game(1, "ada", "ben", "1-0"))
        end_arena_day(flyordie, date(2026, 2, 1), at=AT)
        first = flyordie.games.get().pk
        if size > 1:
            enrol(flyordie, "eva", "fay", "gil")
            late = datetime(2026, 2, 2, tzinfo=UTC).isoformat()
            games = [game(number, "ada", "eva", "1-0", played_at=late) for number in range(2, 9)]
            record(flyordie, *games)
        return {"ada": flyordie.members.get(handle="ada").pk, "game": first}

    arena = "/arenas/flyordie/"
    own = ("", "?at=2026-01-20T00:00", "members/{ada}/", "games/{game}/", "lists/", "lists/2026-02-01/")
    assert find_growing(fill, pages_of(client, "/arenas/", *(f"{arena}{path}" for path in own))) == {}


@pytest.mark.parametrize(
    "address",
    [
        "nowhere/",
        "foa-rbb/members/0/",
        f"foa-rbb/members/{'9' * 40}/",
        f"foa-rbb/games/{'9' * 40}/",
        "flyordie/members/{ada}/",
        "foa-rbb/?category=classical",
        "foa-rbb/?category=a%00b",
        "foa-rbb/?after=abc",
        "foa-rbb/?at=2026-02-01&page=0",
        "foa-rbb/?at=2026-02-01&page=9",
        "foa-rbb/?at=2026-02-01&page=x",
        "foa-rbb/lists/2026-03-01/",
        "foa-rbb/lists/2026-02-01/?after=zz",
    ],
)
def test_missing_resource_is_a_404(played: Arena, client: Client, address: str) -> None:
    path = address.format(ada=Member.objects.get(handle="ada").pk)
    assert client.get(f"/arenas/{path}").status_code == 404


@pytest.mark.parametrize("at", ["yesterday", "0001-01-01T00:00:00+23:00", "9999-12-31", "2026-02-30", "\x00"])
def test_invalid_instant_is_refused_at_its_field(played: Arena, client: Client, at: str) -> None:
    response = client.get("/arenas/foa-rbb/", {"at": at})

    assert response.status_code == 200
    assert list(response.context["form"].errors) == ["at"]


@pytest.fixture
def source_tree(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder that replaces the project's, with a module in each of two apps."""
    settings.BASE_DIR = tmp_path
    for name in ("arenas", "public"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "page.py").write_text("before")
        monkeypatch.setattr(apps.get_app_config(name), "path", str(folder))
    edition.cache_clear()
    yield tmp_path
    edition.cache_clear()


@pytest.mark.parametrize("app", ["arenas", "public"])
def test_arena_page_changes_with_the_files_of_an_app(
    played: Arena, client: Client, source_tree: Path, app: str
) -> None:
    address = "/arenas/foa-rbb/lists/2026-02-01/"
    before = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": before}).status_code == 304

    (source_tree / app / "page.py").write_text("after")
    edition.cache_clear()

    response = client.get(address, headers={"if-none-match": before})
    assert (response.status_code, response.headers["ETag"] == before) == (200, False)
