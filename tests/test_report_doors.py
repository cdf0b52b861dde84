"""Every door refuses a report for the same reason, in the same words: page, arbiter, API and both commands."""

from __future__ import annotations

import contextlib
import csv
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from core.errors import RefusedError
from players.models import Federation
from tests.factories import (
    AppointmentFactory,
    FederationFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
)
from tests.trf_files import Event
from tournaments.choices import GameMark, Verb
from tournaments.messages import english_text
from tournaments.models import Game, HandedReport, NamedArbiter, Report, Tournament
from tournaments.queries.lookups import Lookups
from tournaments.services.checking import check_contents
from tournaments.services.report_corrections import Mark, mark_games
from tournaments.services.reports import accept_report, upload_report
from tournaments.services.tokens import issue_token
from tournaments.services.trail import seen_of
from tournaments.trf import read_report

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
PLAYERS = [(1_300_001, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
ROUNDS = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
PLACE = "/desk/tournaments/SUI-PLAYED/"


def report(*changes: tuple[str, str], **facts: Any) -> bytes:
    """Return the report of the tournament, or one that differs."""
    usual: dict[str, Any] = {
        "start": "2026/02/28",
        "end": "2026/03/01",
        "round_dates": ["26/02/28"] * 3,
        "players": PLAYERS,
        "rounds": ROUNDS,
    }
    text = Event(**(usual | facts)).text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text.encode()


@dataclass(frozen=True)
class Case:
    """A report, how its tournament is registered, and the finding that refuses it."""

    decision: str
    code: str
    content: bytes
    registered: Mapping[str, Any] = field(default_factory=dict)
    is_elsewhere: bool = False
    severity: str = "error"
    is_arbiters: bool = True


NO_DAYS = (("042 2026/02/28\r\n", ""), ("052 2026/03/01\r\n", ""))
CASES = [
    Case(
        "75", "event-before-lists", report(), {"kind": "blitz", "base_seconds": 180, "increment_seconds": 2}
    ),
    Case("83 in 222", "unequal-times-1.2", report(("132 ", "222 W900+10-B600+10\r\n132 "))),
    Case(
        "83 in 122",
        "unequal-times-1.2",
        report(("15 minutes plus 10 sec per move", "White 15+10, Black 12+10")),
    ),
    Case("84", "match-games-missing", report(), {"is_match": True}),
    Case("85, 042 alone", "event-days", report(("042 2026/02/28", "042 2026/02/27"), NO_DAYS[1])),
    Case("85, 052 alone", "event-days", report(("052 2026/03/01", "052 2026/03/02"), NO_DAYS[0])),
    Case("85, 132 alone", "event-dates-others", report(*NO_DAYS, ("26/02/28", "08/02/28"))),
    Case("85, nobody", "participants-unknown", report(players=[(0, name) for _, name in PLAYERS])),
    Case("86, bytes", "report-again", report(), is_elsewhere=True),
    Case(
        "117",
        "rounds-again",
        report(("022 Alphaville", "022 Betaville")),
        is_elsewhere=True,
        is_arbiters=False,
    ),
]
each_case = pytest.mark.parametrize("case", CASES, ids=[f"D-{case.decision}" for case in CASES])


@pytest.fixture
def swiss(db: None, monkeypatch: pytest.MonkeyPatch) -> Federation:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    federation: Federation = FederationFactory(code="SUI", name="Switzerland")
    for fide_id, name in PLAYERS:
        PlayerFactory(fide_id=fide_id, name=name, federation=federation)
    RatingListFactory(date=date(2026, 1, 1))
    RatingListFactory(kind="blitz", date=date(2026, 3, 1))
    return federation


@pytest.fixture
def registered(swiss: Federation) -> Callable[[Case], Tournament]:
    """Return a function that registers the tournament of a case, and makes what is elsewhere."""

    def make(case: Case) -> Tournament:
        if case.is_elsewhere:
            _accepted_elsewhere(swiss)
        return _tournament("SUI-PLAYED", swiss, **case.registered)

    return make


def _tournament(event_id: str, federation: Federation, **facts: Any) -> Tournament:
    days = {"start": date(2026, 2, 28), "end": date(2026, 3, 1)}
    made: Tournament = TournamentFactory(
        **{"event_id": event_id, "name": "Open of Alphaville", "federation": federation, **days, **facts}
    )
    return made


def _accepted_elsewhere(federation: Federation) -> None:
    other = _tournament("SUI-OTHER", federation)
    kept = upload_report(other, report(), file_name="o.trf", by=None, on=NOW.date(), at=NOW)
    accept_report(kept, acknowledgement="Checked.", by=None, on=NOW.date(), at=NOW)


def sentence(case: Case, tournament: Tournament) -> str:
    """Return what the service says of a case."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    checked = check_contents(read_report(case.content), tournament, on=NOW.date(), lookups=Lookups())
    (found,) = {item.message for item in checked.findings if item.code == case.code}
    assert {str(item.severity) for item in checked.findings if item.code == case.code} == {case.severity}
    return found


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


@each_case
def test_upload_page_says_why_and_accepts_no_error(
    case: Case, registered: Callable[[Case], Tournament]
) -> None:
    said = sentence(case, tournament := registered(case))
    officer = client_of(AppointmentFactory(role="officer", federation=tournament.federation).user)

    sent = officer.post(f"{PLACE}report", {"report": SimpleUploadedFile("open.trf", case.content)})
    answer = officer.post(f"{sent['Location']}accept", {"acknowledgement": ""})

    kept = Report.objects.get(tournament=tournament)
    assert (kept.state, answer.status_code) == ("checked", 200)
    assert said in {english_text(item) for item in kept.findings}
    acknowledged = officer.post(
        f"{sent['Location']}accept", {"acknowledgement": "Checked.", "seen": seen_of(tournament)}
    )
    assert acknowledged.status_code == (200 if case.severity == "error" else 302)


@each_case
def test_arbiter_sees_what_would_be_refused(case: Case, registered: Callable[[Case], Tournament]) -> None:
    said = sentence(case, tournament := registered(case))
    user = AppointmentFactory(role="arbiter", federation=tournament.federation).user
    NamedArbiter.objects.create(tournament=tournament, user=user, named_at=NOW)

    sent = {"report": SimpleUploadedFile("open.trf", case.content)}
    client_of(user).post("/desk/arbiter/SUI-PLAYED/", sent)

    found = {english_text(item) for item in HandedReport.objects.get().findings}
    assert (said in found) == case.is_arbiters


@each_case
def test_api_says_why_and_accepts_no_error(
    case: Case, registered: Callable[[Case], Tournament], client: Client
) -> None:
    said = sentence(case, tournament := registered(case))
    user = AppointmentFactory(role="officer", federation=tournament.federation).user
    token = issue_token(user, tournament.federation, name="tests", verbs=[*Verb], at=NOW)
    headers = {"authorization": f"Bearer {token}"}
    place = "/api/v1/tournaments/SUI-PLAYED/reports"

    sent = client.post(place, case.content, content_type="text/plain", headers=headers)
    accept = f"{place}/{sent.json()['version']}/acceptance"
    refused = client.post(accept, "{}", content_type="application/json", headers=headers)

    assert said in {item["message"] for item in sent.json()["findings"]}
    assert refused.status_code == 409
    words = json.dumps({"acknowledgement": "Checked."})
    answer = client.post(accept, words, content_type="application/json", headers=headers)
    assert answer.status_code == (409 if case.severity == "error" else 200)


def options(tournament: Tournament) -> dict[str, str]:
    return {
        "kind": tournament.kind,
        "time_control": tournament.time_control,
        "federation": "SUI",
        "registered_on": "2026-02-10",
        "submitted_on": "2026-03-04",
        "event_id": "SUI-PLAYED",
    }


def manifest(folder: Path, row: Mapping[str, str]) -> Path:
    """Return a manifest in the folder, with one row for its open.trf."""
    path = folder / "manifest.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["file", *row])
        writer.writeheader()
        writer.writerow({"file": "open.trf", **row})
    return path


def outcome(command: str, *arguments: str) -> tuple[dict[str, Any], str]:
    """Return the JSON of a command and what it writes on standard error."""
    out, err = StringIO(), StringIO()
    with contextlib.suppress(SystemExit):
        call_command(command, *arguments, "--json", stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def assert_told(case: Case, result: dict[str, Any], warned: str, said: str) -> None:
    """Hold a command to the sentence: among the reasons of a refusal, or among the warnings, printed and in JSON."""
    assert result["accepted"] == (case.severity != "error")
    assert said in (result["reasons"] if case.severity == "error" else result["warnings"])
    assert [line.partition("warning: ")[2] for line in warned.splitlines()] == result["warnings"]


def without_days(case: Case) -> bool:
    """Whether a report lacks a day, without which the commands register nothing."""
    return b"\r\n042 " not in case.content or b"\r\n052 " not in case.content


@each_case
def test_submit_report_says_why(case: Case, registered: Callable[[Case], Tournament], tmp_path: Path) -> None:
    said = sentence(case, tournament := registered(case))
    (tmp_path / "open.trf").write_bytes(case.content)
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options(tournament).items()]
    given += ["--match"] if tournament.is_match else []

    result, warned = outcome("submit_report", str(tmp_path / "open.trf"), *given)

    if without_days(case):
        assert "does not give the dates" in result["reasons"][0]
    else:
        assert_told(case, result, warned, said)


@each_case
def test_submit_reports_says_why(
    case: Case, registered: Callable[[Case], Tournament], tmp_path: Path
) -> None:
    said = sentence(case, tournament := registered(case))
    (tmp_path / "open.trf").write_bytes(case.content)
    row = options(tournament) | {"match": "yes" if tournament.is_match else ""}

    result, warned = outcome("submit_reports", str(tmp_path), f"--manifest={manifest(tmp_path, row)}")

    if without_days(case):
        assert "does not give the dates" in result["reasons"][0]
    else:
        assert_told(case, result, warned, said)


@pytest.fixture
def marked(swiss: Federation) -> Tournament:
    """Return a tournament with an accepted report in which the game of Ada and Ben is marked as Fair Play."""
    tournament = _tournament("SUI-PLAYED", swiss)
    kept = upload_report(tournament, report(), file_name="o.trf", by=None, on=NOW.date(), at=NOW)
    accept_report(kept, acknowledgement="Checked.", by=None, on=NOW.date(), at=NOW)
    mark_games(tournament, [Mark(1, 1, GameMark.FAIR_PLAY, "FPL 7/2026")], by=None, at=NOW)
    return Tournament.objects.get(pk=tournament.pk)


WITHOUT = report(rounds=[[], *ROUNDS[1:]])
MISSING = (
    "Round 1, Alder, Ada – Birch, Ben is marked “Fair Play regulations” (FPL 7/2026), but this version does not "
    "have this game. Correct the pairing, or ask FIDE staff to remove the mark first."
)


def assert_mark_stays(tournament: Tournament) -> None:
    """The first version is still the accepted one, with its mark."""
    game = Game.objects.exclude(mark="").get(report__tournament=tournament)
    assert (game.report.version, game.report.state, game.mark) == (1, "accepted", "fair-play")


def test_d_100_page_accepts_no_version_without_a_marked_game(marked: Tournament) -> None:
    officer = client_of(AppointmentFactory(role="officer", federation=marked.federation).user)

    sent = officer.post(f"{PLACE}report", {"report": SimpleUploadedFile("open.trf", WITHOUT)})
    words = {"acknowledgement": "Checked.", "seen": seen_of(marked)}
    answer = officer.post(f"{sent['Location']}accept", words)

    assert answer.context["form"].non_field_errors() == [MISSING]
    assert_mark_stays(marked)


def test_d_100_api_accepts_no_version_without_a_marked_game(marked: Tournament, client: Client) -> None:
    user = AppointmentFactory(role="officer", federation=marked.federation).user
    token = issue_token(user, marked.federation, name="tests", verbs=[*Verb], at=NOW)
    headers = {"authorization": f"Bearer {token}"}
    place = "/api/v1/tournaments/SUI-PLAYED/reports"

    client.post(place, WITHOUT, content_type="text/plain", headers=headers)
    words = json.dumps({"acknowledgement": "Checked."})
    answer = client.post(f"{place}/2/acceptance", words, content_type="application/json", headers=headers)

    assert answer.status_code == 409
    assert [fault["detail"] for fault in answer.json()["errors"]] == [MISSING]
    assert_mark_stays(marked)


@pytest.mark.parametrize("command", ["submit_report", "submit_reports"])
def test_d_100_command_accepts_no_version_without_a_marked_game(
    marked: Tournament, tmp_path: Path, command: str
) -> None:
    (tmp_path / "open.trf").write_bytes(WITHOUT)
    values = options(marked)
    if command == "submit_report":
        given = [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]
        result, _ = outcome(command, str(tmp_path / "open.trf"), *given)
    else:
        result, _ = outcome(command, str(tmp_path), f"--manifest={manifest(tmp_path, values)}")

    assert (result["accepted"], result["reasons"]) == (False, [MISSING])
    assert_mark_stays(marked)


def test_versions_of_a_day_are_limited_and_the_limit_is_named(swiss: Federation) -> None:
    other = _tournament("SUI-OTHER", swiss)
    facts: dict[str, Any] = {"by": None, "on": NOW.date(), "file_name": "o.trf"}
    for number in range(40):
        upload_report(other, report() + f"### {number}\n".encode(), at=NOW, **facts)

    with pytest.raises(RefusedError, match="40 versions of a report in 24 hours") as refused:
        upload_report(other, report() + b"### one more\n", at=NOW, **facts)
    assert "after 5 March 2026, 09:30 UTC" in str(refused.value)
    assert upload_report(other, report() + b"### 39\n", at=NOW, **facts).version == 40
    tomorrow = NOW + timedelta(days=1)
    assert upload_report(other, report() + b"### later\n", at=tomorrow, **facts).version == 41
