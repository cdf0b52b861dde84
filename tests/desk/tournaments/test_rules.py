"""What is beside the form of a registration while it is typed (0.2, 1.1, 3.1)."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from core.html.dates import day_text
from desk.tournaments.rules import outcome_of
from tests.desk.tournaments.test_register import FILLED

TODAY = date(2026, 3, 4)
NEW = "/desk/tournaments/new"


@pytest.mark.parametrize(
    ("typed", "level", "sentence"),
    [
        ({"start": "2026-03-07"}, "success", "Registered immediately"),
        ({"start": "2026-03-05"}, "warning", "Goes to the QC: 2 days late (article 0.2)."),
        (
            {"is_hybrid": "on"},
            "warning",
            "Goes to the QC: it must approve a hybrid tournament (article 0.2).",
        ),
        ({"start": "2026-03-03"}, "error", "1 error"),
        ({"time_control": "90+30"}, "error", "1 error"),
        ({"time_control": "3+2"}, "error", "1 error"),
        ({"schedule": "2026-03-14 16"}, "error", "1 error"),
        (
            {"name": "", "chief_arbiter": "", "schedule": ""},
            "",
            "Registered immediately once it is complete",
        ),
        ({"start": ""}, "", "Enter the first day"),
        ({"start": "31.12.9999", "time_control": "9" * 99, "rounds": "x"}, "error", "3 errors"),
    ],
)
def test_what_will_happen_is_beside_the_button(
    officer: Client, typed: dict[str, str], level: str, sentence: str
) -> None:
    live = officer.post(NEW, FILLED | typed, headers={"hx-request": "true"})

    check = live.context["check"]
    assert (check.level, check.sentence) == (level, sentence)
    assert sentence in live.content.decode()


@pytest.mark.parametrize("start", ["2026-03-03", "2026-03-05", "2026-03-14"])
def test_the_first_day_is_judged_before_anything_else_is_typed(officer: Client, start: str) -> None:
    typed = {"start": start, "is_stated_rated": "on", "federation": "SUI"}
    check = officer.post(NEW, typed, headers={"hx-request": "true"}).context["check"]
    levels = {"2026-03-03": "error", "2026-03-05": "warning", "2026-03-14": ""}
    assert (check.level, len(check.missing)) == (levels[start], 5 + (start == "2026-03-05"))


def test_what_is_missing_is_an_error_once_it_is_sent(officer: Client) -> None:
    assert officer.post(NEW, FILLED | {"schedule": ""}).context["check"].sentence == "1 error"


@pytest.mark.parametrize(
    ("typed", "zones"),
    [
        pytest.param(
            {"start": "2026-03-20", "end": "2026-03-21"},
            ["open 4-17", "qc 18-20", "over 21-1", "play 20-21", "due 22-31", "play 1-1"],
            id="0.2 on time",
        ),
        pytest.param(
            {"start": "2026-03-05", "end": "2026-03-05"},
            ["over 28-2", "qc 3-5", "over 6-1", "play 5-5", "due 6-31", "play 1-1"],
            id="0.2 late",
        ),
        pytest.param(
            {"start": "2026-03-20", "end": "2026-03-20", "is_hybrid": "on"},
            ["qc 4-20", "over 21-1", "play 20-20", "due 21-31", "play 1-1"],
            id="0.2 hybrid",
        ),
    ],
)
def test_0_2_and_8_1_the_ruler_has_the_days_of_registration_play_report_and_list(
    typed: dict[str, str], zones: list[str]
) -> None:
    outcome = outcome_of(typed, today=TODAY)

    assert outcome is not None
    assert [f"{zone.kind} {zone.first.day}-{zone.last.day}" for zone in outcome.zones] == zones
    assert 'class="ruler"' in outcome.ruler
    play = next(zone for zone in outcome.zones if zone.kind == "play")
    assert (f"{play.label}: {day_text(play.first)} – " in outcome.ruler) == (play.first != play.last)


@pytest.mark.parametrize("typed", [{"start": "2026-03-03"}, {"start": "2026-03-20", "is_official": "on"}])
def test_0_2_and_0_3_no_ruler_without_a_choice(typed: dict[str, str]) -> None:
    outcome = outcome_of(typed, today=TODAY)

    assert outcome is not None
    assert outcome.ruler == ""
