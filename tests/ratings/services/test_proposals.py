"""Proposals tried on published lists: against an independent calculation, and apart from everything official."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.db import connection

from players.models import Player
from ratings.models import Calculation, ListEntry, RatingList, TextTrial
from ratings.services.runs import perform
from ratings.services.text_proposals import try_proposal
from ratings.services.text_trials import OfficialTableError, perform_trial, tried_on
from ratings.systems.variants import Parameters
from tests.codes import refusal
from tests.factories import AppointmentFactory, ListEntryFactory, noon, publish
from tests.ratings.played import play_month
from tests.ratings.services.stored_federation import months_of, without_old_pools
from tests.ratings.systems.oracle import Oracle, Result
from tests.ratings.systems.oracle_figures import largest_k, probability, rounded

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
TEXT = "fide-rapid-blitz-2024"
CAP_500_K_30 = Parameters(TEXT, cap=500, k=30)
FEBRUARY = date(2026, 2, 1)
AT = noon(date(2026, 2, 10))
FLOOR = 1400


def proposed(before: int, results: Iterable[Result]) -> int | None:
    """Return the rating of a listed player by a cap of 500 and K 30; None under the floor. No code of the engine."""
    rounds = [one for result in results for one in result.rounds if one.difference is not None]
    change = sum(
        (one.score - probability(max(-500, min(500, one.difference or 0))) for one in rounds), Fraction(0)
    )
    rating = before + rounded(largest_k(30, len(rounds)) * change)
    return rating if rating >= FLOOR else None


@pytest.mark.parametrize("seed", [20_001])
def test_cap_500_and_k_30_agree_with_an_independent_calculation(seed: int) -> None:
    federation = without_old_pools(seed)
    oracle = Oracle(federation)
    compared = differing = 0
    previous = federation.imported_on
    for day in months_of(federation):
        publish("rapid", day)
        month = tried_on(RatingList.objects.get(kind="rapid", date=day), CAP_500_K_30.rules)
        tried = {row["fide_id"]: row["after"] for row in month["differences"]}
        for number in oracle.lists[previous].keys() & oracle.lists[day].keys():
            results = [one for key, one in oracle.results.items() if key[:2] == (day, number)]
            official = oracle.lists[day][number].rating
            expected = proposed(oracle.lists[previous][number].rating, results)
            assert tried.get(number, official) == expected, f"seed {seed}, {day}, player {number}"
            compared += 1
            differing += expected != official
        previous = day
    assert compared > 20
    assert differing > 5


def test_inactivity_after_fewer_months_is_counted() -> None:
    published = play_month(1).published
    assert published is not None
    idle = ListEntry.objects.filter(rating_list=published).listed().first()
    assert idle is not None
    ListEntry.objects.filter(pk=idle.pk).update(is_inactive=True)
    month = tried_on(published, Parameters(TEXT, active_lists=12, floor=1000).rules)
    assert month["activity"] == {"active": 1, "inactive": 0}


def test_players_without_a_game_in_the_last_list_become_inactive_after_one_month() -> None:
    month = play_month(1, is_published=False)
    ListEntryFactory(rating_list=month.first, rating=2000)
    published = publish("rapid", FEBRUARY)
    assert tried_on(published, Parameters(TEXT, active_lists=1).rules)["activity"] == {
        "active": 0,
        "inactive": 1,
    }


def test_trial_of_a_proposal_writes_to_its_own_table_only() -> None:
    published = play_month(3).published
    assert published is not None
    by = AppointmentFactory(role="qc").user
    official = [list(model.objects.order_by("pk").values()) for model in (ListEntry, Calculation, RatingList)]
    trial = try_proposal("cap 500, K 30", CAP_500_K_30, [FEBRUARY], by=by, at=AT)
    perform("trial", str(trial.pk), at=AT)
    trial.refresh_from_db()
    assert (trial.is_done, trial.results[0]["players"]) == (True, 4)
    again = [list(model.objects.order_by("pk").values()) for model in (ListEntry, Calculation, RatingList)]
    assert again == official


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE "ratings_listentry" SET rating = 1',
        "DELETE FROM ratings_calculation",
        "INSERT INTO ratings_poolhealth (id) VALUES (1)",
        "TRUNCATE ratings_listentry",
        "CREATE TABLE ratings_other (id integer)",
    ],
)
def test_trial_that_would_write_elsewhere_is_stopped(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    play_month(1)
    trial = TextTrial.objects.create(text=TEXT, lists=["rapid 2026-02-01"], at=AT)

    def writing(*arguments: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    monkeypatch.setattr("ratings.services.text_trials.tried_on", writing)
    with pytest.raises(OfficialTableError):
        perform_trial(trial.pk)
    assert Player.objects.exists()


@pytest.mark.parametrize("role", ["officer", "arbiter", "council", "auditor"])
def test_others_than_the_qc_and_staff_cannot_try(role: str) -> None:
    play_month(1)
    by = AppointmentFactory(role=role).user
    with refusal() as refused:
        try_proposal("K 30", CAP_500_K_30, [FEBRUARY], by=by, at=AT)
    assert refused.found == ["qc-only"]
    assert not TextTrial.objects.exists()


@pytest.mark.parametrize(
    ("name", "parameters", "months", "code"),
    [
        ("", CAP_500_K_30, [FEBRUARY], "name-missing"),
        ("x" * 81, CAP_500_K_30, [FEBRUARY], "name-missing"),
        ("K", Parameters("fide-1999", k=30), [FEBRUARY], "text-unknown"),
        ("K", Parameters(TEXT, initial="fide-1999"), [FEBRUARY], "text-unknown"),
        ("K", Parameters(TEXT), [FEBRUARY], "nothing-changed"),
        ("K", Parameters(TEXT, k=101), [FEBRUARY], "out-of-bounds"),
        ("K", CAP_500_K_30, [date(2026, 9, 1)], "month-unpublished"),
        ("K", CAP_500_K_30, [], "month-unpublished"),
    ],
)
def test_proposals_that_cannot_be_tried_are_refused(
    name: str, parameters: Parameters, months: list[date], code: str
) -> None:
    play_month(1)
    with refusal() as refused:
        try_proposal(name, parameters, months, by=AppointmentFactory(role="qc").user, at=AT)
    assert refused.found == [code]


def test_person_has_three_trials_at_a_time() -> None:
    play_month(1)
    by = AppointmentFactory(role="qc").user
    for number in range(3):
        try_proposal(f"K 30, {number}", CAP_500_K_30, [FEBRUARY], by=by, at=AT)
    with refusal() as refused:
        try_proposal("K 30", CAP_500_K_30, [FEBRUARY], by=by, at=AT)
    assert refused.found == ["too-many-running"]


def test_second_click_tries_a_proposal_once_even_as_the_last_of_three() -> None:
    play_month(1)
    by = AppointmentFactory(role="qc").user
    for number in range(2):
        try_proposal(f"K 30, {number}", CAP_500_K_30, [FEBRUARY], by=by, at=AT)

    made = [
        try_proposal("K 30", CAP_500_K_30, [FEBRUARY], by=by, at=AT + timedelta(seconds=seconds)).pk
        for seconds in (0, 1)
    ]

    assert (made[0], TextTrial.objects.count()) == (made[1], 3)
