from __future__ import annotations

import hashlib
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from desk.templatetags.desk import report_state
from tests import make
from tests.codes import codes_of_answer, codes_of_messages
from tests.desk.conftest import NOW, ROUNDS, report_of
from tests.desk.tournaments.test_register import errors_of
from tests.downloads import saved_as
from tests.log import steps
from tournaments.choices import GameMark
from tournaments.files import MAX_UPLOADS
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.trf import read_report, write_trf26

UPLOAD = "/desk/tournaments/SUI-PLAYED/report"


def send(client: Client, content: bytes, *, to: str = UPLOAD, name: str = "open.trf") -> object:
    """Upload a report and return the response."""
    return client.post(to, {"report": SimpleUploadedFile(name, content)})


def test_officer_uploads_and_accepts_a_report(officer: Client, played: Tournament) -> None:
    uploaded = officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", report_of())})
    page = officer.get(uploaded["Location"])
    warnings = page.context["counts"]["warning"]
    checked = "Checked with the arbiter."
    accepted = officer.post(f"{uploaded['Location']}accept", {"acknowledgement": checked})

    assert (uploaded.status_code, page.context["counts"]["error"]) == (302, 0)
    assert accepted["Location"] == "/desk/tournaments/SUI-PLAYED/"
    report = Report.objects.get()
    assert officer.get(uploaded["Location"]).context["acceptance"].action == "accept"
    assert (report.state, report.accepted_on, bytes(report.content)) == (
        "accepted",
        date(2026, 3, 4),
        report_of(),
    )
    assert report.acknowledgement == (checked if warnings else "")
    assert (Participant.objects.count(), Game.objects.filter(is_played=True).count()) == (3, 3)
    played.refresh_from_db()
    assert played.stage == "reported"


def test_warnings_need_a_reason(officer: Client, played: Tournament) -> None:
    send(officer, report_of(name="Open of Betaville"))

    answer = officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": " "})

    missing = answer.context["missing_reasons"]
    errors = answer.context["form"].errors.as_data()
    assert answer.status_code == 200
    assert {name: [one.code for one in found] for name, found in errors.items()} == {
        f"reason-{code}": ["required"] for code in missing
    }
    assert missing
    assert Report.objects.get().state == "checked"


def test_downloaded_bytes_are_unchanged(officer: Client, played: Tournament) -> None:
    send(officer, report_of(), name="Été 2026.trf")

    answer = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/file")

    assert answer.content == report_of()
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment;")


def test_a_version_is_downloaded_as_trf26(officer: Client, played: Tournament) -> None:
    send(officer, report_of(), name="open.trf")

    answer = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/file?as=trf26")

    assert answer.content.decode() == write_trf26(read_report(report_of()))
    assert saved_as(answer) == "open-trf26.trf"


LIMIT = MAX_UPLOADS["report"]
TOO_LARGE = f"The file must be {LIMIT // 2**20} MiB or smaller. Upload only the report of this tournament."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "The file is empty. Export the report again and upload that file."),
        (b" " * (LIMIT + 1), TOO_LARGE),
        (b"\0" * (50 * 1024 * 1024), TOO_LARGE),
    ],
    ids=["empty", "just-over", "50-MiB"],
)
def test_oversized_upload_is_rejected_and_not_stored(
    officer: Client, played: Tournament, content: bytes, message: str
) -> None:
    answer = send(officer, content)

    assert errors_of(answer) == {"report": [message]}
    assert not Report.objects.exists()


def test_too_large_pgn_is_refused_at_its_field(officer: Client, played: Tournament) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")
    files = {
        "report": SimpleUploadedFile("open.trf", report_of()),
        "pgn": SimpleUploadedFile("open.pgn", b" " * (MAX_UPLOADS["pgn"] + 1)),
    }

    answer = officer.post(UPLOAD, files)

    assert codes_of_answer(answer) == {"pgn": ["too-large"]}
    assert not Report.objects.exists()


