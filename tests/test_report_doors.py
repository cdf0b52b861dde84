"""What is found of a report, and that every door hands it on: page, arbiter, API and both commands.

Each decision is held where reports are checked, which every door calls; the doors are held to two of them, one that
needs the registration and one that needs the reports of others.
"""

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

from players.models import Federation
from tests import make
from tests.codes import refusal
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments.changed_meanwhile import seen_of
from tournaments.checking import check_contents
from tournaments.choices import Verb
from tournaments.lookups import Lookups
from tournaments.marked_report import finding_refusal
from tournaments.models import HandedReport, NamedArbiter, Report, Tournament
from tournaments.reports import accept_report, upload_report
from tournaments.tokens import issue_token
from tournaments.trf import read_report
from tournaments.trf.findings import Finding, english_text

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
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
    """A report, how its tournament is registered, and the error that is found of it."""

    decision: str
    code: str
    content: bytes
    registered: Mapping[str, Any] = field(default_factory=dict)
    is_elsewhere: bool = False


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
    ),
]


def each_of(cases: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases, ids=[f"D-{case.decision}" for case in cases])


at_each_door = each_of([case for case in CASES if case.decision in ("84", "117")])


@pytest.fixture
def swiss(db: None, monkeypatch: pytest.MonkeyPatch) -> Federation:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    federation = make.federation(code="SUI", name="Switzerland")
    for fide_id, name in PLAYERS:
        make.player(fide_id=fide_id, name=name, federation=federation)
    make.rating_list(date=date(2026, 1, 1))
    make.rating_list(kind="blitz", date=date(2026, 3, 1))
    return federation


@pytest.fixture
def registered(swiss: Federation) -> Callable[[Case], Tournament]:
    """Return a function that registers the tournament of a case, and makes what is elsewhere."""

    def built(case: Case) -> Tournament:
        if case.is_elsewhere:
            _accepted_elsewhere(swiss)
        return _tournament("SUI-PLAYED", swiss, **case.registered)

    return built


def _tournament(event_id: str, federation: Federation, **facts: Any) -> Tournament:
    days = {"start": date(2026, 2, 28), "end": date(2026, 3, 1)}
    return make.tournament(
        **{"event_id": event_id, "name": "Open of Alphaville", "federation": federation, **days, **facts}
    )


def _accepted_elsewhere(federation: Federation) -> None:
    other = _tournament("SUI-OTHER", federation)
    kept = upload_report(other, report(), file_name="o.trf", by=None, on=NOW.date(), at=NOW)
    accept_report(kept, acknowledgement="Checked.", by=None, on=NOW.date(), at=NOW)


def error_of(case: Case, tournament: Tournament) -> Finding:
    """Return what the service finds in a case, which is one error."""
    tournament = Tournament.objects.get(pk=tournament.pk)
    checked = check_contents(read_report(case.content), tournament, on=NOW.date(), lookups=Lookups())
    found = [item for item in checked.findings if item.code == case.code]
    assert {(item.message, str(item.severity)) for item in found} == {(found[0].message, "error")}
    return found[0]


@each_of(CASES)
def test_check_finds_one_error(case: Case, registered: Callable[[Case], Tournament]) -> None:
    assert error_of(case, registered(case)).message


@at_each_door
def test_upload_page_says_why_and_accepts_no_error(
    case: Case, registered: Callable[[Case], Tournament]
) -> None:
    said = error_of(case, tournament := registered(case)).message
    officer = make.browser(make.person("officer", tournament.federation))

    sent = officer.post(f"{PLACE}report", {"report": SimpleUploadedFile("open.trf", case.content)})
    answer = officer.post(f"{sent['Location']}accept", {"acknowledgement": ""})

    kept = Report.objects.get(tournament=tournament)
    assert (kept.state, answer.status_code) == ("checked", 200)
    assert said in {english_text(item) for item in kept.findings}
    acknowledged = officer.post(
        f"{sent['Location']}accept", {"acknowledgement": "Checked.", "seen": seen_of(tournament)}
    )
    assert acknowledged.status_code == 200


