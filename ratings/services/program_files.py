"""Files that pairing programs import: FIDE's layouts under FIDE's names, and a CSV; all players, some, or one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from core.bulk import batched
from core.web.csv import csv_text
from players.fide_list import KINDS, ListRecord, write_combined_txt, write_combined_xml
from players.queries.federations import Minors
from players.queries.names import successors_of
from ratings.queries.catalogue import catalogue
from ratings.queries.combined import combined_records
from ratings.services.archives import deflated, zip_parts
from ratings.services.export import exported
from ratings.services.runs import with_repair

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
    figures = (
        value
        for rating in (record.standard, record.rapid, record.blitz)
        for value in ((rating.rating, rating.games, rating.k) if rating else (None, None, None))
    )
    return (*person, record.birth_year, record.flag, *figures)


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
    parts = _single(wanted) if wanted in SINGLE else _combined(wanted, federation, ids, minors)
    return parts if wanted == name else _zipped(parts, wanted)


def _single(name: str) -> Iterator[bytes]:
    kind, ending = SINGLE[name]
    newest = catalogue().newest(kind)
    if newest is None:
        raise LookupError(kind)
    return with_repair(exported(newest, ending))


def _combined(name: str, federation: str, ids: Sequence[int] | None, minors: Minors) -> Iterator[bytes]:
    write = COMBINED[name]
    if ids is not None:
        successors = successors_of(ids)
        ids = [successors.get(fide_id, fide_id) for fide_id in ids]
    lists = catalogue().newest_of_each()
    return write(combined_records(lists, federation=federation, ids=ids, minors=minors))


def _zipped(parts: Iterator[bytes], name: str) -> Iterator[bytes]:
    with deflated(parts) as packed:
        yield from zip_parts(packed, name=name)
