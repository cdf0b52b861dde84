"""The published files of a list, read from the storage or written again from the entries to the same bytes."""

from __future__ import annotations

from collections.abc import Iterator

from django.core.files.storage import storages

from ratings.models import ListArchive, ListFile, RatingList
from ratings.services.publication.files import file_bytes

CHUNK = 1 << 16


def is_stored(archive: ListArchive) -> bool:
    """Whether the storage has a packed file: it is never packed for a reader."""
    return storages["lists"].exists(archive.path)


def archived(archive: ListArchive) -> Iterator[bytes]:
    """Yield a packed file as it is stored."""
    with storages["lists"].open(archive.path) as source:
        yield from source.chunks(CHUNK)


def exported(rating_list: RatingList, file_format: str) -> Iterator[bytes]:
    """Yield a list's file: the stored one where it is there, else the same bytes from the entries."""
    stored = ListFile.objects.filter(rating_list=rating_list, format=file_format).first()
    if stored is None or not storages["lists"].exists(stored.path):
        yield from file_bytes(rating_list, file_format)
        return
    with storages["lists"].open(stored.path) as source:
        yield from source.chunks(CHUNK)