@at_each_door
def test_arbiter_sees_what_would_be_refused(case: Case, registered: Callable[[Case], Tournament]) -> None:
    said = error_of(case, tournament := registered(case)).message
    user = make.person("arbiter", tournament.federation)
    NamedArbiter.objects.create(tournament=tournament, user=user, named_at=NOW)

    sent = {"report": SimpleUploadedFile("open.trf", case.content)}
    make.browser(user).post("/desk/arbiter/SUI-PLAYED/", sent)

    found = {english_text(item) for item in HandedReport.objects.get().findings}
    # The reports of other federations are no business of an arbiter.
    assert (said in found) == (not case.is_elsewhere)


@at_each_door
def test_api_says_why_and_accepts_no_error(
    case: Case, registered: Callable[[Case], Tournament], client: Client
) -> None:
    said = error_of(case, tournament := registered(case)).message
    user = make.person("officer", tournament.federation)
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
    assert answer.status_code == 409


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


@at_each_door
def test_submit_report_says_why(case: Case, registered: Callable[[Case], Tournament], tmp_path: Path) -> None:
    said = finding_refusal(error_of(case, tournament := registered(case))).message
    (tmp_path / "open.trf").write_bytes(case.content)
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options(tournament).items()]
    given += ["--match"] if tournament.is_match else []

    result, warned = outcome("submit_report", str(tmp_path / "open.trf"), *given)

    assert (result["accepted"], said in result["reasons"]) == (False, True)
    assert [line.partition("warning: ")[2] for line in warned.splitlines()] == result["warnings"]


def test_d_85_command_registers_no_tournament_without_its_days(swiss: Federation, tmp_path: Path) -> None:
    (tmp_path / "open.trf").write_bytes(report(*NO_DAYS))
    unknown = make.TournamentFactory.build(event_id="SUI-NEW", name="Open of Alphaville")
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options(unknown).items()]

    result, _ = outcome("submit_report", str(tmp_path / "open.trf"), *given)

    assert (result["accepted"], Tournament.objects.exists()) == (False, False)


@at_each_door
def test_submit_reports_says_why(
    case: Case, registered: Callable[[Case], Tournament], tmp_path: Path
) -> None:
    said = finding_refusal(error_of(case, tournament := registered(case))).message
    (tmp_path / "open.trf").write_bytes(case.content)
    row = options(tournament) | {"match": "yes" if tournament.is_match else ""}

    result, warned = outcome("submit_reports", str(tmp_path), f"--manifest={manifest(tmp_path, row)}")

    assert (result["accepted"], said in result["reasons"]) == (False, True)
    assert [line.partition("warning: ")[2] for line in warned.splitlines()] == result["warnings"]


OTHERS = [(1_300_003, "Cedar, Cleo"), (1_300_004, "Dogwood, Dan"), (1_300_005, "Elm, Eve")]
WHY = {"report-of-others": "The files were swapped."}


@pytest.fixture
def swapped(swiss: Federation) -> Tournament:
    """A tournament whose accepted report is that of another group."""
    tournament = _tournament("SUI-PLAYED", swiss)
    kept = upload_report(
        tournament, report(players=OTHERS), file_name="b.trf", by=None, on=NOW.date(), at=NOW
    )
    accept_report(kept, acknowledgement="Checked.", by=None, on=NOW.date(), at=NOW)
    return tournament


def accepted(tournament: Tournament) -> tuple[int, str]:
    """Return the number of the accepted version and why its findings were acknowledged."""
    return tournament.reports.values_list("version", "acknowledgement").get(state="accepted")


def test_d_135_page_asks_why_a_report_of_others_replaces_the_accepted_one(swapped: Tournament) -> None:
    officer = make.browser(make.person("officer", swapped.federation))
    sent = officer.post(f"{PLACE}report", {"report": SimpleUploadedFile("open.trf", report())})
    seen = {"seen": seen_of(swapped)}

    shown = officer.get(sent["Location"])
    general = officer.post(f"{sent['Location']}accept", {"acknowledgement": "Checked.", **seen})
    before = accepted(swapped)[0]
    own = {"reason-report-of-others": WHY["report-of-others"], "acknowledgement": "Checked.", **seen}
    officer.post(f"{sent['Location']}accept", own)

    assert shown.context["may_accept"]
    assert [item.code for item in general.context["form"].errors["reason-report-of-others"].as_data()] == [
        "required"
    ]
    assert (before, accepted(swapped)[0]) == (1, 2)
    assert WHY["report-of-others"] in accepted(swapped)[1]


