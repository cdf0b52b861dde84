"""Files that pairing programs import: FIDE's layouts under FIDE's names, and a CSV; all players, some, or one list.

The combined list has every registered player, rated or not, with the ratings of the newest list of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from django.db.models import QuerySet

from core.bulk import batched
from core.packing import packed
from core.web.csv import csv_text
from players.fide_list import KINDS, ListedRating, ListRecord, write_combined_txt, write_combined_xml
from players.minors import Minors, shown_birth
from players.models import Player
from players.names import successors_of
from ratings.choices import Origin
from ratings.export import export_bytes, imported_file, with_repair
from ratings.ledger.figures import FIGURE_COLUMNS, PERSON
from ratings.lists import read_lists
from ratings.models import ListEntry, RatingList
from ratings.publish.files import file_bytes

BATCH = 5_000


def combined_records(
    newest: Iterable[RatingList], *, federation: str = "", ids: Sequence[int] | None = None, minors: Minors
) -> Iterator[ListRecord]:
    """Yield the players by FIDE ID: all, a federation's, or those of some FIDE IDs.

    Without the deceased and merged ones. Nothing but a chunk of rows is in memory.
    """
    players = Player.objects.filter(died_on=None, merged_into=None)
    entries = ListEntry.objects.listed()
    if federation:
        players = players.filter(federation_id=federation)
        entries = entries.filter(player__federation_id=federation)
    if ids is not None:
        players, entries = players.filter(pk__in=ids), entries.filter(player_id__in=ids)
    figures = {item.kind: _Figures(entries.filter(rating_list=item)) for item in newest}
    for row in players.order_by("pk").values_list("pk", *PERSON).iterator(chunk_size=BATCH):
        yield _record(row, {kind: of_kind.of(row[0]) for kind, of_kind in figures.items()}, minors)


class _Figures:
    """The entries of one list beside the players: both are read once, by FIDE ID."""

    def __init__(self, entries: QuerySet[ListEntry]) -> None:
        columns = ("player_id", *FIGURE_COLUMNS)
        self._rows = entries.order_by("player_id").values_list(*columns).iterator(chunk_size=BATCH)
        self._row: Any = next(self._rows, None)

    def of(self, fide_id: int) -> tuple[ListedRating, bool] | None:
        """Return a player's figures and whether the player is inactive; None without a rating."""
        while self._row is not None and self._row[0] < fide_id:
            self._row = next(self._rows, None)
        if self._row is None or self._row[0] != fide_id:
            return None
        _id, rating, games, k, is_inactive = self._row
        return ListedRating(rating, games, k), is_inactive


def _record(row: Any, found: dict[str, tuple[ListedRating, bool] | None], minors: Minors) -> ListRecord:
    *person, birth_year = row
    fide_id, _name, code, sex, *_titles = person
    rated = {kind: figures for kind, figures in found.items() if figures}
    # One flag for three lists: inactive is who is inactive on each that has a rating.
    is_inactive = bool(rated) and all(inactive for _rating, inactive in rated.values())
    ratings = (rated[kind][0] if kind in rated else None for kind in KINDS)
    shown_year = shown_birth(birth_year, code, minors, fide_id).year
    flag = ("w" if sex == "F" else "") + ("i" if is_inactive else "")
    return ListRecord._make((*person, shown_year, flag, *ratings))


CHUNK = 5_000
CSV_HEAD = (
    "fide_id", "name", "federation", "sex", "title", "women_title", "birth_year", "flag",
    *(f"{kind}{field}" for kind in KINDS for field in ("", "_games", "_k")),
)  # fmt: skip


def write_csv(records: Iterable[ListRecord]) -> Iterator[bytes]:
    """Yield a combined list as CSV in UTF-8; the figures of a kind without a rating are empty."""
    yield csv_text([CSV_HEAD]).encode()
    for some in batched(records, CHUNK):
        yield csv_text(map(_csv_row, some)).encode()


def _csv_row(record: ListRecord) -> Sequence[object]:
    person = (record.fide_id, record.name, record.federation, record.sex, record.title, record.women_title)
    ratings = (record.standard, record.rapid, record.blitz)
    figures = ((one.rating, one.games, one.k) if one else (None, None, None) for one in ratings)
    return (*person, record.birth_year, record.flag, *chain.from_iterable(figures))


COMBINED: dict[str, Callable[..., Iterator[bytes]]] = {
    "players_list_foa.txt": write_combined_txt,
    "players_list.txt": partial(write_combined_txt, is_legacy=True),
    "players_list_xml_foa.xml": write_combined_xml,
    "players_list_xml.xml": partial(write_combined_xml, is_legacy=True),
    "players_list.csv": write_csv,
}
SINGLE = {
    **{f"{kind}_rating_list.txt": (kind, "txt") for kind in KINDS},
    **{f"{kind}_rating_list_xml.xml": (kind, "xml") for kind in KINDS},
}
# FIDE's archives: each has one file.
ARCHIVES = {
    "players_list.zip": "players_list_foa.txt",
    "players_list_legacy.zip": "players_list.txt",
    "players_list_xml.zip": "players_list_xml_foa.xml",
    "players_list_xml_legacy.zip": "players_list_xml.xml",
    **{f"{kind}_rating_list.zip": f"{kind}_rating_list.txt" for kind in KINDS},
    **{f"{kind}_rating_list_xml.zip": f"{kind}_rating_list_xml.xml" for kind in KINDS},
}
# Those of an entry list, and those that pages offer.
SHOWN_FILES = (
    ("players_list_foa.txt", "TXT"),
    ("players_list_xml_foa.xml", "XML"),
    ("players_list.csv", "CSV"),
)
ENTRY_FILES = (*COMBINED, *(name for name, content in ARCHIVES.items() if content in COMBINED))


def program_file(
    name: str, *, federation: str = "", ids: Sequence[int] | None = None, minors: Minors
) -> Iterator[bytes]:
    """Return the parts of a file by its name: of a federation's players, or those of some FIDE IDs.

    A single list is whole. A former FIDE ID stands for the player's own. `LookupError` for an unknown name and for a
    kind without a list.
    """
    wanted = ARCHIVES.get(name, name)
    parts = _single(wanted, minors) if wanted in SINGLE else _write_combined(wanted, federation, ids, minors)
    return parts if wanted == name else _zip(parts, wanted)


def _single(name: str, minors: Minors) -> Iterator[bytes]:
    kind, ending = SINGLE[name]
    newest = read_lists().newest(kind)
    if newest is None:
        raise LookupError(kind)
    if newest.origin == Origin.IMPORTED:
        return imported_file(newest, ending, minors)
    return with_repair(export_bytes(newest, ending), file_bytes(newest, ending))


def _write_combined(name: str, federation: str, ids: Sequence[int] | None, minors: Minors) -> Iterator[bytes]:
    write = COMBINED[name]
    if ids is not None:
        successors = successors_of(ids)
        ids = [successors.get(fide_id, fide_id) for fide_id in ids]
    lists = read_lists().newest_of_each()
    return write(combined_records(lists, federation=federation, ids=ids, minors=minors))


def _zip(parts: Iterator[bytes], name: str) -> Iterator[bytes]:
    with packed(parts, name, endings=["zip"]) as files:
        yield from files["zip"]
