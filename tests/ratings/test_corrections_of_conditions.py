"""Wrong conditions are corrected by staff after acceptance or publication, the effect first (D-82, D-11)."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from players.models import LogEntry
from ratings.amend.effect import Effect
from ratings.list_files import EVIDENCE
from ratings.models import Correction, ParticipantRating, RatingList
from ratings.rate import rated_contents
from ratings.verify.verify import verify_list
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import ALL_PLAY, PLAYERS, entry_of, perform_due, publish, told
from tests.trf_files import Event
from tournaments.amendments import Condition
from tournaments.changed_meanwhile import seen_of
from tournaments.conditions import Conditions
from tournaments.lookups import Lookups
from tournaments.models import Report, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

LATER = date(2026, 2, 10)
UNEQUAL = {"has_unequal_times": True}


def correct(values: dict[str, Any], **options: Any) -> Effect:
    tournament = Tournament.objects.get()
    told = {
        "reason": "The regulations say so.",
        "by": make.person("staff"),
        "on": LATER,
        "at": timezone.now(),
    } | options
    effect = make.correct_conditions(tournament, wanted(tournament, **values), **told)
    perform_due()
    return effect


def wanted(tournament: Tournament, **values: Any) -> Conditions:
    """Return the registration of a tournament with some other conditions."""
    others = {"federation_code", "chief_id", "deputy_ids", "late_reason", "is_another", "is_year_ahead"}
    names = {field.name for field in fields(Conditions)} - others
    kept = {name: getattr(tournament, name) for name in names}
    return Conditions(**kept | {"federation_code": tournament.federation_id} | values)


def sums() -> list[int]:
    rows = ParticipantRating.objects.filter(tournament_rating__report__state="accepted")
    return list(rows.order_by("number").values_list("games", flat=True))


def test_d_82_a_version_is_rated_by_its_own_conditions_whatever_the_tournament_has_now(month: Any) -> None:
    """Rating type, first day and unequal times of the version decide the lists in force, the text and the games."""
    report = Report.objects.get()
    [before] = rated_contents([report], Lookups())
    report.former_conditions = {"kind": "rapid", "start": "2026-01-10", "has_unequal_times": False}
    tournament = report.tournament
    tournament.kind, tournament.start, tournament.has_unequal_times = "blitz", date(2025, 1, 10), True
    assert rated_contents([report], Lookups()) == [before]
    report.former_conditions = None
    [after] = rated_contents([report], Lookups())
    assert (after.basis.own_list, after.basis.start, after.counted_games) == (None, date(2025, 1, 10), 0)


def test_d_82_before_publication_it_is_rated_anew(month: Any) -> None:
    before = sums()

    shown = correct(UNEQUAL, is_dry_run=True)
    assert (Tournament.objects.get().has_unequal_times, sums()) == (False, before)
    done = correct(UNEQUAL)

    assert (shown.players, shown.is_published) == (done.players, False)
    assert [(one.before.games, one.after.games) for one in done.players] == [
        (number, 0) for number in before if number
    ]
    assert sums() == [0] * len(before)
    step = LogEntry.objects.filter(action="change").get()
    assert step.changes == [{"field": "has_unequal_times", "before": False, "after": True}]
    publish("2026-02-01")
    assert entry_of(1001).rating == 2000
    assert make.run("verify_list", "rapid", "2026-02-01")["verified"] is True


def test_d_82_after_publication_the_next_list_takes_the_difference(month: Any) -> None:
    publish("2026-02-01")
    published = entry_of(1001).rating
    february = RatingList.objects.get(kind="rapid", date="2026-02-01")
    evidence = february.manifest["evidence"]

    shown = correct(UNEQUAL, is_dry_run=True)
    assert (Correction.objects.count(), Report.objects.count()) == (0, 1)
    done = correct(UNEQUAL)
    assert (told(shown), shown.changes) == (told(done), done.changes)
    publish("2026-03-01")

    assert (published, entry_of(1001, "2026-03-01").rating) != (2000, published)
    assert entry_of(1001, "2026-03-01").rating == 2000
    assert Correction.objects.get().amendments == [Condition("has_unequal_times", False, True)]
    # The old list stands on the conditions by which it was calculated, its evidence too.
    assert [verify_list(item) for item in RatingList.objects.filter(date__gte="2026-02-01")] == [None] * 2
    assert evidence["name"].endswith(EVIDENCE)


def test_d_82_corrected_and_corrected_back_leaves_nothing(month: Any) -> None:
    publish("2026-02-01")
    correct({"is_match": True, "games_per_match": 5})
    correct({"is_match": False, "games_per_match": None})
    publish("2026-03-01")

    for player in range(1001, 1006):
        assert entry_of(player, "2026-03-01").rating == entry_of(player).rating
    assert [verify_list(item) for item in RatingList.objects.filter(date__gte="2026-02-01")] == [None] * 2


@pytest.mark.parametrize("is_published", [False, True])
def test_d_82_last_day_is_corrected_with_a_report_that_agrees(month: Any, is_published: bool) -> None:
    if is_published:
        publish("2026-02-01")
    content = Event(PLAYERS, ALL_PLAY, end="2026/01/12").content()

    effect = correct({"end": date(2026, 1, 12)}, content=content, file_name="b.trf")
    if not is_published:
        publish("2026-02-01")
    publish("2026-03-01")

    assert not [line for line in effect.lines if line.difference_hundredths]
    assert len(effect.players) == len(effect.lines)
    assert Report.objects.filter(state="accepted").values_list("tournament__end", "version").get() == (
        date(2026, 1, 12),
        2,
    )
    assert [verify_list(item) for item in RatingList.objects.filter(date__gte="2026-02-01")] == [None] * 2


WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, "nothing-changes"),
    ({"kind": "blitz"}, "kind-1.1"),
    ({"games_per_match": 4}, "games-without-match-5"),
    ({"end": date(2026, 1, 9)}, "end-before-start"),
    ({"is_match": True, "match_waiver": "W 1", "match_waiver_on": LATER}, "waiver-late-D-80"),
    ({"is_hybrid": True}, "hybrid-pgn-8.4"),
    ({"end": date(2026, 1, 20)}, "event-days"),
]


@pytest.mark.parametrize("is_published", [False, True])
def test_d_82_what_stands_against_it_is_said(month: Any, is_published: bool) -> None:
    if is_published:
        make.run("publish_lists", "2026-02-01")
    before = Tournament.objects.values().get()
    for values, code in WRONG:
        with refusal() as refused:
            correct(values)
        assert code in refused.found, values
    assert Tournament.objects.values().get() == before


def test_d_82_staff_alone_correct_and_see_what_a_colleague_did(month: Any) -> None:
    seen = seen_of(Tournament.objects.get())
    officer = make.person("officer", Tournament.objects.get().federation)
    for options, code in (({"by": officer}, "staff-only"), ({"reason": " "}, "reason-missing")):
        with refusal() as refused:
            correct(UNEQUAL, **options)
        assert refused.found == [code]
    correct(UNEQUAL, seen=seen)
    with refusal() as outdated:
        correct({"has_unequal_times": False}, seen=seen)
    assert outdated.found == ["changed-meanwhile"]
