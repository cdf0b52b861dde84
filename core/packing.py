"""Bytes packed as gzip and as ZIP: the same bytes give the same files every time, on every machine."""

from __future__ import annotations

import gzip
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import IO

STRENGTH = 6
CHUNK = 1 << 16
# Read and written under Unix by the owner, read by all.
UNIX, MODE, UTF8 = 3, 0o100644 << 16, 1 << 11


class _Member(zipfile.ZipInfo):
    """A file without an instant of its own, which is then 1 January 1980, with a name that is marked as UTF-8."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.compress_type, self.create_system, self.external_attr = zipfile.ZIP_DEFLATED, UNIX, MODE

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - the library's name
        # The library marks other names only; the stored hashes of packed files are of files with the mark.
        return self.filename.encode(), self.flag_bits | UTF8


@contextmanager
def packed(
    parts: Iterable[bytes], name: str, *, endings: Iterable[str], is_large: bool = False
) -> Iterator[dict[str, Iterator[bytes]]]:
    """Read bytes once and yield the parts of their files by ending, "gz" or "zip"; temporary until then.

    `name` is that of the one file of a ZIP, which may pass 2 GiB if it `is_large`.
    """
    with ExitStack() as files, ExitStack() as writers:
        made: dict[str, IO[bytes]] = {}
        sinks: list[IO[bytes] | gzip.GzipFile] = []
        for ending in endings:
            made[ending] = file = files.enter_context(tempfile.TemporaryFile())
            if ending == "gz":
                sinks.append(writers.enter_context(gzip.GzipFile("", "wb", STRENGTH, file, mtime=0)))
            else:
                archive = writers.enter_context(zipfile.ZipFile(file, "w", compresslevel=STRENGTH))
                member = archive.open(_Member(name), "w", force_zip64=is_large)
                sinks.append(writers.enter_context(member))
        for part in parts:
            for sink in sinks:
                sink.write(part)
        writers.close()
        for one in made.values():
            one.seek(0)
        yield {ending: iter(partial(one.read, CHUNK), b"") for ending, one in made.items()}