def test_d_135_api_asks_why_a_report_of_others_replaces_the_accepted_one(
    swapped: Tournament, client: Client
) -> None:
    user = make.person("officer", swapped.federation)
    headers = {
        "authorization": f"Bearer {issue_token(user, swapped.federation, name='t', verbs=[*Verb], at=NOW)}"
    }
    place = "/api/v1/tournaments/SUI-PLAYED/reports"
    sent = client.post(place, report(), content_type="text/plain", headers=headers).json()

    def answer(**body: Any) -> Any:
        accept, content = (
            f"{place}/{sent['version']}/acceptance",
            json.dumps({"acknowledgement": "ok", **body}),
        )
        return client.post(accept, content, content_type="application/json", headers=headers)

    asked, taken = answer(), answer(reasons=WHY)

    assert {"report-of-others", "version-leaves"} <= {item["code"] for item in sent["findings"]}
    assert [item["code"] for item in asked.json()["errors"]] == ["report-of-others"]
    assert (taken.status_code, accepted(swapped)[0]) == (200, 2)


@pytest.mark.parametrize("command", ["submit_report", "submit_reports"])
def test_d_135_commands_ask_why_a_report_of_others_replaces_the_accepted_one(
    swapped: Tournament, tmp_path: Path, command: str
) -> None:
    (tmp_path / "open.trf").write_bytes(report())

    def run(**more: str) -> dict[str, Any]:
        values = options(swapped) | more
        if command == "submit_reports":
            return outcome(command, str(tmp_path), f"--manifest={manifest(tmp_path, values)}")[0]
        given = [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]
        return outcome(command, str(tmp_path / "open.trf"), *given)[0]

    asked, taken = run(), run(reasons=f"report-of-others={WHY['report-of-others']}")

    assert (asked["accepted"], asked["codes"]) == (False, ["report-of-others"])
    assert any("leave" in warning for warning in asked["warnings"])
    assert (taken["accepted"], accepted(swapped)[0]) == (True, 2)


STRANGERS = [
    (fide_id, name) for (fide_id, _), name in zip(PLAYERS, ["Zander, Z", "Yak, Y", "Xaver, X"], strict=True)
]


def test_d_130_each_door_asks_line_by_line(swiss: Federation, client: Client, tmp_path: Path) -> None:
    tournament, content = _tournament("SUI-PLAYED", swiss), report(players=STRANGERS)
    user = make.person("officer", swiss)
    headers = {"authorization": f"Bearer {issue_token(user, swiss, name='t', verbs=[*Verb], at=NOW)}"}
    place = "/api/v1/tournaments/SUI-PLAYED/reports"
    (tmp_path / "open.trf").write_bytes(content)
    row, unanswered = options(tournament), "lines-unanswered-D-130"

    sent = client.post(place, content, content_type="text/plain", headers=headers).json()
    lines = [item["line"] for item in sent["findings"] if item["code"] == "id-of-another"]
    page = make.browser(user).get(f"{PLACE}reports/1/").context
    body = json.dumps({"acknowledgement": "ok"})
    asked = client.post(
        f"{place}/1/acceptance", body, content_type="application/json", headers=headers
    ).json()
    printed = outcome("submit_reports", str(tmp_path), f"--manifest={manifest(tmp_path, row)}")[0]
    row["lines"] = "; ".join(f"{line}=same" for line in lines)
    taken = outcome("submit_reports", str(tmp_path), f"--manifest={manifest(tmp_path, row)}")[0]

    assert len(lines) == 3
    assert ([item.code for item in page["barriers"]], page["may_accept"]) == ([unanswered], False)
    assert [item["code"] for item in asked["errors"]] == printed["codes"] == [unanswered]
    assert taken["accepted"]


def test_versions_of_a_day_are_limited(swiss: Federation) -> None:
    other = _tournament("SUI-OTHER", swiss)
    facts: dict[str, Any] = {"by": None, "on": NOW.date(), "file_name": "o.trf"}
    for number in range(40):
        upload_report(other, report() + f"### {number}\n".encode(), at=NOW, **facts)

    with refusal() as refused:
        upload_report(other, report() + b"### one more\n", at=NOW, **facts)
    assert refused.found == ["too-many-versions"]
    assert upload_report(other, report() + b"### 39\n", at=NOW, **facts).version == 40
    tomorrow = NOW + timedelta(days=1)
    assert upload_report(other, report() + b"### later\n", at=tomorrow, **facts).version == 41
