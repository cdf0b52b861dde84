"""Compressed files of a published list, and the history of all lists of its kind: written after the publication.

They follow from published data and can be written again at any time. Their hash proves that a download is complete;
the bytes inside are those of the published file, whose hash is in the manifest.

Compressed files have the same bytes every time: no machine name, no clock, one fixed level. A file is deflated once;
gzip and ZIP add different headers and trailers to the same stream. `zipfile` would deflate it a second time, and mark
names otherwise: packed files of older lists, whose hashes are stored, could not be written again.
"""

from __future__ import annotations

import hashlib
import struct
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain, islice
from typing import IO

from django.core.files import File
from django.core.files.storage import storages

from ratings.choices import Origin
from ratings.models import ListArchive, ListEntry, ListFile, RatingList
from ratings.queries.list_files import HISTORY
from ratings.queries.movements import movements_of
from ratings.queries.statistics import statistics_of
from ratings.services.export import NotAsPublishedFileError, export_bytes, is_stored, packed_copy, unpack
from ratings.services.publication.files import hash_of, put

STRENGTH = 6
CHUNK = 1 << 16
LARGEST = 0xFFFFFFFF
# 1 January 1980, 00:00: the first instant that a ZIP can store.
DAY, TIME = 0x0021, 0
# Read and written under Unix by the owner, read by all; the name is UTF-8.
UNIX, MODE, UTF8 = 3 << 8, 0o100644 << 16, 1 << 11
DEFLATED = 8
# A file of a list is kept plain beside its packed ones for a year.
PLAIN_FOR = timedelta(days=366)


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
    yield struct.pack("<4BIBB", 0x1F, 0x8B, DEFLATED, 0, 0, 0, 255)
    yield from packed.parts()
    yield struct.pack("<II", packed.crc, packed.size & LARGEST)


def zip_parts(packed: Deflated, *, name: str) -> Iterator[bytes]:
    """Yield a ZIP archive with one file; its size may pass 4 GiB, `OverflowError` where the packed one does."""
    encoded = name.encode()
    is_large = packed.size >= LARGEST
    extra = struct.pack("<HHQQ", 1, 16, packed.size, packed.packed) if is_large else b""
    sizes = (LARGEST, LARGEST) if is_large else (packed.packed, packed.size)
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


HISTORY_COLUMNS = ("fide_id", "list", "rating", "games", "k", "inactive")
ROWS = 5_000


def make_archives(rating_list: RatingList) -> list[ListArchive]:
    """Write the packed files of a list that are missing, and return those that were written.

    An imported list has none. A file that a former attempt left is written over.
    """
    if rating_list.origin != Origin.PUBLISHED:
        return []
    # Calculate statistics and changes in advance, so that the first readers need not wait.
    statistics_of(rating_list)
    movements_of(rating_list, before=rating_list.previous)
    made = [item for stored in rating_list.files.order_by("format") for item in _packed_file(stored)]
    made += _packed_history(rating_list)
    return made


def pack_again(archive: ListArchive) -> bool:
    """Write one packed file that the storage lacks; return whether it is there, with the bytes that it had.

    A folder of one machine lacks those that a worker of another one has written. The evidence and the history take too
    long for a reader.
    """
    name, _dot, packing = archive.name.rpartition(".")
    stored = archive.rating_list.files.filter(path__endswith=f"/{name}").first()
    if stored is None:
        return False
    with (
        deflate(export_bytes(archive.rating_list, stored.format)) as packed,
        tempfile.TemporaryFile() as spool,
    ):
        digest = hashlib.sha256()
        for part in gzip_parts(packed) if packing == "gz" else zip_parts(packed, name=name):
            digest.update(part)
            spool.write(part)
        if digest.hexdigest() != archive.sha256:
            return False
        put(storages["lists"], archive.path, File(spool))
    return True


