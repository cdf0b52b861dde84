"""Where tournaments stand: read for one or many, selected by the next step, and never with deadlines in disorder."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from players.choices import CaseKind
from players.models import Case
from ratings.lists import read_lists
from ratings.models import RatingList
from tests import make
from tests.tournaments.cast import CAST, FIRST_LIST, NEWEST_LIST, NOW, TODAY, Part
from tournaments.choices import Registration, Stage
from tournaments.lists import Lists
from tournaments.models import InformationRequest, Report, Tournament
from tournaments.progress import ProgressFacts, compute_progress
from tournaments.states import progress_of
from tournaments.steps import Progress

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
        make.rating_list(kind="rapid", date=day)


def progress_today(tournament: Tournament) -> Progress:
    return progress_of(tournament, read_lists(), today=TODAY)


@pytest.mark.parametrize("part", CAST, ids=lambda part: part.name)
def test_cast_stands_as_told_with_deadlines_in_order(db: None, part: Part) -> None:
    make.rating_list(kind="rapid", date=FIRST_LIST)
    made = part.make("SUI-1")
    before = progress_today(made)
    make.rating_list(kind="rapid", date=NEWEST_LIST)

    found = progress_today(made)

    assert disorder(before) == []
    assert (found.step.code, found.step.owner, found.step.deadline, found.expected_list) == (
        part.code,
        part.owner,
        part.deadline,
        part.expected,
    )


def test_every_step_has_its_part() -> None:
    steps = "accept answer appeal closed correct council decide missed play "
    steps += "publish published question rate request take upload"
    assert steps.split() == CODES


def disorder(progress: Progress) -> list[tuple[str, str]]:
    """Return the pairs of steps of which the one that comes first has the later deadline."""
    places = {"take": "upload", "correct": "accept"}
    days = {places.get(step.code, step.code): step.deadline for step in progress.steps if step.deadline}
    known = [(first, second) for first, second in ORDER if first in days and second in days]
    return [(first, second) for first, second in known if days[first] > days[second]]


# Asked by the QC, which has the registration, with a version that waits (D-128).
@example(
    end=date(2026, 4, 1),
    today=date(2026, 4, 3),
    upheld=None,
    newest=None,
    state=(Registration.WAITING, "planned"),
    is_held=False,
    is_official=False,
    asks=15,
    has_errors=False,
)
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
    tournament = make.TournamentFactory.build(
        start=end, end=end, upheld_on=reopened, registration=registration, stage=stage, **facts
    )
    lists = Lists([] if newest is None else [RatingList(kind=tournament.kind, date=newest.replace(day=1))])
    # On a registration the QC decides by the first day: the answer comes before it.
    days = -1 if registration == Registration.WAITING else asks or 0
    asked = None if asks is None else InformationRequest(due_on=end + timedelta(days=days), asked_at=NOW)
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
