"""What is kept in Redis or in files is JSON: nothing there can run code here, and what cannot be read is a miss."""

from __future__ import annotations

import itertools
import pickle
import re
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.core.files.storage import FileSystemStorage

from portal.file_caches import WRITES_A_COUNT, FailSafeFileCache
from portal.redis_caches import JsonSerializer
from portal.static_storage import StaticStorage
from ratings.movements import MovedPlayer, Movements
from tests.conftest import NOW


@pytest.mark.parametrize("value", [0, 7, True, None, "text", [1, [2, "x"]], {"a": {"b": 1.5}}])
def test_value_comes_back_as_it_was(value: Any) -> None:
    serializer = JsonSerializer()
    stored = serializer.dumps(value)
    assert serializer.loads(str(stored).encode()) == value


def test_number_stays_one_that_redis_can_count_up() -> None:
    assert JsonSerializer().dumps(7) == 7


@pytest.mark.parametrize("stored", [pickle.dumps(date(2026, 1, 1)), b"\xff", b"{", b""])
def test_unreadable_entry_is_a_miss(stored: bytes) -> None:
    assert JsonSerializer().loads(stored) is None


def test_what_json_does_not_know_is_refused() -> None:
    with pytest.raises(TypeError):
        JsonSerializer().dumps(Movements(gains=[MovedPlayer(player_id=1)]))


@pytest.fixture
def files(tmp_path: Path) -> FailSafeFileCache:
    return FailSafeFileCache(str(tmp_path / "cache"), {})


def only(folder: Path) -> Path:
    [path] = (folder / "cache").glob("*.djcache")
    return path


@pytest.mark.parametrize("value", [0, None, "Zürich", [1, [2, "x"]], {"a": {"b": 1.5}}])
def test_value_comes_back_from_a_file_as_it_was(files: FailSafeFileCache, value: Any) -> None:
    files.set("key", value, 60)

    assert (files.get("key", "none"), files.has_key("key"), files.add("key", 1)) == (value, True, False)


def test_files_of_the_cache_hold_no_pickle(files: FailSafeFileCache, tmp_path: Path) -> None:
    files.set("key", [1], None)

    end, content = only(tmp_path).read_bytes().split(b"\n", 1)

    assert (end, zlib.decompress(content)) == (b"null", b"[1]")
    with pytest.raises(TypeError):
        files.set("key", {1, 2})


@pytest.mark.parametrize(
    "stored",
    [
        pickle.dumps(None) + zlib.compress(pickle.dumps([1])),
        b"null\n" + pickle.dumps([1]),
        b"null\n" + zlib.compress(b"{"),
        b"[]\n" + zlib.compress(b"1"),
        b"",
    ],
)
def test_file_that_cannot_be_read_is_a_miss(files: FailSafeFileCache, tmp_path: Path, stored: bytes) -> None:
    files.set("key", 1)
    only(tmp_path).write_bytes(stored)

    assert files.get("key", "none") == "none"
    files.set("key", 2)
    assert files.get("key") == 2


def test_entry_of_a_file_ends_and_may_be_prolonged(files: FailSafeFileCache) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        files.set("key", 1, 60)
        clock.shift(59)
        assert (files.touch("key", 60), files.touch("other", 60)) == (True, False)
        clock.shift(59)
        assert files.incr("key") == 2
        clock.shift(400)
        assert (files.get("key"), files.has_key("key")) == (None, False)


def test_files_of_the_cache_stay_bounded_though_they_are_counted_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = FailSafeFileCache(str(tmp_path / "cache"), {"OPTIONS": {"MAX_ENTRIES": 20}})
    draws = itertools.cycle(range(WRITES_A_COUNT))
    monkeypatch.setattr("portal.file_caches.secrets.randbelow", lambda _most: next(draws))

    for number in range(10 * WRITES_A_COUNT):
        files.set(str(number), number)

    # A third of them goes at each count.
    assert len(list((tmp_path / "cache").iterdir())) <= 3 * WRITES_A_COUNT


@pytest.mark.slow
def test_collected_stylesheet_is_one_file_with_all_parts(tmp_path: Path) -> None:
    """A page asked for nineteen stylesheets before it was shown."""
    source = settings.BASE_DIR / "static"
    parts = FileSystemStorage(source)
    names = [f"css/{path.name}" for path in (source / "css").iterdir()]
    storage = StaticStorage(location=tmp_path)
    for name in names:
        with parts.open(name) as sheet:
            storage.save(name, sheet)
    for _again in range(2):
        list(storage.post_process({name: (parts, name) for name in names}))

    collected = (tmp_path / storage.stored_name("css/portal.css")).read_text(encoding="utf-8")
    assert storage.stored_name("css/portal.css") != "css/portal.css"
    imported = re.findall(r'"([a-z-]+\.css)"', (source / "css/portal.css").read_text(encoding="utf-8"))
    positions = [collected.find((source / "css" / name).read_text(encoding="utf-8")) for name in imported]
    assert len(positions) > 10
    assert positions == sorted(positions)
    assert positions[0] > 0
    assert "@import" not in collected


def test_collected_files_are_compressed_once_under_the_names_that_pages_ask_for(tmp_path: Path) -> None:
    parts = FileSystemStorage(settings.BASE_DIR / "static")
    storage = StaticStorage(location=tmp_path)
    with parts.open("js/portal.js") as script:
        storage.save("js/portal.js", script)

    made = []
    for _again in range(2):
        list(storage.post_process({"js/portal.js": (parts, "js/portal.js")}))
        made.append({path.name: path.stat().st_ctime_ns for path in tmp_path.rglob("*.gz")})

    assert list(made[0]) == [f"{Path(storage.stored_name('js/portal.js')).name}.gz"]
    assert made[0] == made[1]


@pytest.mark.slow
def test_requests_at_once_are_counted_one_by_one(files: FailSafeFileCache) -> None:
    with ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda _: files.add("count", 0, 60), range(80)))
        counts = list(threads.map(lambda _: files.incr("count"), range(400)))

    assert added.count(True) == 1
    assert sorted(counts) == list(range(1, 401))


def test_a_count_ends_when_it_would_have_ended(files: FailSafeFileCache) -> None:
    with time_machine.travel(NOW, tick=False) as clock:
        files.add("count", 1, 3600)
        files.add("other", 1, 60)
        assert (files.incr("count"), files.incr("other")) == (2, 2)
        clock.shift(61)
        assert files.get("other") is None
        clock.shift(3500)
        assert files.incr("count") == 3
        clock.shift(40)
        assert files.get("count") is None
