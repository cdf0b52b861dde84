"""Where tournaments stand: read for one or many, selected by the next step, and never with deadlines in disorder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from django.db.models import Q
from hypothesis import given
from hypothesis import strategies as st

from players.choices import CaseKind
from players.models import Case
from ratings.models import RatingList
from ratings.queries.lists import read_lists
from tests.factories import RatingListFactory, TournamentFactory
from tests.tournaments.cast import CAST, FIRST_LIST, NEWEST_LIST, NOW, TODAY, Part
from tournaments.choices import Registration, Stage
from tournaments.lists import Lists
from tournaments.models import InformationRequest, Report, Tournament
from tournaments.progress import ProgressFacts, compute_progress
from tournaments.queries.progress import load_progress, progress_of
from tournaments.queries.progress_filters import may_be_decided, may_be_missed, may_be_played, may_be_reported
from tournaments.steps import REPORT_STEPS, Progress

CODES = sorted({part.code for part in CAST})
# The first step of each pair has to be done before the second.
ORDER = [
    ("answer", "decide"),
    ("answer", "question"),
    ("decide", "upload"),
    ("play", "upload"),
    ("upload", "accept"),
    ("upload", "publish"),
    ("accept", "publish"),
    ("question", "publish"),
]
REGISTERED = Registration.REGISTERED
DAYS = st.dates(min_value=date(2024, 1, 1), max_value=date(2030, 1, 1))


@pytest.fixture
def lists(db: None) -> None:
    for day in (FIRST_LIST, NEWEST_LIST):
        RatingListFactory(kind="rapid", date=day)


@pytest.fixture
def cast(db: None) -> Mapping[str, Tournament]:
    """Return the tournaments of the cast by their names."""
    RatingListFactory(kind="rapid", date=FIRST_LIST)
    made = {}
    for number, part in enumerate(sorted(CAST, key=lambda part: part.name != "published")):
        made[part.name] = part.make(f"SUI-{number}")
    return made


def progress_today(tournament: Tournament) -> Progress:
    return progress_of(tournament, read_lists(), today=TODAY)


@pytest.mark.parametrize("part", CAST, ids=lambda part: part.name)
def test_cast_stands_as_told(db: None, part: Part) -> None:
    RatingListFactory(kind="rapid", date=FIRST_LIST)
    made = part.make("SUI-1")
    if part.code != "published":
        RatingListFactory(kind="rapid", date=NEWEST_LIST)

    found = progress_today(made)

    assert (found.step.code, found.step.owner, found.step.deadline, found.expected_list) == (
        part.code,
        part.owner,
        part.deadline,
        part.expected,
    )


def test_every_step_has_its_part() -> None:
    assert (
        sorted(
            [
                "accept",
                "answer",
                "appeal",
                "closed",
                "correct",
                "council",
                "decide",
                "missed",
                "play",
                "publish",
                "published",
                "question",
                "rate",
                "request",
                "take",
                "upload",
            ]
        )
        == CODES
    )


@pytest.mark.parametrize("day", [TODAY, date(2026, 3, 10), date(2026, 6, 1), date(2026, 7, 2)])
@pytest.mark.parametrize(
    ("filter_of", "codes"),
    [
        (lambda _lists, day: may_be_played(day), {"play"}),
        (may_be_reported, set(REPORT_STEPS)),
        (may_be_missed, {"missed"}),
        (lambda _lists, day: may_be_decided(day), {"decide", "answer", "question", "request", "appeal"}),
    ],
)
def test_filter_lets_through_every_tournament_in_its_steps(
    cast: Mapping[str, Tournament],
    day: date,
    filter_of: Callable[[Lists[RatingList], date], Q],
    codes: set[str],
) -> None:
    lists = read_lists()
    progress = load_progress(cast.values(), lists, today=day)
    let_through = {*Tournament.objects.filter(filter_of(lists, day)).values_list("pk", flat=True)}

    assert {key for key, one in progress.items() if one.step.code in codes} <= let_through < {*progress}


def test_facts_of_many_are_read_as_those_of_one(
    cast: Mapping[str, Tournament], django_assert_max_num_queries: Callable[..., Any]
) -> None:
    lists = read_lists()
    with django_assert_max_num_queries(3):
        together = load_progress(cast.values(), lists, today=TODAY)
    with django_assert_max_num_queries(2):
        alone = load_progress([cast["over"]], lists, today=TODAY)

    assert together[cast["over"].pk] == alone[cast["over"].pk]


def disorder(progress: Progress) -> list[tuple[str, str]]:
    """Return the pairs of steps of which the one that comes first has the later deadline."""
    places = {"take": "upload", "correct": "accept"}
    days = {places.get(step.code, step.code): step.deadline for step in progress.steps if step.deadline}
    known = [(first, second) for first, second in ORDER if first in days and second in days]
    return [(first, second) for first, second in known if days[first] > days[second]]


@pytest.mark.slow
@pytest.mark.parametrize("part", CAST, ids=lambda part: part.name)
def test_deadlines_follow_the_order_of_the_steps(db: None, part: Part) -> None:
    RatingListFactory(kind="rapid", date=FIRST_LIST)

    assert disorder(progress_today(part.make("SUI-1"))) == []


@given(
    end=DAYS,
    today=DAYS,
    upheld=st.none() | st.integers(0, 300),
    newest=st.none() | DAYS,
    state=st.sampled_from(
        [(Registration.WAITING, "planned"), *((REGISTERED, stage) for stage in Stage.values)]
    ),
    is_held=st.booleans(),
    is_official=st.booleans(),
    asks=st.none() | st.integers(0, 55),
    has_errors=st.none() | st.booleans(),
)
def test_deadlines_are_in_order_on_every_day(
    end: date,
    today: date,
    state: tuple[str, str],
    upheld: int | None,
    newest: date | None,
    asks: int | None,
    has_errors: bool | None,
    is_held: bool,
    **facts: Any,
) -> None:
    reopened = None if upheld is None else end + timedelta(days=upheld)
    registration, stage = state
    tournament = TournamentFactory.build(
        start=end, end=end, upheld_on=reopened, registration=registration, stage=stage, **facts
    )
    lists = Lists([] if newest is None else [RatingList(kind=tournament.kind, date=newest.replace(day=1))])
    asked = None if asks is None else InformationRequest(due_on=end + timedelta(days=asks), asked_at=NOW)
    version = Report(version=1, state="checked", submitted_at=NOW, has_errors=bool(has_errors))

    progress = compute_progress(
        ProgressFacts(
            tournament=tournament,
            lists=lists,
            today=today,
            reports=[] if has_errors is None else [version],
            information=asked,
            cases=[Case(kind=CaseKind.HOLD)] if is_held else [],
        )
    )

    assert disorder(progress) == []
