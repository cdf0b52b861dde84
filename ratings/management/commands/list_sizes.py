"""`list_sizes`: what each list takes on disk."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from django.core.files.storage import storages
from django.db import connection

from core.commands import PortalCommand
from ratings.lists import read_lists
from ratings.models import ListArchive, ListEntry, ListFile, RatingList

MEBIBYTE = 1 << 20


class Command(PortalCommand):
    help = (
        "Print the disk space of each rating list: rows and indexes (PostgreSQL only, estimated from the "
        "number of players) and files."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        sizes = list_sizes()
        result = [asdict(size) | {"date": size.date.isoformat()} for size in sizes]
        self.emit({"lists": result}, map(_line, sizes), options)


def _line(size: ListSize) -> str:
    parts = (("rows", size.rows), ("indexes", size.indexes), ("files", size.files))
    shown = [f"{name} {value / MEBIBYTE:.1f} MiB" for name, value in parts if value is not None]
    return f"{size.kind} {size.date.isoformat()}: {', '.join(shown)}"


# The disk space of the lists.
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
    lists = read_lists().newest_first
    storage, files = storages["lists"], defaultdict[int, int](int)
    for model in (ListFile, ListArchive):
        for pk, path in model.objects.order_by("pk").values_list("rating_list_id", "path"):
            if storage.exists(path):
                files[pk] += storage.size(path)
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
        # All lists are in one table, of which PostgreSQL knows the size as a whole only.
        cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [name, name])
        rows, indexes = cursor.fetchone()
    return rows, indexes
