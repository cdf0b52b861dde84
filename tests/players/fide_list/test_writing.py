"""The four formats of a single list, byte by byte."""

from __future__ import annotations

import csv
import datetime
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.fide_list import FORMATS, ExportRow, write_all, write_list
from tests.players.fide_list.samples import HEAD, PERSON, SINGLE, player, xml_file

DAY = datetime.date(2026, 2, 1)
MAN = ExportRow(100013, "Zarnik, Olvo", "ARG", "GM", "", "", "", "M", 1957, 2356, 0, 10, inactive=False)
WOMAN = ExportRow(
    4100018,
    'Žarnik & "Søn", Elva',
    "GRE",
    "WGM",
    "WGM",
    "FA,FI",
    "AGM",
    "F",
    None,
    2190,
    12,
    None,
    inactive=True,
)


def txt(*rows: ExportRow, date: datetime.date = DAY) -> list[str]:
    return b"".join(write_list("txt", rows, kind="rapid", date=date)).decode("ascii").split("\r\n")


def xml(*rows: ExportRow) -> str:
    return b"".join(write_list("xml", rows, kind="rapid", date=DAY)).decode()


def table(*rows: ExportRow) -> str:
    return b"".join(write_list("csv", rows, kind="rapid", date=DAY)).decode()


def document(*rows: ExportRow) -> str:
    return b"".join(write_list("json", rows, kind="rapid", date=DAY, rules="fide-rapid-blitz-2024")).decode()


def test_txt_is_laid_out_as_fide_lays_it_out() -> None:
    woman = (
        '4100018        Zarnik & "Son", Elva                                         '
        "GRE F   WGM  WGM  FA,FI          AGM 2190  12     0000  wi  "
    )
    assert txt(MAN, WOMAN) == [SINGLE, HEAD + PERSON + "2356  0   10 1957      ", woman, ""]


def test_txt_records_are_136_characters() -> None:
    assert [len(line) for line in txt(MAN, WOMAN)] == [136, 136, 136, 0]


@pytest.mark.parametrize(
    ("month", "token"), [(1, "JAN07 "), (2, "FEB07 "), (5, "MAY07 "), (10, "OCT07 "), (12, "DEC07 ")]
)
def test_txt_names_its_month_over_the_ratings(month: int, token: str) -> None:
    assert txt(date=datetime.date(2007, month, 1))[0][113:119] == token


@pytest.mark.parametrize(
    ("sex", "inactive", "flag"),
    [
        ("M", False, "    "),
        ("M", True, "i   "),
        ("F", False, "w   "),
        ("F", True, "wi  "),
        ("", True, "i   "),
    ],
)
def test_txt_flag_says_woman_and_inactive(sex: str, inactive: bool, flag: str) -> None:
    assert txt(MAN._replace(sex=sex, inactive=inactive))[1][132:] == flag


@pytest.mark.parametrize(
    ("other", "foa", "columns"),
    [
        ("FA,FI", "AGM", "FA,FI          AGM "),
        ("SI,FI,LSI,SL,FT", "", "SI,FI,LSI,SL,FT    "),
        ("SI,FI,LSI,SL,FT", "AGM", "SI,FI,LSI,SL,FTAGM "),
        ("SI,FI,LSI,SLI,NA", "AFM", "SI,FI,LSI,SLI,NAAFM"),
        ("SI,FI,LSI,SLI,FT,IA", "", "SI,FI,LSI,SLI,FT,IA"),
        ("SI,FI,LSI,SLI,FT,IA", "AFM", "SI,FI,LSI,SLI,FTAFM"),
        ("SI,FI,LSI,SLI,FST,IA,IO", "", "SI,FI,LSI,SLI,FST  "),
        ("X" * 20, "AFM", "               AFM "),
    ],
)
def test_txt_keeps_whole_titles_in_their_columns(other: str, foa: str, columns: str) -> None:
    line = txt(MAN._replace(other_titles=other, foa_title=foa))[1]
    assert (line[94:113], len(line)) == (columns, 136)


def test_txt_cuts_a_long_name() -> None:
    line = txt(MAN._replace(name="Z" * 70))[1]
    assert (line[15:76], len(line)) == ("Z" * 61, 136)


def test_xml_is_laid_out_as_fide_lays_it_out() -> None:
    woman = player(
        fideid="4100018",
        name='Žarnik &amp; "Søn", Elva',
        country="GRE",
        sex="F",
        title="WGM",
        w_title="WGM",
        o_title="FA,FI",
        foa_title="AGM",
        rating="2190",
        games="12",
        k="",
        birthday="",
        flag="wi",
    )
    assert xml(MAN, WOMAN) == xml_file(player(), woman).decode()


