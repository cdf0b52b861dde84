"""The commands of arenas: what they print, and the three ways in which they end."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arenas import games as service
from arenas.games import Recorded, record_stream
from arenas.models import Arena, Change, Game, Member
from tests.arenas.played import AT, game, member, ratings, sent

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def told(capsys: pytest.CaptureFixture[str], *command: object) -> tuple[int, Any]:
    """Return the exit code of a command with `--json` and what it printed."""
    code = 0
    try:
        call_command(*map(str, command), json=True)
    except SystemExit as ended:
        code = int(str(ended.code))
    return code, json.loads(capsys.readouterr().out)


def file_of(folder: Path, *rows: Any) -> Path:
    """Write a file of lines: values as JSON, text as it is."""
    path = folder / "rows.jsonl"
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def test_members_are_imported_and_each_refused_line_is_told(
    capsys: pytest.CaptureFixture[str], flyordie: Arena, tmp_path: Path
) -> None:
    path = file_of(
        tmp_path, member("eva"), member("ada"), "{", "", member("fay", joined="soon"), member("gus")
    )

    code, found = told(capsys, "import_members", "flyordie", path)

    assert (code, [fault["line"] for fault in found.pop("refused")]) == (1, [3, 5])
    assert found == {"arena": "flyordie", "added": 2, "changed": 0, "known": 1}
    assert Member.objects.filter(arena=flyordie).count() == 6


def test_games_are_imported_once_and_each_refused_line_is_told(
    capsys: pytest.CaptureFixture[str], rated: Callable[..., Arena], tmp_path: Path
) -> None:
    rated(ada=1800, ben=1700, cyd=1750, dan=1650)
    rows = [
        sent(2, "ada", "ben", "1-0"),
        sent(1, "cyd", "dan", "0-1"),
        sent(3, "ada", "eve", "1-0"),
        "no JSON",
        sent(4, "ada", "cyd", "1-0", time_control="240+30"),
        sent(1, "cyd", "dan", "1-0"),
        sent(5, "ada", "ben", "1-0", played_at="2999-01-01T12:00:00Z"),
    ]
    path = file_of(tmp_path, *rows)

    first, again = (told(capsys, "import_games", "foa-rbb", path) for _ in range(2))

    faults = first[1].pop("refused")
    assert (first[0], [fault["line"] for fault in faults]) == (1, [3, 4, 6, 7])
    told_of = [fault["reasons"][0].split(":")[0] for fault in faults]
    assert told_of == ["g0003", "is not JSON", "g0001", "g0005"]
    assert first[1] == {"arena": "foa-rbb", "recorded": 3, "known": 0, "rated": 2, "unrated": 1, "late": 0}
    assert again[1]["refused"] == faults
    assert (again[1]["recorded"], again[1]["known"], again[1]["rated"]) == (0, 3, 0)
    assert Game.objects.count() == 3


def test_what_became_of_games_is_not_kept_until_the_end(
    flyordie: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "BATCH", 10)
    entries = [game(number, "ada", "ben", "1-0") for number in range(1, 61)]
    heard: list[weakref.ref[Game]] = []
    kept = []

    def hear(place: int, answer: Recorded) -> None:
        if place == 50:
            gc.collect()
            kept.extend(one for one in heard if one() is not None)
        assert answer.game is not None
        heard.append(weakref.ref(answer.game))

    record_stream(flyordie, entries, at=AT, on_recorded=hear)

    assert len(heard) == 60
    assert len(kept) <= 10


def test_list_and_day_are_told(capsys: pytest.CaptureFixture[str], flyordie: Arena, tmp_path: Path) -> None:
    told(capsys, "import_games", "flyordie", file_of(tmp_path, sent(1, "ada", "ben", "1-0")))

    code, rows = told(capsys, "arena_list", "flyordie")
    call_command("arena_list", "flyordie", format="csv", at=AT)
    table = capsys.readouterr().out.splitlines()
    as_they_stood = ratings(flyordie)
    days = [told(capsys, "arena_day", "flyordie", "--date", "2026-01-10") for _ in range(2)]

    assert (code, {row["handle"]: row["rating"] for row in rows}) == (0, as_they_stood)
    assert table[0].split(",") == list(rows[0])
    assert len(table) == 1 + len(rows)
    taken = Change.objects.filter(game=None).count()
    assert taken > 0
    assert days == [
        (0, {"arena": "flyordie", "date": "2026-01-10", "changes": count}) for count in (taken, 0)
    ]


def test_day_to_come_is_not_ended(
    capsys: pytest.CaptureFixture[str], flyordie: Arena, tmp_path: Path
) -> None:
    told(capsys, "import_games", "flyordie", file_of(tmp_path, sent(1, "ada", "ben", "1-0")))
    before = ratings(flyordie)

    code, found = told(capsys, "arena_day", "flyordie", "--date", "2999-01-10")

    assert (code, found["changes"], found["codes"]) == (1, 0, ["day-to-come"])
    assert ratings(flyordie) == before
    assert Arena.objects.get(slug="flyordie").day_done is None


def test_list_as_of_an_instant_warns_of_days_that_are_to_be_made_up(
    capsys: pytest.CaptureFixture[str], flyordie: Arena
) -> None:
    told(capsys, "arena_day", "flyordie", "--date", "2026-01-10")
    capsys.readouterr()

    heard = []
    for at in ("2026-01-11T12:00:00Z", "2026-01-12T12:00:00Z"):
        call_command("arena_list", "flyordie", "--at", at)
        heard.append(capsys.readouterr().err)

    assert heard[0] == ""
    assert "2026-01-10" in heard[1]


@pytest.mark.parametrize("command", ["import_members", "import_games", "arena_list", "arena_day"])
def test_an_arena_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    more = {"arena_list": [], "arena_day": ["--date", "2026-01-10"]}.get(command, [file_of(tmp_path)])

    code, found = told(capsys, command, "nowhere", *more)

    assert (code, found["arena"]) == (1, None)
    assert "'nowhere'" in found["reasons"][0]


@pytest.mark.parametrize(
    "command",
    [
        ("import_members", "flyordie", "missing.jsonl"),
        ("import_games", "flyordie", "."),
        ("arena_day", "flyordie", "--date", "yesterday"),
        ("arena_list", "flyordie", "--at", "noon"),
        ("arena_list", "flyordie", "--category", "bullet"),
    ],
)
def test_wrong_use_says_what_to_write(flyordie: Arena, command: tuple[str, ...]) -> None:
    with pytest.raises(CommandError) as told_why:
        call_command(*command)

    assert str(told_why.value)
