"""What stands between a tournament and the list, state by state."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest

from tests.factories import TournamentFactory, noon
from tournaments.models import Report, Tournament, TrailEntry
from tournaments.queries.steps import next_step, time_line

ENDED = date(2026, 3, 1)


def tournament(**facts: Any) -> Tournament:
    built: Tournament = TournamentFactory.build(event_id="SUI-1", start=ENDED, end=ENDED, **facts)
    return built


def version(number: int, *severities: str) -> Report:
    findings = [{"severity": severity} for severity in severities]
    return Report(
        version=number, state="checked", findings=findings, file_name="a.trf", submitted_at=noon(ENDED)
    )


@pytest.mark.parametrize(
    ("facts", "reports", "today", "code", "until"),
    [
        ({"registration": "waiting"}, [], (2026, 2, 20), "decide", ENDED),
        ({}, [], (2026, 2, 28), "play", ENDED),
        ({}, [], (2026, 3, 1), "upload", date(2026, 6, 1)),
        ({}, [("notice", "error")], (2026, 3, 4), "correct", date(2026, 6, 1)),
        ({}, [("error",), ("warning",)], (2026, 3, 4), "accept", date(2026, 6, 1)),
        ({}, [], (2026, 6, 1), "upload", date(2026, 6, 1)),
        ({}, [], (2026, 6, 2), "missed", None),
        ({"stage": "reported"}, [], (2026, 3, 4), "rate", None),
        ({"stage": "rated"}, [], (2026, 3, 4), "publish", date(2026, 4, 1)),
        ({"stage": "published"}, [], (2026, 4, 2), "published", None),
        ({"registration": "refused"}, [], (2026, 3, 4), "closed", None),
        ({"registration": "not-rated", "stage": "rated"}, [], (2026, 3, 4), "closed", None),
        ({"registration": "withdrawn"}, [], (2026, 3, 4), "closed", None),
    ],
)
def test_the_next_step_follows_from_the_state(
    db: None,
    facts: dict[str, str],
    reports: list[tuple[str, ...]],
    today: tuple[int, int, int],
    code: str,
    until: date | None,
) -> None:
    versions = [version(number, *found) for number, found in enumerate(reports, start=1)]

    step = next_step(tournament(**facts), versions, today=date(*today))

    assert (step.code, step.until) == (code, until)


def test_staff_own_the_next_step_of_an_official_event(db: None) -> None:
    federations = next_step(tournament(), [], today=ENDED).owner
    official = next_step(tournament(is_official=True), [], today=ENDED).owner

    assert (str(federations), str(official)) == ("the rating officer", "FIDE staff")


def test_the_time_line_goes_from_what_was_done_to_what_is_to_come(db: None) -> None:
    event = tournament()
    trail = [
        entry("register", noon(date(2026, 2, 1))),
        entry("allow", noon(date(2026, 2, 3)), "By the minutes."),
    ]
    reports = [version(1, "error")]

    line = time_line(event, trail, reports, step=next_step(event, reports, today=date(2026, 3, 4)))

    assert [(point.what, point.state) for point in line] == [
        ("Registered", "done"),
        ("Allowed", "done"),
        ("Version 1 of the report uploaded", "done"),
        ("Correct the errors of the report and upload it again.", "now"),
        ("Rated by the portal", "next"),
        ("Published with a list", "next"),
    ]
    assert (line[1].why, line[3].why) == ("By the minutes.", "until Mon 1 Jun 2026")


def test_after_a_refusal_nothing_is_to_come(db: None) -> None:
    event = tournament(registration="refused")

    line = time_line(event, [entry("refuse", noon(ENDED))], [], step=next_step(event, [], today=ENDED))

    assert [(point.what, point.state) for point in line] == [("Refused", "over")]


def entry(action: str, at: datetime, reason: str = "") -> TrailEntry:
    return TrailEntry(action=action, registration="registered", at=at, reason=reason)
