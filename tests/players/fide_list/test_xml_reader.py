"""XML lists: layouts, other ways of writing the same, wrong elements."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from players.fide_list import (
    FideListError,
    LineProblem,
    ListedRating,
    ListItem,
    ListRecord,
    Repair,
    read_list,
)
from players.fide_list.pieces import BLOCK_BYTES
from tests.players.fide_list.samples import player, read, records, xml_file

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
    standard=None,
    rapid=ListedRating(2356, 0, 10),
    blitz=None,
)
OTHER = player(fideid="100021")


def rapid(content: bytes) -> list[ListItem]:
    return read(content, kind="rapid")


def test_single_list_gives_the_figures_to_its_kind() -> None:
    woman = player(
        fideid="4100018",
        name="Zarnik, Elva",
        country="GRE",
        sex="F",
        title="WGM",
        w_title="WGM",
        o_title="FA,FI",
        foa_title="AGM",
        birthday="",
        flag="wi",
    )
    expected = ListRecord(
        4100018,
        "Zarnik, Elva",
        "GRE",
        "F",
        "WGM",
        "WGM",
        "FA,FI",
        "AGM",
        None,
        "wi",
        standard=None,
        rapid=ListedRating(2356, 0, 10),
        blitz=None,
    )
    assert records(xml_file(player(), woman), kind="rapid") == [MAN, expected]


def test_combined_list_gives_three_kinds() -> None:
    others = (
        "<rapid_rating>2356</rapid_rating><rapid_games>0</rapid_games><rapid_k>10</rapid_k>"
        "<blitz_rating></blitz_rating><blitz_games></blitz_games><blitz_k></blitz_k>"
    )
    element = player(rating="2353", games="7").replace("<birthday>", others + "<birthday>")
    assert records(xml_file(element)) == [MAN._replace(standard=ListedRating(2353, 7, 10))]


def test_list_of_nobody_is_empty() -> None:
    assert records(xml_file(), kind="rapid") == []


@pytest.mark.parametrize(
    "before", ['<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="UTF-8"?>', "\n\n", "\ufeff"]
)
def test_what_may_stand_before_the_root_is_passed_over(before: str) -> None:
    assert records(xml_file(player(), before=before), kind="rapid") == [MAN]


@pytest.mark.parametrize(
    "element",
    [
        player().replace("\n", ""),
        player().replace("\n", "\r\n\t"),
        player().replace("<foa_title></foa_title>\n", ""),
        player().replace("<title>GM</title>\n", "").replace("<rating>", "<title>GM</title><rating>"),
        player().replace("<o_title></o_title>", "<o_title/>"),
        player().replace("<player>", "<!-- a note --><player >"),
        player(name="Zarnik&#44; Olvo"),
        player(name="<![CDATA[Zarnik, Olvo]]>"),
        player(name="  Zarnik, Olvo "),
        player().replace("<flag>", "<unknown>1</unknown><flag>"),
    ],
)
def test_other_ways_of_writing_a_player_read_alike(element: str) -> None:
    found = [item for item in rapid(xml_file(element)) if isinstance(item, ListRecord)]
    assert found == [MAN]


def test_entities_of_xml_are_resolved() -> None:
    name = "O&apos;Zarnik &amp; &quot;Son&quot; &lt;&gt;"
    assert records(xml_file(player(name=name)), kind="rapid") == [MAN._replace(name='O\'Zarnik & "Son" <>')]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_beyond_ascii_are_decoded_player_by_player(encoding: str) -> None:
    content = xml_file(OTHER, player(name="Zárnik, Ølvo"))
    found = records(content.decode().encode(encoding), kind="rapid")
    assert found[1] == MAN._replace(name="Zárnik, Ølvo")


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (player(fideid=""), "The ID number '' is not a number of digits."),
        (player(fideid="12x"), "The ID number '12x' is not a number of digits."),
        (player(rating="x"), "'x' is not a number."),
        (player(name="&amp;" * 4_000), "The player element is longer than 16384 characters."),
    ],
)
def test_wrong_player_is_reported_and_nothing_else_lost(element: str, message: str) -> None:
    found = rapid(xml_file(OTHER, element, player()))
    assert found[::2] == [MAN._replace(fide_id=100021), MAN]
    problem = found[1]
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.column, problem.message) == (17, None, message)


@pytest.mark.parametrize(
    ("element", "text", "read_as", "value"),
    [
        ("country", "arg", "ARG", "ARG"),
        ("country", "", "", ""),
        ("sex", "m", "M", "M"),
        ("sex", "male", "M", "M"),
        ("birthday", "1957-01-02", "1957", 1957),
        ("birthday", "02.01.1957", "1957", 1957),
        ("birthday", "19570102", "1957", 1957),
        ("birthday", "1957/00/00", "1957", 1957),
        ("birthday", "0999", "", None),
        ("birthday", "?", "", None),
        ("flag", "-", "", ""),
        ("flag", "i w", "wi", "wi"),
        ("name", "x" * 101, "x" * 100, "x" * 100),
        ("o_title", "FA," * 20, "FA," * 12 + "FA", "FA," * 12 + "FA"),
    ],
)
def test_d119_a_field_is_read_as_far_as_it_can_be(
    element: str, text: str, read_as: str, value: str | int | None
) -> None:
    other, repair, record, last = rapid(xml_file(OTHER, player(**{element: text}), player(fideid="100048")))
    names = {"country": "federation", "birthday": "birth_year", "o_title": "other_titles"}
    field = names.get(element, element)
    assert isinstance(repair, Repair)
    assert (repair.line, repair.field, repair.read) == (17, field, read_as)
    assert record == MAN._replace(**{field: value})
    assert [other, last] == [MAN._replace(fide_id=100021), MAN._replace(fide_id=100048)]


ROOT = "<playerslist>"


@pytest.mark.parametrize(
    ("before", "root"),
    [
        ("<!-- c -->\n", ROOT),
        ("<!-- a --><!-- > -->\n<!--\nb\n-->", ROOT),
        ('<?xml version="1.0" encoding="UTF-8"?>\n<!-- c -->\n', ROOT),
        ('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?>', ROOT),
        ('<!DOCTYPE playerslist SYSTEM "players.dtd">\n', ROOT),
        ("", '<playerslist date="2026-09-01">'),
        ("", '<playerslist xmlns="urn:a" xmlns:xsi="urn:b"\n  xsi:noNamespaceSchemaLocation="c.xsd">'),
        ("\ufeff<!-- c -->", "<PlayersList >"),
        ("", ROOT + "<!-- 2 players -->"),
    ],
)
def test_comments_and_attributes_at_the_root_are_xml(before: str, root: str) -> None:
    content = xml_file(OTHER, "<!-- the next one -->\n", player(), before=before).decode()
    content = content.replace("<playerslist>", root, 1) + "<!-- the end -->\n"
    assert records(content.encode(), kind="rapid") == [MAN._replace(fide_id=100021), MAN]


@pytest.mark.parametrize("name", ["Zarnik & Son", "Zarnik <Olvo", "&bomb;", "</name></name>", "<b>Zarnik</b"])
def test_malformed_player_is_reported_and_nothing_else_lost(name: str) -> None:
    found = rapid(xml_file(OTHER, player(name=name), player()))
    assert found[::2] == [MAN._replace(fide_id=100021), MAN]
    problem = found[1]
    assert isinstance(problem, LineProblem)
    assert problem.line == 17
    assert "XML" in problem.message


def test_player_that_is_not_closed_loses_only_itself() -> None:
    found = rapid(xml_file(OTHER, player().removesuffix("</player>\n"), player(fideid="100048")))
    message = "This is not a complete player element."
    assert found[::2] == [MAN._replace(fide_id=100021), MAN._replace(fide_id=100048)]
    problem = found[1]
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.message) == (17, message)


@pytest.mark.parametrize("last", ["name", "country", "title"])
def test_d_137_player_whose_ratings_are_lost_is_not_read(last: str) -> None:
    beginning = player().partition(f"</{last}>")[0] + f"</{last}>\n</player>\n"
    found = rapid(xml_file(OTHER, beginning, player(fideid="100048")))
    problem = found[1]
    assert found[::2] == [MAN._replace(fide_id=100021), MAN._replace(fide_id=100048)]
    assert isinstance(problem, LineProblem)
    assert (problem.line, problem.message) == (17, "This is not a complete player element.")


def test_accents_are_composed() -> None:
    (record,) = records(xml_file(player(name="Za\u0301rnik, Olvo")), kind="rapid")
    assert record.name == "Z\u00e1rnik, Olvo"


def test_second_record_of_a_number_is_reported() -> None:
    found = rapid(xml_file(player(), player(name="Zarnik, Elvo")))
    problem = found[1]
    assert found[0] == MAN
    assert isinstance(problem, LineProblem)
    assert (problem.line, "100013" in problem.message) == (17, True)


@pytest.mark.parametrize("cut", [1, 5, 14, 16, 40, 100])
def test_file_that_ends_too_early_is_reported(cut: int) -> None:
    found = rapid(xml_file(OTHER, player())[:-cut])
    problem = found[-1]
    assert isinstance(problem, LineProblem) is (cut > 1)
    if isinstance(problem, LineProblem):
        assert "</playerslist>" in problem.message


BOMB = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'


@pytest.mark.parametrize("before", [BOMB, '<?xml version="1.0"?>\n' + BOMB, "<!-- -->" + BOMB])
def test_document_type_is_refused(before: str) -> None:
    with pytest.raises(FideListError):
        rapid(xml_file(player(name="&b;"), before=before))


def test_entity_declared_inside_is_not_resolved() -> None:
    found = rapid(xml_file(OTHER, BOMB, player(name="&b;"), player()))
    assert [type(item) for item in found] == [ListRecord, LineProblem, LineProblem, ListRecord]


def test_records_across_blocks_are_whole() -> None:
    count = 3 * BLOCK_BYTES // len(player())
    elements = [player(fideid=str(1_000_000 + number)) for number in range(count)]
    expected = [MAN._replace(fide_id=1_000_000 + number) for number in range(count)]
    assert records(xml_file(*elements), kind="rapid") == expected


@example(b"<blitz_rating", 0)
@given(st.binary(max_size=300), st.integers(0, 2**16))
def test_any_bytes_in_the_middle_lose_at_most_their_neighbours(junk: bytes, place: int) -> None:
    whole = xml_file(*(player(fideid=str(200_000 + number)) for number in range(5)))
    at = len(b"<playerslist>\n") + place % (len(player()) * 5)
    found = [
        item.fide_id
        for item in read_list(io.BytesIO(whole[:at] + junk + whole[at:]), kind="rapid")
        if isinstance(item, ListRecord)
    ]
    untouched = {200_000 + number for number in range(5)} - {200_000 + (at - 14) // len(player())}
    assert untouched - set(found) == set() or b"player" in junk
