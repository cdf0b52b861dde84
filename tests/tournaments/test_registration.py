"""Registration and the decisions on it (FIDE R&B 2024, 0.2 to 0.4, 1.1, 9.1)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.utils import translation

from core.errors import RefusedError
from players.exclusions import exclude_federation
from players.models import Federation
from tests.codes import refusal
from tests.log import steps
from tournaments.checks.inspection import Inspection
from tournaments.checks.registration import check_registration
from tournaments.choices import Action, Registration, Stage
from tournaments.conditions import Conditions
from tournaments.lookups import Lookups
from tournaments.models import Tournament
from tournaments.qc import decide
from tournaments.registered_conditions import event_id_for
from tournaments.registration import register_tournament
from tournaments.report_people import ReportPeople
from tournaments.trf import read_report

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)
OPEN = Conditions(
    name="Open of Alphaville",
    federation_code="SUI",
    kind="rapid",
    base_seconds=900,
    increment_seconds=10,
    start=date(2026, 1, 10),
    end=date(2026, 1, 11),
    schedule=["2026-01-10"] * 5,
)


@pytest.fixture(autouse=True)
def _federation(db: None) -> None:
    Federation.objects.get_or_create(code="SUI", defaults={"name": "Switzerland"})


def register(request: Conditions = OPEN, on: date = date(2026, 1, 5)) -> Tournament:
    return register_tournament(request, by=None, on=on, at=NOW)


def refused(request: Conditions, on: date = date(2026, 1, 5)) -> list[str]:
    with refusal() as error:
        register(request, on)
    assert Tournament.objects.count() == 0
    return error.found


@pytest.mark.parametrize(
    ("changes", "on", "state"),
    [
        ({}, date(2026, 1, 7), Registration.REGISTERED),
        ({"late_reason": "New hall"}, date(2026, 1, 8), Registration.WAITING),
        ({"late_reason": "New hall"}, date(2026, 1, 10), Registration.WAITING),
        ({"is_hybrid": True}, date(2025, 12, 1), Registration.WAITING),
        ({"is_official": True}, date(2026, 1, 9), Registration.REGISTERED),
        ({"is_official": True}, date(2026, 1, 12), Registration.REGISTERED),
        (
            {"decided_by": "council", "decision_reference": "FC 12/2026"},
            date(2026, 2, 1),
            Registration.REGISTERED,
        ),
    ],
)
def test_0_2_state_in_which_a_registration_begins(
    changes: dict[str, Any], on: date, state: Registration
) -> None:
    tournament = register(replace(OPEN, **changes), on)
    assert tournament.registration == state
    assert [entry.action for entry in tournament.log_entries.all()] == [Action.REGISTER]


@pytest.mark.parametrize(
    ("changes", "on", "codes"),
    [
        ({}, date(2026, 1, 8), ["late-reason-0.2"]),
        ({"late_reason": " ", "is_hybrid": True}, date(2026, 1, 10), ["late-reason-0.2"]),
        ({}, date(2026, 1, 11), ["after-first-day-0.2"]),
        ({"end": date(2026, 1, 9)}, date(2026, 1, 5), ["end-before-start"]),
        ({"name": "  "}, date(2026, 1, 5), ["name-missing"]),
        ({"name": "\u200b\u2060"}, date(2026, 1, 5), ["name-empty", "name-hidden"]),
        ({"name": "Open\u202e of Alphaville"}, date(2026, 1, 5), ["name-hidden"]),
        ({"name": "Ореn of Alphaville"}, date(2026, 1, 5), ["name-scripts"]),
        ({"city": "Al\u200bphaville"}, date(2026, 1, 5), ["city-hidden"]),
        ({"city": "Al\u034fphaville", "name": "Rapid \u265f\ufe0f"}, date(2026, 1, 5), ["city-hidden"]),
        (
            {"city": "Аlphaville", "organiser": "\u3164"},
            date(2026, 1, 5),
            ["city-scripts", "organiser-empty", "organiser-hidden"],
        ),
        ({"chief_arbiter": "Arb\x07iter"}, date(2026, 1, 5), ["chief_arbiter-hidden"]),
        ({"federation_code": "XYZ"}, date(2026, 1, 5), ["federation-unknown"]),
        ({"kind": "blitz"}, date(2026, 1, 5), ["kind-1.1"]),
        ({"base_seconds": 5400}, date(2026, 1, 5), ["kind-1.1"]),
        ({"decided_by": "council"}, date(2026, 1, 5), ["decision-reference-missing"]),
        (
            {"start": date(2021, 12, 31), "name": ""},
            date(2021, 12, 1),
            ["name-missing", "no-rules-D-13"],
        ),
    ],
)
def test_registration_names_every_rule_against_it(
    changes: dict[str, Any], on: date, codes: list[str]
) -> None:
    assert refused(replace(OPEN, **changes), on) == codes


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "make a blitz tournament, not rapid (article 1.1.2)"),
        ("fr", "font un tournoi blitz, pas rapide (article 1.1.2)"),
        ("es", "a un torneo de blitz, no de rápido (artículo 1.1.2)"),
        ("de", "ein Blitzturnier, nicht Schnellschach (Artikel 1.1.2)"),
    ],
)
def test_1_1_refusal_names_the_rating_type_in_words(language: str, words: str) -> None:
    with translation.override(language), pytest.raises(RefusedError) as error:
        register(replace(OPEN, base_seconds=180, increment_seconds=2))
    assert words in str(error.value.refusals[0].message)


def test_d15_excluded_federation_registers_nothing() -> None:
    federation = Federation.objects.get(code="SUI")
    exclude_federation(federation, excluded_from=date(2026, 1, 1), until=date(2026, 1, 6), by=None, at=NOW)
    assert refused(OPEN, date(2026, 1, 5)) == ["federation-excluded-9.1"]
    assert register(OPEN, date(2026, 1, 6)).registration == Registration.REGISTERED


def test_same_event_is_registered_once() -> None:
    register()
    with refusal() as again:
        register(replace(OPEN, name="OPEN  of   Alphavillé"))
    assert again.found == ["already-registered"]
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(
    ("one", "other", "is_alike"),
    [
        ("Rapid +1800", "Rapid -1800", False),
        ("Rapid +1800", "Rapid −1800", False),
        ("Rapid –1800", "RAPID (-1800)", True),
        ("Rapid ＋1800", "Rapid +1800", True),
        ("Rapid 1800", "Rapid 1800+", False),
        ("Rapid <1800", "Rapid ≥1800", False),
        ("Group A+", "Group A", False),
        ("Group A-", "Group A+", False),
        ("Town Open - Rapid", "Town-Open: Rapid", True),
        ("Town Open", "Open Town", True),
        ("Town Open", "TownOpen", True),
        ("Town Open", "Town Open B", False),
    ],
)
def test_d135_signs_belong_to_the_name(one: str, other: str, is_alike: bool) -> None:
    first = register(replace(OPEN, name=one))
    if is_alike:
        with refusal() as asked:
            register(replace(OPEN, name=other))
        assert asked.found == ["already-registered"]
    else:
        assert register(replace(OPEN, name=other)).event_id != first.event_id


def test_d135_another_event_of_one_name_has_an_id_of_its_own() -> None:
    ids = [register(replace(OPEN, is_another=number > 0)).event_id for number in range(3)]
    assert len(set(ids)) == 3
    assert ids[0] == event_id_for(OPEN)


def test_d135_an_event_that_was_renamed_leaves_its_id_to_no_other() -> None:
    first = register()
    Tournament.objects.update(name="Rapid of Betaville")
    assert register().event_id != first.event_id


def test_event_id_depends_on_nothing_but_the_event() -> None:
    assert event_id_for(OPEN) == event_id_for(replace(OPEN, city="Elsewhere", is_match=True))
    assert event_id_for(OPEN) != event_id_for(replace(OPEN, end=date(2026, 1, 12)))


@pytest.mark.parametrize(
    ("action", "state"),
    [
        (Action.ALLOW, Registration.APPROVED),
        (Action.REFUSE, Registration.REFUSED),
        (Action.WITHDRAW, Registration.WITHDRAWN),
    ],
)
def test_0_2_decision_on_a_waiting_registration(action: Action, state: Registration) -> None:
    tournament = register(replace(OPEN, late_reason="New hall"), date(2026, 1, 9))
    decide(tournament, action, reason="heard both sides", by=None, at=NOW)
    assert tournament.registration == state
    assert steps().last().reason == "heard both sides"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("action", "reason", "changes", "code"),
    [
        (Action.REFUSE, " ", {}, "reason-missing"),
        (Action.ALLOW, "why not", {}, "wrong-state"),
        (Action.REFUSE, "too few rounds", {"is_official": True}, "official-0.3"),
        (Action.NOT_RATE, "too few rounds", {"is_official": True}, "official-0.3"),
    ],
)
def test_decisions_that_cannot_be_taken(
    action: Action, reason: str, changes: dict[str, Any], code: str
) -> None:
    tournament = register(replace(OPEN, **changes))
    with refusal() as error:
        decide(tournament, action, reason=reason, by=None, at=NOW)
    assert error.found == [code]
    assert Tournament.objects.get().registration == Registration.REGISTERED
    assert tournament.log_entries.count() == 1


@pytest.mark.parametrize(
    "name",
    ["Кубок FIDE 2026", "3. Löwen-Open Zürich", "U18杯ラピッド", "Oʻahu Open", "2026", "Τουρνουά Open"],
)
def test_names_of_tournaments_in_any_one_alphabet_a_word_are_taken(name: str) -> None:
    assert register(replace(OPEN, name=name)).name == name


@pytest.mark.parametrize(
    ("stage", "action"),
    [
        pytest.param(Stage.PUBLISHED, Action.NOT_RATE, id="published (D-11)"),
        pytest.param(
            Stage.REPORTED, Action.REFUSE, id="an accepted report is rated or not, its registration stands"
        ),
    ],
)
def test_d11_decisions_that_come_too_late(stage: Stage, action: Action) -> None:
    tournament = register()
    Tournament.objects.update(stage=stage)
    with pytest.raises(RefusedError):
        decide(tournament, action, reason="collusion", by=None, at=NOW)


def test_0_2_playing_schedule_is_part_of_the_registration() -> None:
    assert refused(replace(OPEN, schedule=[])) == ["schedule-missing-0.2"]


def test_0_2_affiliated_organisation_registers_and_its_federation_is_no_difference() -> None:
    Federation.objects.create(code="QIS", name="Islands", is_member=False)
    assert refused(replace(OPEN, federation_code="QIS")) == ["federation-excluded-9.1"]
    Federation.objects.filter(pk="QIS").update(territory_of="SUI", affiliation_reference="FC 2025/12")

    tournament = register(replace(OPEN, federation_code="QIS"))

    assert (tournament.registration, tournament.federation_id) == (Registration.REGISTERED, "QIS")
    report = read_report("032 SUI\n001    1\n")
    inspection = Inspection(report, tournament, ReportPeople({}, {}, ()), Lookups(), on=date(2026, 1, 12))
    codes = {item.code for item in check_registration(inspection)}
    assert "event-federation" not in codes


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"is_match": True, "games_per_match": 4}, []),
        ({"games_per_match": 4}, ["games-without-match-5"]),
        ({"is_match": True, "games_per_match": 0}, ["games-per-match-5"]),
        ({"is_match": True, "games_per_match": 251}, ["games-per-match-5"]),
    ],
)
def test_d_84_games_per_match_belong_to_a_match(changes: dict[str, Any], codes: list[str]) -> None:
    wanted = replace(OPEN, **changes)

    if codes:
        assert refused(wanted) == codes
    else:
        assert register(wanted).games_per_match == 4
