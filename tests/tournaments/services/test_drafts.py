"""What an officer may choose for a version of a report, and what the services refuse."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from datetime import UTC, date, datetime
from typing import Any

import pytest

from tests.codes import refusal
from tests.factories import FederationFactory, PlayerFactory, TournamentFactory, UserFactory
from tests.shared import SharedRows
from tests.trf_files import Event
from tournaments.models import Report
from tournaments.services.drafts import (
    LONGEST_LINE,
    MAX_LETTERS,
    chosen_changes,
    clear_id,
    decide_result,
    edit_lines,
    fill_records,
    keep_owner,
    keep_reasons,
    registered_records,
    undo_choice,
    use_fixes,
    use_players,
)
from tournaments.services.reports import upload_report
from tournaments.trf import Report as ReadReport
from tournaments.trf import read_report

pytestmark = pytest.mark.page

PLAYERS = [(0, "Alder, Ada"), (1_300_002, "Birch, Ben"), (1_300_003, "Cedar, Cleo")]
ROUNDS = [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
# The lines of the report: nine records, the days of the rounds, then the players.
CITY, ADA, BEN = 2, 11, 12


@pytest.fixture(scope="module")
def uploaded(rows_of_module: SharedRows) -> Report:
    with rows_of_module():
        swiss = FederationFactory(code="SUI", name="Switzerland")
        for fide_id, name in [(1_300_001, "Alder, Ada"), *PLAYERS[1:]]:
            PlayerFactory(fide_id=fide_id, name=name, federation=swiss)
        tournament = TournamentFactory(
            event_id="SUI-1", federation=swiss, city="Bern", start=date(2026, 2, 28), end=date(2026, 3, 1)
        )
        facts: dict[str, Any] = {
            "start": "2026/02/28",
            "end": "2026/03/01",
            "round_dates": ["26/02/28"] * 3,
        }
        content = Event(PLAYERS, ROUNDS, **facts).content().replace(b"022 Alphaville\r\n", b"022\r\n")
        return upload_report(tournament, content, file_name="a.trf", by=UserFactory(), on=NOW.date(), at=NOW)


@pytest.fixture
def report(uploaded: Report, db: None) -> Report:
    return deepcopy(uploaded)


@pytest.fixture
def read(report: Report) -> ReadReport:
    return read_report(bytes(report.content))


Choice = Callable[[Report, ReadReport], None]


@pytest.mark.parametrize(
    ("choose", "code"),
    [
        (lambda report, read: use_players(report, read, {1: 1_300_001}), "line-not-of-a-player"),
        (lambda report, read: use_players(report, read, {ADA: 999}), "player-unknown"),
        (lambda report, read: use_players(report, read, {ADA: 1_300_002}), "player-used"),
        (lambda report, read: use_fixes(report, read, []), "fix-does-not-fit"),
        (lambda report, read: use_fixes(report, read, ["another"]), "fix-does-not-fit"),
        (lambda report, read: edit_lines(report, read, {0: "x"}), "line-unknown"),
        (lambda report, read: edit_lines(report, read, {len(read.lines) + 1: "x"}), "line-unknown"),
        (lambda report, read: edit_lines(report, read, {1: "x" * (LONGEST_LINE + 1)}), "line-unusable"),
        (lambda report, read: edit_lines(report, read, {1: "012 a\n012 b"}), "line-unusable"),
        (lambda report, read: fill_records(report, read, {}), "nothing-missing"),
        (lambda report, read: clear_id(report, read, 1), "line-not-of-a-player"),
        (lambda report, read: _keep_ben(report, read, 1), "line-not-of-a-player"),
        (lambda report, read: _keep_ben(report, read, ADA), "line-not-of-a-player"),
        (lambda report, read: _decide(report, read, "0-0"), "game-unknown"),
        (lambda report, read: _decide(report, read, "1-0", white=3), "game-unknown"),
    ],
)
def test_choice_that_does_not_fit_is_refused_and_nothing_is_kept(
    report: Report, read: ReadReport, choose: Choice, code: str
) -> None:
    with refusal() as refused:
        choose(report, read)

    report.refresh_from_db()
    assert refused.found == [code]
    assert report.draft == {}


def test_version_that_is_decided_takes_no_choice(report: Report, read: ReadReport) -> None:
    Report.objects.filter(pk=report.pk).update(state="replaced")

    with refusal() as refused:
        edit_lines(report, read, {CITY: "022 Bern"})

    assert refused.found == ["version-decided"]


def test_choices_of_every_kind_are_lines_of_the_next_version(report: Report, read: ReadReport) -> None:
    use_players(report, read, {ADA: 1_300_001})
    _decide(report, read, "0-1")
    fill_records(report, read, registered_records(report.tournament))

    chosen = {change.line: change.new for change in chosen_changes(report, read).lines}

    assert set(chosen) == {CITY, ADA, BEN}
    assert chosen[CITY] == "022 Bern"
    assert "1300001" in chosen[ADA]
    assert [chosen[line].split()[-9:][2] for line in (ADA, BEN)] == ["0", "1"]


def test_choice_is_taken_back_once_and_for_all(report: Report, read: ReadReport) -> None:
    edit_lines(report, read, {CITY: "022 Bern"})

    for kind, key in [("lines", str(CITY)), ("lines", str(CITY)), ("another", "1")]:
        undo_choice(report, kind, key)

    report.refresh_from_db()
    assert report.draft == {}


def test_text_that_a_line_has_already_takes_the_edit_back(report: Report, read: ReadReport) -> None:
    edit_lines(report, read, {CITY: "022 Bern"})
    edit_lines(report, read, {CITY: read.lines[CITY - 1]})

    assert report.draft == {}


def test_owner_of_a_fide_id_gives_the_line_name_sex_and_year(report: Report, read: ReadReport) -> None:
    owner = PlayerFactory(fide_id=1_300_009, name="Birch, Benedict", sex="F", birth_year=1980)

    keep_owner(report, read, BEN, owner)

    (change,) = chosen_changes(report, read).lines
    assert change.new[14:29] == "Birch, Benedict"
    assert change.new[9] == "w"
    assert change.new[69:79] == "1980/00/00"


def test_reasons_are_kept_for_findings_of_the_version_alone(report: Report) -> None:
    code = report.findings[0]["code"]

    keep_reasons(report, {code: "x\x00" * MAX_LETTERS, "another": "y", "": " "})
    keep_reasons(report, {code: "x" * MAX_LETTERS})

    report.refresh_from_db()
    assert report.draft == {"reasons": {code: "x" * MAX_LETTERS}}


def test_reasons_for_a_version_that_is_decided_are_dropped(report: Report) -> None:
    Report.objects.filter(pk=report.pk).update(state="accepted")

    keep_reasons(report, {report.findings[0]["code"]: "x"})

    report.refresh_from_db()
    assert report.draft == {}


def _keep_ben(report: Report, read: ReadReport, line: int) -> None:
    keep_owner(report, read, line, report.tournament.federation.players.get(pk=1_300_002))


def _decide(report: Report, read: ReadReport, result: str, white: int = 1) -> None:
    decide_result(report, read, round_number=1, white=white, result=result)
