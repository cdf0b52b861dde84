"""List files that a storage has lost, written again from the entries to the bytes that were published.

Each night, and by command, it is checked that what is stored is what was written.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import islice

from django.contrib.auth import get_user_model
from django.core.files import File
from django.core.files.storage import storages
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from players.choices import NoticeKind, Role
from players.services import notices
from ratings.choices import FILE_LOST, FILE_RESTORED, JOB_TEXTS, LOG_DIFFERS, Origin, job_error
from ratings.models import ListArchive, ListFile, RatingList
from ratings.queries.list_files import EVIDENCE
from ratings.services.archives import make_archives
from ratings.services.export import NotAsPublishedFileError
from ratings.services.publication.bundle import write_again
from ratings.services.publication.files import file_bytes, put
from ratings.services.verification.lists import periods_again
from ratings.services.verification.verify import evidence_path, published_hash, stored_hash
from tournaments.services import log_chain


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
            yield RestoredFile(item.path, _restored(item))
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
            storages["lists"].delete(item.path)
        try:
            make_archives(RatingList.objects.get(pk=pk))
        except NotAsPublishedFileError:
            yield from (RestoredFile(item.path, is_right=False) for item in of_list)
            continue
        yield from (RestoredFile(item.path, is_right=True) for item in of_list)


def _restored_evidence(rating_list: RatingList) -> bool:
    with tempfile.TemporaryFile() as spool:
        again = write_again(spool, rating_list, periods_again(rating_list))
        if again != rating_list.manifest["evidence"]:
            return False
        put(storages["lists"], evidence_path(rating_list), File(spool))
    return True


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


# A message names so many: the first ones show where to look.
MAX_NAMED = 20


def check_log() -> list[str]:
    """Link what was left behind, and return what is wrong with the audit log and with the heads that lists name."""
    log_chain.link_log(whole=True)
    return [*islice(map(str, log_chain.verify_log()), MAX_NAMED), *_lost_heads()]


def _lost_heads() -> Iterator[str]:
    """Yield the lists whose manifest names a head that is not on the chain."""
    for rating_list in RatingList.objects.order_by("date", "kind"):
        named = rating_list.manifest.get("audit_log")
        if named and not log_chain.is_on_chain(named["entries"], named["sha256"]):
            yield JOB_TEXTS.stored(LOG_DIFFERS, list=rating_list.stored_name)


def check_files() -> list[str]:
    """Compare every file of the lists with its hash, and write what differs again from the entries; return what did."""
    return [
        JOB_TEXTS.stored(FILE_RESTORED if item.is_right else FILE_LOST, path=item.path)
        for item in restore_files()
    ]


def check_database() -> list[str]:
    """Return the integrity problems that the database reports; PostgreSQL checks its pages when it reads them."""
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({MAX_NAMED})")
        return [str(row[0]) for row in cursor.fetchall() if row[0] != "ok"]


def tell_staff(problem: str, *, at: datetime) -> None:
    """Mail staff and auditors what a check found, once a day."""
    readers = get_user_model()._default_manager.filter(appointments__role__in=(Role.STAFF, Role.AUDITOR))
    notices.post(
        to=readers.distinct(),
        kind=NoticeKind.SECURITY,
        key=f"check:{at.date().isoformat()}:{problem}"[:200],
        subject=_l("A check of the rating portal found a difference"),
        text=lambda: (
            _("The stored data differ from what was written: %(problem)s") % {"problem": job_error(problem)}
        ),
        at=at,
    )
