"""A report is put right in the portal: shown as a difference, then kept as a version of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.desk.conftest import PLAYERS, ROUNDS
from tests.trf_files import Event
from tournaments.models import Report, Tournament, TrailEntry
from tournaments.queries.line_changes import ChangedLine, chosen_of
from tournaments.services.fixes import offered_changes
from tournaments.trf import read_report

PAGE = "/desk/tournaments/SUI-PLAYED/reports/1/"
FACTS = {"start": "2026/02/28", "end": "2026/03/01", "round_dates": ["26/02/28"] * 3}
NO_ID = [(0, "Alder, Ada"), *PLAYERS[1:]]


@pytest.fixture
def faulty(officer: Client, played: Tournament) -> Report:
    """Return a version in which a player has no FIDE ID and a line another federation."""
    content = Event(NO_ID, ROUNDS, **FACTS).content().replace(b" SUI     1300002", b" FRA     1300002")
    officer.post("/desk/tournaments/SUI-PLAYED/report", {"report": SimpleUploadedFile("open.trf", content)})
    return Report.objects.get()


def offered_of(report: Report) -> list[ChangedLine]:
    return offered_changes(report, read_report(bytes(report.content)))


def keys_of(report: Report, *, certain: bool) -> list[str]:
    return [change.key for change in offered_of(report) if change.is_certain == certain]


def messages_of(client: Client, address: str) -> list[str]:
    return [str(message) for message in client.get(address).context["messages"]]


def test_a_player_without_an_id_is_offered_by_name(officer: Client, faulty: Report) -> None:
    (key,) = keys_of(faulty, certain=False)

    page = officer.get(PAGE).content.decode()
    shown = officer.get(f"{PAGE}fix?fix={key}").context["chosen"]

    assert f"{PAGE}fix?fix={key}" in page
    (change,) = shown.lines
    assert (change.new, change.why) == (
        change.old[:57] + "    1300001" + change.old[68:],
        "The player is Alder, Ada (SUI), FIDE ID 1300001.",
    )
    assert Report.objects.count() == 1


def test_a_fix_makes_a_version_beside_the_bytes_that_came(officer: Client, faulty: Report) -> None:
    before = bytes(faulty.content)
    (key,) = keys_of(faulty, certain=False)

    answer = officer.post(f"{PAGE}fix", {"fix": key})

    former, made = Report.objects.order_by("version")
    assert answer["Location"] == "/desk/tournaments/SUI-PLAYED/reports/2/"
    assert (bytes(former.content), former.sha256) == (before, hashlib.sha256(before).hexdigest())
    assert (made.version, made.corrected_from, made.file_name) == (2, former, "open-corrected.trf")
    assert made.sha256 == hashlib.sha256(bytes(made.content)).hexdigest()
    assert b"1300001" in bytes(made.content)
    assert "id-missing" not in {finding["code"] for finding in made.findings}
    entry = TrailEntry.objects.get()
    assert (entry.action, entry.by, entry.reason) == (
        "report",
        made.submitted_by,
        "Version 2: 1 line of version 1 fixed (line 11).",
    )
    assert officer.get("/desk/tournaments/SUI-PLAYED/reports/1/to/2").context["found"].count == 1


def test_all_certain_fixes_are_made_at_once(officer: Client, faulty: Report) -> None:
    assert len(keys_of(faulty, certain=True)) == 1

    officer.post(f"{PAGE}fix", {"all": "1"})

    codes = {finding["code"] for finding in Report.objects.get(version=2).findings}
    assert "player-federation" not in codes


def test_the_same_fix_twice_is_one_version(officer: Client, faulty: Report) -> None:
    answers = [officer.post(f"{PAGE}fix", {"all": "1"})["Location"] for _ in range(2)]

    assert set(answers) == {"/desk/tournaments/SUI-PLAYED/reports/2/"}
    assert Report.objects.count() == 2
    assert TrailEntry.objects.count() == 1
    assert messages_of(officer, answers[1])[-1] == "This is already version 2."


def test_of_two_officers_the_second_is_sent_to_the_first_ones_version(
    officer: Client, signed_in: Callable[[str], Client], faulty: Report
) -> None:
    deputy = signed_in("deputy")
    (key,) = keys_of(faulty, certain=False)
    officer.post(f"{PAGE}fix", {"all": "1"})

    answer = deputy.post(f"{PAGE}fix", {"fix": key})

    assert answer["Location"] == PAGE
    assert messages_of(deputy, PAGE) == [
        ("Version 2 was created from this version meanwhile. Continue there.")
    ]
    assert Report.objects.count() == 2


@pytest.mark.parametrize("key", ["", "1-000000000000", "9", "99999999999999999999-0", "\x00"])
def test_a_fix_that_does_not_fit_changes_nothing(officer: Client, faulty: Report, key: str) -> None:
    shown = officer.get(f"{PAGE}fix", {"fix": key})
    officer.post(f"{PAGE}fix", {"fix": key})

    assert (shown.status_code, shown.context["chosen"].lines) == (200, [])
    assert messages_of(officer, PAGE) == ["This fix no longer matches the report."]
    assert Report.objects.count() == 1


def test_of_two_fixes_for_a_line_one_is_made(faulty: Report) -> None:
    offered = offered_of(faulty)
    doubled = [*offered, *offered_of(faulty)]

    chosen = chosen_of(doubled, [change.key for change in doubled])

    assert len(chosen.lines) == len({change.line for change in offered})
    assert (chosen.left, chosen.gone) == (0, 0)


def test_a_large_report_shows_its_findings_with_their_lines_alone(
    officer: Client, played: Tournament
) -> None:
    players = [(0, f"Player, Number{number}") for number in range(600)]
    content = Event(players, [[(1, 2, "1-0")]] * 3, **FACTS).content()
    officer.post("/desk/tournaments/SUI-PLAYED/report", {"report": SimpleUploadedFile("open.trf", content)})

    short, one, whole = (
        officer.get(f"{PAGE}{ask}").context["marked"] for ask in ("", "?code=id-missing", "?all=1")
    )

    groups = [{group.code: len(group.findings) for group in marked.groups} for marked in (short, one, whole)]
    assert [found["id-missing"] for found in groups] == [20, 500, 600]
    assert (short.is_whole, whole.is_whole) == (False, True)
    assert len(short.lines) < 200
    assert len(whole.lines) == content.count(b"\n")
