"""Which processes of the portal run on a folder: each holds a lock there until it ends, however it ends."""

from __future__ import annotations

import fcntl
from contextlib import suppress
from pathlib import Path
from typing import IO

# Open as long as this process and those that it forks.
_held: list[IO[str]] = []


class AlreadyThereError(Exception):
    """Another process holds the lock; the message is its note."""


def show_presence(folder: Path, kind: str) -> None:
    """Let others see that a process of this kind (`web`, `worker`) runs on the folder; on a full disk they do not."""
    with suppress(OSError):
        file = _opened(folder, kind)
        fcntl.flock(file, fcntl.LOCK_SH)
        _held.append(file)


def be_the_only_one(folder: Path, kind: str, *, note: str) -> None:
    """Take the place of this kind on the folder, with a note for others; `AlreadyThereError` where it is taken."""
    file = _opened(folder, kind)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        with file:
            file.seek(0)
            raise AlreadyThereError(file.read()) from error
    file.truncate(0)
    file.write(note)
    file.flush()
    _held.append(file)


def present(folder: Path) -> list[str]:
    """Return the kinds of processes that run on the folder."""
    return [path.name for path in sorted((folder / "running").glob("*")) if _is_held(path)]


def _opened(folder: Path, kind: str) -> IO[str]:
    path = folder / "running" / kind
    path.parent.mkdir(exist_ok=True)
    return path.open("a+")


def _is_held(path: Path) -> bool:
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
