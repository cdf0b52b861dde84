"""Tournaments by their next step, and read together: the filters let through all that they select from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from datetime import date
from typing import Any

import pytest
from django.db.models import Q

from ratings.lists import read_lists
from ratings.models import RatingList
from tests import make
from tests.shared import SharedRows
from tests.tournaments.cast import CAST, FIRST_LIST, TODAY
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.states import load_progress, may_be_decided, may_be_missed, may_be_played, may_be_reported
from tournaments.steps import REPORT_STEPS


@pytest.fixture(scope="module")
def whole_cast(rows_of_module: SharedRows) -> Mapping[str, Tournament]:
    with rows_of_module():
        make.rating_list(kind="rapid", date=FIRST_LIST)
        return {part.name: part.make(f"SUI-{number}") for number, part in enumerate(CAST)}


@pytest.fixture
def cast(whole_cast: Mapping[str, Tournament], db: None) -> Mapping[str, Tournament]:
    """Return the tournaments of the cast by their names."""
    return deepcopy(whole_cast)


STEPS_OF: dict[Callable[[Lists[RatingList], date], Q], set[str]] = {
    lambda _lists, day: may_be_played(day): {"play"},
    may_be_reported: set(REPORT_STEPS),
    may_be_missed: {"missed"},
    lambda _lists, day: may_be_decided(day): {"decide", "answer", "question", "request", "appeal"},
}


@pytest.mark.parametrize("day", [TODAY, date(2026, 3, 10), date(2026, 6, 1), date(2026, 7, 2)])
def test_filter_lets_through_every_tournament_in_its_steps(cast: Mapping[str, Tournament], day: date) -> None:
    lists = read_lists()
    progress = load_progress(cast.values(), lists, today=day)

    for filter_of, codes in STEPS_OF.items():
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
