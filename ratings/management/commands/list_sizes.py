"""`list_sizes`: what each list takes on disk."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.commands import PortalCommand
from ratings.queries.list_sizes import ListSize, list_sizes

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
