"""Files of a tournament: formats, limits, access, and download."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import Appointment
from tests import make
from tests.desk.conftest import NOW
from tests.desk.tournaments.test_register import errors_of
from tests.downloads import saved_as
from tournaments.evidence import MAX_FILE_BYTES, MAX_FILES
from tournaments.models import CaseFile, NamedArbiter, Tournament

PAGE = "/desk/tournaments/SUI-PLAYED/files"
PDF, PNG, JPEG = b"%PDF-1.7 waiver", b"\x89PNG\r\n\x1a\n...", b"\xff\xd8\xff\xe0..."


def sent(*files: tuple[str, bytes], purpose: str = "waiver") -> dict[str, Any]:
    return {"purpose": purpose, "evidence": [SimpleUploadedFile(name, content) for name, content in files]}


def test_files_are_added_once_and_listed_with_the_case(
    officer: Client, chair: Client, played: Tournament
) -> None:
    Tournament.objects.update(registration="waiting")
    files = ("../../etc/wai\nver.pdf", PDF), ("hall.png", PNG), ("hall.jpeg", JPEG)

    answers = [officer.post(PAGE, sent(*files)).status_code for _click in range(2)]

    kept = CaseFile.objects.order_by("number").values_list("number", "file_name", "purpose")
    assert answers == [302, 302]
    assert [*kept] == [(1, "waiver.pdf", "waiver"), (2, "hall.png", "waiver"), (3, "hall.jpeg", "waiver")]
    assert [step.action for step in played.log_entries.all()] == ["attach"]
    assert "waiver.pdf" in chair.get("/desk/qc/SUI-PLAYED/").content.decode()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([("a.html", b"<html>")], "a.html is not a PDF, PNG or JPEG file. Upload only these formats."),
        ([("a.pdf", b"MZ program")], "a.pdf is not a PDF, PNG or JPEG file. Upload only these formats."),
        ([("a.pdf", PDF)] * (MAX_FILES + 1), f"Upload at most {MAX_FILES} files."),
        ([("a.pdf", PDF + b"0" * MAX_FILE_BYTES)], "The file must be 4 MiB or smaller."),
        ([("a.pdf", b"")], "A file is empty. Select another file."),
        ([], "Select a file."),
    ],
)
def test_invalid_files_are_refused_and_not_stored(
    officer: Client, played: Tournament, files: list[tuple[str, bytes]], message: str
) -> None:
    answer = officer.post(PAGE, sent(*files))

    assert errors_of(answer) == {"evidence": [message]}
    assert answer.context["form"]["purpose"].value() == "waiver"
    assert not CaseFile.objects.exists()


def test_file_is_downloaded_with_the_suffix_of_its_content(officer: Client, played: Tournament) -> None:
    officer.post(PAGE, sent(("page.html", PDF)))

    answer = officer.get(f"{PAGE}/1")

    assert saved_as(answer) == "page.html.pdf"
    assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == (
        "application/octet-stream",
        "nosniff",
    )
    assert answer.content == PDF


def test_arbiter_adds_and_sees_only_reports(officer: Client, played: Tournament, holder: Appointment) -> None:
    NamedArbiter.objects.create(tournament=played, user=holder.user, named_at=NOW)
    arbiter = make.browser(holder.user)
    officer.post(PAGE, sent(("waiver.pdf", PDF)))

    refused = arbiter.post(PAGE, sent(("more.pdf", PDF)))
    added = arbiter.post(PAGE, sent(("report.png", PNG), purpose="report"))

    assert (list(errors_of(refused)), added.status_code) == (["purpose"], 302)
    assert [arbiter.get(f"{PAGE}/{number}").status_code for number in (1, 2)] == [404, 200]
    assert [officer.get(f"{PAGE}/{number}").status_code for number in (1, 2)] == [200, 200]


def test_published_tournament_accepts_no_files(officer: Client, played: Tournament) -> None:
    Tournament.objects.update(stage="published")

    answer = officer.post(PAGE, sent(("waiver.pdf", PDF)))

    message = "The tournament is on a published list, so no files can be added."
    assert errors_of(answer) == {"__all__": [message]}
    assert not CaseFile.objects.exists()
