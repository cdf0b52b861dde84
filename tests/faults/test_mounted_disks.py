"""Small file systems that are really full, mounted for one process: nothing half, and whole once there is room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import caches
from django.db import OperationalError, connection
from django.test import Client, override_settings

from portal.settings.backends import cache_settings
from ratings.models import RatingList, Run
from tests.faults.conftest import (
    Undisturbed,
    all_published_once,
    first_publication,
    publish,
    sweep,
    whole_or_absent,
)
from tests.faults.disks import PAGE, make_room, mount_in_own_space, require_mounts
from tests.faults.processes import end, start
from tests.faults.test_disk import failed_for, files_as_published
from tests.faults.world import MONTH
from tests.services import vendor
from tests.snapshots import list_folder

pytestmark = [pytest.mark.machine, pytest.mark.django_db(transaction=True)]
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20


@pytest.mark.parametrize("size", [4 * KIBIBYTE, 96 * KIBIBYTE])
def test_file_system_of_the_lists_is_full(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], size: int
) -> None:
    folder = list_folder()
    folder.mkdir(parents=True, exist_ok=True)
    require_mounts(folder)

    def publish_until_there_is_room() -> None:
        mount_in_own_space(folder, size=size)
        with pytest.raises(OSError, match="No space left"):
            publish()
        whole_or_absent(undisturbed)
        run = first_publication()
        failed_for(run, "OSError: [Errno 28] No space left on device", page_of(run))
        make_room(folder, size=4 * MEBIBYTE)
        sweep()
        all_published_once(undisturbed)
        files_as_published()

    assert end(start(publish_until_there_is_room)) == 0
    all_published_once(undisturbed)


@pytest.mark.skipif(vendor() != "sqlite", reason="the embedded portal keeps its data in SQLite")
@pytest.mark.parametrize("room", [64 * KIBIBYTE, 256 * KIBIBYTE])
def test_disk_of_the_embedded_portal_is_full(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], tmp_path: Path, room: int
) -> None:
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
        run = first_publication()
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