def test_hybrid_report_is_stored_with_its_games(officer: Client, played: Tournament, games: bytes) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")
    pgn = SimpleUploadedFile("open.pgn", games)

    officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", report_of()), "pgn": pgn})
    done = officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "Checked."})

    assert done.status_code == 302
    report = Report.objects.get()
    digest = hashlib.sha256(games).hexdigest()
    assert (report.state, bytes(report.pgn or b""), report.pgn_sha256) == ("accepted", games, digest)


def test_d_82_other_games_with_an_accepted_report_are_refused_in_place(
    officer: Client, played: Tournament, games: bytes
) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")
    again = []
    for content in (games, games, games + b"\n"):
        files = {
            "report": SimpleUploadedFile("open.trf", report_of()),
            "pgn": SimpleUploadedFile("open.pgn", content),
        }
        again.append(officer.post(UPLOAD, files))
        officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "Checked."})

    assert [answer.status_code for answer in again] == [302, 302, 200]
    assert codes_of_answer(again[2]) == {"pgn": ["other-games-8.4"]}
    assert bytes(Report.objects.get().pgn or b"") == games


def test_games_that_contradict_a_hybrid_report_block_it(
    officer: Client, played: Tournament, games: bytes
) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")
    pgn = SimpleUploadedFile("open.pgn", games.replace(b"1-0", b"0-1"))

    officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", report_of()), "pgn": pgn})
    officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "Checked."})

    report = Report.objects.get()
    errors = [item["code"] for item in report.findings if item["severity"] == "error"]
    assert (report.state, errors) == ("checked", ["pgn-result-differs"])


def test_games_uploaded_later_are_added_to_the_same_report(officer: Client, played: Tournament) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")
    send(officer, report_of())

    again = SimpleUploadedFile("open.trf", report_of())
    officer.post(UPLOAD, {"report": again, "pgn": SimpleUploadedFile("open.pgn", b'[Event "Open"]\n')})

    report = Report.objects.get()
    assert (report.version, bytes(report.pgn or b"")) == (1, b'[Event "Open"]\n')


def test_missing_file_is_refused_at_its_field(officer: Client, played: Tournament) -> None:
    answer = officer.post(UPLOAD, {})

    assert codes_of_answer(answer) == {"report": ["required"]}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<!doctype html><html><body>Sign in</body></html>", "html-page"),
        (b"\x00\x01\x02\x03" * 100, "binary-file"),
        (b"Dear colleague,\nplease find attached\n", "not-a-report"),
        (b"PK\x03\x04 a zip", "archive-file"),
        (b"%PDF-1.7\n" + b"\x00" * 4_000_000, "pdf-file"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "binary-file"),
    ],
)
def test_file_without_a_report_is_refused_at_the_form_and_not_kept(
    officer: Client, played: Tournament, content: bytes, code: str
) -> None:
    answer = send(officer, content)

    assert (codes_of_answer(answer), played.reports.count()) == ({"report": [code]}, 0)


def test_a_report_of_another_tournament_cannot_be_accepted(officer: Client, played: Tournament) -> None:
    send(officer, report_of(start="2026/01/10", end="2026/01/11", round_dates=["26/01/10"] * 3))
    page = officer.get("/desk/tournaments/SUI-PLAYED/reports/1/")
    refused = officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "x"})

    assert "event-days" in [group.code for group in page.context["marked"].groups]
    assert "__all__" in errors_of(refused)
    assert_nothing_half_done(played)


def test_the_same_report_twice_is_one_version(officer: Client, played: Tournament) -> None:
    officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", report_of())})
    Report.objects.update(submitted_at=date_before())
    again = officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", report_of())}, follow=True)

    assert Report.objects.count() == 1
    assert codes_of_messages(again) == ["same-file"]


