"""A stream that is deflated once and packed as gzip and as ZIP: the same bytes give the same files every time.

No machine name, no clock, one fixed level; gzip and ZIP add different headers and trailers to the same stream.
`zipfile` would deflate it a second time, and mark names otherwise: packed files of older lists, whose hashes are
stored, could not be written again.
"""

from __future__ import annotations

import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

STRENGTH = 6
CHUNK = 1 << 16
LARGEST = 0xFFFFFFFF
# 1 January 1980, 00:00: the first instant that a ZIP can store.
DAY, TIME = 0x0021, 0
# Read and written under Unix by the owner, read by all; the name is UTF-8.
UNIX, MODE, UTF8 = 3 << 8, 0o100644 << 16, 1 << 11
DEFLATED = 8


@dataclass(frozen=True, slots=True)
class Deflated:
    """A deflated stream in a temporary file, with the size and checksum of what went in."""

    stream: IO[bytes]
    packed: int
    size: int
    crc: int

    def parts(self) -> Iterator[bytes]:
        self.stream.seek(0)
        while part := self.stream.read(CHUNK):
            yield part


@contextmanager
def deflate(parts: Iterable[bytes]) -> Iterator[Deflated]:
    """Deflate bytes into a temporary file that is gone afterwards."""
    packer = zlib.compressobj(STRENGTH, zlib.DEFLATED, -zlib.MAX_WBITS)
    size = packed = crc = 0
    with tempfile.TemporaryFile() as stream:
        for part in parts:
            size, crc = size + len(part), zlib.crc32(part, crc)
            packed += stream.write(packer.compress(part))
        packed += stream.write(packer.flush())
        yield Deflated(stream, packed, size, crc)


def gzip_parts(packed: Deflated) -> Iterator[bytes]:
    """Yield a gzip file (RFC 1952) without name and time."""
    # The last byte says that the system is unknown: the library would write the one of this machine.
    yield struct.pack("<4BIBB", 0x1F, 0x8B, DEFLATED, 0, 0, 0, 255)
    yield from packed.parts()
    yield struct.pack("<II", packed.crc, packed.size & LARGEST)


def zip_parts(packed: Deflated, *, name: str) -> Iterator[bytes]:
    """Yield a ZIP archive with one file; its size may pass 4 GiB, `OverflowError` where the packed one does."""
    encoded = name.encode()
    is_large = packed.size >= LARGEST
    extra = struct.pack("<HHQQ", 1, 16, packed.size, packed.packed) if is_large else b""
    sizes = (LARGEST, LARGEST) if is_large else (packed.packed, packed.size)
    # The version of ZIP that a reader needs: 4.5 for ZIP64, 2.0 for deflate (APPNOTE, 4.4.3).
    needs = 45 if is_large else 20
    common = struct.pack(
        "<HHHHIIIHH", UTF8, DEFLATED, TIME, DAY, packed.crc, *sizes, len(encoded), len(extra)
    )
    head = b"PK\x03\x04" + struct.pack("<H", needs) + common + encoded + extra
    start = len(head) + packed.packed
    if start > LARGEST:
        raise OverflowError("an archive of more than 4 GiB is not written")
    yield head
    yield from packed.parts()
    entry = b"PK\x01\x02" + struct.pack("<HH", UNIX | needs, needs) + common
    entry += struct.pack("<HHHII", 0, 0, 0, MODE, 0) + encoded + extra
    yield entry
    yield b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), start, 0)
