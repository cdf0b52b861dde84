"""TXT lists: layouts, odd but right lines, wrong lines."""

from __future__ import annotations

import io

import pytest

from players.fide_list import LineProblem, ListRecord, Rating, read_list
from players.fide_list.streams import BLOCK_BYTES
from tests.players.fide_list.samples import (
    HEAD,
    LEGACY,
    LINE,
    NO_RATING,
    PERSON,
    SINGLE,
    SINGLE_LEGACY,
    WOMAN,
    read,
    records,
    text_file,
)

MAN = ListRecord(
    100013,
    "Zarnik, Olvo",
    "ARG",
    "M",
    "GM",
    "",
    "",
    "",
    1957,
    "",
    standard=Rating(2353, 7, 10),
    rapid=Rating(2356, 0, 10),
    blitz=None,
)


def test_combined_list_gives_every_field() -> None:
    woman = ListRecord(
        4100018,
        "Zarnik, Elva",
        "GRE",
        "F",
        "WGM",
        "WGM",
        "FA,FI",
        "AGM",
        1999,
        "wi",
        standard=Rating(2210, 0, 20),
        rapid=Rating(2190, 12, 20),
        blitz=Rating(2050, 3, 40),
    )
    assert records(text_file(LINE, WOMAN)) == [MAN, woman]
    assert [MAN.is_inactive, woman.is_inactive] == [False, True]


def test_combined_list_names_all_kinds() -> None:
    assert read_list(io.BytesIO(text_file(LINE))).kinds == ("standard", "rapid", "blitz")


def test_combined_list_without_arena_titles_reads_alike() -> None:
    line = LINE[:109] + LINE[113:]
    assert records(text_file(line, heading=LEGACY)) == [MAN]


@pytest.mark.parametrize(("position", "kind"), [(0, "standard"), (1, "rapid"), (2, "blitz")])
@pytest.mark.parametrize(("heading", "person"), [(SINGLE, PERSON), (SINGLE_LEGACY, PERSON[:-4])])
def test_single_list_gives_the_figures_to_its_kind(
    position: int, kind: str, heading: str, person: str
) -> None:
    content = text_file(HEAD + person + "2356  4   10 1957  i   ", heading=heading)
    (record,) = records(content, kind=kind)
    figures: list[Rating | None] = [None, None, None]
    figures[position] = Rating(2356, 4, 10)
    assert [record.standard, record.rapid, record.blitz] == figures
    assert record[:10] == (*MAN[:9], "i")
    assert read_list(io.BytesIO(content), kind=kind).kinds == (kind,)


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends_of_both_systems_are_read(end: str) -> None:
    assert records(text_file(LINE, end=end)) == [MAN]


def test_last_line_needs_no_line_end() -> None:
    assert records(text_file(LINE).removesuffix(b"\r\n")) == [MAN]


def test_blank_lines_are_passed_over() -> None:
    assert records(text_file("", LINE, "")) == [MAN]


def test_list_of_nobody_is_empty() -> None:
    assert records(text_file()) == []


def test_byte_order_mark_is_passed_over() -> None:
    assert records(b"\xef\xbb\xbf" + text_file(LINE)) == [MAN]


@pytest.mark.parametrize(
    ("slot", "expected"),
    [
        (NO_RATING, None),
        ("0     0   0  ", None),
        ("0     0   40 ", None),
        ("1400  0   40 ", Rating(1400, 0, 40)),
        ("1400          ", Rating(1400, 0, None)),
        ("1400  108 17 ", Rating(1400, 108, 17)),
        ("  1400  2 20 ", Rating(1400, 2, 20)),
    ],
)
def test_rating_blank_or_zero_is_none(slot: str, expected: Rating | None) -> None:
    line = LINE[:113] + slot[:13] + LINE[126:]
    assert [record.standard for record in records(text_file(line))] == [expected]


@pytest.mark.parametrize("year", ["0000  ", "0     ", "      "])
def test_birth_year_unknown_is_none(year: str) -> None:
    line = LINE[:152] + year + LINE[158:]
    assert [record.birth_year for record in records(text_file(line))] == [None]


def test_name_may_be_blank() -> None:
    line = LINE[:15] + " " * 61 + LINE[76:]
    assert [record.name for record in records(text_file(line))] == [""]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("FA,FI          AGM ", ("FA,FI", "AGM")),
        ("SI,FI,LSI,SLI,NAAFM", ("SI,FI,LSI,SLI,NA", "AFM")),
        ("SI,FI,LSI,SL,NAACM ", ("SI,FI,LSI,SL,NA", "ACM")),
        ("SI,FI,LSI,SLI,N    ", ("SI,FI,LSI,SLI,N", "")),
        ("SI,FI,LSI,SLI,FT,IA", ("SI,FI,LSI,SLI,FT,IA", "")),
        ("SI,FI,LSI,SLI,NAAFM ", ("SI,FI,LSI,SLI,NA", "AFM")),
        ("SI,FI,LSI,SLI,FST,IA    ", ("SI,FI,LSI,SLI,FST,IA", "")),
        ("SI,FI,LSI,SLI,FST,IAAIM ", ("SI,FI,LSI,SLI,FST,IA", "AIM")),
    ],
)
def test_many_other_titles_run_into_the_arena_title(columns: str, expected: tuple[str, str]) -> None:
    found = records(text_file(LINE[:94] + columns + LINE[113:]))
    assert found == [MAN._replace(other_titles=expected[0], foa_title=expected[1])]


