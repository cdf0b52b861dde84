"""Registrations from one CSV: issues by row and column, preview, all or nothing, once."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.web.csv_reader import with_cells
from desk.tournaments.bulk import COLUMNS, MAX_BYTES, MAX_ROWS, REQUIRED, read_sheet
from players.models import Federation
from tests import make
from tests.codes import codes_of_answer, codes_of_messages
from tournaments import limits
from tournaments.models import Tournament

BULK = "/desk/tournaments/bulk"
HEAD = "name,federation,kind,time_control,start,end,chief_arbiter,is_stated_rated,schedule,late_reason"
GOOD = (
    'Open of Alphaville,sui,Rapid,15+10,2026-03-21,2026-03-22,"Arbiter, Anna",yes,2026-03-21 5; 2026-03-22 4'
)
LATE = "Late Blitz,SUI,blitz,3+2,2026-03-05,2026-03-05,Arbiter,yes,2026-03-05 7,New hall"


def send(client: Client, content: bytes) -> HttpResponse:
    return client.post(BULK, {"rows_file": SimpleUploadedFile("a.csv", content)})  # type: ignore[return-value]


def sheet(*lines: str) -> bytes:
    return "\r\n".join([HEAD, *lines]).encode()


def findings(client: Client, content: bytes) -> list[tuple[int, str]]:
    shown = send(client, content).context.get("findings", [])  # type: ignore[attr-defined]
    return [(finding.line, finding.column) for finding in shown]


def test_template_has_the_columns_and_an_accepted_example(officer: Client) -> None:
    template = officer.get(f"{BULK}.csv").content

    assert template.splitlines()[0].decode() == ",".join(COLUMNS)
    assert findings(officer, template) == []
    assert len(send(officer, template).context["rows"]) == 1  # type: ignore[attr-defined]


def test_issue_has_the_value_and_the_allowed_values_once(officer: Client, austrian: Federation) -> None:
    faulty = GOOD.replace("sui", "aut").replace("Rapid", "chess").replace("2026-03-22,", "soon,")

    shown = send(officer, sheet(LATE, faulty)).context["findings"]  # type: ignore[attr-defined]

    assert [(item.line, item.column, item.value, item.code) for item in shown] == [
        (3, "federation", "aut", "not-allowed"),
        (3, "kind", "chess", "not-allowed"),
        (3, "end", "soon", "date"),
    ]
    assert ("SUI" in shown[0].message, "rapid, blitz" in shown[1].message) == (True, True)
    (once,) = send(officer, sheet(GOOD.replace(",yes,", ",perhaps,"))).context["findings"]  # type: ignore[attr-defined]
    assert (once.column, once.value, once.code) == ("is_stated_rated", "perhaps", "yes-or-no")
    past = sheet(GOOD.replace("15+10", "zz").replace("2026", "2025"))
    assert findings(officer, past) == [(2, "time_control"), (2, "start")]


# An invalid cell in each of these rows, and its message.
FAULTS = {
    4: ("federation", "AUT", "Not allowed. You may enter SUI."),
    8: ("kind", "classical", "Not allowed. You may enter rapid, blitz."),
    12: (
        "time_control",
        "fast",
        "Enter the time control as minutes plus seconds per move, for example 15+10.",
    ),
    16: ("start", "soon", "Enter a date as YYYY-MM-DD, for example 2026-03-07."),
    20: ("end", "2026-03-20", "The last day is before the first day. Correct one of them."),
    24: ("name", "", "Enter the name."),
    28: ("chief_arbiter", "", "Enter the chief arbiter."),
    32: ("is_stated_rated", "perhaps", "Enter yes or no."),
    36: (
        "schedule",
        "2026-03-21 5; soon 4",
        "Line 2: enter a date and its number of rounds, for example 2026-03-07 5.",
    ),
    40: (
        "time_control",
        "90+30",
        "120 minutes for 60 moves are neither rapid nor blitz (article 1.1). Correct the time control.",
    ),
    51: ("name", "Open 3", "Same tournament as in line 3."),
}


def fifty_rows() -> tuple[dict[int, dict[str, str]], bytes]:
    """Return fifty valid rows by line, and a file of them with one error of each kind."""
    columns = HEAD.split(",")
    right = {
        line: dict(zip(columns, next(csv.reader([GOOD])), strict=False), name=f"Open {line}")
        for line in range(2, 52)
    }
    rows = {line: dict(row) for line, row in right.items()}
    for line, (column, value, _message) in FAULTS.items():
        rows[line][column] = value
    return right, sheet(*(",".join(f'"{cell}"' for cell in row.values()) for row in rows.values()))


@pytest.mark.slow
def test_fifty_rows_with_ten_kinds_of_errors_are_corrected_in_one_pass(officer: Client) -> None:
    right, file = fifty_rows()
    shown = send(officer, file).context  # type: ignore[attr-defined]

    assert [(item.line, item.column, item.value, item.message) for item in shown["findings"]] == [
        (line, *fault) for line, fault in FAULTS.items()
    ]
    rows = shown["to_correct"].items()
    wrong = [(line, cell.column) for line, row in rows for cell in row.cells if cell.findings]
    assert wrong == [(line, column) for line, (column, *_rest) in FAULTS.items()]
    assert {line for line, _name in shown["right"]} == right.keys() - FAULTS.keys()

    cells = {f"cell-{line}-{column}": right[line][column] for line, column in wrong}
    preview = officer.post(BULK, {"correct": "1", "text": shown["text"], **cells}).context
    officer.post(BULK, {"text": preview["text"]})
    assert (preview["findings"], Tournament.objects.count()) == ([], 50)


def test_cells_without_issues_are_folded_and_days_are_shown_together(officer: Client) -> None:
    def columns(row: str) -> list[str]:
        return [cell.column for cell in send(officer, sheet(row)).context["to_correct"][2].cells]  # type: ignore[attr-defined]

    assert columns(GOOD.replace(",yes,", ",perhaps,")) == ["is_stated_rated"]
    assert columns(GOOD.replace("2026", "2025")) == ["start", "end", "schedule"]


def test_rows_are_corrected_in_the_page_before_registration(officer: Client) -> None:
    semicolons = (
        sheet(LATE, GOOD.replace("sui", "XXX")).decode().replace("2026-03-21 5; 2", '"2026-03-21 5; 2')
    )
    text = f'{semicolons}"'
    shown = send(officer, text.encode()).context  # type: ignore[attr-defined]
    rows = shown["to_correct"].items()
    cells = {
        f"cell-{line}-{cell.column}": cell.value for line, row in rows for cell in (*row.cells, *row.folded)
    }

    still = officer.post(BULK, {"correct": "1", "text": shown["text"], **cells}).context
    right = cells | {"cell-3-federation": "SUI"}
    preview = officer.post(BULK, {"correct": "1", "text": still["text"], **right}).context
    assert Tournament.objects.count() == 0
    officer.post(BULK, {"text": preview["text"]})

    assert [(item.line, item.column) for item in still["findings"]] == [(3, "federation")]
    assert preview["findings"] == []
    names = Tournament.objects.order_by("name").values_list("name", "federation")
    assert list(names) == [("Late Blitz", "SUI"), ("Open of Alphaville", "SUI")]


def test_federations_need_no_more_queries_for_many_rows(
    officer: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(12):
        send(officer, sheet(*[LATE.replace("SUI", "XXX")] * 50))


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("a,b\r\n1,2\r\n", {(2, "b"): "3"}, "a,b\r\n1,3\r\n"),
        ("a;b\n1;2\n", {(2, "b"): "x;y"}, 'a;b\r\n1;"x;y"\r\n'),
        ("A , b\n\n1\n", {(3, "b"): "2", (9, "b"): "no", (3, "c"): "no"}, "A , b,c\r\n\r\n1,2,no\r\n"),
        ('a,b\n"1\n1",2\n3,4', {(3, "a"): "5", (4, "b"): "6"}, "a,b\r\n5,2\r\n3,6\r\n"),
        ('a\n"' + "x" * 140_000, {(2, "a"): "1"}, None),
    ],
)
def test_cells_are_corrected_in_the_text(
    text: str, cells: dict[tuple[int, str], str], expected: str | None
) -> None:
    assert with_cells(text, cells) == (text if expected is None else expected)


def test_a_file_is_shown_first_and_registered_when_confirmed(officer: Client) -> None:
    shown = send(officer, sheet(GOOD, LATE))
    assert Tournament.objects.count() == 0
    assert [(row["line"], row["prospect"].waits) for row in shown.context["rows"]] == [(2, False), (3, True)]  # type: ignore[attr-defined]

    done = officer.post(BULK, {"text": shown.context["text"]})  # type: ignore[attr-defined]

    assert (done.status_code, done["Location"]) == (302, "/desk/tournaments/")
    made = Tournament.objects.order_by("start").values_list("name", "registration", "federation")
    assert list(made) == [("Late Blitz", "waiting", "SUI"), ("Open of Alphaville", "registered", "SUI")]
    assert Tournament.objects.get(kind="rapid").schedule == ["2026-03-21"] * 5 + ["2026-03-22"] * 4


def test_a_file_beyond_the_limit_names_it_and_when_it_ends(
    officer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_OPEN_OF_ACCOUNT", 1)

    answer = officer.post(BULK, {"text": sheet(GOOD, LATE).decode()})

    assert codes_of_messages(answer) == ["too-many-registrations"]
    assert "22 March 2026" in answer.content.decode()
    assert (answer.status_code, Tournament.objects.count()) == (200, 0)


def test_a_second_click_registers_nothing_twice(officer: Client) -> None:
    text = sheet(GOOD, LATE).decode()

    answers = [officer.post(BULK, {"text": text}).status_code for _ in range(2)]

    assert (answers, Tournament.objects.count()) == ([302, 302], 2)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        (GOOD.replace("Rapid", "chess"), "kind"),
        (GOOD.replace("15+10", "2 hours"), "time_control"),
        (GOOD.replace("15+10", "90+30"), "time_control"),
        (GOOD.replace("2026-03-22,", "2026-02-30,"), "end"),
        (LATE.replace("03-05,Arb", "03-04,Arb"), "end"),
        (LATE.replace("Late", "Night").removesuffix("New hall"), "late_reason"),
        (GOOD.replace("sui", "AUT"), "federation"),
        (GOOD.replace("sui", "XXX"), "federation"),
        (GOOD.replace("Open of Alphaville", ""), "name"),
        (GOOD.replace(",yes,", ",perhaps,"), "is_stated_rated"),
        (GOOD.replace("22 4", "22 99"), "schedule"),
        (GOOD.replace("2026-03-2", "2026-02-2"), "start"),
        (GOOD + ",one,more", ""),
    ],
)
def test_issue_has_line_and_column_and_nothing_is_saved(
    officer: Client, austrian: Federation, line: str, column: str
) -> None:
    content = sheet(LATE, line)

    assert set(findings(officer, content)) == {(3, column)}
    assert officer.post(BULK, {"text": content.decode()}).status_code == 200
    assert Tournament.objects.count() == 0


def test_a_day_without_a_round_is_warned_of_in_the_preview(officer: Client, swiss: Federation) -> None:
    shown = send(officer, sheet(GOOD, GOOD.replace("Open", "Cup").replace("; 2026-03-22 4", "")))

    assert [len(row["prospect"].warnings) for row in shown.context["rows"]] == [0, 1]  # type: ignore[attr-defined]


def test_repeated_or_already_registered_tournament_is_an_issue(officer: Client, swiss: Federation) -> None:
    assert findings(officer, sheet(GOOD, GOOD)) == [(3, "name")]
    officer.post(BULK, {"text": sheet(GOOD).decode()})
    Tournament.objects.update(registered_by=None)
    assert findings(officer, sheet(LATE, GOOD)) == [(3, "name")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbf" + sheet(GOOD), []),
        (sheet(GOOD.replace("Alphaville", "Zürich")).decode().encode("cp1252"), []),
        (b"name;federation", [(1, name) for name in REQUIRED[2:]]),
        (sheet(), [(1, "")]),
        (b"\r\n\r\n", [(1, "")]),
        (HEAD.encode() + b",colour", [(1, "")]),
        (HEAD.encode() + b",name", [(1, "name")]),
        (sheet('"' + "x" * 140_000), [(2, "")]),
        (sheet(*[LATE] * (MAX_ROWS + 1))[-50_000:], None),
    ],
)
def test_content_of_the_file_decides_the_issues(
    officer: Client, content: bytes, expected: list[tuple[int, str]] | None
) -> None:
    found = findings(officer, content)

    assert found == expected if expected is not None else found != []


def test_semicolons_separate_columns(officer: Client) -> None:
    content = f"{HEAD.replace(',', ';')}\n{LATE.replace(',', ';')}".encode()

    assert findings(officer, content) == []


@pytest.mark.parametrize(
    ("content", "code"), [(b"x" * (MAX_BYTES + 1), "too-large"), (b"\x00\x01PK", "not-csv")]
)
def test_file_without_rows_is_refused_at_its_field(officer: Client, content: bytes, code: str) -> None:
    page = send(officer, content)

    assert codes_of_answer(page) == {"rows_file": [code]}


def test_too_many_rows_are_an_issue(swiss: Federation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.tournaments.bulk.MAX_ROWS", 2)
    user = make.person("officer", swiss)

    read = read_sheet(sheet(LATE, LATE, LATE).decode(), user=user)

    assert [(found.line, found.column) for found in read.findings] == [(4, "")]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=300))
def test_reading_never_fails_on_any_text(swiss: Federation, text: str) -> None:
    user = make.person("officer", swiss)

    assert read_sheet(f"{HEAD}\n{text}", user=user).rows == {}
