"""The published files of a list, read from the storage or written again from the entries to the same bytes.

Each is compared with its size at once, and with its hash while it is read: the end of a file that differs is held back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.core.files.storage import storages

from ratings.models import ListArchive, ListFile, RatingList
from ratings.services.publication.files import file_bytes

CHUNK = 1 << 16


class NotAsPublishedFileError(Exception):
    """A stored file is not the published one: it is neither served nor packed. The message names it."""


def is_stored(item: ListFile | ListArchive) -> bool:
    """Whether the storage has a file in its size; a packed one is never packed for a reader."""
    storage = storages["lists"]
    return storage.exists(item.path) and storage.size(item.path) == item.size


def archived(archive: ListArchive) -> Iterator[bytes]:
    """Yield a packed file as it is stored; `NotAsPublishedFileError` before its end where it was altered."""
    yield from _as_published(_stored(archive), archive)


def exported(rating_list: RatingList, file_format: str) -> Iterator[bytes]:
    """Yield a list's file: the stored one where it is there in its size, else the same bytes from the entries.

    `NotAsPublishedFileError` before its end where it is not as published.
    """
    item = ListFile.objects.filter(rating_list=rating_list, format=file_format).first()
    if item is None:
        yield from file_bytes(rating_list, file_format)
    else:
        again = file_bytes(rating_list, file_format)
        yield from _as_published(_stored(item) if is_stored(item) else again, item)


def _stored(item: ListFile | ListArchive) -> Iterator[bytes]:
    with storages["lists"].open(item.path) as source:
        yield from source.chunks(CHUNK)


def _as_published(parts: Iterator[bytes], item: ListFile | ListArchive) -> Iterator[bytes]:
    digest, held = hashlib.sha256(), b""
    for part in parts:
        if held:
            yield held
        digest.update(part)
        held = part
    if digest.hexdigest() != item.sha256:
        raise NotAsPublishedFileError(item.path)
    yield held