def keep_packed_only(*, today: date) -> list[str]:
    """Delete each plain file of a list older than a year whose gzip file has the same bytes; return the paths.

    The gzip file is read to its end first: a killed process leaves both files, or the compressed one.
    """
    files = ListFile.objects.filter(rating_list__date__lt=today - PLAIN_FOR).order_by("pk")
    gone = []
    for item in files.select_related("rating_list").defer("rating_list__manifest"):
        if storages["lists"].exists(item.path) and _is_packed_right(item):
            storages["lists"].delete(item.path)
            gone.append(item.path)
    return gone


def _is_packed_right(item: ListFile) -> bool:
    packed = packed_copy(item)
    try:
        return packed is not None and hash_of(unpack(packed)) == item.sha256
    except NotAsPublishedFileError:
        return False


def history_bytes(rating_list: RatingList) -> Iterator[bytes]:
    """Yield the ratings of each player on all published lists of the kind up to this one, as CSV.

    By FIDE ID, then by list. A list never changes, so the same lists give the same bytes.
    """
    lists = RatingList.objects.filter(kind=rating_list.kind, origin=Origin.PUBLISHED)
    dates = dict(lists.filter(date__lte=rating_list.date).values_list("pk", "date"))
    entries = ListEntry.objects.filter(rating_list__in=list(dates)).listed()
    values = entries.order_by("player_id", "rating_list__date").values_list(
        "player_id", "rating_list_id", "rating", "games", "k_factor", "is_inactive"
    )
    lines = (
        f"{player},{dates[pk].isoformat()},{rating},{games},{'' if k is None else k},{int(is_inactive)}\n"
        for player, pk, rating, games, k, is_inactive in values.iterator(chunk_size=ROWS)
    )
    text = chain([",".join(HISTORY_COLUMNS) + "\n"], lines)
    while part := "".join(islice(text, ROWS)):
        yield part.encode()


def _packed_file(item: ListFile) -> Iterator[ListArchive]:
    rating_list, name = item.rating_list, item.path.rpartition("/")[2]
    wanted = [ending for ending in ("gz", "zip") if not _stands(rating_list, f"{name}.{ending}")]
    if not wanted:
        return
    with deflate(export_bytes(rating_list, item.format)) as packed:
        for ending in wanted:
            parts = gzip_parts(packed) if ending == "gz" else zip_parts(packed, name=name)
            yield _store(rating_list, f"{name}.{ending}", parts)


def _packed_history(rating_list: RatingList) -> Iterator[ListArchive]:
    """Compress the history unless a later list has it, and delete that of an earlier list, which it contains."""
    stem = f"{rating_list.kind}-{rating_list.date.isoformat()}"
    others = ListArchive.objects.filter(rating_list__kind=rating_list.kind, name__endswith=HISTORY)
    is_last = not others.filter(rating_list__date__gt=rating_list.date).exists()
    if not is_last or _stands(rating_list, stem + HISTORY):
        return
    with deflate(history_bytes(rating_list)) as packed:
        parts = zip_parts(packed, name=stem + HISTORY.removesuffix(".zip"))
        yield _store(rating_list, stem + HISTORY, parts)
    for former in others.filter(rating_list__date__lt=rating_list.date):
        former.delete()
        storages["lists"].delete(former.path)


def _stands(rating_list: RatingList, name: str) -> bool:
    found = ListArchive.objects.filter(rating_list=rating_list, name=name).first()
    return found is not None and is_stored(found)


def _store(rating_list: RatingList, name: str, parts: Iterable[bytes]) -> ListArchive:
    digest, size = hashlib.sha256(), 0
    path = f"{rating_list.kind}/{rating_list.date.isoformat()}/{name}"
    with tempfile.TemporaryFile() as spool:
        for part in parts:
            digest.update(part)
            size += spool.write(part)
        put(storages["lists"], path, File(spool))
    item, _is_new = ListArchive.objects.update_or_create(
        rating_list=rating_list,
        name=name,
        defaults={"path": path, "size": size, "sha256": digest.hexdigest()},
    )
    return item