def test_file_of_a_version_that_another_one_followed_is_the_newest_again(
    officer: Client, played: Tournament
) -> None:
    first, other = report_of(), report_of(name="Another Open")
    for content in (first, other, first):
        answer = send(officer, content)

    assert [bytes(one.content) for one in Report.objects.order_by("version")] == [first, other, first]
    assert answer["Location"].endswith("/reports/3/")
    states = [report_state(one, 3) for one in Report.objects.order_by("version")]
    assert ["state-replaced" in one for one in states] == [True, True, False]


def date_before() -> object:
    from tests.make import noon

    return noon(date(2026, 3, 2))


@pytest.mark.parametrize(
    ("registration", "message"),
    [
        ("refused", "Status of the registration: refused. No report is accepted."),
        ("withdrawn", "Status of the registration: withdrawn. No report is accepted."),
        (
            "waiting",
            "You can submit the report after the QC approves the registration (article 0.2).",
        ),
    ],
)
def test_a_report_for_a_refused_tournament_is_refused_in_place(
    officer: Client, played: Tournament, registration: str, message: str
) -> None:
    Tournament.objects.update(registration=registration)

    page = officer.get(UPLOAD)
    answer = send(officer, report_of())

    assert message in page.content.decode()
    assert errors_of(answer) == {"__all__": [message]}
    assert not Report.objects.exists()


def test_d_128_page_accepts_a_report_until_the_third_list_is_published(
    officer: Client, played: Tournament
) -> None:
    """The list of 1 February is late: on 4 March a report is on time until that list is published."""
    for month in (11, 12):
        make.rating_list(date=date(2025, month, 1))
    Tournament.objects.filter(pk=played.pk).update(start=date(2025, 11, 28), end=date(2025, 11, 29))
    told = {"start": "2025/11/28", "end": "2025/11/29", "round_dates": ["25/11/28"] * 3}
    accept = "/desk/tournaments/SUI-PLAYED/reports/1/accept"

    uploaded = send(officer, report_of(**told))
    make.rating_list(date=date(2026, 2, 1))
    late = send(officer, report_of(**told, federation="AUT"))
    accepted = officer.post(accept, {"acknowledgement": "Checked."})

    assert uploaded.status_code == 302
    assert codes_of_answer(late) == {"__all__": ["third-list-8.1"]}
    assert codes_of_answer(accepted) == {"__all__": ["third-list-8.1"]}
    assert Report.objects.get().state == "checked"


def test_d_128_page_of_a_late_version_counts_from_its_own_day(officer: Client, played: Tournament) -> None:
    """The report was due for the list of February; a version without errors of 4 March has 14 days."""
    for month in (1, 2, 3):
        make.rating_list(date=date(2026, month, 1))
    day = date(2026, 1, 10)
    Tournament.objects.filter(pk=played.pk).update(start=day, end=day)
    told = {"start": "2026/01/10", "end": "2026/01/10", "round_dates": ["26/01/10"] * 3}

    page = officer.get(send(officer, report_of(**told))["Location"])

    progress = page.context["progress"]
    assert (progress.decide_by, progress.report_deadline) == (date(2026, 3, 18), date(2026, 3, 31))


def test_hybrid_reports_come_with_their_games(officer: Client, played: Tournament) -> None:
    Tournament.objects.update(is_hybrid=True, registration="approved")

    send(officer, report_of())
    shown = barriers_of(officer, version=1)
    refused = officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "x"})

    assert (shown, codes_of_answer(refused)) == (["hybrid-pgn-8.4"], {"__all__": ["hybrid-pgn-8.4"]})
    assert_nothing_half_done(played)


def test_d_100_page_of_a_version_without_a_marked_game_shows_the_barrier(
    officer: Client, played: Tournament
) -> None:
    send(officer, report_of())
    officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "Checked."})
    game = Game.objects.filter(is_played=True).earliest("round", "white")
    Game.objects.filter(pk=game.pk).update(mark=GameMark.FAIR_PLAY, mark_reference="FPL 7/2026")
    rounds = [[pairing for pairing in ROUNDS[0] if pairing[0] != game.white], *ROUNDS[1:]]

    send(officer, report_of(name="Open of Betaville"))
    kept = barriers_of(officer, version=2)
    send(officer, report_of(rounds=rounds))
    shown = barriers_of(officer, version=3)

    assert kept == []
    assert shown == ["marked-game-missing"]


