"""Disks that are really full, under list files and database: nothing half, and whole once there is room."""

from __future__ import annotations

import hashlib
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.files.storage import storages
from django.db import OperationalError, connection
from django.test import Client, override_settings

from portal.settings.backends import cache_settings
from ratings.choices import RunState, Work
from ratings.models import ListFile, RatingList, Run
from tests.faults.conftest import Undisturbed, all_published_once, publish, sweep, whole_or_absent
from tests.faults.disks import PAGE, full_database, make_room, mount_in_own_space, require_mounts
from tests.faults.processes import end, start
from tests.faults.world import MONTH

pytestmark = pytest.mark.django_db(transaction=True)
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
REASONS = {"sqlite": "database or disk is full", "postgresql": "No space left on device"}


def folder_of_lists() -> Path:
    folder = Path(settings.STORAGES["lists"]["OPTIONS"]["location"])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def failed_for(run: Run, reason: str, page: str) -> None:
    """Assert that the run and its page say what happened, and what comes next."""
    assert run.state == RunState.FAILED
    assert reason in run.error
    assert reason in page
    assert "It retries within 2 minutes" in page
    assert "for example a full disk" in page


def files_as_published() -> None:
    """Assert that the files of the month are in the folder, to the byte."""
    for item in ListFile.objects.filter(rating_list__date=MONTH):
        with storages["lists"].open(item.path) as file:
            assert hashlib.sha256(file.read()).hexdigest() == item.sha256


@pytest.mark.parametrize("size", [4 * KIBIBYTE, 96 * KIBIBYTE])
def test_file_system_of_the_lists_is_full(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], size: int
) -> None:
    folder = folder_of_lists()
    require_mounts(folder)

    def publish_until_there_is_room() -> None:
        mount_in_own_space(folder, size=size)
        with pytest.raises(OSError, match="No space left"):
            publish()
        whole_or_absent(undisturbed)
        run = Run.objects.get(work=Work.PUBLISH)
        failed_for(run, "OSError: [Errno 28] No space left on device", page_of(run))
        make_room(folder, size=4 * MEBIBYTE)
        sweep()
        all_published_once(undisturbed)
        files_as_published()

    assert end(start(publish_until_there_is_room)) == 0
    all_published_once(undisturbed)


def test_files_may_not_grow(undisturbed: Undisturbed, page_of: Callable[[Run], str]) -> None:
    def publish_small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20 * KIBIBYTE, resource.RLIM_INFINITY))
        publish()

    assert end(start(publish_small)) == 1

    whole_or_absent(undisturbed)
    run = Run.objects.get(work=Work.PUBLISH)
    if connection.vendor == "sqlite":
        # The limit is on the database's files too: the work was not even begun.
        assert (run.state, run.attempts) == (RunState.DUE, 0)
        assert "If no worker starts it" in page_of(run)
    else:
        failed_for(run, "OSError: [Errno 27] File too large", page_of(run))

    sweep()

    all_published_once(undisturbed)
    files_as_published()


@pytest.mark.parametrize("room", [0, 5])
def test_database_is_full_while_a_list_is_published(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], room: int
) -> None:
    with full_database("ratings_listentry", room=room), pytest.raises(OperationalError):
        publish()

    whole_or_absent(undisturbed)
    run = Run.objects.get(work=Work.PUBLISH)
    failed_for(run, REASONS[connection.vendor], page_of(run))

    sweep()

    all_published_once(undisturbed)
    files_as_published()


@pytest.mark.parametrize("room", [64 * KIBIBYTE, 256 * KIBIBYTE])
def test_disk_of_the_embedded_portal_is_full(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], tmp_path: Path, room: int
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the embedded portal keeps its data in SQLite")
    disk, whole = tmp_path / "disk", tmp_path / "whole.sqlite3"
    disk.mkdir()
    require_mounts(disk)
    # The file alone may lack what stands in the journal beside it while any connection is open.
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(whole)])
    data = whole.read_bytes()

    def publish_until_there_is_room() -> None:
        mount_in_own_space(disk, size=len(data) + room)
        (disk / whole.name).write_bytes(data)
        connection.settings_dict["NAME"] = str(disk / whole.name)
        with pytest.raises(OperationalError):
            publish()
        whole_or_absent(undisturbed)
        run = Run.objects.get(work=Work.PUBLISH)
        failed_for(run, "database or disk is full", page_of(run))
        make_room(disk, size=len(data) + 16 * MEBIBYTE)
        sweep()
        all_published_once(undisturbed)
        files_as_published()

    assert end(start(publish_until_there_is_room)) == 0
    assert RatingList.objects.filter(date=MONTH).count() == 0


@pytest.mark.parametrize("page", ["/", "/lists/", "/api/v1/lists", "/accounts/login/", "/search?q=alder"])
def test_pages_are_read_while_the_disk_of_the_cache_is_full(tmp_path: Path, page: str) -> None:
    require_mounts(tmp_path)

    def read() -> None:
        mount_in_own_space(tmp_path, size=PAGE)
        (tmp_path / "other").write_bytes(bytes(PAGE))
        with override_settings(CACHES=cache_settings(None, var_dir=tmp_path)):
            assert Client().get(page).status_code == 200
            caches["default"].set("key", 1)
            assert caches["default"].get("key") is None

    assert end(start(read)) == 0
