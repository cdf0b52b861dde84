"""What the writers write, the readers read; what they must keep, they keep for any player."""

from __future__ import annotations

import csv
import datetime
import io
import json
import unicodedata
from collections.abc import Iterable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.fide_list import (
    KINDS,
    ExportRow,
    ListedRating,
    ListRecord,
    write_list,
)
from players.fide_list.ascii_names import ascii_name
from tests.players.fide_list.samples import records

pytestmark = pytest.mark.slow

DAY = datetime.date(2026, 2, 1)

TITLES = ("", "GM", "IM", "FM", "CM")
WOMENS = ("", "WGM", "WIM", "WFM", "WCM", "WH")
OTHERS = ("IA", "FA", "NA", "IO", "FST", "FT", "FI", "NI", "DI", "SI", "LSI", "SLI")
ARENA = ("", "AGM", "AIM", "AFM", "ACM")

ascii_names = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=61).map(str.strip)
readable_names = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], include_characters=" "), max_size=30
).map(partial(unicodedata.normalize, "NFC"))


def rows(names: st.SearchStrategy[str], *, most_others: int) -> st.SearchStrategy[list[ExportRow]]:
    row = st.builds(
        ExportRow,
        fide_id=st.integers(1, 2**31 - 1),
        name=names,
        federation=st.text("ABCXYZ", min_size=3, max_size=3),
        title=st.sampled_from(TITLES),
        women_title=st.sampled_from(WOMENS),
        other_titles=st.lists(st.sampled_from(OTHERS), max_size=most_others).map(",".join),
        foa_title=st.sampled_from(ARENA),
        sex=st.sampled_from(["M", "F", ""]),
        birth_year=st.none() | st.integers(1850, 2100),
        rating=st.integers(1, 4000),
        games=st.integers(0, 999),
        k=st.none() | st.integers(1, 40),
        inactive=st.booleans(),
    )
    return st.lists(row, max_size=8, unique_by=lambda row: row.fide_id)


def expected(row: ExportRow, *, kind: str, name: str) -> ListRecord:
    """Return the record that a reader is to find for a row."""
    figures = ListedRating(row.rating, row.games, row.k)
    return ListRecord(
        row.fide_id,
        name,
        row.federation,
        row.sex,
        row.title or row.women_title,
        row.women_title,  # type: ignore[arg-type]
        row.other_titles,
        row.foa_title,
        row.birth_year,
        flag=("w" if row.sex == "F" else "") + ("i" if row.inactive else ""),
        standard=figures if kind == "standard" else None,
        rapid=figures if kind == "rapid" else None,
        blitz=figures if kind == "blitz" else None,
    )


def written(form: str, rows: Iterable[ExportRow], kind: str = "rapid", **more: str) -> bytes:
    return b"".join(write_list(form, rows, kind=kind, date=DAY, **more))


@pytest.mark.parametrize("kind", KINDS)
@given(rows(ascii_names, most_others=4))
def test_txt_reads_back_as_it_was(kind: str, rows: list[ExportRow]) -> None:
    wanted = [expected(row, kind=kind, name=row.name) for row in rows]
    assert records(written("txt", rows, kind), kind=kind) == wanted


@given(rows(st.text(max_size=100), most_others=12))
def test_txt_keeps_its_columns_for_any_name_and_titles(rows: list[ExportRow]) -> None:
    content = written("txt", rows)
    found = records(content, kind="rapid")
    assert [len(line) for line in content.split(b"\r\n")] == [136] * (len(rows) + 1) + [0]
    assert [(item.fide_id, item.name, item.rapid) for item in found] == [
        (row.fide_id, ascii_name(row.name), ListedRating(row.rating, row.games, row.k)) for row in rows
    ]


@pytest.mark.parametrize("kind", KINDS)
@given(rows(readable_names, most_others=9))
def test_xml_reads_back_as_it_was(kind: str, rows: list[ExportRow]) -> None:
    wanted = [expected(row, kind=kind, name=row.name.strip()) for row in rows]
    assert records(written("xml", rows, kind), kind=kind) == wanted


@given(rows(st.text(max_size=100), most_others=9))
def test_xml_is_readable_for_any_name(rows: list[ExportRow]) -> None:
    found = records(written("xml", rows), kind="rapid")
    assert [item.fide_id for item in found] == [row.fide_id for row in rows]


@given(rows(st.text(max_size=100), most_others=4))
def test_json_reads_back_as_it_was(rows: list[ExportRow]) -> None:
    found = json.loads(written("json", rows, rules="fide-rapid-blitz-2024"))["players"]
    assert found == [
        {
            "fide_id": row.fide_id,
            "name": row.name,
            "federation": row.federation,
            "title": row.title or row.women_title,
            "sex": row.sex,
            "birth_year": row.birth_year,
            "rating": row.rating,
            "games": row.games,
            "k": row.k,
            "inactive": row.inactive,
        }
        for row in rows
    ]


@given(rows(st.text(st.characters(exclude_categories=["Cs"]), max_size=100), most_others=4))
def test_csv_reads_back_with_its_formulas_defused(rows: list[ExportRow]) -> None:
    content = written("csv", rows).decode()
    found = list(csv.reader(io.StringIO(content, newline="")))[1:]
    names = ["'" + row.name if row.name.startswith(tuple("=+-@\t\r")) else row.name for row in rows]
    assert [(line[0], line[1], line[6]) for line in found] == [
        (str(row.fide_id), name, str(row.rating)) for row, name in zip(rows, names, strict=True)
    ]


@given(rows(st.text(max_size=20), most_others=4))
def test_same_rows_give_the_same_bytes(rows: list[ExportRow]) -> None:
    for form in ("txt", "xml", "csv"):
        assert written(form, rows) == written(form, iter(rows))


@given(st.text(max_size=200))
def test_transliterated_names_are_ascii_and_stay_as_they_are(name: str) -> None:
    found = ascii_name(name)
    assert found.isascii()
    assert found == "" or found.isprintable()
    assert len(found) <= 61
    assert ascii_name(found) == found


@given(st.text(st.characters(categories=["Lu", "Ll"], min_codepoint=0xC0, max_codepoint=0x17F), max_size=60))
def test_letters_of_europe_do_not_become_question_marks(name: str) -> None:
    assert "?" not in ascii_name(unicodedata.normalize("NFC", name))
