"""The pictures of the code: drawn right from small graphs, and fresh on the project itself."""

from __future__ import annotations

import pytest

from tools import floors
from tools.floors import PICTURE, draw, main, ranks, upward

IMPORTS = {
    "desk.urls": {"desk.views"},
    "desk.views": {"players.models"},
    "players.services": {"players.models", "players.choices"},
    "players.models": {"players.choices"},
    "players.choices": set(),
}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """Return the imports of a house with two floors, which may be changed."""
    imports = {name: set(targets) for name, targets in IMPORTS.items()}
    monkeypatch.setattr(floors, "packages", lambda: ["desk", "players"])
    monkeypatch.setattr(floors, "floors", lambda: [["desk", "api"], ["players"]])
    monkeypatch.setattr(floors, "imports_between", lambda names: imports)
    return imports


def test_folders_stand_above_what_they_import() -> None:
    assert ranks(IMPORTS, "players") == [["players.services"], ["players.models"], ["players.choices"]]


def test_circle_of_folders_is_named() -> None:
    with pytest.raises(ValueError, match="in a circle: desk"):
        ranks({"desk.a": {"desk.b"}, "desk.b": {"desk.a"}}, "desk")


def test_import_between_floors_runs_down(small: dict[str, set[str]]) -> None:
    picture = draw()

    assert "5 imports between folders, none of them up" in picture
    assert list(upward(picture)) == []


def test_import_that_runs_up_is_drawn_as_such(small: dict[str, set[str]]) -> None:
    small["players.models"].add("desk.views")

    picture = draw()

    assert "6 imports between folders, 1 of them up" in picture
    assert len(list(upward(picture))) == 1


def test_picture_is_that_of_the_code() -> None:
    assert main(["--check"]) == 0, f"{PICTURE.name} is stale or has an arrow up: run `make pictures`."
