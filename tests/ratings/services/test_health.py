"""The health of a pool: each figure by hand, and pools whose ratings are known to rise, fall or stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings import tasks
from ratings.models import Calculation, ListEntry, PoolHealth, RatingList, Run
from ratings.queries.health.measuring import connections_of, movement_of, settling
from ratings.queries.health.reading import ChangeSums, HealthFigures, HealthSummary, Scores, Trend, health_of
from ratings.services.due_runs import RUNS, leave_due
from ratings.services.health import measure
from ratings.services.runs import perform, sweep
from tests.factories import (
    AppointmentFactory,
    FederationFactory,
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    noon,
    play_and_rate,
    publish,
)
from tests.outbox import let_pass

FEBRUARY = date(2026, 2, 1)
AT = noon(date(2026, 2, 10))
WRITING = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "(\w+)"')


@pytest.fixture
def february(db: None) -> RatingList:
    """Return a list on which 2700 drew with 1500 and beat 2500, 2500 beat 2000, and 2000 drew with 1500.

    The first two are of one federation, the others of two more; an unrated player drew with 2700.
    """
    first = RatingListFactory()
    players = [
        ListEntryFactory(
            rating_list=first, rating=rating, player__federation=FederationFactory(code=code)
        ).player
        for rating, code in ((2700, "SUI"), (1500, "SUI"), (2500, "FRA"), (2000, "KEN"))
    ]
    players.append(PlayerFactory(federation_id="SUI"))
    pairings = [(1, 1, 2, "1/2"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 4, 2, "1/2"), (3, 1, 5, "1/2")]
    play_and_rate(TournamentFactory(event_id="SUI-FAR"), players, pairings)
    return publish("rapid", FEBRUARY)


def figures_of(rating_list: RatingList) -> tuple[HealthSummary, HealthFigures]:
    measure(rating_list, at=AT)
    health = health_of(rating_list)
    assert health is not None
    assert health.figures is not None
    return health.summary, health.figures


def test_scores_are_compared_with_the_table_by_difference(february: RatingList) -> None:
    summary, figures = figures_of(february)
    # By 7.1.2: 200 points are .76, 500 are .96, 1200 are 1.00; each game once, from the side of the higher rated.
    by_class = {first: scores for first, scores in figures.curve if scores.games}
    assert by_class == {200: Scores(1, 2, 76), 500: Scores(2, 3, 192), 800: Scores(1, 1, 100)}
    assert (by_class[500].score_tenths, by_class[500].expected_tenths) == (750, 960)
    assert (summary.higher, summary.higher.gap_tenths) == (Scores(4, 6, 368), -170)


def test_games_over_400_points_are_counted_once(february: RatingList) -> None:
    summary, _figures = figures_of(february)
    assert (summary.games, summary.outside, summary.outside_tenths) == (4, 3, 750)


def test_counts_of_a_list(february: RatingList) -> None:
    summary, _figures = figures_of(february)
    assert (summary.tournaments, summary.players, summary.active, summary.played) == (1, 4, 4, 4)
    # 2700 - 6.4 - .. and so on: the ratings that the list shows.
    ratings = list(ListEntry.objects.filter(rating_list=february).values_list("rating", flat=True))
    assert (summary.rating_sum, summary.initial) == (sum(ratings), 0)


def test_federations_are_linked_by_games_of_players_on_the_list(february: RatingList) -> None:
    summary, figures = figures_of(february)
    rows = [(one.code, one.games, one.foreign, one.partners, one.group) for one in figures.federations]
    # SUI 2700-1500; FRA 2500-2000 KEN; SUI 2700-2500 FRA; KEN 2000-1500 SUI.
    assert rows == [("SUI", 3, 2, 2, 1), ("FRA", 2, 2, 2, 1), ("KEN", 2, 2, 2, 1)]
    assert (summary.federation_games, summary.foreign, summary.groups) == (4, 3, 1)
    assert PoolHealth.objects.get().pairs == [
        ["FRA", "KEN", 1],
        ["FRA", "SUI", 1],
        ["KEN", "SUI", 1],
        ["SUI", "SUI", 1],
    ]


def test_federations_without_games_between_them_are_groups() -> None:
    pairs = Counter(
        {("FRA", "FRA"): 6, ("FRA", "SUI"): 2, ("KEN", "UGA"): 3, ("NOR", "NOR"): 9, ("GER", "SUI"): 1}
    )
    rows = {one.code: (one.games, one.foreign, one.group) for one in connections_of(pairs)}
    assert rows == {
        "NOR": (9, 0, 3),
        "FRA": (8, 2, 1),
        "SUI": (3, 3, 1),
        "GER": (1, 1, 1),
        "KEN": (3, 3, 2),
        "UGA": (3, 3, 2),
    }
    assert next(iter(rows)) == "NOR"


def test_games_of_the_eleven_lists_before_link_federations_too(february: RatingList) -> None:
    measure(february, at=AT)
    march = publish("rapid", date(2026, 3, 1))
    summary, figures = figures_of(march)
    assert (summary.games, summary.federation_games, len(figures.federations)) == (0, 4, 3)
    assert PoolHealth.objects.get(rating_list=march).pairs == []


def test_initial_ratings_are_followed_by_lists_since(february: RatingList) -> None:
    hero = ListEntry.objects.get(rating_list=february, rating__lt=1600)
    Calculation.objects.create(
        rating_list=RatingListFactory(), player=hero.player, new_rating=1450, result="initial-7.2.4"
    )
    _summary, figures = figures_of(february)
    (one,) = figures.settling
    change = (hero.rating or 0) - 1450
    assert (one.lists, one.players, one.change, one.absolute) == (1, 1, change, change)
    # Two draws, 1200 and 500 points below: .00 and .04 expected.
    assert one.scores == Scores(2, 2, 4)


def test_changes_since_initial_ratings_are_added_up() -> None:
    one = settling(3, [-100, 20, 50, -51], Scores())
    assert (one.players, one.change, one.absolute, one.near) == (4, -81, 221, 2)
    assert (one.mean_tenths, one.absolute_tenths, one.near_tenths) == (-203, 553, 500)


Drift = Callable[[int], int]


def pool_of(drift: Drift, *, size: int = 400, months: int = 12) -> tuple[RatingList, RatingList]:
    """Return two lists of a generated pool: each rating moves by the drift of the age and a random step around zero."""
    random = Random(25)
    later = RatingListFactory(date=FEBRUARY)
    earlier = RatingListFactory(date=date(2025, 14 - months, 1))
    federation = FederationFactory(code="SUI")
    entries = []
    for player in range(size):
        age, before = random.choice((14, 25, 35, 45, 70)), random.randint(1500, 2300)
        after = before + drift(age) + round(random.gauss(0, 40))
        for rating_list, rating in ((earlier, before), (later, after)):
            entries.append(
                ListEntry(
                    rating_list=rating_list,
                    player_id=player + 1,
                    federation=federation,
                    rating=rating,
                    birth_year=FEBRUARY.year - age,
                )
            )
    ListEntry.objects.bulk_create(entries)
    return earlier, later


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("drift", "trend"),
    [
        (lambda age: 24, Trend.RISING),
        (lambda age: -24, Trend.FALLING),
        (lambda age: 0, Trend.STEADY),
        # Juniors who learn are no inflation: nobody else's rating moves.
        (lambda age: 120 if age < 20 else 0, Trend.STEADY),
    ],
    ids=["inflation", "deflation", "none", "juniors"],
)
def test_pool_of_known_inflation_is_recognised(drift: Drift, trend: Trend) -> None:
    earlier, later = pool_of(drift)
    summary, figures = figures_of(later)
    assert (summary.since, summary.months, summary.all_moved.players) == (earlier.date, 12, 400)
    assert summary.trend is trend
    # Two standard errors of the mean of some 160 random steps of 40 points are 6.3.
    assert abs((summary.reference.mean_tenths or 0) - 10 * drift(35)) < 63
    by_age = dict(figures.ages)
    assert abs((by_age[12].mean_tenths or 0) - 10 * drift(14)) < 90
    assert sum(moved.players for _, moved in figures.strengths) == 400


@pytest.mark.django_db
def test_players_who_did_not_stay_active_are_left_out() -> None:
    earlier, later = pool_of(lambda age: 10, size=20)
    ListEntry.objects.filter(rating_list=later, player_id__lte=5).update(is_inactive=True)
    ListEntry.objects.filter(rating_list=earlier, player_id=6).update(is_inactive=True)
    ListEntry.objects.filter(rating_list=earlier, player_id=7).delete()
    assert movement_of(earlier, later).whole.players == 13


@pytest.mark.parametrize(
    ("moved", "months", "trend"),
    [
        # 30 players up 6 each: no spread, half a point a month.
        (ChangeSums(30, 180, 1080), 12, Trend.RISING),
        (ChangeSums(30, 179, 1075), 12, Trend.STEADY),
        (ChangeSums(29, 290, 2900), 12, Trend.UNKNOWN),
        (ChangeSums(30, -180, 1080), 12, Trend.FALLING),
        # Half up 200, half down 180: ten points on average, and no certainty.
        (ChangeSums(30, 300, 15 * (200**2 + 180**2)), 12, Trend.STEADY),
        (ChangeSums(), 0, Trend.UNKNOWN),
    ],
)
def test_trend_needs_players_size_and_certainty(moved: ChangeSums, months: int, trend: Trend) -> None:
    assert moved.trend(months) is trend


def test_measuring_writes_to_its_own_table_only(february: RatingList) -> None:
    with CaptureQueriesContext(connection) as queries:
        measure(february, at=AT)
    written = {found[1] for query in queries if (found := WRITING.search(query["sql"]))}
    assert written == {"ratings_poolhealth"}


def test_task_measures_a_list_and_those_before_it_once(february: RatingList) -> None:
    march = publish("rapid", date(2026, 3, 1))
    tasks.measure_lists()
    assert list(Run.objects.filter(work="health").values_list("subject", flat=True)) == ["rapid 2026-03-01"]
    perform("health", "rapid 2026-03-01", at=AT)
    assert set(PoolHealth.objects.values_list("rating_list", flat=True)) == {february.pk, march.pk}
    Run.objects.all().delete()
    tasks.measure_lists()
    assert not Run.objects.exists()


def test_a_list_that_cannot_be_measured_is_left_to_staff(
    february: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.measure_lists()
    monkeypatch.setattr("ratings.services.runs.measure_until", lambda *_, **__: 1 / 0)
    for hour in range(2 * RUNS.max_attempts):
        now = AT + timedelta(hours=hour)
        let_pass(Run.objects.all(), timedelta(hours=1))
        with time_machine.travel(now, tick=False):
            tasks.measure_lists()
        for run in (one for one in sweep(at=now, dispatch=leave_due) if one.work == "health"):
            with pytest.raises(ZeroDivisionError):
                perform(run.work, run.subject, at=now)
    failed = Run.objects.get(work="health")
    assert (failed.state, failed.attempts) == ("failed", RUNS.max_attempts)

    # The console of staff shows it, and a later list brings a new attempt.
    client = Client()
    client.force_login(AppointmentFactory(role="staff").user)
    assert list(client.get("/admin/").context["now"].failed) == [failed]
    publish("rapid", date(2026, 3, 1))
    tasks.measure_lists()
    assert (
        Run.objects.filter(work="health", state="due").values_list("subject", flat=True).get()
        == "rapid 2026-03-01"
    )


def test_command_measures_what_is_missing(february: RatingList, run: Callable[..., Any]) -> None:
    assert run("measure_lists") == {"measured": ["rapid 2026-02-01"]}
    assert run("measure_lists") == {"measured": []}
