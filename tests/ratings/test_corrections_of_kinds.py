"""A tournament on the list of the wrong kind is taken from it and added to the other one by the next lists (D-82)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from core.errors import RefusedError
from ratings.amend.effect import Effect
from ratings.models import Correction, CorrectionLine, ListEntry, PoolEvent
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, told
from tests.ratings.test_corrections_of_conditions import wanted
from tests.tools.verifier import assert_verified
from tests.trf_files import Event
from tournaments.models import Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

FEBRUARY, MARCH, APRIL = date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)
LATER = date(2026, 2, 10)
RAPID = {"kind": "rapid", "base_seconds": 900, "increment_seconds": 10, "time_control_text": ""}
BLITZ = {"kind": "blitz", "base_seconds": 300, "increment_seconds": 2, "time_control_text": ""}
IN_BLITZ = {1001: 1950, 1002: 1850, 1003: 1750, 1004: 1650, 1005: 1550}
FIELDS = (
    "rating_list__kind", "player", "status", "rating", "k_factor", "completed_games", "reached_2300",
    "reached_2400", "last_played", "is_inactive",
)  # fmt: skip


@pytest.fixture
def first_lists() -> None:
    make.first_list(FIRST)
    make.first_list(IN_BLITZ, kind="blitz")


@pytest.fixture
def staff(db: None) -> Any:
    return make.person("staff")


def correct(values: dict[str, Any], **options: Any) -> Effect:
    tournament = Tournament.objects.get()
    told = {
        "reason": "The regulations say so.",
        "by": make.person("staff"),
        "on": LATER,
        "at": make.noon(LATER),
    } | options
    return make.correct_conditions(tournament, wanted(tournament, **values), **told)


def publish_both(on: date) -> None:
    for kind in ("rapid", "blitz"):
        make.publish(kind, on)


def held(on: date) -> set[Any]:
    """Return what both lists of a month and the pools hold of everybody."""
    entries = ListEntry.objects.filter(rating_list__date=on, rating_list__kind__in=("rapid", "blitz"))
    pools = PoolEvent.objects.filter(closed_by=None).select_related("participant_rating")
    rows = {(row.kind, row.player_id, row.sums, row.is_disregarded) for row in pools}
    return set(entries.order_by().values_list(*FIELDS)) | rows


def as_if_always(kind: dict[str, Any], event: Event) -> set[Any]:
    """Return what March would hold had the event been of this kind from the beginning."""
    control = "15+10" if kind is RAPID else "5+2"
    with transaction.atomic():
        make.submit(event, "--kind", kind["kind"], "--time-control", control)
        for day in (FEBRUARY, MARCH):
            publish_both(day)
        found = held(MARCH)
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("rounds", [len(ALL_PLAY), 3])
def test_d_82_kind_is_corrected_on_both_lists(first_lists: None, rounds: int) -> None:
    """With five games the unrated player gets a first rating, with three a pool."""
    event = Event(PLAYERS, ALL_PLAY[:rounds])
    expected = as_if_always(BLITZ, event)
    make.submit(event)
    publish_both(FEBRUARY)

    shown = correct(BLITZ, is_dry_run=True)
    assert (Correction.objects.count(), Tournament.objects.get().kind) == (0, "rapid")
    done = correct(BLITZ)
    publish_both(MARCH)

    assert (told(shown), shown.changes) == (told(done), done.changes)
    assert {change["field"]: change["after"] for change in done.changes} == BLITZ
    players: dict[str, list[int]] = {"rapid": [], "blitz": []}
    for line in done.lines:
        players[line.corrected_list.kind].append(line.player_id)
    assert players == {kind: [player for player, _name in PLAYERS] for kind in ("rapid", "blitz")}
    assert {line.corrected_list.date for line in done.lines} == {FEBRUARY}
    assert held(MARCH) == expected
    taken = CorrectionLine.objects.values_list("corrected_list__kind", "taken_by__kind", "taken_by__date")
    assert set(taken) == {("rapid", "rapid", MARCH), ("blitz", "blitz", MARCH)}
    assert_verified()


@pytest.mark.parametrize(("rounds", "is_at_once"), [(len(ALL_PLAY), False), (3, True)])
def test_d_82_kind_corrected_and_corrected_back_leaves_nothing(
    first_lists: None, rounds: int, is_at_once: bool
) -> None:
    event = Event(PLAYERS, ALL_PLAY[:rounds])
    make.submit(event)
    publish_both(FEBRUARY)
    with transaction.atomic():
        publish_both(MARCH)
        publish_both(APRIL)
        expected = held(APRIL)
        transaction.set_rollback(True)

    correct(BLITZ)
    if not is_at_once:
        publish_both(MARCH)
    later = date(2026, 3, 10)
    correct(RAPID, on=later, at=make.noon(later))
    if is_at_once:
        publish_both(MARCH)
    publish_both(APRIL)

    assert held(APRIL) == expected
    assert_verified()


def test_d_82_event_of_the_other_kind_is_corrected_like_any(first_lists: None) -> None:
    """After its kind it gets other results, is withdrawn and comes back: always on the lists of its kind."""
    event, other = Event(PLAYERS, ALL_PLAY), Event(PLAYERS, [[(1, 6, "0-1")], *ALL_PLAY[1:]])
    expected = as_if_always(BLITZ, other)
    make.submit(event)
    publish_both(FEBRUARY)
    correct(BLITZ)

    told: dict[str, Any] = {"file_name": "b.trf", "by": None, "on": LATER, "at": make.noon(LATER)}
    for content in (None, other.content()):
        make.correct_report(Tournament.objects.get(), content, reason="Checked.", **told)
    publish_both(MARCH)

    assert held(MARCH) == expected
    assert_verified()


def test_d_82_kind_needs_a_list_of_the_same_month(first_lists: None) -> None:
    make.submit(Event(PLAYERS, ALL_PLAY))
    make.publish("rapid", FEBRUARY)

    with pytest.raises(RefusedError) as refused:
        correct(BLITZ)

    assert [(item.code, item.field) for item in refused.value.refusals] == [("list-missing-D-82", "kind")]
    assert (Tournament.objects.get().kind, Report.objects.count()) == ("rapid", 1)


def test_d_104_correction_by_an_outdated_kind_is_refused(first_lists: None, staff: Any) -> None:
    make.submit(Event(PLAYERS, ALL_PLAY))
    publish_both(FEBRUARY)
    outdated = Tournament.objects.get()
    correct(BLITZ)

    with refusal() as refused:
        make.correct_report(outdated, None, reason="Late.", on=LATER, at=timezone.now())
    assert refused.found == ["changed-meanwhile"]
