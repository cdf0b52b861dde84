"""All lists in the portal, with the newest, their neighbours and their files.

A process reads them once, and again when a list is added or removed. A page only checks whether they have changed,
which reads one row for any number of lists.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any, TypeVar

from django.core.files.storage import storages
from django.db import connection
from django.db.models import Count, Max

from ratings.choices import ListKind, Origin
from ratings.models import ListArchive, ListEntry, ListFile, RatingList

KINDS = (ListKind.RAPID, ListKind.BLITZ, ListKind.STANDARD)
# The manifest names every report of a month: too much for a page that shows only a date.
LARGE = ("manifest", "signature")
Found = TypeVar("Found")


class Catalogue:
    """The lists of all kinds, the newest first. Many pages share it: nothing in it changes."""

    def __init__(self, lists: Sequence[RatingList]) -> None:
        self.lists = lists
        self._by_kind: dict[str, list[RatingList]] = defaultdict(list)
        for item in lists:
            self._by_kind[item.kind].append(item)

    def of_kind(self, kind: str) -> list[RatingList]:
        """Return the lists of a kind, the newest first."""
        return [*self._by_kind.get(kind, ())]

    def newest(self, kind: str) -> RatingList | None:
        return _own(self._by_kind.get(kind, ()), 0)

    def newest_of_each(self) -> list[RatingList]:
        """Return the newest list of each kind that has one: rapid, blitz, standard."""
        return [item for kind in KINDS if (item := self.newest(kind))]

    def on(self, kind: str, day: date) -> RatingList | None:
        """Return the list that bears a date."""
        return _own([item for item in self._by_kind.get(kind, ()) if item.date == day], 0)

    def before(self, rating_list: RatingList) -> RatingList | None:
        """Return the list before: the one that its figures are compared with."""
        lists = self._by_kind.get(rating_list.kind, [])
        return _own(lists, bisect_right(lists, _age(rating_list), key=_age))

    def after(self, rating_list: RatingList) -> RatingList | None:
        lists = self._by_kind.get(rating_list.kind, [])
        return _own(lists, bisect_left(lists, _age(rating_list), key=_age) - 1)

    @cached_property
    def by_id(self) -> dict[int, RatingList]:
        return {item.pk: item for item in self.lists}

    def as_of(self, day: date) -> Catalogue:
        """Return the lists that stood on a day; `LookupError` where none bears it."""
        if all(item.date != day for item in self.lists):
            raise LookupError(day)
        return Catalogue([item for item in self.lists if item.date <= day])

    @cached_property
    def months(self) -> Sequence[tuple[date, Sequence[RatingList | None]]]:
        """Each date with its list of every kind, the newest date first."""
        found = {(item.kind, item.date): item for item in self.lists}
        return [(day, [found.get((kind, day)) for kind in KINDS]) for day in self.days]

    @cached_property
    def days(self) -> Sequence[date]:
        """The dates of all lists, the newest first."""
        return sorted({item.date for item in self.lists}, reverse=True)

    @property
    def ids(self) -> list[int]:
        """The lists by their keys: for what these took in, and no list that appeared since."""
        return [item.pk for item in self.lists]

    @cached_property
    def changed_at(self) -> datetime | None:
        """When the newest of all lists appeared."""
        return max((item.published_at for item in self.lists), default=None)

    @property
    def version(self) -> str:
        """What differs as soon as a list is published or imported: for validators of cached pages."""
        return f"{len(self.lists)}-{self.changed_at.isoformat() if self.changed_at else ''}"

    @cached_property
    def state(self) -> tuple[Any, ...]:
        """What `_state_of_all` reads of the same lists: how many, the last key, the last moment."""
        return len(self.lists), max((item.pk for item in self.lists), default=None), self.changed_at


# The lists as this process read them last, by the name of the database.
_READ: dict[str, Catalogue] = {}


def catalogue() -> Catalogue:
    """Return all lists without their manifests, by one query of one row unless a list appeared or went."""
    name = str(connection.settings_dict["NAME"])
    known = _READ.get(name)
    if known is None or known.state != _state_of_all():
        known = _READ[name] = Catalogue(list(RatingList.objects.defer("manifest").order_by("-date", "kind")))
    return known


def forget_catalogue() -> None:
    """Read the lists again: for tests, which roll back what they wrote."""
    _READ.clear()


def _state_of_all() -> tuple[Any, ...]:
    return tuple(RatingList.objects.aggregate(Count("pk"), Max("pk"), Max("published_at")).values())


def _age(rating_list: RatingList) -> int:
    """Return what rises from the newest list to the oldest."""
    return -rating_list.date.toordinal()


def _own(lists: Sequence[RatingList], place: int) -> RatingList | None:
    """Return a copy of a list for one page, which may load deferred fields; None outside the lists."""
    return copy(lists[place]) if 0 <= place < len(lists) else None


def read_undivided(read: Callable[[Catalogue], Found]) -> Found:
    """Return `read(lists)`. Repeat if a list was published during the read.

    For pages that show lists and tournaments, which a publication changes together.
    """
    lists = catalogue()
    found = read(lists)
    now = catalogue()
    return found if now.version == lists.version else read(now)


def is_published(rating_list: RatingList) -> bool:
    """Return whether the portal calculated the list, so that it has files and calculations."""
    return rating_list.origin == Origin.PUBLISHED


HISTORY, EVIDENCE = ".history.csv.zip", ".evidence.zip"


def files_of(rating_list: RatingList) -> list[ListFile]:
    """Return the list's files; none for an imported list."""
    return list(ListFile.objects.filter(rating_list=rating_list).order_by("format"))


