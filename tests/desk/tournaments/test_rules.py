"""The live check of a registration while it is typed (0.2, 1.1, 3.1)."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from core.html.dates import day_text
from desk.tournaments.rules import check_values, rules_for
from tournaments.schedule_field import typed_rounds

TODAY = date(2026, 3, 4)


@pytest.mark.parametrize(
    ("typed", "level"),
    [
        pytest.param({"time_control": "15+10"}, "success", id="1.1 rapid, 25 minutes"),
        pytest.param({"time_control": "3+2", "kind": "rapid"}, "error", id="1.1 blitz, not rapid"),
        pytest.param({"time_control": "90+30"}, "error", id="1.1 neither"),
        pytest.param({"start": "2026-03-07"}, "success", id="0.2 three days"),
        pytest.param({"start": "2026-03-06"}, "warning", id="0.2 two days"),
        pytest.param({"start": "2026-03-04"}, "warning", id="0.2 the first day"),
        pytest.param({"start": "2026-03-03"}, "error", id="0.2 after the first day"),
        pytest.param({"start": "2026-03-03", "is_official": "on"}, "success", id="0.3 official"),
        pytest.param({"is_hybrid": "on"}, "warning", id="0.2 hybrid"),
        pytest.param({"schedule": "2026-03-07 15", "kind": "rapid"}, "success", id="3.1 fifteen rounds"),
        pytest.param({"schedule": "2026-03-07 16", "kind": "rapid"}, "error", id="3.1 sixteen rounds"),
        pytest.param({"schedule": "2026-03-07 30", "kind": "blitz"}, "success", id="3.1 thirty of blitz"),
    ],
)
def test_each_rule_is_shown(typed: dict[str, str], level: str) -> None:
    assert [rule.level for rule in rules_for(typed, typed_rounds(typed), today=TODAY)] == [level]


@pytest.mark.parametrize(
    ("today", "start", "level"),
    [
        (date(2024, 2, 26), "2024-02-29", "success"),
        (date(2024, 2, 27), "2024-03-01", "success"),
        (date(2026, 2, 26), "2026-03-01", "success"),
        (date(2026, 2, 27), "2026-03-01", "warning"),
        (date(2026, 12, 29), "2027-01-01", "success"),
        (date(2026, 12, 30), "2027-01-01", "warning"),
    ],
)
def test_0_2_three_days_over_the_ends_of_months_and_years(today: date, start: str, level: str) -> None:
    assert [rule.level for rule in rules_for({"start": start}, today=today)] == [level]


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(["time_control", "start", "end", "rounds", "schedule", "kind"]), st.text(max_size=80)
    )
)
def test_any_input_gets_an_answer(typed: dict[str, str]) -> None:
    check = check_values(typed, typed_rounds(typed), today=TODAY)
    levels = {rule.level for rule in check.rules}

    assert levels <= {"info", "success", "warning", "error"}


def test_page_shows_the_same_without_javascript(officer: Client) -> None:
    typed = {"name": "Open", "time_control": "15+10", "start": "2026-03-06", "preview": "1"}

    page = officer.post("/desk/tournaments/new", typed).content.decode()
    part = officer.post("/desk/tournaments/rules", typed).content.decode()

    sentences = ["25 minutes for 60 moves: rapid (article 1.1).", "2 UTC days until the first day"]
    assert [[sentence in text for sentence in sentences] for text in (page, part)] == [[True, True]] * 2


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
    outcome = check_values(typed, [], today=TODAY).outcome

    assert outcome is not None
    assert [f"{zone.kind} {zone.first.day}-{zone.last.day}" for zone in outcome.zones] == zones
    assert 'class="ruler"' in outcome.ruler
    play = next(zone for zone in outcome.zones if zone.kind == "play")
    assert (f"{play.label}: {day_text(play.first)} – " in outcome.ruler) == (play.first != play.last)


@pytest.mark.parametrize("typed", [{"start": "2026-03-03"}, {"start": "2026-03-20", "is_official": "on"}])
def test_0_2_and_0_3_no_ruler_without_a_choice(typed: dict[str, str]) -> None:
    outcome = check_values(typed, [], today=TODAY).outcome

    assert outcome is not None
    assert outcome.ruler == ""
