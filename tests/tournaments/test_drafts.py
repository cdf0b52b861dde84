"""Which amendments an officer may choose for a version of a report, and which are refused."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, date, datetime
from typing import Any

import pytest

from players.models import Player
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows
from tests.trf_files import ROUNDS, Event
from tournaments.amendments import Amendment, Fix, Identity, Joined, Line, Result
from tournaments.drafts import (
    LONGEST_LINE,
    MAX_LETTERS,
    choose,
    chosen_changes,
    filled_records,
    fixes_of,
    keep_reasons,
    left_out_rounds,
    offered_fixes,
    take_back,
)
from tournaments.models import Report
from tournaments.reports import upload_report
from tournaments.trf import Report as ReadReport
from tournaments.trf import read_report

pytestmark = pytest.mark.page

PLAYERS = [(0, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
ON = NOW.date()
# The lines of the report: nine records, the days of the rounds, then the players.
CITY, ADA, BEN = 2, 11, 12


@pytest.fixture(scope="module")
def uploaded(rows_of_module: SharedRows) -> Report:
    with rows_of_module():
        swiss = make.federation(code="SUI", name="Switzerland")
        for fide_id, name in [(1_300_001, "Alder, Ada"), *PLAYERS[1:]]:
            make.player(fide_id=fide_id, name=name, federation=swiss)
        tournament = make.tournament(
            event_id="SUI-1", federation=swiss, city="Bern", start=date(2026, 2, 28), end=date(2026, 3, 1)
        )
        facts: dict[str, Any] = {
            "start": "2026/02/28",
            "end": "2026/03/01",
            "round_dates": ["26/02/28"] * 3,
        }
        content = Event(PLAYERS, ROUNDS, **facts).content().replace(b"022 Alphaville\r\n", b"022\r\n")
        return upload_report(tournament, content, file_name="a.trf", by=make.user(), on=NOW.date(), at=NOW)


@pytest.fixture
def report(uploaded: Report, db: None) -> Report:
    return deepcopy(uploaded)


@pytest.fixture
def read(report: Report) -> ReadReport:
    return read_report(bytes(report.content))


@pytest.mark.parametrize(
    ("amendment", "code"),
    [
        (Identity(1, 1_300_001), "line-not-of-a-player"),
        (Identity(1), "line-not-of-a-player"),
        (Identity(1, 1_300_002, is_whole=True), "line-not-of-a-player"),
        (Identity(ADA, 999), "player-unknown"),
        (Identity(ADA, 0, is_whole=True), "player-unknown"),
        (Identity(ADA, 1_300_002), "player-used"),
        (Identity(ADA, 1_300_004), "player-unknown"),
        (Fix(CITY, "022 Basel", "022 Bern"), "fix-does-not-fit"),
        (Line(0, "x"), "line-unknown"),
        (Line(99, "x"), "line-unknown"),
        (Line(1, "x" * (LONGEST_LINE + 1)), "line-unusable"),
        (Line(1, "012 a\r012 b"), "line-unusable"),
        (Result(1, 1, "0-0"), "unknown-result"),
        (Result(1, 3, "1-0"), "no-such-game"),
        (Joined(BEN, into=ADA), "lines-not-joined"),
    ],
)
def test_amendment_that_does_not_fit_is_refused_and_nothing_is_kept(
    report: Report, read: ReadReport, amendment: Amendment, code: str
) -> None:
    make.player(fide_id=1_300_004, merged_into_id=1_300_002)

    with refusal() as refused:
        choose(report, read, [Line(CITY, "022 Bern"), amendment], on=ON)

    report.refresh_from_db()
    assert refused.found == [code]
    assert report.amendments == []


def test_what_findings_and_registration_do_not_offer_is_refused(report: Report, read: ReadReport) -> None:
    report.findings = []

    for offer, code in (
        (lambda: fixes_of(report, read, f"fix-{CITY}-000000000000"), "fix-does-not-fit"),
        (lambda: left_out_rounds(report, read, "rounds-of-another-kind"), "fix-does-not-fit"),
        (lambda: filled_records(report, read), "nothing-missing"),
    ):
        with refusal() as refused:
            offer()
        assert refused.found == [code]


def test_version_that_is_decided_takes_no_choice(report: Report, read: ReadReport) -> None:
    Report.objects.filter(pk=report.pk).update(state="replaced")

    with refusal() as refused:
        choose(report, read, [Line(CITY, "022 Bern")], on=ON)

    assert refused.found == ["version-decided"]


def test_choices_of_every_kind_are_lines_of_the_next_version(report: Report, read: ReadReport) -> None:
    choose(report, read, [Identity(ADA, 1_300_001)], on=ON)
    choose(report, read, [Result(1, 1, "0-1")], on=ON)
    for _click in range(2):
        choose(report, read, filled_records(report, read), on=ON)

    chosen = {change.line: change.new for change in chosen_changes(report, read, on=ON).lines}

    assert set(chosen) == {CITY, ADA, BEN}
    assert chosen[CITY] == "022 Bern"
    assert "1300001" in chosen[ADA]
    assert [chosen[line].split()[-9:][2] for line in (ADA, BEN)] == ["0", "1"]


def test_later_choice_replaces_the_one_with_its_key(report: Report, read: ReadReport) -> None:
    for result in ("0-1", "1/2-1/2"):
        choose(report, read, [Result(1, 1, result)], on=ON)
    other = Report.objects.get(pk=report.pk)

    choose(other, read, [Identity(ADA)], on=ON)

    report.refresh_from_db()
    assert report.amendments == [Result(1, 1, "1/2-1/2"), Identity(ADA)]


def test_fide_id_that_another_line_gives_up_is_free(report: Report, read: ReadReport) -> None:
    choose(report, read, [Identity(BEN)], on=ON)
    choose(report, read, [Identity(ADA, 1_300_002)], on=ON)
    take_back(report, Identity(BEN).key)

    chosen = chosen_changes(report, read, on=ON)

    assert (chosen.lines, chosen.gone) == ([], 1)


def test_who_a_line_is_goes_before_its_text_and_a_later_text_before_that(
    report: Report, read: ReadReport
) -> None:
    def text() -> str:
        (change,) = chosen_changes(report, read, on=ON).lines
        return change.new

    choose(report, read, [Line(ADA, "001 edited")], on=ON)
    choose(report, read, [Identity(ADA, 1_300_001)], on=ON)
    identified = text()
    choose(report, read, [Line(ADA, "001 edited again")], on=ON)

    assert ("1300001" in identified, text()) == (True, "001 edited again")
    # It still says whose line it is.
    assert [one.key for one in report.amendments] == [f"identity-{ADA}", f"line-{ADA}"]


def test_who_a_line_is_and_its_result_are_chosen_together(report: Report, read: ReadReport) -> None:
    choose(report, read, [Identity(BEN), Result(1, 1, "0-1")], on=ON)

    chosen = {change.line: change.new for change in chosen_changes(report, read, on=ON).lines}

    assert ("1300002" in chosen[BEN], chosen[BEN].split()[-7]) == (False, "1")


def test_choice_is_taken_back_once_and_for_all(report: Report, read: ReadReport) -> None:
    choose(report, read, [Line(CITY, "022 Bern")], on=ON)

    for key in (f"line-{CITY}", f"line-{CITY}", "another"):
        take_back(report, key)

    report.refresh_from_db()
    assert report.amendments == []


def test_text_that_a_line_has_already_takes_the_edit_back(report: Report, read: ReadReport) -> None:
    choose(report, read, [Line(CITY, "022 Bern")], on=ON)
    choose(report, read, [Line(CITY, read.lines[CITY - 1])], on=ON)

    assert report.amendments == []


def test_fix_that_no_finding_offers_any_more_is_counted_and_not_applied(
    report: Report, read: ReadReport
) -> None:
    choose(report, read, [Fix(CITY, read.lines[CITY - 1], "022 Basel")], on=ON)

    chosen = chosen_changes(report, read, on=ON)

    assert (chosen.lines, chosen.gone) == ([], 1)


def test_finding_that_changes_nothing_offers_no_fix(read: ReadReport) -> None:
    city = read.lines[CITY - 1]
    offers = [(CITY, city), (CITY, "022 Biel"), (None, "032 SUI"), (99, "032 SUI"), (1, None)]

    found = list(offered_fixes(read, [{"line": line, "fix": fix} for line, fix in offers]))

    assert found == [Fix(CITY, city, "022 Biel")]


def test_owner_of_a_fide_id_gives_the_line_name_sex_and_year(report: Report, read: ReadReport) -> None:
    Player.objects.filter(pk=1_300_002).update(name="Birch, Benedict", sex="F", birth_year=1980)

    choose(report, read, [Identity(BEN, 1_300_002, is_whole=True)], on=ON)

    (change,) = chosen_changes(report, read, on=ON).lines
    assert change.new[14:29] == "Birch, Benedict"
    assert change.new[9] == "w"
    assert change.new[69:79] == "1980/00/00"


def test_reasons_are_kept_for_findings_of_the_version_alone(report: Report) -> None:
    code = report.findings[0]["code"]

    keep_reasons(report, {code: "x\x00" * MAX_LETTERS, "another": "y", "": " "})
    keep_reasons(report, {code: "x" * MAX_LETTERS})

    report.refresh_from_db()
    assert report.reasons == {code: "x" * MAX_LETTERS}


def test_reasons_for_a_version_that_is_decided_are_dropped(report: Report) -> None:
    Report.objects.filter(pk=report.pk).update(state="accepted")

    keep_reasons(report, {report.findings[0]["code"]: "x"})

    report.refresh_from_db()
    assert report.reasons == {}
