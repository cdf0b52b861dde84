"""TXT lists: layouts, odd but right lines, wrong lines."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest

from players.fide_list import LineProblem, ListedRating, ListRecord, Repair, month_of_token, read_list
from players.fide_list.pieces import BLOCK_BYTES
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
    standard=ListedRating(2353, 7, 10),
    rapid=ListedRating(2356, 0, 10),
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
        standard=ListedRating(2210, 0, 20),
        rapid=ListedRating(2190, 12, 20),
        blitz=ListedRating(2050, 3, 40),
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
    figures: list[ListedRating | None] = [None, None, None]
    figures[position] = ListedRating(2356, 4, 10)
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
        ("1400  0   40 ", ListedRating(1400, 0, 40)),
        ("1400          ", ListedRating(1400, 0, None)),
        ("1400  108 17 ", ListedRating(1400, 108, 17)),
        ("  1400  2 20 ", ListedRating(1400, 2, 20)),
    ],
)
def test_rating_blank_or_zero_is_none(slot: str, expected: ListedRating | None) -> None:
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
        (LINE[:113] + "23x3  " + LINE[119:], 114, "'23x3' is not a number."),
        (LINE[:113] + "9999  " + LINE[119:], 114, "9999 is more than 4000."),
        (LINE[:126] + "23²3  " + LINE[132:], 127, "'23²3' is not a number."),
        (LINE[:100], None, "The line has 100 characters, not 162."),
        (LINE[:115], None, "The line has 115 characters, not 162."),
        (LINE[:120], None, "The line has 120 characters, not 162."),
    ],
)
def test_wrong_line_is_reported_and_nothing_else_lost(line: str, column: int | None, message: str) -> None:
    raw = line.encode("latin-1")
    found = read(text_file(WOMAN) + raw + b"\r\n" + LINE.encode())
    problem = found[1]
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.column, problem.message) == (3, column, message)
    assert [item.fide_id for item in found if isinstance(item, ListRecord)] == [4100018, 100013]


@pytest.mark.parametrize(
    ("start", "text", "field", "read_as", "value"),
    [
        (76, "arg", "federation", "ARG", "ARG"),
        (76, "Arg", "federation", "ARG", "ARG"),
        (76, "   ", "federation", "", ""),
        (76, "A1 ", "federation", "", ""),
        (76, "AR ", "federation", "", ""),
        (80, "m", "sex", "M", "M"),
        (80, "w", "sex", "F", "F"),
        (80, "W", "sex", "F", "F"),
        (80, "f", "sex", "F", "F"),
        (80, "X", "sex", "", ""),
        (80, "-", "sex", "", ""),
        (84, "17", "title", "", ""),
        (84, "-", "title", "", ""),
        (89, "WWWW", "women_title", "", ""),
        (109, "XYZ", "foa_title", "", ""),
        (152, "0999", "birth_year", "", None),
        (152, "9999", "birth_year", "", None),
        (152, "1492", "birth_year", "", None),
        (152, "57/1", "birth_year", "", None),
        (152, "1957-0", "birth_year", "1957", 1957),
        (152, "1957.", "birth_year", "1957", 1957),
        (152, "~1957", "birth_year", "1957", 1957),
        (152, "00.00.", "birth_year", "", None),
        (158, "-", "flag", "", ""),
        (158, "x", "flag", "", ""),
        (158, "iw", "flag", "wi", "wi"),
        (158, "w,i", "flag", "wi", "wi"),
        (20, "\x81", "name", "Zarni, Olvo", "Zarni, Olvo"),
    ],
)
def test_d119_a_field_is_read_as_far_as_it_can_be(
    start: int, text: str, field: str, read_as: str, value: str | int | None
) -> None:
    line = LINE[:start] + text + LINE[start + len(text) :]
    repair, record = read(text_file() + line.encode("latin-1"))
    assert isinstance(repair, Repair)
    assert (repair.line, repair.field, repair.read) == (2, field, read_as)
    assert record == MAN._replace(**{field: value})


@pytest.mark.parametrize(
    ("start", "text", "field", "figures"),
    [
        (119, "-1  ", "games", ListedRating(2353, 0, 10)),
        (123, "1O ", "k", ListedRating(2353, 7, None)),
        (123, "-  ", "k", ListedRating(2353, 7, None)),
    ],
)
def test_d119_games_and_k_are_no_reason_to_skip_a_player(
    start: int, text: str, field: str, figures: ListedRating
) -> None:
    repair, record = read(text_file(LINE[:start] + text + LINE[start + len(text) :]))
    assert isinstance(repair, Repair)
    assert (repair.field, repair.read) == (field, "")
    assert record == MAN._replace(standard=figures)


def test_d119_several_fields_of_a_player_are_repaired() -> None:
    line = LINE[:76] + "arg m   " + LINE[84:152] + "0999  X   "
    *repairs, record = read(text_file(line))
    assert [item.field for item in repairs if isinstance(item, Repair)] == [
        "federation",
        "sex",
        "birth_year",
        "flag",
    ]
    assert record == MAN._replace(birth_year=None)


UNRATED = LINE[:113].rstrip()
NOBODY = {"standard": None, "rapid": None, "birth_year": None}


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        (LINE.rstrip(), {}),
        (LINE + "   ", {}),
        (WOMAN.rstrip(), None),
        (LINE[:152].rstrip(), {"birth_year": None}),
        (LINE[:139].rstrip(), {"birth_year": None}),
        (UNRATED, NOBODY),
        (LINE[:84].rstrip(), NOBODY | {"title": ""}),
        (LINE[:79], NOBODY | {"title": "", "sex": ""}),
    ],
)
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_blanks_cut_off_at_the_end_of_lines_are_no_loss(
    line: str, changes: dict[str, Any] | None, end: str
) -> None:
    expected = records(text_file(WOMAN)) if changes is None else [MAN._replace(**changes)]
    assert records(text_file(line, "   ", "", end=end)) == expected


@pytest.mark.parametrize("length", [14, 60, 115, 128, 152, 155])
def test_last_line_of_a_file_cut_short_is_not_read(length: int) -> None:
    record, problem = read(text_file(WOMAN) + LINE[:length].encode())
    assert isinstance(record, ListRecord)
    assert isinstance(problem, LineProblem)
    assert problem.line == 3


@pytest.mark.parametrize("token", ["FEB26", "Feb26", "feb26"])
def test_month_in_the_heading_is_read_in_any_case(token: str) -> None:
    line = HEAD + PERSON + "2356  0   10 1957"
    reading = read_list(io.BytesIO(text_file(line, heading=SINGLE.replace("FEB26", token))), kind="rapid")
    assert month_of_token(reading.token) == date(2026, 2, 1)
    assert list(reading) == [MAN._replace(standard=None)]


def test_text_of_a_problem_is_bounded_and_printable() -> None:
    (problem,) = read(text_file("\t" + "x" * 5000))
    assert isinstance(problem, LineProblem)
    assert problem.text == "\ufffd" + "x" * 199


def test_second_record_of_a_number_is_reported() -> None:
    other = LINE.replace("Olvo", "Elvo")
    found = read(text_file(LINE, WOMAN, other))
    message = "The ID number 100013 appears more than once. The first record is used."
    assert found[0] == MAN
    assert found[2] == LineProblem(4, None, message, other, is_again=True)


def test_endless_line_costs_no_memory_and_no_other_line() -> None:
    problem, record = read(text_file("9" * (5 * BLOCK_BYTES), LINE))
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.column, problem.text) == (2, None, "9" * 200)
    assert record == MAN


@pytest.mark.slow
def test_records_across_blocks_are_whole() -> None:
    count = 3 * BLOCK_BYTES // 164
    lines = [f"{1_000_000 + number:<15}" + LINE[15:] for number in range(count)]
    expected = [MAN._replace(fide_id=1_000_000 + number) for number in range(count)]
    assert records(text_file(*lines)) == expected


def test_d119_a_dash_in_place_of_a_rating_is_none() -> None:
    line = HEAD + PERSON + "2353  7   10 " + "-     0   10 " + NO_RATING + "1957      "
    (record,) = records(text_file(line))
    assert (record.standard, record.rapid) == (ListedRating(2353, 7, 10), None)


def test_end_of_text_character_after_the_last_line_is_no_line() -> None:
    assert records(text_file(LINE) + b"\x1a") == [MAN]
