"""A chief arbiter's crosstable becomes a draft, and is stored with it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.codes import codes_of_answer
from tests.desk.conftest import ARBITER_PAGE, HANDED, report_of, sent
from tournaments.models import HandedReport, Report, Tournament

pytestmark = pytest.mark.django_db

TABLE = (
    "No;Name;FIDE ID;Fed;1;2;3\n"
    "1;Alder, Ada;1300001;SUI;2w1;bye;3b1\n"
    "2;Birch, Ben;1300002;SUI;1b0;3w½;\n"
    "3;Cedar, Cleo;1300003;SUI;bye;2b½;1w0\n"
)


def test_arbiters_crosstable_becomes_a_draft_and_is_stored(
    arbiter: Client, officer: Client, played: Tournament
) -> None:
    answer = arbiter.post(ARBITER_PAGE, sent(TABLE.encode(), "cross.csv"))
    handed = HandedReport.objects.get()
    arbiter.post(f"{HANDED}over", {"remark": "From the spreadsheet."})
    officer.post(f"{HANDED}take")

    assert (answer.status_code, handed.file_name, handed.original_name) == (302, "cross.trf", "cross.csv")
    assert arbiter.get(f"{HANDED}file?as=original").content == TABLE.encode()
    assert arbiter.get(f"{HANDED}file").content.startswith(b"012 Open of Alphaville")
    report = Report.objects.get()
    assert (bytes(report.original.content), report.original.file_name) == (TABLE.encode(), "cross.csv")
    assert bytes(report.content) == bytes(handed.content)


def test_arbiter_sees_which_cells_cannot_be_read(arbiter: Client, played: Tournament) -> None:
    page = arbiter.post(ARBITER_PAGE, sent(TABLE.replace("2w1", "2x1").encode(), "cross.csv"))

    assert codes_of_answer(page) == {"report": ["table-cell"]}
    assert "“2x1”" in page.context["form"].errors["report"][0]
    assert not HandedReport.objects.exists()


def test_a_report_without_a_table_has_no_uploaded_table(arbiter: Client, played: Tournament) -> None:
    arbiter.post(ARBITER_PAGE, sent(report_of()))

    assert arbiter.get(f"{HANDED}file?as=original").status_code == 404


def test_the_pages_for_a_report_name_the_file_of_each_program(
    officer: Client, arbiter: Client, played: Tournament
) -> None:
    pages = [officer.get("/desk/tournaments/SUI-PLAYED/report"), arbiter.get(ARBITER_PAGE)]

    for page in pages:
        text = page.content.decode()
        programs = ("Swiss-Manager", "SwissPerfect", "Papi", "Vega", "Other programs")
        assert [f"{name}</th>" in text for name in programs] == [True] * 5