def file_of(rating_list: RatingList, file_format: str) -> ListFile | None:
    return ListFile.objects.filter(rating_list=rating_list, format=file_format).first()


def archives_of(rating_list: RatingList) -> list[ListArchive]:
    """Return the compressed files of the list that exist so far."""
    return list(ListArchive.objects.filter(rating_list=rating_list).order_by("name"))


def archive_of(rating_list: RatingList, name: str) -> ListArchive | None:
    return ListArchive.objects.filter(rating_list=rating_list, name=name).first()


def newest_history(kind: str) -> ListArchive | None:
    """Return the newest history of the lists of a kind."""
    rows = ListArchive.objects.filter(rating_list__kind=kind, name__endswith=HISTORY)
    return (
        rows.select_related("rating_list")
        .defer("rating_list__manifest")
        .order_by("-rating_list__date")
        .first()
    )


def manifest_of(rating_list: RatingList) -> dict[str, Any]:
    """Return the manifest, empty for an imported list."""
    found = RatingList.objects.filter(pk=rating_list.pk).values_list("manifest", flat=True)
    return found.first() or {}


@dataclass(frozen=True, slots=True)
class ListSize:
    """Disk space of a list in bytes; rows and indexes are None if the database does not report them."""

    kind: str
    date: date
    rows: int | None
    indexes: int | None
    files: int


def list_sizes() -> list[ListSize]:
    """Return what each list takes, the newest first.

    Rows and indexes are the list's share of the table of entries, by its players; files are those that the storage has.
    """
    lists = list(RatingList.objects.defer(*LARGE).order_by("-date", "kind"))
    files = _stored_bytes()
    table, players = _entry_bytes(), sum(item.listed for item in lists)

    def share(item: RatingList, size: int) -> int:
        return size * item.listed // players if players else 0

    return [
        ListSize(
            kind=item.kind,
            date=item.date,
            rows=None if table is None else share(item, table[0]),
            indexes=None if table is None else share(item, table[1]),
            files=files[item.pk],
        )
        for item in lists
    ]


def _entry_bytes() -> tuple[int, int] | None:
    """Return the bytes of the entries of all lists and of their indexes; only PostgreSQL reports them."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        name = ListEntry._meta.db_table
        cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [name, name])
        rows, indexes = cursor.fetchone()
    return rows, indexes


def _stored_bytes() -> defaultdict[int, int]:
    storage, sizes = storages["lists"], defaultdict[int, int](int)
    for model in (ListFile, ListArchive):
        for pk, path in model.objects.order_by("pk").values_list("rating_list_id", "path"):
            if storage.exists(path):
                sizes[pk] += storage.size(path)
    return sizes
