"""Pages of the audit log by position, and the whole of it as a stream: its sources merged, the newest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.paging import decode_position, encode_position
from core.text_values import LARGEST_KEY
from players.choices import ActKind
from tournaments.queries.audit_sources import SOURCES, AuditFilter, AuditRow, AuditSource

__all__ = ["KINDS", "AuditFilter", "AuditPage", "AuditRow", "all_rows", "page_of"]

KINDS = [
    ("tournament", _l("tournaments")),
    ("player", _l("players")),
    ("federation", _l("federations")),
    ("exclusion", _l("exclusions")),
    ("appointment", _l("roles")),
    # Acts on players are among those of the players.
    *(choice for choice in ActKind.choices if choice[0] != ActKind.PLAYER),
]
CHUNK = 500
# A place for each source, not for each kind: rows of players come from two tables.
ORDER = {source.kind: place for place, source in enumerate(SOURCES)}
Position = tuple[datetime, int, int]


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Some rows of the audit log, and the position after them, empty at its end."""

    rows: Sequence[AuditRow]
    after: str


def page_of(wanted: AuditFilter, *, after: str = "", size: int = 50) -> AuditPage:
    """Return the page after a position, in two queries a source; a 404 for a position that is none."""
    position = _read_position(after) if after else None
    # Any source may fill the page alone, and the row too many tells that another page follows.
    parts = [_take_rows(source, wanted, position, size + 1) for source in _sources(wanted)]
    rows = list(islice(heapq.merge(*parts, key=_key), size + 1))
    return AuditPage(rows[:size], _position(rows[size - 1]) if len(rows) > size else "")


def all_rows(wanted: AuditFilter) -> Iterator[AuditRow]:
    """Yield every row of the audit log that is wanted, the newest first, a bounded number in memory."""
    return heapq.merge(*(_stream(source, wanted) for source in _sources(wanted)), key=_key)


def _sources(wanted: AuditFilter) -> list[AuditSource]:
    return [source for source in SOURCES if wanted.kind in ("", *source.kinds)]


# Sources in a fixed order at one instant, so that a page begins where the one before ended.
def _key(row: AuditRow) -> tuple[float, int, int]:
    return -row.at.timestamp(), ORDER[row.source], -row.number


def _take_rows(
    source: AuditSource, wanted: AuditFilter, position: Position | None, size: int
) -> list[AuditRow]:
    rows = source.filter_rows(wanted)
    if position is not None:
        # By position: entries that are written meanwhile would shift the rows of an offset from one page to the next.
        rows = rows.filter(_beyond(source, position))
    return list(source.read(rows[:size]))


def _stream(source: AuditSource, wanted: AuditFilter) -> Iterator[AuditRow]:
    position: Position | None = None
    while chunk := _take_rows(source, wanted, position, CHUNK):
        yield from chunk
        position = (chunk[-1].at, _place(source), chunk[-1].number)


def _beyond(source: AuditSource, position: Position) -> Q:
    at, place, number = position
    later = Q(**{f"{source.at}__lt": at})
    if _place(source) > place:
        return later | Q(**{source.at: at})
    return later | Q(**{source.at: at, f"{source.pk}__lt": number}) if _place(source) == place else later


def _place(source: AuditSource) -> int:
    return ORDER[source.kind]


def _position(row: AuditRow) -> str:
    return encode_position([row.at.isoformat(), ORDER[row.source], row.number])


def _read_position(position: str) -> Position:
    try:
        at_text, place, number = decode_position(position)
        at, place, number = datetime.fromisoformat(str(at_text)), int(place), int(number)
    except ValueError as error:
        raise Http404(_("This page does not exist.")) from error
    # A position is an address that anybody may write.
    if at.tzinfo is None or not 0 <= number <= LARGEST_KEY:
        raise Http404(_("This page does not exist."))
    return at, place, number
