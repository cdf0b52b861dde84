"""FIDE's own files, where they are at hand (REAL_DATA_DIR)."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from players.fide_list import (
    ExportRow,
    FideListError,
    LineProblem,
    ListedRating,
    ListRecord,
    open_list,
    read_list,
    write_list,
)
from players.models.federation import known_federations
from tests.players.fide_list.samples import records


def list_of(path: Path) -> tuple[list[ListRecord], list[LineProblem]]:
    with open_list(path) as stream:
        items = list(read_list(stream))
    found = [item for item in items if isinstance(item, ListRecord)]
    return found, [item for item in items if isinstance(item, LineProblem)]


def test_piece_of_2018_reads_without_problems(real_data: Path) -> None:
    found, problems = list_of(real_data / "lists" / "players_list_foa_2018-12_first1000.txt")
    assert (len(found), problems) == (999, [])
    assert found[0] == ListRecord(
        419214,
        "",
        "ENG",
        "M",
        "",
        "",
        "",
        "",
        None,
        "",
        standard=ListedRating(1736, 0, 20),
        rapid=ListedRating(1587, 10, 20),
        blitz=None,
    )


@pytest.mark.slow
def test_lists_of_january_2025_read_without_problems_and_write_back(real_data: Path) -> None:
    found, problems = list_of(real_data / "lists" / "players_list_foa_2025-01.txt.gz")
    assert (len(found), problems) == (341_491, [])
    assert {record.federation for record in found} <= known_federations().keys()
    # All are read; some from everywhere in the list are written back.
    rapid = [record for record in found if record.rapid][::50]
    rows = [_row(record) for record in rapid]
    wanted = [record._replace(standard=None, blitz=None) for record in rapid]
    date = datetime.date(2025, 1, 1)
    for form in ("txt", "xml"):
        assert records(b"".join(write_list(form, rows, kind="rapid", date=date)), kind="rapid") == wanted


def test_xml_sample_of_2012_reads(real_data: Path) -> None:
    found, problems = list_of(real_data / "lists" / "icu_players_list_sample_2012.xml")
    assert (len(found), problems) == (11, [])
    assert [record.title for record in found] == ["GM", "", "IM", "", "WCM", "", "IM", "", "GM", "", ""]
    assert found[0].rapid == ListedRating(2760, 0, 20)


def test_federation_download_is_refused(real_data: Path) -> None:
    with pytest.raises(FideListError) as refusal:
        list_of(real_data / "lists" / "icu_federation_player_file_sample.xml")
    assert refusal.value.code == "federation-download"


def _row(record: ListRecord) -> ExportRow:
    assert record.rapid is not None
    return ExportRow(
        record.fide_id,
        record.name,
        record.federation,
        record.title,
        record.women_title,
        record.other_titles,
        record.foa_title,
        record.sex,
        record.birth_year,
        record.rapid.rating,
        record.rapid.games,
        record.rapid.k,
        inactive=record.is_inactive,
    )
