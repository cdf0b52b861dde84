"""Crosstables as reports: what each cell says, what is refused, and that the uploaded file is kept."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, date, datetime

import pytest

from core.errors import RefusedError
from core.web.xlsx_writer import xlsx
from tests import make
from tests.codes import refusal
from tests.core.web.test_sheets import row_of
from tests.core.web.test_sheets import xlsx as sheet
from tournaments.crosstables import trf_of_table
from tournaments.models import OriginalFile, Tournament
from tournaments.trf import read_report
from tournaments.uploaded_files import as_trf, is_table, keep_file, refuse_other_programs

pytestmark = pytest.mark.page

AT = datetime(2026, 1, 12, 9, 30, tzinfo=UTC)
HEAD = ["No.", "Name", "Fed", "FIDE ID", "Rtg", "Pts", "1", "2", "3"]
ROWS = [
    ["1", "Alder, Anna", "SUI", "1001", "1900", "2½", "2w1", "3b½", "bye"],
    ["2", "Birch, Ben", "sui", "1002", "", "1", "1b0", "-", "3w+"],
    ["3", "Cedar, Cleo", "SUI", "", "1700", "0,5", "", "1 w =", "2b-"],
]
CSV = "\n".join(";".join(row) for row in [["Open of Alphaville"], [], HEAD, *ROWS, ["Made by a program"]])


@pytest.fixture
def event(db: None) -> Tournament:
    return make.tournament(
        event_id="SUI-1",
        name="Open of Alphaville",
        federation=make.federation(code="SUI"),
        start=date(2026, 1, 10),
        end=date(2026, 1, 11),
        schedule=["2026-01-10", "2026-01-10", "2026-01-11"],
    )


def test_a_crosstable_says_what_its_trf_says(event: Tournament) -> None:
    report = read_report(trf_of_table(event, CSV.encode()).encode())

    assert [
        (one.number, one.name, one.federation, one.fide_id, one.rating, one.points) for one in report.players
    ] == [
        (1, "Alder, Anna", "SUI", 1001, 1900, 5),
        (2, "Birch, Ben", "SUI", 1002, 0, 2),
        (3, "Cedar, Cleo", "SUI", None, 1700, 1),
    ]
    assert [[tuple(result)[1:] for result in one.results] for one in report.players] == [
        [(2, "w", "1"), (3, "b", "="), (None, "", "U")],
        [(1, "b", "0"), (None, "", "Z"), (3, "", "+")],
        [(None, "", "Z"), (1, "w", "="), (2, "", "-")],
    ]
    assert (report.name, report.federation, report.start, report.round_dates[2]) == (
        "Open of Alphaville",
        "SUI",
        date(2026, 1, 10),
        date(2026, 1, 11),
    )


def test_a_national_number_becomes_a_national_record(event: Tournament) -> None:
    table = "No;Name;Mitgliedsnr.;1\n1;Alder;A7;2w1\n2;Birch;;1b0\n"

    (record,) = read_report(trf_of_table(event, table.encode()).encode()).rows("SUI")

    assert (record["number"], record["national_id"]) == (1, "A7")


def test_a_national_number_that_has_no_room_is_left_out(event: Tournament) -> None:
    table = "No;Name;Mitgliedsnr.;1\n1;Alder;ABCDE-12345;2w1\n2;Birch;ABCDE-123456;1b0\n"

    (record,) = read_report(trf_of_table(event, table.encode()).encode()).rows("SUI")

    assert (record["number"], record["national_id"]) == (1, "ABCDE-12345")


def test_papi_writes_the_sign_first_and_the_colours_in_french(event: Tournament) -> None:
    table = "Pl,Nom,Elo,R 1,R 2,Pts\n1,Alder Anna,1900,+ 2B,=3N,1.5\n2,Birch Ben,1800,- 1N,EXE,1\n3,Cedar,0,,= 1B,0.5\n"

    report = read_report(trf_of_table(event, table.encode("cp1252")).encode())

    assert [[tuple(result)[1:] for result in one.results] for one in report.players] == [
        [(2, "w", "1"), (3, "b", "=")],
        [(1, "b", "0"), (None, "", "U")],
        [(None, "", "Z"), (1, "w", "=")],
    ]


def test_xlsx_says_the_same_as_csv(event: Tournament) -> None:
    content = b"".join(xlsx("Crosstable", HEAD, ROWS))

    assert (is_table(content, "table"), is_table(b"PK\x03\x04 a zip", "open.trf")) == (True, False)
    assert trf_of_table(event, content) == trf_of_table(event, CSV.encode())


def test_day_of_birth_in_a_cell_is_its_year(event: Tournament) -> None:
    text = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    cells = row_of(text("Alder"), '<c s="1"><v>32907</v></c>', text("bye"), at=2)

    read = read_report(trf_of_table(event, sheet(row_of(*map(text, ("name", "born", "1"))) + cells)).encode())

    assert [player.birth_year for player in read.players] == [1990]


FIRST_TWO = [[(2, "w", "1"), (2, "b", "="), (2, "w", "")], [(1, "b", "0"), (1, "w", "="), (1, "b", "")]]


@pytest.mark.parametrize(
    "table",
    [
        (
            "Open, Town, 10 January\nNo.;;Name;Rtg;FED;1.Rd;2.Rd;3.Rd\n"
            "1;FM;Alder;1900;SUI;2w1;2b½;2w\n2;;Birch;1800;SUI;1b0;1w½;1b*\n"
        ),
        (
            "Nr.;;Name;Elo;Land;1.Rd;2.Rd;3.Rd;Pkt.;Rg.\n"
            "1;FM;Alder;1900;SUI;2w1;2s½;2w;1,5;1\n2;;Birch;1800;SUI;1s0;1w½;1s;0,5;2\n"
        ),
        (
            "Nº;Título;Nombre;Elo;País;Rd 1;Rd 2;Rd 3;Ptos.\n"
            "1;FM;Alder;1900;SUI;2b1;2n½;2b;1,5\n2;;Birch;1800;SUI;1n0;1b½;1n;0,5\n"
        ),
    ],
    ids=["a title with commas", "German", "Spanish"],
)
def test_heads_and_colours_of_other_languages_are_read(event: Tournament, table: str) -> None:
    read = read_report(trf_of_table(event, table.encode()).encode())
    players = [(one.name, one.title, one.rating, one.federation) for one in read.players]

    assert players == [("Alder", "FM", 1900, "SUI"), ("Birch", "", 1800, "SUI")]
    assert [[tuple(result)[1:] for result in one.results] for one in read.players] == FIRST_TWO


@pytest.mark.parametrize("born", ["1980", "01.06.1980", "1980-06-01", "1980/06/01"])
def test_a_year_or_a_day_of_birth_is_a_year(event: Tournament, born: str) -> None:
    read = read_report(trf_of_table(event, f"name;born;1\nAlder;{born};bye\n".encode()).encode())
    assert read.players[0].birth_year == 1980


@pytest.mark.parametrize("own", ["*", "X", "###"])
def test_a_table_of_all_against_all_is_named(event: Tournament, own: str) -> None:
    table = f"No.;Name;1;2;Pts.\n1;Alder;{own};1;1\n2;Birch;0;{own};0\n"
    with refusal() as refused:
        trf_of_table(event, table.encode())
    assert refused.found == ["table-round-robin"]


def test_cells_that_cannot_be_read_are_all_named(event: Tournament) -> None:
    table = "no,name,fide_id,sex,1\n1,Alder,abc,X,2w7\nx,Birch,1002,,\n1,Cedar,,,bye\n4,,,,bye\n"

    with pytest.raises(RefusedError) as refused:
        trf_of_table(event, table.encode())

    assert {refusal.code for refusal in refused.value.refusals} == {"table-cell"}
    cells = [re.findall("Row (.*?), (.*?): “(.*?)”", refusal.message) for refusal in refused.value.refusals]
    assert [cell for (cell,) in cells] == [
        ("2", "1", "2w7"),
        ("2", "sex", "X"),
        ("2", "fide_id", "abc"),
        ("3", "no", "x"),
        ("3", "no", "x"),
        ("4", "no", "1"),
        ("5", "name", ""),
    ]


@pytest.mark.parametrize(
    "table", ["", "name\nAlder\n", "a,b\n1,2\n", "name,1\n", "name,1\x00\n", "name,1\n" + "a,bye\n" * 6000]
)
def test_what_is_no_crosstable_is_refused(event: Tournament, table: str) -> None:
    with pytest.raises(RefusedError):
        trf_of_table(event, table.encode())


def test_a_damaged_spreadsheet_is_named_as_one(event: Tournament) -> None:
    with refusal() as refused:
        trf_of_table(event, b"PK\x03\x04 cut off")
    assert refused.found == ["table"]


def test_a_line_end_in_a_cell_begins_no_other_record(event: Tournament) -> None:
    table = 'no,name,1\n1,"Alder\r\n012 Another",bye\n'

    report = read_report(trf_of_table(event, table.encode()).encode())

    assert (report.name, [one.name for one in report.players]) == (
        "Open of Alphaville",
        ["Alder 012 Another"],
    )


@pytest.mark.parametrize(("name", "words"), [("open.TUNX", "FIDE export"), ("a.papi", "Sharly Chess")])
def test_files_of_other_programs_are_refused_with_what_to_do(name: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        refuse_other_programs(name)


def test_the_uploaded_file_is_kept_and_the_draft_checked(event: Tournament) -> None:
    for fide_id, name in ((1001, "Alder, Anna"), (1002, "Birch, Ben")):
        make.player(fide_id=fide_id, name=name, federation=event.federation)
    draft, by = as_trf(event, CSV.encode(), "cross.csv"), make.user()
    first = keep_file(event, draft, by=by, on=AT.date(), at=AT)
    again = keep_file(event, draft, by=by, on=AT.date(), at=AT)

    kept = OriginalFile.objects.get()
    assert (again.pk, first.file_name, kept.report) == (first.pk, "cross.trf", first)
    assert (bytes(kept.content), kept.sha256) == (CSV.encode(), hashlib.sha256(CSV.encode()).hexdigest())
    assert ("id-missing", "Cedar, Cleo") in {
        (finding["code"], finding["params"].get("name")) for finding in first.findings
    }
