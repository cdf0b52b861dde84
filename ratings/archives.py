"""Compressed files of a published list, and the history of all lists of its kind: written after the publication.

They follow from published data and can be written again at any time. Their hash proves that a download is complete;
the bytes inside are those of the published file, whose hash is in the manifest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from django.core.files import File
from django.core.files.storage import storages

from core.bulk import batched
from core.packing import packed
from ratings.choices import Origin
from ratings.export import NotAsPublishedFileError, export_bytes, packed_hash, stored_archive
from ratings.games import as_csv, games_of_month, lists_of_month
from ratings.list_files import EVIDENCE, GAMES, HISTORY, archive_of, games_name
from ratings.lists import read_lists
from ratings.models import ListArchive, ListEntry, ListFile, RatingList
from ratings.movements import movements_of
from ratings.publish.bundle import write_again
from ratings.publish.files import evidence_path, file_bytes, put, store_parts
from ratings.statistics import results_of, statistics_of
from ratings.verify.lists import periods_again
from ratings.verify.verify import published_hash, stored_hash

# A file of a list is kept plain beside its packed ones for a year.
PLAIN_FOR = timedelta(days=366)
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
    results_of(rating_list, read_lists())
    movements_of(rating_list, before=rating_list.previous)
    made = [item for stored in rating_list.files.order_by("format") for item in _packed_file(stored)]
    made += [*_packed_history(rating_list), *_packed_games(rating_list.date)]
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
    with packed(export_bytes(archive.rating_list, stored.format), name, endings=[packing]) as files:
        return store_parts(archive.path, files[packing], only_as=archive.sha256).sha256 == archive.sha256


def keep_packed_only(*, today: date) -> list[str]:
    """Delete each plain file of a list older than a year whose gzip file has the same bytes; return the paths.

    The gzip file is read to its end first: a killed process leaves both files, or the compressed one.
    """
    files = ListFile.objects.filter(rating_list__date__lt=today - PLAIN_FOR).order_by("pk")
    gone = []
    for item in files.select_related("rating_list").defer("rating_list__manifest"):
        if storages["lists"].exists(item.path) and packed_hash(item) == item.sha256:
            storages["lists"].delete(item.path)
            gone.append(item.path)
    return gone


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
    for some in batched(chain([",".join(HISTORY_COLUMNS) + "\n"], lines), ROWS):
        yield "".join(some).encode()


def _packed_file(item: ListFile) -> Iterator[ListArchive]:
    rating_list, name = item.rating_list, item.path.rpartition("/")[2]
    wanted = [ending for ending in ("gz", "zip") if not stored_archive(rating_list, f"{name}.{ending}")]
    if not wanted:
        return
    with packed(export_bytes(rating_list, item.format), name, endings=wanted) as files:
        for ending, parts in files.items():
            yield _store(rating_list, f"{name}.{ending}", parts)


def _packed_history(rating_list: RatingList) -> Iterator[ListArchive]:
    """Compress the history unless a later list has it, and delete that of an earlier list, which it contains."""
    stem = f"{rating_list.kind}-{rating_list.date.isoformat()}"
    others = ListArchive.objects.filter(rating_list__kind=rating_list.kind, name__endswith=HISTORY)
    is_last = not others.filter(rating_list__date__gt=rating_list.date).exists()
    if not is_last or stored_archive(rating_list, stem + HISTORY):
        return
    name = stem + HISTORY.removesuffix(".zip")
    with packed(history_bytes(rating_list), name, endings=["zip"], is_large=True) as files:
        yield _store(rating_list, stem + HISTORY, files["zip"])
    for former in others.filter(rating_list__date__lt=rating_list.date):
        # The row first: a page never offers a file that is gone.
        former.delete()
        storages["lists"].delete(former.path)


def _packed_games(month: date) -> Iterator[ListArchive]:
    """Compress the games of a month, as soon as each of its lists is there."""
    lists, name = lists_of_month(month), games_name(month)
    if not lists or stored_archive(lists[0], name):
        return
    hidden: set[int] = set()
    rows = map(str.encode, as_csv(games_of_month(month, hidden)))
    known = archive_of(lists[0], name)
    with packed(rows, name, endings=["gz"]) as files:
        if known is None:
            yield _store(lists[0], name, files["gz"], hidden)
        elif store_parts(known.path, files["gz"], only_as=known.sha256).sha256 != known.sha256:
            raise NotAsPublishedFileError(known.path)
        else:
            yield known


def lists_without_games() -> list[RatingList]:
    """Return the newest list of each month whose games are in no file yet."""
    known = ListArchive.objects.filter(name__startswith=GAMES).values("rating_list__date")
    months = RatingList.objects.filter(origin=Origin.PUBLISHED).exclude(date__in=known)
    dates = months.order_by("date").values_list("date", flat=True).distinct()
    return [lists[0] for month in dates if (lists := lists_of_month(month))]


def _store(
    rating_list: RatingList, name: str, parts: Iterable[bytes], hidden: Iterable[int] = ()
) -> ListArchive:
    path = f"{rating_list.kind}/{rating_list.date.isoformat()}/{name}"
    made = store_parts(path, parts)
    # The parts are read: what they left out is known.
    values = {"path": path, "size": made.size, "sha256": made.sha256, "hidden": sorted(hidden)}
    return ListArchive.objects.update_or_create(rating_list=rating_list, name=name, defaults=values)[0]


# List files that a storage has lost, written again from the entries to the bytes that were published.
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
