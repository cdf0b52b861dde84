"""New players from one CSV: issues by row and column, preview, registration, possible duplicates to staff."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from core.web.csv_reader import read_table
from desk.csv_rows import Sheet
from desk.players.bulk import COLUMNS, MAX_BYTES, MAX_ROWS, read_sheet
from players.choices import CaseState
from players.models import Application, IdBlock, Player
from players.services.cases import decide
from players.services.fide_ids import LAST_PREFIX, SERIALS
from tests.codes import codes_of_messages
from tests.factories import AppointmentFactory, FederationFactory, PlayerFactory

PAGE = "/desk/players/bulk"
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
HEAD = "name,sex,birth_date"
ADA, BEN = '"Alder, Ada",F,2011-05-30', '"Birch, Ben",m,02.11.2009'

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def officer() -> Client:
    client = Client()
    client.force_login(AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user)
    return client


def sheet(*lines: str) -> bytes:
    return "\r\n".join([HEAD, *lines]).encode()


def send(client: Client, content: bytes) -> Any:
    return client.post(PAGE, {"rows_file": SimpleUploadedFile("a.csv", content)}).context


def findings(client: Client, content: bytes) -> list[tuple[int, str]]:
    return [(finding.line, finding.column) for finding in send(client, content).get("findings", [])]


def confirm(client: Client, content: bytes) -> HttpResponse:
    return client.post(PAGE, {"text": content.decode()})  # type: ignore[return-value]


def test_example_file_is_accepted(officer: Client) -> None:
    example = officer.get(f"{PAGE}.csv").content

    shown = send(officer, example)

    assert example.splitlines()[0].decode() == ",".join(COLUMNS)
    assert [(line, row.is_sure) for line, row in shown["rows"].items()] == [(2, True), (3, True)]


def test_new_players_are_registered_with_one_confirmation(officer: Client) -> None:
    shown = send(officer, sheet(ADA, BEN))
    before = Player.objects.count()
    done = confirm(officer, sheet(ADA, BEN))

    made = Player.objects.order_by("fide_id").values_list("name", "sex", "birth_date", "federation_id")
    assert (before, shown["sure"], shown["doubtful"]) == (0, 2, 0)
    assert list(made) == [
        ("Alder, Ada", "F", date(2011, 5, 30), "SUI"),
        ("Birch, Ben", "M", date(2009, 11, 2), "SUI"),
    ]
    assert all(str(player.pk).encode() in done.content for player in Player.objects.all())


def test_repeated_file_registers_nobody_and_shows_the_ids(officer: Client) -> None:
    confirm(officer, sheet(ADA, BEN))
    ids = set(Player.objects.values_list("pk", flat=True))

    shown = send(officer, sheet(ADA, BEN))
    again = confirm(officer, sheet(ADA, BEN)).context["done"]  # type: ignore[attr-defined]

    assert {row.player.pk for row in shown["rows"].values()} == ids
    assert {player.pk for player in again.already.values()} == ids
    assert (set(Player.objects.values_list("pk", flat=True)), Application.objects.count()) == (ids, 0)


def test_possible_duplicates_go_to_staff(officer: Client) -> None:
    known = PlayerFactory(
        name="Alder, Ada",
        federation=FederationFactory(code="AUT"),
        birth_year=2011,
        birth_date=date(2011, 5, 30),
    )

    shown = send(officer, sheet(ADA, BEN))
    confirm(officer, sheet(ADA, BEN))
    confirm(officer, sheet(ADA, BEN))

    assert [(row.is_doubtful, row.is_sure) for row in shown["rows"].values()] == [
        (True, False),
        (False, True),
    ]
    application = Application.objects.get()
    assert (application.name, application.likeness, application.score) == ("Alder, Ada", known, 80)
    assert [player.name for player in Player.objects.exclude(pk=known.pk)] == ["Birch, Ben"]


def test_second_of_two_similar_rows_goes_to_staff(officer: Client) -> None:
    rows = sheet(ADA, '"Alder, Ada",F,2011-05-31')

    shown = send(officer, rows)
    confirm(officer, rows)

    assert shown["rows"][3].twin[0] == 2
    assert Application.objects.get().likeness == Player.objects.get()


def test_similar_row_goes_to_staff_with_the_same_possible_duplicate(officer: Client) -> None:
    known = PlayerFactory(
        name="Alder, Ada", federation=FederationFactory(code="AUT"), birth_year=2011, birth_date=None
    )
    confirm(officer, sheet(ADA, '"Alder, Ada",F,2011-05-31'))

    assert [one.likeness for one in Application.objects.all()] == [known, known]


def test_staff_decide_on_applications_from_a_file(officer: Client) -> None:
    PlayerFactory(name="Alder, Ada", federation=FederationFactory(code="SUI"), birth_year=2011)
    confirm(officer, sheet(ADA))
    staff = AppointmentFactory(role="staff").user

    decide(Application.objects.get(), CaseState.APPROVED, by=staff, at=NOW)

    assert send(officer, sheet(ADA))["rows"][2].player == Application.objects.get().player


WRONG = [
    pytest.param(f"{HEAD}\n,F,2011-05-30", [(2, "name")], id="no name"),
    pytest.param(f"{HEAD}\n---,F,2011-05-30", [(2, "name")], id="a name without letters"),
    pytest.param(f"{HEAD}\n{'x' * 101},F,2011-05-30", [(2, "name")], id="a long name"),
    pytest.param(f"{HEAD}\nAl\u202eder,F,2011-05-30", [(2, "name")], id="letters that turn the line"),
    pytest.param(f"{HEAD}\nAlder,X,30/05/2011", [(2, "sex"), (2, "birth_date")], id="sex and birth date"),
    pytest.param(f"{HEAD}\nAlder,F,2011-02-29", [(2, "birth_date")], id="no such day"),
    pytest.param(f"{HEAD}\nAlder,F,2026-03-05", [(2, "birth_date")], id="born tomorrow"),
    pytest.param(f"{HEAD}\nAlder,F,1899-12-31", [(2, "birth_date")], id="born long ago"),
    pytest.param(f"{HEAD}\nAlder,F,9999-12-31", [(2, "birth_date")], id="born in the year 9999"),
    pytest.param(f"{HEAD},federation\nAlder,F,2011-05-30,AUT", [(2, "federation")], id="another federation"),
    pytest.param(f"{HEAD}\n{ADA}\n{ADA}", [(3, "name")], id="twice in the file"),
    pytest.param("name,sex\nAlder,F", [(1, "birth_date")], id="a column is missing"),
    pytest.param(f"{HEAD},title\nAlder,F,2011-05-30,GM", [(1, "")], id="a column too many"),
    pytest.param(f"{HEAD}\nAlder,F,2011-05-30,GM", [(2, "")], id="a cell too many"),
    pytest.param(HEAD, [(1, "")], id="no row"),
    pytest.param(f"{HEAD}\nAl\x00der,F,2011-05-30", [(1, "")], id="NUL"),
    pytest.param(f"{HEAD}\n" + f"{ADA}\n" * (MAX_ROWS + 1), [(MAX_ROWS + 2, "")], id="too many rows"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_issues_have_line_and_column(officer: Client, text: str, expected: list[tuple[int, str]]) -> None:
    found = findings(officer, text.encode())
    done = confirm(officer, text.encode())

    assert [finding for finding in found if finding[1] != "name" or len(found) < 9] == expected
    assert (done.status_code, Player.objects.count(), Application.objects.count()) == (200, 0, 0)


@pytest.mark.parametrize(
    "content",
    [
        '\ufeffname;sex;birth_date\r\n"Wägli, Zoë";W;30.05.2011'.encode(),
        "name;sex;birth_date\nWägli, Zoë;f;2011-05-30".encode("cp1252"),
        'NAME,Birth_Date,SEX\n\n"Wägli,  Zoë",2011-05-30,F\n,,\n'.encode(),
    ],
)
def test_files_of_spreadsheets_are_read(officer: Client, content: bytes) -> None:
    rows = send(officer, content)["rows"]

    assert [(row.new.name, row.new.sex, row.new.birth_date) for row in rows.values()] == [
        ("Wägli, Zoë", "F", date(2011, 5, 30))
    ]


def test_officer_of_two_federations_must_name_one(officer: Client) -> None:
    user = AppointmentFactory(role="officer", federation=FederationFactory(code="SUI")).user
    AppointmentFactory(user=user, role="deputy", federation=FederationFactory(code="AUT"))
    client = Client()
    client.force_login(user)

    assert findings(client, sheet(ADA)) == [(2, "federation")]
    shown = send(client, f"{HEAD},federation\n{ADA},aut\n{BEN},SUI".encode())
    assert [row.new.federation.code for row in shown["rows"].values()] == ["AUT", "SUI"]


@pytest.mark.parametrize("content", [b"", b"x" * (MAX_BYTES + 1)])
def test_an_empty_and_a_large_file_are_refused(officer: Client, content: bytes) -> None:
    assert list(send(officer, content)["form"].errors) == ["rows_file"]


def test_too_large_text_is_not_confirmed(officer: Client) -> None:
    answer = confirm(officer, sheet(*[ADA] * 20_000))

    assert (answer.status_code, Player.objects.count()) == (200, 0)


def test_nothing_is_saved_when_fide_ids_run_out(officer: Client) -> None:
    # The federation's block has one number left, and no block is free.
    IdBlock.objects.create(federation_id="SUI", prefix=12, next_serial=SERIALS - 1)
    IdBlock.objects.create(federation=FederationFactory(code="AUT"), prefix=LAST_PREFIX)

    answer = confirm(officer, sheet(ADA, BEN))

    assert (answer.status_code, Player.objects.count()) == (200, 0)
    assert b"No free block of FIDE IDs is left. Write to FIDE staff." in answer.content
    assert IdBlock.objects.get(prefix=12).next_serial == SERIALS - 1


def test_the_birth_years_of_a_federation_are_read_once(officer: Client) -> None:
    def queries(*lines: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as told:
            send(officer, sheet(*lines))
        return sum("birth_year" in query["sql"] and "LIMIT 20000" in query["sql"] for query in told)

    many = [f'"Oak{"abcdefgh"[number]}, Olga",F,2011-05-{number + 1:02}' for number in range(8)]
    assert (queries(many[0]), queries(*many)) == (1, 1)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("name;date of birth;sex\nMustermann, Juergen;1971-04-23;M\n", []),
        ("\ufeffsurname;given_names;sex;birth_date\r\nMusterfrau;Erika;W;01.12.1970\r\n\r\n;;;\r\n", []),
        ("Mustermann;Juergen;M;23.04.1971\n", ["no-head"]),
    ],
)
def test_the_head_of_a_list_is_read_or_asked_for(officer: Client, text: str, codes: list[str]) -> None:
    found = send(officer, text.encode()).get("findings", [])
    assert [item.code for item in found] == codes


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    table = read_table(text, required=("name",), optional=(), most=5)

    assert len(table.rows) <= 5
    assert table.rows or table.findings


@given(st.lists(st.tuples(*[st.text(alphabet="ab,;\"'\n\r0-é.", max_size=9)] * 3), max_size=4))
def test_any_cells_are_read_or_refused(rows: list[tuple[str, str, str]]) -> None:
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows]

    found: Sheet[Any] = read_sheet("\n".join([HEAD, *lines]), user=None, today=NOW.date())

    assert found.rows == {}
    assert found.findings != []


def test_issue_of_another_federation_names_your_own(officer: Client) -> None:
    head = f"{HEAD},federation" if "federation" not in HEAD else HEAD
    content = f"{head}\r\n{BEN},LUX".encode()

    (found,) = send(officer, content)["findings"]
    grid = {"correct": "1", "text": content.decode(), "cell-2-federation": "SUI"}
    corrected = officer.post(PAGE, grid).context

    assert (found.line, found.column, found.value) == (2, "federation", "LUX")
    assert (found.code, "SUI" in found.message) == ("not-allowed", True)
    assert [row.is_sure for row in corrected["rows"].values()] == [True]
    assert Player.objects.count() == 0


IN_TWO = "surname,given_names,sex,birth_date"
FILES = [
    f"{IN_TWO}\nKLEIN,PAUL,M,2000-05-06\nPelé,,M,2000-05-07",
    f"{HEAD}\nKLEIN paul,M,2000-05-06\nPelé,M,2000-05-07",
]


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("take", ["all", "2:Klein, Paul"])
def test_names_of_a_file_that_look_wrong_are_asked_about(officer: Client, text: str, take: str) -> None:
    shown = send(officer, text.encode())
    refused = officer.post(PAGE, {"text": text})
    taken = officer.post(PAGE, {"text": text, "take": take}).context
    half = officer.post(PAGE, {"text": taken["text"]})
    before = Player.objects.count()
    officer.post(PAGE, {"text": taken["text"], "right": "3"})

    assert [row.doubt and row.doubt.slip for row in shown["rows"].values()][1:] == ["name-one-word"]
    assert "name-one-word" in codes_of_messages(refused)[0].split()
    assert codes_of_messages(half) == ["name-one-word"]
    assert [row.new.name for row in taken["rows"].values()] == ["Klein, Paul", "Pelé"]
    assert before == 0
    assert {player.name for player in Player.objects.all()} == {"Klein, Paul", "Pelé"}


@pytest.mark.parametrize(
    ("head", "column", "code"),
    [
        ("sex,birth_date", "surname", "column-missing"),
        ("surname,sex,birth_date", "given_names", "column-missing"),
        ("name,surname,given_names,sex,birth_date", "name", "column-twice"),
    ],
)
def test_name_stands_in_two_columns_or_in_one(officer: Client, head: str, column: str, code: str) -> None:
    (found,) = send(officer, f"{head}\n{','.join('x' * len(head.split(',')))}".encode())["findings"]

    assert (found.column, found.code) == (column, code)
