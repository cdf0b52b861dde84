"""The files of a list, a pure function of the stored entries."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from django.conf import settings
from django.core.files import File
from django.core.files.storage import storages
from django.db.models import Case, F, PositiveSmallIntegerField, Q, Value, When

from core.bulk import batched
from players.fide_list import FORMATS, ExportRow, write_all, write_list
from players.minors import Minors
from ratings.choices import FileFormat
from ratings.ledger.figures import EXPORT_FIELDS
from ratings.list_files import EVIDENCE
from ratings.models import ListEntry, ListFile, RatingList
from ratings.ranking import Groups

CHUNK = 5_000
GROUP = itemgetter(*map(ExportRow._fields.index, ("federation", "rating", "inactive")))


def export_rows(rating_list: RatingList) -> Iterator[ExportRow]:
    """Return the listed entries in list order as the writers of list files take them."""
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().in_list_order()
    entries = entries.annotate(shown_year=shown_year(rating_list))
    return map(ExportRow._make, entries.values_list(*EXPORT_FIELDS).iterator(chunk_size=CHUNK))


def shown_year(rating_list: RatingList) -> Case | F:
    """Return the year of birth of an entry as the files of its list show it: none of hidden minors (age-bands.md)."""
    if not rating_list.minors_hidden_of:
        return F("birth_year")
    year = PositiveSmallIntegerField(null=True)
    return Case(
        When(hidden_minors(rating_list), then=Value(None)), default=F("birth_year"), output_field=year
    )


def hidden_minors(rating_list: RatingList) -> Q:
    """Return which entries of a list belong to minors whose years were to be hidden when it was published."""
    asking = rating_list.minors_hidden_of
    codes = Q(federation__in=[one for one in asking if isinstance(one, str)])
    people = Q(player__in=[one for one in asking if isinstance(one, int)])
    return (codes | people) & Q(birth_year__gte=Minors(year=rating_list.date.year).first_year)


def file_bytes(rating_list: RatingList, file_format: str) -> Iterator[bytes]:
    """Yield the bytes of a list's file; the same entries give the same bytes."""
    rows, kind, rules = export_rows(rating_list), rating_list.kind, rating_list.rules
    return write_list(file_format, rows, kind=kind, date=rating_list.date, rules=rules)


def store_files(rating_list: RatingList) -> tuple[list[ListFile], Groups]:
    """Write all files of a list into the storage; return their rows, and how many players are in them.

    A file that a former attempt left is written over: the bytes are the same.
    """
    files, groups = [], Groups()
    with ExitStack() as stack:
        spools = {name: stack.enter_context(_spool(rating_list, name)) for name in FileFormat.values}
        drafts = _drafts(rating_list, _count_rows(export_rows(rating_list), groups), spools)
        for name, spool in spools.items():
            path, made = path_of(rating_list, name), drafts[name]
            put(path, spool)
            values = {"format": name, "path": path, "size": made.size, "sha256": made.sha256}
            files.append(ListFile.objects.create(rating_list=rating_list, **values))
    return files, groups


def hashes_again(rating_list: RatingList) -> dict[str, str]:
    """Return the SHA-256 of each of a list's files as the entries make it now, by format."""
    drafts = _drafts(rating_list, export_rows(rating_list), {})
    return {file_format: draft.sha256 for file_format, draft in drafts.items()}


def _count_rows(rows: Iterable[ExportRow], groups: Groups) -> Iterator[ExportRow]:
    """Yield the rows, and count what is asked of a list as soon as it stands: its players by their group."""
    for some in batched(rows, CHUNK):
        groups.update(map(GROUP, some))
        yield from some


class _Movable(File):  # type: ignore[type-arg]  # Django's takes its argument for type checkers alone.
    """A file on the way to the storage, which moves it where it can, rather than copy it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


@contextmanager
def _spool(rating_list: RatingList, file_format: str) -> Iterator[_Movable]:
    """Yield a file to write to; what a killed attempt left of it is written over, and nothing of it stays."""
    path = Path(settings.VAR_DIR) / "spool" / Path(path_of(rating_list, file_format)).name
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("w+b") as file:
            yield _Movable(file)
    finally:
        path.unlink(missing_ok=True)


def _drafts(
    rating_list: RatingList, entries: Iterable[ExportRow], spools: Mapping[str, IO[bytes]]
) -> dict[str, Draft]:
    """Make all files: the entries are read once, and the writers take them in step."""
    drafts = {file_format: Draft(spools.get(file_format)) for file_format in FORMATS}
    for parts in write_all(entries, kind=rating_list.kind, date=rating_list.date, rules=rating_list.rules):
        for draft, part in zip(drafts.values(), parts, strict=True):
            draft.write(part)
    return drafts


class Draft:
    """A file that is being made: its size and hash so far, and where it goes if anywhere."""

    def __init__(self, spool: IO[bytes] | None) -> None:
        self.size, self._digest = 0, hashlib.sha256()
        self._spool = spool

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()

    def write(self, part: bytes) -> None:
        self._digest.update(part)
        self.size += len(part)
        if self._spool is not None:
            self._spool.write(part)


def hash_of(parts: Iterator[bytes]) -> str:
    """Return the SHA-256 of a file's parts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def store_parts(path: str, parts: Iterable[bytes], *, only_as: str = "") -> Draft:
    """Put the parts of a file at a path of the storage; nothing where their SHA-256 is not `only_as`."""
    with TemporaryFile() as spool:
        draft = Draft(spool)
        for part in parts:
            draft.write(part)
        if only_as in ("", draft.sha256):
            put(path, File(spool))
    return draft


def put(path: str, spool: File[bytes]) -> None:
    """Put a file at exactly this path of the storage of lists."""
    storage = storages["lists"]
    spool.seek(0)
    # Django's storage takes another name where there is a file already.
    if storage.exists(path):
        storage.delete(path)
    stored = storage.save(path, spool)
    # Another process may have written the path between the two calls.
    if stored != path:
        raise OSError(f"the storage wrote {stored} in place of {path}")


def path_of(rating_list: RatingList, file_format: str) -> str:
    """Return a file's path in the storage: `rapid/2026-02-01/rapid-2026-02-01.txt`."""
    day = rating_list.date.isoformat()
    return f"{rating_list.kind}/{day}/{rating_list.kind}-{day}.{file_format}"


def evidence_path(rating_list: RatingList) -> str:
    """Return where the storage has the evidence of a list."""
    return path_of(rating_list, EVIDENCE.removeprefix("."))
