"""FIDE's lists of kinds that the portal publishes itself: kept, to be compared with the portal's (D-73)."""

from __future__ import annotations

import gzip
import tempfile
from datetime import date, datetime
from operator import attrgetter
from typing import IO

from django.core.files import File

from players.fide_list import ExportRow, ListedRating, ListRecord, write_xml
from ratings.models import FideList
from ratings.services.imports.outcome import ImportedFile
from ratings.services.publication.files import put

ROWS = 5_000
# What a record and a row of a single list have in common.
PERSON = attrgetter(*ExportRow._fields[: ExportRow._fields.index("rating")])


class RecordsToCompare:
    """Takes the records of a file as they come and writes the rated ones as a single list, gzipped XML."""

    def __init__(self, kind: str, on: date) -> None:
        self.kind, self.on, self.listed = kind, on, 0
        self._rows: list[ExportRow] = []
        self._head, self._tail = write_xml([], kind=kind, date=on)
        self._spool: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        # Without name and time, so that one file of FIDE's gives the same bytes each time.
        self._file = gzip.GzipFile(filename="", fileobj=self._spool, mode="wb", compresslevel=3, mtime=0)
        self._file.write(self._head)

    def close(self) -> None:
        """Delete what was written to be stored."""
        self._file.close()
        self._spool.close()

    def add(self, record: ListRecord) -> None:
        """Add a record if it has a rating of the kind."""
        rating: ListedRating | None = getattr(record, self.kind)
        if rating is None:
            return
        self.listed += 1
        figures = (rating.rating, rating.games, rating.k, record.is_inactive)
        self._rows.append(ExportRow._make((*PERSON(record), *figures)))
        if len(self._rows) >= ROWS:
            self._write()

    def keep(self, source: ImportedFile, *, at: datetime) -> FideList:
        """Store the list and its row, from which it can be read like any list of FIDE's."""
        self._write()
        self._file.write(self._tail)
        self._file.close()
        self._spool.seek(0)
        path = f"fide/{self.kind}/{self.kind}-{self.on.isoformat()}-{source.sha256[:12]}.xml.gz"
        put(path, File(self._spool))
        return FideList.objects.create(
            kind=self.kind,
            date=self.on,
            source=source.name[:200],
            sha256=source.sha256,
            listed=self.listed,
            path=path,
            kept_at=at,
        )

    def _write(self) -> None:
        _head, *pieces, _tail = write_xml(self._rows, kind=self.kind, date=self.on)
        self._file.writelines(pieces)
        self._rows = []
