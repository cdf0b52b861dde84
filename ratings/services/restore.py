"""List files that a storage has lost, written again from the entries to the bytes that were published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from django.core.files import File
from django.core.files.storage import storages

from ratings.models import ListArchive, ListFile, RatingList
from ratings.services.archives import NotAsPublishedFileError, make_archives
from ratings.services.publication.files import file_bytes, put
from ratings.services.verification.verify import stored_hash


@dataclass(frozen=True, slots=True)
class RestoredFile:
    """A file that was not as published; `is_right` where the entries gave the published bytes again."""

    path: str
    is_right: bool


def restore_files() -> Iterator[RestoredFile]:
    """Write each list file that is missing or differs; yield what was done, a file at a time.

    Where the entries no longer give the published bytes, nothing is written.
    """
    for item in ListFile.objects.select_related("rating_list").order_by("pk"):
        if stored_hash(item.path) != item.sha256:
            yield RestoredFile(item.path, _restored(item))
    yield from _packed_again()


def _packed_again() -> Iterator[RestoredFile]:
    """Pack again what was packed and is missing or differs; where the published file is wrong, nothing is packed."""
    wrong = [item for item in ListArchive.objects.order_by("pk") if stored_hash(item.path) != item.sha256]
    for pk in sorted({item.rating_list_id for item in wrong}):
        of_list = [item for item in wrong if item.rating_list_id == pk]
        for item in of_list:
            storages["lists"].delete(item.path)
        try:
            make_archives(RatingList.objects.get(pk=pk))
        except NotAsPublishedFileError:
            yield from (RestoredFile(item.path, is_right=False) for item in of_list)
            continue
        yield from (RestoredFile(item.path, is_right=True) for item in of_list)


def _restored(item: ListFile) -> bool:
    digest = sha256()
    with tempfile.TemporaryFile() as spool:
        for part in file_bytes(item.rating_list, item.format):
            digest.update(part)
            spool.write(part)
        if digest.hexdigest() != item.sha256:
            return False
        put(storages["lists"], item.path, File(spool))
    return True
