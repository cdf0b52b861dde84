"""Many reports in one call: what each of them leaves is what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from ratings.choices import RunState, Work
from ratings.models import ParticipantRating, RatingList, Run, TournamentRating
from ratings.services.rating import rate_report
from ratings.services.runs import sweep, working_in_groups
from ratings.services.submission import Submission, Submitted, Terms, submit_all
from tests.factories import noon
from tests.ratings.services.alphaville import ALL_PLAY, FIRST, PLAYERS
from tests.trf_files import Event
from tournaments.models import Report

ON = date(2026, 1, 20)
FIELDS = (
    *("participant__report__sha256", "number", "player_id", "start_status", "start_rating", "start_k"),
    *("games", "half_points", "opponents_sum", "change_hundredths", "outcomes"),
)
EVENTS = [
    Event(PLAYERS, ALL_PLAY[:3], name="First Open").content(),
    b"nothing that could be read",
    Event(PLAYERS[:4], ALL_PLAY[3:4], name="Second Open").content(),
    Event(PLAYERS, ALL_PLAY[:3], name="First Open").content(),
]


def handed_in(content: bytes) -> Submitted:
    terms = Terms(
        kind="rapid",
        base_seconds=900,
        increment_seconds=10,
        federation_code="SUI",
        registered_on=date(2026, 1, 5),
        submitted_on=ON,
    )
    return Submitted(content, terms, "report.trf")


def together() -> list[Submission]:
    return list(submit_all([handed_in(content) for content in EVENTS], at=noon(ON)))


def stored() -> list[Any]:
    return list(
        ParticipantRating.objects.order_by("tournament_rating__report", "number").values_list(*FIELDS)
    )


@pytest.mark.django_db(transaction=True)
def test_reports_submitted_together_are_rated_as_each_alone(first_list: Callable[..., RatingList]) -> None:
    first_list(FIRST)
    submissions = together()
    assert [item.is_accepted for item in submissions] == [True, False, True, True]
    assert [item.list_date for item in submissions if item.is_accepted] == [date(2026, 2, 1)] * 3
    assert set(Run.objects.values_list("state", "attempts")) == {(RunState.DONE, 1)}
    by_the_group = stored()
    assert len(by_the_group) == 10
    TournamentRating.objects.all().delete()
    for report in Report.objects.all():
        rate_report(report, at=noon(ON))
    assert stored() == by_the_group


@pytest.mark.django_db(transaction=True)
def test_group_that_cannot_be_rated_is_rated_one_by_one(first_list: Callable[..., RatingList]) -> None:
    """A run that names no report holds nobody up: the others are rated all the same."""
    first_list(FIRST)
    together()
    TournamentRating.objects.all().delete()
    Run.objects.update(state=RunState.DUE)
    Run.objects.create(work=Work.RATE, subject="not a report", created_at=noon(ON))
    with pytest.raises(ValueError, match="not a report"), working_in_groups(noon(ON)):
        sweep(at=noon(ON) + timedelta(minutes=2))
    assert TournamentRating.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_group_that_fails_leaves_what_came_before_the_fault(first_list: Callable[..., RatingList]) -> None:
    """One that cannot even be read ends the call, as if each had been submitted alone."""
    first_list(FIRST)
    broken = Submitted(None, handed_in(EVENTS[0]).terms, "report.trf")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        list(submit_all([handed_in(EVENTS[0]), broken, handed_in(EVENTS[2])], at=noon(ON)))
    assert [report.tournament.name for report in Report.objects.all()] == ["First Open"]
    assert TournamentRating.objects.count() == 1
