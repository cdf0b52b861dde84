"""Disks that are really full: the error is the kernel's or the database's own, none is pretended."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import pwd
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.faults.processes import end, start
from tests.services import vendor

SMALLEST, PAGE = 4096, 8192
MAX_PAGES = 1 << 30
# <sched.h> and <sys/mount.h> of Linux.
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REMOUNT, MS_REC, MS_PRIVATE = 0x20, 0x4000, 0x40000


def mount_in_own_space(folder: Path, *, size: int) -> None:
    """Put an empty file system of so many bytes over the folder, seen by this process alone and gone with it.

    Raises OSError where the system lets nobody but its administrator mount.
    """
    ids = (os.geteuid(), os.getegid())
    is_root = ids[0] == 0
    _system("unshare", CLONE_NEWNS if is_root else CLONE_NEWNS | CLONE_NEWUSER)
    if not is_root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {ids[0]} 1")
        Path("/proc/self/gid_map").write_text(f"0 {ids[1]} 1")
    _system("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    _mount(folder, size=size)


def make_room(folder: Path, *, size: int) -> None:
    """Give a file system that `mount_in_own_space` has mounted another size."""
    _mount(folder, size=size, flags=MS_REMOUNT)


def require_mounts(folder: Path) -> None:
    """Skip the test where this machine does not let it mount."""
    if end(start(lambda: mount_in_own_space(folder, size=PAGE))) != 0:
        pytest.skip("this machine lets a process mount nothing of its own")


def fills_database(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that uses `full_database`: PostgreSQL needs a file system of its own for it."""
    return pytest.mark.machine(test) if vendor() == "postgresql" else test


@contextlib.contextmanager
def full_database(table: str, *, room: int) -> Iterator[None]:
    """Leave the database, or on PostgreSQL the table, room for so many pages more while the block runs."""
    limited = _limited_sqlite(room) if connection.vendor == "sqlite" else _small_tablespace(table, room)
    with limited:
        yield


@contextlib.contextmanager
def _limited_sqlite(room: int) -> Iterator[None]:
    with connection.cursor() as cursor:
        # Pages that former tests have left free would be room as well.
        cursor.execute("VACUUM")
        [pages] = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages + room}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {MAX_PAGES}")


@contextlib.contextmanager
def _small_tablespace(table: str, room: int) -> Iterator[None]:
    """Move the table to a tablespace on a file system of its own, and back."""
    if os.geteuid() != 0:
        pytest.skip("a small file system for PostgreSQL needs the rights of root")
    with _without_free_pages(table), connection.cursor() as cursor:
        cursor.execute("SELECT pg_table_size(%s)", [table])
        [size] = cursor.fetchone()
        with _small_folder(size + room * PAGE) as folder:
            cursor.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            cursor.execute(f"ALTER TABLE {table} SET TABLESPACE small")
            try:
                yield
            finally:
                cursor.execute(f"ALTER TABLE {table} SET TABLESPACE pg_default")
                cursor.execute("DROP TABLESPACE small")


@contextlib.contextmanager
def _without_free_pages(table: str) -> Iterator[None]:
    """Take away what former tests have left free, or autovacuum would free in a moment: it would be room as well."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = false)")
        cursor.execute(f"VACUUM FULL {table}")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE {table} RESET (autovacuum_enabled)")


@contextlib.contextmanager
def _small_folder(size: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="small-") as name:
        folder = Path(name)
        owner = pwd.getpwnam("nobody")
        _mount(folder, size=size)
        try:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", name], check=True)


def _mount(folder: Path, *, size: int, flags: int = 0) -> None:
    # A size of 0 would mean no limit.
    options = f"size={max(size, SMALLEST)},mode=0755".encode()
    _system("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", flags, options)


def _system(name: str, *arguments: object) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments):
        number = ctypes.get_errno() or errno.EPERM
        raise OSError(number, os.strerror(number), name)
