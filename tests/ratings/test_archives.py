"""Packed files: the published bytes inside, the same bytes each time, made after the publication and again."""

from __future__ import annotations

import gzip
import hashlib
import io
import zipfile
from copy import deepcopy
from datetime import date

import pytest
from django.core.files.storage import storages
from django.db import connection

from ratings import runs
from ratings.archives import (
    history_bytes,
    keep_packed_only,
    make_archives,
    restore_files,
)
from ratings.choices import RunState, Work
from ratings.export import NotAsPublishedFileError, export_bytes
from ratings.list_files import EVIDENCE
from ratings.models import ListArchive, RatingList, Run
from ratings.publish.publish import publish_list
from ratings.verify.verify import verify_list
from tests import make
from tests.shared import SharedRows

pytestmark = [pytest.mark.page, pytest.mark.slow]

FEBRUARY, MARCH = date(2026, 2, 1), date(2026, 3, 1)
NAMES = [
    f"rapid-2026-02-01.{name}"
    for name in ("csv.gz", "csv.zip", "history.csv.zip", "json.gz", "json.zip", "txt.gz", "txt.zip")
] + ["rapid-2026-02-01.xml.gz", "rapid-2026-02-01.xml.zip"]


def published(day: date = FEBRUARY) -> RatingList:
    return publish_list("rapid", day, by=None, at=make.noon(day)).rating_list


@pytest.fixture(scope="module")
def first_published(rows_of_module: SharedRows) -> RatingList:
    with rows_of_module():
        make.first_list({101: 1900, 102: 1800})
        return published()


@pytest.fixture
def february(first_published: RatingList, db: None) -> RatingList:
    return deepcopy(first_published)


def stored(name: str) -> bytes:
    with storages["lists"].open(ListArchive.objects.get(name=name).path) as source:
        return bytes(source.read())


def test_archives_hold_the_published_files(february: RatingList) -> None:
    made = make_archives(february)
    assert sorted(item.name for item in made) == NAMES
    for item in february.files.all():
        name = item.path.rpartition("/")[2]
        unpacked = gzip.decompress(stored(f"{name}.gz"))
        with zipfile.ZipFile(io.BytesIO(stored(f"{name}.zip"))) as archive:
            assert archive.read(name) == unpacked
        assert hashlib.sha256(unpacked).hexdigest() == item.sha256
    for packed in made:
        content = stored(packed.name)
        assert (packed.size, packed.sha256) == (len(content), hashlib.sha256(content).hexdigest())


def test_packing_again_writes_what_is_missing_alone_and_to_the_same_bytes(february: RatingList) -> None:
    before = {item.name: item.sha256 for item in make_archives(february)}
    assert make_archives(february) == []
    lost = ListArchive.objects.get(name="rapid-2026-02-01.txt.zip")
    storages["lists"].delete(lost.path)
    assert [item.name for item in make_archives(february)] == [lost.name]
    packed = ListArchive.objects.exclude(name__endswith=EVIDENCE)
    assert {item.name: item.sha256 for item in packed} == before


def test_history_has_each_published_list_and_the_newest_alone_is_kept(february: RatingList) -> None:
    make_archives(february)
    march = published(MARCH)
    make_archives(march)
    assert b"".join(history_bytes(march)).decode().splitlines() == [
        "fide_id,list,rating,games,k,inactive",
        "101,2026-02-01,1900,0,20,0",
        "101,2026-03-01,1900,0,20,0",
        "102,2026-02-01,1800,0,20,0",
        "102,2026-03-01,1800,0,20,0",
    ]
    with zipfile.ZipFile(io.BytesIO(stored("rapid-2026-03-01.history.csv.zip"))) as archive:
        assert archive.read("rapid-2026-03-01.history.csv") == b"".join(history_bytes(march))
    histories = ListArchive.objects.filter(name__endswith=".history.csv.zip")
    assert [item.name for item in histories] == ["rapid-2026-03-01.history.csv.zip"]
    assert not storages["lists"].exists("rapid/2026-02-01/rapid-2026-02-01.history.csv.zip")
    assert make_archives(february) == []


def test_publication_leaves_the_packing_due_and_it_is_done_once(february: RatingList) -> None:
    run = Run.objects.get(work=Work.ARCHIVE)
    assert (run.subject, run.state) == ("rapid 2026-02-01", RunState.DUE)
    for _delivery in range(2):
        runs.perform(Work.ARCHIVE, run.subject, at=make.noon(FEBRUARY))
    run.refresh_from_db()
    assert (run.state, run.attempts) == (RunState.DONE, 1)
    assert ListArchive.objects.exclude(name__endswith=EVIDENCE).count() == len(NAMES)


