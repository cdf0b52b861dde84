"""List files as bytes: plain, gzip or zip by their first bytes."""

from __future__ import annotations

import gzip
import os
import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple

from players.fide_list.messages import unreadable
from players.fide_list.values import ByteSource

# The combined XML list of 2026 has 0.9 GB: a file that unpacks to more than four times that is no list.
MAX_UNPACKED_BYTES: Final = 4 * 2**30
# A list's XML unpacks to some 20 times its size. More than this, and more than any small example, is made to be so.
MAX_RATIO: Final = 60
UNSUSPICIOUS_BYTES: Final = 32 * 2**20
# An import takes some 2 seconds for each packed megabyte of a list; reading ends after ten times that and a minute.
SECONDS: Final = 60
SECONDS_PER_MEGABYTE: Final = 20

_GZIP: Final = b"\x1f\x8b"
_ZIP: Final = b"PK\x03\x04"
_EMPTY_ZIP: Final = b"PK\x05\x06"
_DAMAGE: Final = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)


class BytesRead(NamedTuple):
    """How many of a file's bytes, as they lie on the disk, have been read."""

    done: int
    total: int


class ListStream:
    """The unpacked bytes of a list file; `name` is that of the list itself, within an archive or not."""

    def __init__(self, unpacked: ByteSource, *, file: IO[bytes]) -> None:
        self.name = PurePosixPath(getattr(unpacked, "name", "")).name
        self._unpacked = unpacked
        self._file = file
        self._total = os.fstat(file.fileno()).st_size
        self._left = MAX_UNPACKED_BYTES
        # A plain file cannot unpack to more than it is.
        if unpacked is not file:
            self._left = min(self._left, max(MAX_RATIO * self._total, UNSUSPICIOUS_BYTES))
        self._seconds = SECONDS + SECONDS_PER_MEGABYTE * self._total / 2**20
        self._began = time.monotonic()

    @property
    def progress(self) -> BytesRead:
        """Return how far the file has been read."""
        return BytesRead(min(self._file.tell(), self._total), self._total)

    def read(self, size: int = -1, /) -> bytes:
        """Return at most `size` unpacked bytes; raises FideListError for a damaged or far too large file."""
        # A byte more than allowed shows that the file is too large.
        wanted = self._left + 1 if size < 0 else min(size, self._left + 1)
        try:
            data = self._unpacked.read(wanted)
        except _DAMAGE as error:
            raise unreadable("damaged", error=str(error)) from error
        self._left -= len(data)
        if self._left < 0:
            raise unreadable("too-large")
        if time.monotonic() - self._began > self._seconds:
            raise unreadable("too-slow", seconds=round(self._seconds))
        return data


@contextmanager
def open_list(path: str | Path) -> Iterator[ListStream]:
    """Open a list file, plain, .gz or .zip with the list as its one file; at most 4 GiB of it are unpacked.

    Raises FideListError where the file cannot be opened, or later read, as any of these.
    """
    with ExitStack() as stack:
        try:
            file = stack.enter_context(Path(path).open("rb"))
            unpacked = _unpack(file, stack)
        except _DAMAGE as error:
            raise unreadable("unopened", error=str(error)) from error
        yield ListStream(unpacked, file=file)


def _unpack(file: IO[bytes], stack: ExitStack) -> ByteSource:
    beginning = file.read(4)
    file.seek(0)
    if beginning.startswith(_GZIP):
        return stack.enter_context(gzip.GzipFile(fileobj=file, mode="rb"))
    if beginning in (_ZIP, _EMPTY_ZIP):
        archive = stack.enter_context(zipfile.ZipFile(file))
        member = _list_member(archive)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # bzip2 and LZMA unpack a few bytes to hundreds of megabytes in one step.
            raise unreadable("compression-unknown")
        return stack.enter_context(archive.open(member))
    return file


def _list_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Return the one text or XML file of an archive; raises FideListError where there is none or a choice."""
    members = [member for member in archive.infolist() if _may_be_list(member)]
    if len(members) == 1:
        return members[0]
    if not members:
        raise unreadable("zip-without-list")
    names = ", ".join(member.filename for member in members[:5])
    raise unreadable("zip-of-several", number=len(members), names=names)


def _may_be_list(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return (
        not member.is_dir()
        and path.suffix.lower() in (".txt", ".xml")
        and not path.name.startswith(".")
        # macOS adds a folder that has a file of the same name and ending for each one.
        and "__MACOSX" not in path.parts
    )