def test_file_accepted_for_another_tournament_is_an_issue(officer: Client, played: Tournament) -> None:
    send(officer, report_of())
    officer.post("/desk/tournaments/SUI-PLAYED/reports/1/accept", {"acknowledgement": "Checked."})
    make.tournament(
        event_id="SUI-TWIN", name="Open of Alphaville", start=date(2026, 2, 28), end=date(2026, 3, 1)
    )

    send(officer, report_of(), to="/desk/tournaments/SUI-TWIN/report")
    page = officer.get("/desk/tournaments/SUI-TWIN/reports/1/")

    assert page.context["elsewhere"].tournament.event_id == "SUI-PLAYED"
    assert 'data-code="same-file"' in page.content.decode()


def barriers_of(client: Client, *, version: int) -> list[str]:
    """Return the codes of what the page of a version says that it needs before it is accepted, beside its issues."""
    page = client.get(f"/desk/tournaments/SUI-PLAYED/reports/{version}/")
    text, found = page.content.decode(), page.context["barriers"]
    assert all(escape(barrier.message) in text for barrier in found)
    assert page.context["may_accept"] == (not found and not page.context["counts"]["error"])
    return [barrier.code for barrier in found]


def assert_nothing_half_done(tournament: Tournament) -> None:
    """Assert that a report that was not accepted left nothing but its own version."""
    tournament.refresh_from_db()
    assert tournament.stage == "planned"
    assert [report.state for report in Report.objects.all()] == ["checked"]
    assert not Participant.objects.exists()
    assert not Game.objects.exists()
    assert not steps().exists()


@pytest.mark.parametrize("heal", ["days", "player"])
def test_d_139_a_report_is_checked_again_when_it_is_opened(
    officer: Client, played: Tournament, monkeypatch: pytest.MonkeyPatch, heal: str
) -> None:
    """What was wrong on the day of the upload is not for ever: the end, the registered days, an unknown ID."""
    content = report_of()
    if heal == "days":
        Tournament.objects.update(end=date(2026, 3, 5))
        content = content.replace(b"052 2026/03/01", b"052 2026/03/05")
        gone, later = "event-not-over", NOW + timedelta(days=1)
    else:
        content = content.replace(b"1300003", b"1300011")
        gone, later = "id-unknown", NOW
    page = send(officer, content)["Location"]
    assert gone in [one["code"] for one in Report.objects.get().findings]

    monkeypatch.setattr(timezone, "now", lambda: later)
    make.player(fide_id=1_300_011, name="Cedar, Cleo", federation=played.federation)
    shown = officer.get(page)

    report = Report.objects.get()
    assert gone not in [one["code"] for one in report.findings]
    assert (shown.context["counts"]["error"], report.has_errors) == (0, False)
    officer.post(f"{page}accept", {"acknowledgement": "Checked."})
    assert Report.objects.get().state == "accepted"


def test_old_version_leads_to_the_newest_which_counts_the_changed_games(
    officer: Client, played: Tournament
) -> None:
    for content in (report_of(), report_of(name="Open of Betaville")):
        officer.post(UPLOAD, {"report": SimpleUploadedFile("open.trf", content)})

    pages = [officer.get(f"/desk/tournaments/SUI-PLAYED/reports/{version}/") for version in (1, 2)]

    found = [("newer-version" in page.content.decode(), page.context["may_upload"]) for page in pages]
    assert found == [(True, False), (False, True)]
    assert (pages[1].context["before"], pages[1].context["changed_games"]) == (1, 0)
    third = officer.get(send(officer, report_of(rounds=[[(1, 2, "0-1")], *ROUNDS[1:]]))["Location"])
    assert (third.context["before"], third.context["changed_games"]) == (2, 1)