def test_nothing_is_packed_from_a_file_that_is_not_the_published_one(february: RatingList) -> None:
    item = february.files.get(format="csv")
    path = item.path
    storages["lists"].delete(path)
    storages["lists"].save(path, io.BytesIO(b"x" * item.size))
    with pytest.raises(NotAsPublishedFileError, match=path):
        make_archives(february)
    assert not ListArchive.objects.filter(name__contains=".csv.gz").exists()


def test_verification_finds_a_packed_file_that_was_changed_and_restoring_writes_it_again(
    february: RatingList,
) -> None:
    make_archives(february)
    assert verify_list(february) is None
    item = ListArchive.objects.get(name="rapid-2026-02-01.txt.gz")
    storages["lists"].delete(item.path)
    storages["lists"].save(item.path, io.BytesIO(b"other"))
    difference = verify_list(february)
    assert difference is not None
    assert item.path in str(difference)
    assert [(one.path, one.is_right) for one in restore_files()] == [(item.path, True)]
    assert verify_list(february) is None


def test_command_packs_what_is_not_packed(february: RatingList) -> None:
    assert len(make.run("archive_lists")["written"]) == len(NAMES)
    assert make.run("archive_lists") == {"written": [], "deleted": []}


def test_imported_list_has_nothing_to_pack(db: None) -> None:
    assert make_archives(make.rating_list()) == []


YEAR_AFTER = date(2027, 2, 3)


def plain_files(rating_list: RatingList) -> list[str]:
    paths = rating_list.files.values_list("path", flat=True)
    return [path for path in paths if storages["lists"].exists(path)]


def test_a_file_older_than_a_year_is_kept_packed_only_and_given_to_the_byte(february: RatingList) -> None:
    before = {item.format: b"".join(export_bytes(february, item.format)) for item in february.files.all()}
    make_archives(february)
    assert keep_packed_only(today=date(2027, 2, 2)) == []
    assert len(keep_packed_only(today=YEAR_AFTER)) == len(before)
    assert keep_packed_only(today=YEAR_AFTER) == plain_files(february) == []
    february.entries.update(rating=1)
    assert {name: b"".join(export_bytes(february, name)) for name in before} == before


def test_a_list_that_is_kept_packed_only_is_verified_and_nothing_is_restored(february: RatingList) -> None:
    make_archives(february)
    keep_packed_only(today=YEAR_AFTER)
    assert (verify_list(february), list(restore_files()), make_archives(february)) == (None, [], [])


@pytest.mark.parametrize("content", [b"no gzip file", b"cut"])
def test_a_wrong_packed_file_lets_the_plain_one_stand_and_is_restored(
    february: RatingList, content: bytes
) -> None:
    make_archives(february)
    item = ListArchive.objects.get(name="rapid-2026-02-01.txt.gz")
    whole = stored(item.name)
    # In its size, so that only reading it tells.
    wrong = whole[: item.size // 2].ljust(item.size, b"x") if content == b"cut" else content.ljust(item.size)
    for is_plain in (True, False):
        storages["lists"].delete(item.path)
        storages["lists"].save(item.path, io.BytesIO(wrong))
        if not is_plain:
            storages["lists"].delete("rapid/2026-02-01/rapid-2026-02-01.txt")
            assert verify_list(february) is not None
            with pytest.raises(NotAsPublishedFileError):
                b"".join(export_bytes(february, "txt"))
        deleted = keep_packed_only(today=YEAR_AFTER)
        assert "rapid/2026-02-01/rapid-2026-02-01.txt" not in deleted
        assert all(one.is_right for one in restore_files())
        assert (stored(item.name), verify_list(february)) == (whole, None)


def test_a_file_without_its_packed_one_stays_plain(february: RatingList) -> None:
    assert keep_packed_only(today=YEAR_AFTER) == []
    assert len(plain_files(february)) == 4


@pytest.mark.database
def test_command_tells_what_each_list_takes_on_disk(february: RatingList) -> None:
    make_archives(february)
    keep_packed_only(today=YEAR_AFTER)
    newest, imported = make.run("list_sizes")["lists"]
    packed = sum(item.size for item in february.archives.all())
    assert (newest["kind"], newest["date"], newest["files"]) == ("rapid", "2026-02-01", packed)
    assert imported["files"] == 0
    on_disk = {row[name] is not None for row in (newest, imported) for name in ("rows", "indexes")}
    assert on_disk == {connection.vendor == "postgresql"}
