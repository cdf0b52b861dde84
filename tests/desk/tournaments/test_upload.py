"""Uploads by the script that shows the progress, and the list of versions."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.desk.conftest import report_of
from tournaments.models import Tournament

UPLOAD = "/desk/tournaments/SUI-PLAYED/report"


def test_script_gets_the_address_of_the_check_results(officer: Client, played: Tournament) -> None:
    file = SimpleUploadedFile("open.trf", report_of())

    answer = officer.post(UPLOAD, {"report": file}, headers={"X-Requested-With": "XMLHttpRequest"})

    assert (answer.status_code, answer["X-Location"]) == (204, "/desk/tournaments/SUI-PLAYED/reports/1/")


def test_versions_are_listed_with_size_and_comparison_links(officer: Client, played: Tournament) -> None:
    contents = [report_of(), report_of(name="Open of Betaville")]
    for content in contents:
        officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", content)})

    page = officer.get("/desk/tournaments/SUI-PLAYED/")

    listed = [(item.version, item.size, item.former) for item in page.context["reports"]]
    assert listed == [(2, len(contents[1]), 1), (1, len(contents[0]), 0)]
    assert "/desk/tournaments/SUI-PLAYED/reports/1/to/2" in page.content.decode()
    found = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/to/2").context["found"]
    assert [(line.former, line.later) for line in found.lines] == [(1, 1)]


def test_a_report_is_downloaded_as_it_came_and_shown_by_no_browser(
    officer: Client, played: Tournament
) -> None:
    content = report_of() + b"### <script>\r\n"
    officer.post(UPLOAD, {"report": SimpleUploadedFile("<img>.pdf", content)})
    file = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/file")

    assert b"".join(file) == content
    assert (file["Content-Type"], file["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")
    assert file["Content-Disposition"].startswith("attachment")