@pytest.mark.parametrize(
    ("old", "title"), [("g    ", "GM"), ("WC   ", "WCM"), ("WH   ", "WH"), ("m    ", "IM")]
)
def test_old_spellings_of_titles_are_read(old: str, title: str) -> None:
    assert [record.title for record in records(text_file(LINE[:84] + old + LINE[89:]))] == [title]


@pytest.mark.parametrize(
    ("raw", "width", "name"),
    [
        ("Žárnik, Ølvo".encode(), 61, "Žárnik, Ølvo"),
        ("Žárnik, Ølvo".encode(), 61 + 3, "Žárnik, Ølvo"),
        ("Zárnik, Ølvo".encode("latin-1"), 61, "Zárnik, Ølvo"),
        ("Zárnik\xa0Ølvo".encode("latin-1"), 61, "Zárnik Ølvo"),
        ("Žarnik, “Olvo”".encode("cp1252"), 61, "Žarnik, “Olvo”"),
        (b"Zarnik\x7f, Olvo", 61, "Zarnik, Olvo"),
        (b"Zarnik,\tOlvo", 61, "Zarnik, Olvo"),
    ],
)
def test_names_beyond_ascii_are_decoded_line_by_line(raw: bytes, width: int, name: str) -> None:
    line = LINE[:15].encode() + raw.ljust(width) + LINE[76:].encode()
    assert records(text_file(WOMAN) + line)[1] == MAN._replace(name=name)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("ABC" + LINE[3:], 1, "The ID number 'ABC013' is not a number of digits."),
        ("0" + LINE[1:], 1, "The ID number '000013' is not a number of digits."),
        (" " * 15 + LINE[15:], 1, "The ID number '' is not a number of digits."),
        ("9999999999     " + LINE[15:], 1, "The ID number '9999999999' is too large."),
        ("-100013        " + LINE[15:], 1, "The ID number '-100013' is not a number of digits."),
        (LINE[:76] + "Arg " + LINE[80:], 77, "'Arg' is not a federation code of 3 capital letters."),
        (LINE[:76] + "    " + LINE[80:], 77, "'' is not a federation code of 3 capital letters."),
        (LINE[:80] + "X   " + LINE[84:], 81, "The sex 'X' is not M or F."),
        (LINE[:84] + "17   " + LINE[89:], 85, "'17' is not a title."),
        (LINE[:89] + "WWWW " + LINE[94:], 90, "'WWWW' is not a title."),
        (LINE[:109] + "XYZ " + LINE[113:], 110, "'XYZ' is not an arena title (AGM, AIM, AFM, ACM)."),
        (LINE[:113] + "23x3  " + LINE[119:], 114, "'23x3' is not a number."),
        (LINE[:113] + "9999  " + LINE[119:], 114, "9999 is more than 4000."),
        (LINE[:119] + "-1  " + LINE[123:], 120, "'-1' is not a number."),
        (LINE[:123] + "1O " + LINE[126:], 124, "'1O' is not a number."),
        (LINE[:126] + "23²3  " + LINE[132:], 127, "'23²3' is not a number."),
        (LINE[:145] + "a   " + LINE[149:], 146, "'a' is not a number."),
        (LINE[:152] + "1492  " + LINE[158:], 153, "1492 is not a year of birth."),
        (LINE[:152] + "57/1  " + LINE[158:], 153, "'57/1' is not a number."),
        (LINE[:158] + "x   ", 159, "The flag 'x' is not valid. Valid flags: i, w, wi."),
        (LINE[:100], None, "The line has 100 characters, not 162."),
        (LINE + " ", None, "The line has 163 characters, not 162."),
        (LINE[:20] + "\x81" + LINE[21:], None, ""),
    ],
)
def test_wrong_line_is_reported_and_nothing_else_lost(line: str, column: int | None, message: str) -> None:
    raw = line.encode("latin-1")
    found = read(text_file(WOMAN) + raw + b"\r\n" + LINE.encode())
    problem = found[1]
    assert isinstance(problem, LineProblem)
    if message:
        assert (problem.line, problem.column, problem.message) == (3, column, message)
    else:
        text = "The name has characters that are not UTF-8 or Windows-1252."
        assert (problem.line, problem.column, problem.message) == (3, 16, text)
    assert [item.fide_id for item in found if isinstance(item, ListRecord)] == [4100018, 100013]


def test_text_of_a_problem_is_bounded_and_printable() -> None:
    (problem,) = read(text_file("\t" + "x" * 5000))
    assert isinstance(problem, LineProblem)
    assert problem.text == "\ufffd" + "x" * 199


def test_second_record_of_a_number_is_reported() -> None:
    other = LINE.replace("Olvo", "Elvo")
    found = read(text_file(LINE, WOMAN, other))
    message = "The ID number 100013 appears more than once. The first record is used."
    assert found[0] == MAN
    assert found[2] == LineProblem(4, None, message, other)


def test_endless_line_costs_no_memory_and_no_other_line() -> None:
    problem, record = read(text_file("9" * (5 * BLOCK_BYTES), LINE))
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.column, problem.text) == (2, None, "9" * 200)
    assert record == MAN


def test_records_across_blocks_are_whole() -> None:
    count = 3 * BLOCK_BYTES // 164
    lines = [f"{1_000_000 + number:<15}" + LINE[15:] for number in range(count)]
    expected = [MAN._replace(fide_id=1_000_000 + number) for number in range(count)]
    assert records(text_file(*lines)) == expected
