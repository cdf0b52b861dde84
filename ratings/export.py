"""The published files of a list, read from the storage or written again from the entries to the same bytes.

The storage may have a file packed only: it is unpacked while it is read. Each is compared with its size at once, and
with its hash while it is read: the end of a file that differs is held back.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import structlog
from django.core.cache import cache
from django.core.files.storage import storages
from django.utils import timezone

from players.minors import Minors
from ratings.choices import Work
from ratings.due_runs import make_due_unless_at_it
from ratings.list_files import archive_of
from ratings.models import ListArchive, ListFile, RatingList
from ratings.publish.files import file_bytes, hash_of, store_parts

CHUNK = 1 << 16
# A file that was read as published is taken to be so for a day, as long as the system says that it is the same.
SEEN_SECONDS = 24 * 3600
logger = structlog.get_logger(__name__)


class NotAsPublishedFileError(Exception):
    """A stored file is not the published one: it is neither served nor packed. The message names it."""


def is_stored(item: ListFile | ListArchive) -> bool:
    """Whether the storage has a file in its size; a packed one is never packed for a reader."""
    storage = storages["lists"]
    # Its hash would need the whole file, and is compared while that is read.
    return storage.exists(item.path) and storage.size(item.path) == item.size


def is_seen_as_published(item: ListFile | ListArchive) -> bool:
    """Whether a file of a folder was read as published, in the state in which it is, so that a proxy may send it."""
    key = _seen_key(item)
    return key is not None and cache.get(key) is not None


def read_archived(archive: ListArchive) -> Iterator[bytes]:
    """Yield a packed file as it is stored; `NotAsPublishedFileError` before its end where it was altered."""
    yield from _as_published(read_stored(archive), archive)


def export_bytes(rating_list: RatingList, file_format: str) -> Iterator[bytes]:
    """Yield a list's file as it is stored, plain or packed, else the same bytes from the entries.

    `NotAsPublishedFileError` before its end where it is not as published.
    """
    item = ListFile.objects.filter(rating_list=rating_list, format=file_format).first()
    if item is None:
        yield from file_bytes(rating_list, file_format)
    else:
        yield from _as_published(_read_published(item), item)


def written_import(rating_list: RatingList, file_format: str, minors: Minors) -> ListFile:
    """Return the file of an imported list in the storage, written when first asked for; OSError where it cannot be.

    Its row is not saved: it is for the years of birth that everybody may see now. Those with others go.
    """
    storage, day = storages["lists"], rating_list.date.isoformat()
    shown = repr((rating_list.pk, rating_list.published_at, sorted(minors.codes), sorted(minors.people)))
    folder = f"imported/{rating_list.kind}-{day}"
    name = f"{hashlib.sha256(shown.encode()).hexdigest()[:16]}.{file_format}"
    path = f"{folder}/{name}"
    if not storage.exists(path):
        store_parts(path, imported_file(rating_list, file_format, minors))
        # Whoever asks that a minor's year is hidden must not find it in a file of before.
        for other in storage.listdir(folder)[1]:
            if other != name and other.endswith(f".{file_format}"):
                storage.delete(f"{folder}/{other}")
    return ListFile(rating_list=rating_list, format=file_format, path=path, size=storage.size(path))


def imported_file(rating_list: RatingList, file_format: str, minors: Minors) -> Iterator[bytes]:
    """Yield the file of an imported list, written from its entries: years of birth as everybody may see them now."""
    shown = copy(rating_list)
    shown.minors_hidden_of = [*minors.codes, *sorted(minors.people)]
    return file_bytes(shown, file_format)


def with_repair(parts: Iterator[bytes], instead: Iterator[bytes] | None = None) -> Iterator[bytes]:
    """Return the parts of a download; of one that is not as published, workers check and restore all files.

    A small file is known to differ before anything is sent: `instead` is sent, where there is none the error is raised
    at once. A larger one ends without its last part.
    """
    try:
        first = next(parts, b"")
    except NotAsPublishedFileError as error:
        _have_restored(error)
        if instead is None:
            raise
        return instead
    return _rest(first, parts)


def _rest(first: bytes, parts: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    try:
        yield from parts
    except NotAsPublishedFileError as error:
        _have_restored(error)
        raise


def _have_restored(error: NotAsPublishedFileError) -> None:
    logger.error("download differs from what was published", path=str(error))
    make_due_unless_at_it(Work.FILES, Work.FILES.value, at=timezone.now())


def packed_copy(item: ListFile) -> ListArchive | None:
    """Return the gzip file of a published file where the storage has it in its size."""
    return stored_archive(item.rating_list, f"{item.path.rpartition('/')[2]}.gz")


def stored_archive(rating_list: RatingList, name: str) -> ListArchive | None:
    """Return a packed file of a list where the storage has it in its size."""
    archive = archive_of(rating_list, name)
    return archive if archive is not None and is_stored(archive) else None


def packed_hash(item: ListFile) -> str:
    """Return the SHA-256 of what the gzip file of a published file holds, or what is wrong with it."""
    packed = packed_copy(item)
    try:
        return hash_of(unpack(packed)) if packed else "missing"
    except NotAsPublishedFileError:
        return "packed wrongly"


def unpack(archive: ListArchive) -> Iterator[bytes]:
    """Yield what a gzip file holds; `NotAsPublishedFileError` where it cannot be unpacked."""
    try:
        with storages["lists"].open(archive.path) as stored, gzip.open(stored) as source:
            while part := source.read(CHUNK):
                yield part
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise NotAsPublishedFileError(archive.path) from error


def _read_published(item: ListFile) -> Iterator[bytes]:
    if is_stored(item):
        return read_stored(item)
    packed = packed_copy(item)
    return unpack(packed) if packed else file_bytes(item.rating_list, item.format)


def read_stored(item: ListFile | ListArchive) -> Iterator[bytes]:
    with storages["lists"].open(item.path) as source:
        yield from source.chunks(CHUNK)


def _as_published(parts: Iterator[bytes], item: ListFile | ListArchive) -> Iterator[bytes]:
    digest, held, seen = hashlib.sha256(), b"", _seen_key(item)
    for part in parts:
        if held:
            yield held
        digest.update(part)
        # The last part waits for the hash: a reader of an altered file must not get a complete download.
        held = part
    if digest.hexdigest() != item.sha256:
        raise NotAsPublishedFileError(item.path)
    if seen is not None:
        cache.set(seen, True, SEEN_SECONDS)
    yield held


def is_in_folder(item: ListFile) -> bool:
    """Whether a proxy on this machine may find a file."""
    try:
        return Path(storages["lists"].path(item.path)).is_file()
    except NotImplementedError:
        # Storages that are no folder, such as S3, have no paths.
        return False


def _seen_key(item: ListFile | ListArchive) -> str | None:
    """Return by what it is noted that a file was read as published; None where it is not in a folder."""
    try:
        found = Path(storages["lists"].path(item.path)).stat()
    except (NotImplementedError, OSError):
        return None
    return (
        # A file that is replaced or written to has another inode or times: it is read again.
        f"as-published:{item.sha256}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
    )
