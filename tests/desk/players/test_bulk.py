"""The page of a register: columns, effect, import; another federation's is not there."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError
from django.test import Client

from players.models import Membership, Player
from ratings.choices import Origin, Work
from ratings.models import RegisterImport
from ratings.runs import perform
from tests import make
from tests.codes import codes_of_answer
from tests.desk.conftest import NOW

PAGE = "/desk/players/bulk"
FILE = b"Nr;Name;Sex;Born;Verein\n1;Alder, Ada;F;2011-05-30;SC Alpha\n2;Birch, Ben;M;;SC Alpha\n"
COLUMNS = {
    "column-0": "number",
    "column-1": "name",
    "column-2": "sex",
    "column-3": "birth",
    "column-4": "club",
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer() -> Client:
    return make.browser("officer SUI")


def upload(client: Client, content: bytes = FILE) -> RegisterImport:
    answer = client.post(PAGE, {"federation": "SUI", "rows_file": SimpleUploadedFile("a.csv", content)})
    assert answer.status_code == 302
    return RegisterImport.objects.first()  # type: ignore[return-value]


def step(client: Client, item: RegisterImport, name: str, **fields: Any) -> Any:
    """Send a step, have its job done, and return the context of the page."""
    address = f"{PAGE}/{item.pk}/"
    client.post(address, {"step": name, **fields})
    perform(Work.REGISTER, str(item.pk), at=NOW)
    return client.get(address).context


def test_the_columns_are_guessed_and_shown_with_the_first_rows(officer: Client) -> None:
    context = officer.get(f"{PAGE}/{upload(officer).pk}/").context

    assert context["item"].stage == "columns"
    assert [(one["key"], one["field"], one["cells"]) for one in context["columns"]][1:] == [
        ("Name", "name", ("Alder, Ada", "Birch, Ben")),
        ("Sex", "sex", ("F", "M")),
        ("Born", "birth", ("2011-05-30", "")),
        ("Verein", "club", ("SC Alpha", "SC Alpha")),
    ]


def test_the_effect_comes_before_the_import_and_the_file_goes_after_it(
    officer: Client, django_capture_on_commit_callbacks: Any
) -> None:
    item = upload(officer)

    shown = step(officer, item, "read", **COLUMNS)
    before = Player.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        done = step(officer, item, "confirm")
    again = step(officer, item, "confirm")

    assert (shown["item"].stage, before, shown["found"]["created"], shown["found"]["wrong_count"]) == (
        "ready",
        0,
        1,
        1,
    )
    assert [
        (line, [(row["name"], label) for row, label, _why in problems]) for line, problems in shown["wrong"]
    ] == [(3, [("Birch, Ben", "Date or year of birth")])]
    assert (done["item"].stage, again["item"].result) == ("done", done["item"].result)
    assert [*Membership.objects.values_list("player__name", "number", "club")] == [
        ("Alder, Ada", "1", "SC Alpha")
    ]
    assert not storages["lists"].exists(item.path)
    assert done["item"].columns["sample"] == []


def test_the_rows_left_out_are_a_file_that_is_imported(officer: Client) -> None:
    item = upload(officer, FILE.replace(b"2;Birch, Ben;M;;SC Alpha", b"2;Birch, Ben;M;;-"))
    step(officer, item, "read", **COLUMNS)
    step(officer, item, "confirm")

    left = officer.get(f"{PAGE}/{item.pk}/left-out.csv").content
    again = upload(officer, left.replace(b",M,,", b",M,2012-01-02,"))
    columns = officer.get(f"{PAGE}/{again.pk}/").context["columns"]
    done = step(officer, again, "read", **COLUMNS)["found"]

    assert left.splitlines()[0] == b"Nr,Name,Sex,Born,Verein,Problem"
    assert [one["field"] for one in columns] == [*COLUMNS.values(), ""]
    assert [done[name] for name in ("rows", "created", "doubtful_count", "wrong_count")] == [1, 1, 0, 0]


def test_what_makes_the_effect_worse_is_said_beside_it(officer: Client) -> None:
    item = upload(officer)

    shown = step(officer, item, "read", **{**COLUMNS, "column-0": ""})
    make.rating_list(origin=Origin.IMPORTED)
    again = step(officer, item, "read", **COLUMNS)

    assert [len(context["hints"]) for context in (shown, again)] == [2, 0]


def test_other_columns_give_another_effect(officer: Client) -> None:
    item = upload(officer)
    step(officer, item, "read", **COLUMNS)

    shown = step(officer, item, "read", **{**COLUMNS, "column-1": ""})

    # The step is open: nothing is refused for good.
    assert (shown["item"].stage, shown["item"].whys != []) == ("columns", True)
    assert step(officer, item, "read", **COLUMNS)["item"].stage == "ready"


def test_unknown_column_names_are_no_person_and_what_changes_nothing_waits_for_nobody(
    officer: Client,
) -> None:
    item = upload(officer, b"foo,bar\n1,2\n")
    before = officer.get(f"{PAGE}/{item.pk}/").context

    shown = step(officer, item, "read", **{"column-0": "number", "column-1": "surname"})

    assert item.columns["is_guessed"]
    assert [(one["head"], one["field"]) for one in before["columns"]] == [("foo", "number"), ("bar", "")]
    assert (shown["found"]["rows"], shown["stage"][0]) == (1, "withdrawn")


def test_columns_of_one_head_are_selected_each(officer: Client) -> None:
    item = upload(officer, b"Name;Sex;Born;Club;Club\nAlder, Ada;F;2011-05-30;Parent;SC Alpha\n")
    places = {"column-0": "name", "column-1": "sex", "column-2": "birth", "column-4": "club"}

    shown = step(officer, item, "read", **places)
    step(officer, item, "confirm")

    assert [one["field"] for one in shown["columns"]] == ["name", "sex", "birth", "", "club"]
    assert [*Membership.objects.values_list("club", flat=True)] == ["SC Alpha"]


def test_a_second_upload_takes_the_place_of_one_that_waits(officer: Client) -> None:
    first = upload(officer)
    warned = [item.pk for item, _stage in officer.get(PAGE).context["waiting"]]
    second = upload(officer)
    first.refresh_from_db()
    step(officer, second, "cancel")
    second.refresh_from_db()

    assert ([first.pk], "cancelled", "cancelled") == (warned, first.stage, second.stage)
    assert [one.replacement for one in (first, second)] == [second, None]
    assert {first.cancelled_by, second.cancelled_by} == {second.by}
    assert f"{PAGE}/{second.pk}/" in officer.get(f"{PAGE}/{first.pk}/").content.decode()


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (b"", ["empty"]),
        (b"a\x00b", ["no-table"]),
        (b"PK\x03\x04 no zip", ["no-table"]),
        (b"012 Test Open\n", ["no-table"]),
        (b"hello\nworld\n", ["no-register"]),
    ],
)
def test_what_is_no_table_is_refused_at_once(officer: Client, content: bytes, codes: list[str]) -> None:
    answer = officer.post(PAGE, {"federation": "SUI", "rows_file": SimpleUploadedFile("a.csv", content)})

    assert (codes_of_answer(answer), RegisterImport.objects.count()) == ({"rows_file": codes}, 0)


def test_a_file_whose_upload_fails_is_not_kept(officer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []

    def fails(item: RegisterImport) -> None:
        kept.append(item.path)
        raise DatabaseError

    monkeypatch.setattr(RegisterImport, "save", fails)
    with pytest.raises(DatabaseError):
        upload(officer)

    assert [storages["lists"].exists(path) for path in kept] == [False]


def test_another_federations_register_is_not_there(officer: Client) -> None:
    item, other = upload(officer), make.browser("officer AUT")
    addresses = (f"{PAGE}/{item.pk}/", f"{PAGE}/{item.pk}/left-out.csv")

    assert [other.get(address).status_code for address in addresses] == [404, 404]
    assert other.post(addresses[0], {"step": "cancel"}).status_code == 404
    answer = other.post(PAGE, {"federation": "SUI", "rows_file": SimpleUploadedFile("a.csv", FILE)})
    assert (answer.status_code, RegisterImport.objects.count()) == (200, 1)
