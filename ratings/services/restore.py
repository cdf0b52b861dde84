"""List files that a storage has lost, written again from the entries to the bytes that were published."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.files import File
from django.core.files.storage import storages

from ratings.choices import Origin
from ratings.models import ListArchive, ListFile, RatingList
from ratings.queries.list_files import EVIDENCE
from ratings.services.archives import make_archives
from ratings.services.export import NotAsPublishedFileError
from ratings.services.publication.bundle import write_again
from ratings.services.publication.files import evidence_path, file_bytes, put, store_parts
from ratings.services.verification.lists import periods_again
from ratings.services.verification.verify import published_hash, stored_hash


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
        if published_hash(item) != item.sha256:
            yield RestoredFile(item.path, _is_restored(item))
    for rating_list in RatingList.objects.filter(origin=Origin.PUBLISHED).order_by("pk"):
        if stored_hash(evidence_path(rating_list)) != rating_list.manifest["evidence"]["sha256"]:
            yield RestoredFile(evidence_path(rating_list), _restored_evidence(rating_list))
    yield from _packed_again()


def _packed_again() -> Iterator[RestoredFile]:
    """Pack again what was packed and is missing or differs; where the published file is wrong, nothing is packed."""
    packed = ListArchive.objects.exclude(name__endswith=EVIDENCE).order_by("pk")
    wrong = [item for item in packed if stored_hash(item.path) != item.sha256]
    for pk in sorted({item.rating_list_id for item in wrong}):
        of_list = [item for item in wrong if item.rating_list_id == pk]
        for item in of_list:
            # `make_archives` packs only what the storage lacks.
            storages["lists"].delete(item.path)
        try:
            make_archives(RatingList.objects.get(pk=pk))
            is_right = True
        except NotAsPublishedFileError:
            is_right = False
        yield from (RestoredFile(item.path, is_right) for item in of_list)


def _restored_evidence(rating_list: RatingList) -> bool:
    with tempfile.TemporaryFile() as spool:
        again = write_again(spool, rating_list, periods_again(rating_list))
        if again != rating_list.manifest["evidence"]:
            return False
        put(evidence_path(rating_list), File(spool))
    return True


def _is_restored(item: ListFile) -> bool:
    parts = file_bytes(item.rating_list, item.format)
    return store_parts(item.path, parts, only_as=item.sha256).sha256 == item.sha256