def test_xml_leaves_out_what_xml_does_not_allow() -> None:
    name = xml(MAN._replace(name="a\x00b\ud800c\ufffed\te<f>")).split("\n")[3]
    assert name == "<name>abcd e&lt;f&gt;</name>"


def test_csv_has_the_names_of_the_json_in_its_head() -> None:
    assert table(MAN, WOMAN) == (
        "fide_id,name,federation,title,sex,birth_year,rating,games,k,inactive\r\n"
        '100013,"Zarnik, Olvo",ARG,GM,M,1957,2356,0,10,false\r\n'
        '4100018,"Žarnik & ""Søn"", Elva",GRE,WGM,F,,2190,12,,true\r\n'
    )


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+Zarnik", "'+Zarnik"),
        ("-Zarnik", "'-Zarnik"),
        ("@Zarnik", "'@Zarnik"),
        ("\tZarnik", "'\tZarnik"),
        ("\rZarnik", "'\rZarnik"),
        ("Zarnik=", "Zarnik="),
        ("'t Zarnik", "'t Zarnik"),
        ("Zar\r\nnik", "Zar\r\nnik"),
        ("", ""),
    ],
)
def test_csv_has_no_formula(name: str, cell: str) -> None:
    rows = list(csv.reader(io.StringIO(table(MAN._replace(name=name)), newline="")))
    assert rows[1] == ["100013", cell, "ARG", "GM", "M", "1957", "2356", "0", "10", "false"]


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text('a,"\r\n\t =;', max_size=3))
def test_csv_quotes_as_the_standard_library_does(name: str, federation: str) -> None:
    name, federation = f"n{name}", f"f{federation}"
    wanted = io.StringIO(newline="")
    csv.writer(wanted).writerow([1, name, federation, "", "F", None, 2000, 0, 20, "false"])

    row = ExportRow(1, name, federation, "", "", "", "", "F", None, 2000, 0, 20, inactive=False)

    assert table(row).partition("\r\n")[2] == wanted.getvalue()


def test_json_has_one_player_a_line() -> None:
    assert document(MAN, WOMAN) == (
        '{"kind":"rapid","date":"2026-02-01","rules":"fide-rapid-blitz-2024","players":[\n'
        '{"fide_id":100013,"name":"Zarnik, Olvo","federation":"ARG","title":"GM","sex":"M",'
        '"birth_year":1957,"rating":2356,"games":0,"k":10,"inactive":false},\n'
        '{"fide_id":4100018,"name":"Žarnik & \\"Søn\\", Elva","federation":"GRE","title":"WGM","sex":"F",'
        '"birth_year":null,"rating":2190,"games":12,"k":null,"inactive":true}\n'
        "]}\n"
    )


def test_json_of_a_name_with_half_a_character_is_still_json() -> None:
    assert json.loads(document(MAN._replace(name="a\ud800b")))["players"][0]["name"] == "a\ud800b"


def test_lists_of_nobody_are_whole_files() -> None:
    assert txt() == [SINGLE, ""]
    assert xml() == xml_file().decode()
    assert table() == "fide_id,name,federation,title,sex,birth_year,rating,games,k,inactive\r\n"
    assert json.loads(document()) == {
        "kind": "rapid",
        "date": "2026-02-01",
        "rules": "fide-rapid-blitz-2024",
        "players": [],
    }


def test_title_column_repeats_the_womens_title_where_there_is_no_open_one() -> None:
    row = WOMAN._replace(title="", women_title="WFM")
    assert txt(row)[1][84:94] == "WFM  WFM  "
    assert xml(row).split("\n")[6:8] == ["<title>WFM</title>", "<w_title>WFM</w_title>"]
    assert table(row).split("\r\n")[1].split(",")[-7:-5] == ["WFM", "F"]
    assert json.loads(document(row))["players"][0]["title"] == "WFM"


def test_long_lists_come_in_pieces() -> None:
    rows = [MAN._replace(fide_id=number) for number in range(100_000, 109_000)]
    pieces = list(write_list("json", rows, kind="rapid", date=DAY))
    assert len(pieces) == 5
    players = json.loads(b"".join(pieces))["players"]
    assert [player["fide_id"] for player in players] == list(range(100_000, 109_000))


def test_files_made_side_by_side_are_those_of_each_format() -> None:
    of_list = {"kind": "rapid", "date": DAY, "rules": "fide-rapid-blitz-2024"}
    together = [b"".join(parts).decode() for parts in zip(*write_all([MAN, WOMAN], **of_list), strict=True)]
    assert together == ["\r\n".join(txt(MAN, WOMAN)), *(made(MAN, WOMAN) for made in (xml, table, document))]
    assert FORMATS == ("txt", "xml", "csv", "json")
