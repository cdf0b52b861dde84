"""Adjusting a whole list by a formula (D-133): every rating by hand, corrections that go through it, two persons."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from core.acts import Act
from core.errors import RefusedError
from players.models import Player
from ratings.adjust import cancel, confirm, prepare, show
from ratings.late_adoption import prepare as adopt_late
from ratings.models import (
    Calculation,
    CorrectionLine,
    Judgement,
    ListAdjustment,
    ListEntry,
    ProvisionalCalculation,
    RatingList,
)
from ratings.movements import biggest_changes_of
from ratings.next_list import update_next_list
from ratings.publish.figures import figures_so_far
from ratings.publish.manifest import adjustment_taken
from ratings.systems.judgement import Source
from ratings.systems.otb.adjustment import Adjustment
from ratings.verify.verify import verify_list
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import ALL_PLAY, PLAYERS, entry_of, publish
from tests.tools.verifier import download, made_again
from tests.tools.verifier import run as run_verifier
from tests.trf_files import Event

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in (2, 3, 4, 5))
# FIDE's own of March 2024.
FORMULA = Adjustment(limit=2000, share=Fraction(2, 5))
SPREAD = (1000, 1399, 1400, 1403, 1501, 1502, 1750, 1998, 1999, 2000, 2001, 2299, 2500)


def by_hand(rating: int) -> int:
    """Return a rating by the formula of March 2024 in whole numbers: 2 x (2000 - R) / 5, halves up."""
    return rating if rating >= 2000 else rating + (4 * (2000 - rating) + 5) // 10


def adjusted(on: date, formula: Adjustment = FORMULA) -> ListAdjustment:
    """Enter an adjustment as the operator, whom nobody else could confirm."""
    return prepare(
        "rapid", on, formula, Act(None, make.noon(date(2026, 1, 20)), "Deflation"), reference="FC 2026/1"
    )


def ratings_of(rating_list: RatingList) -> dict[int, int | None]:
    rows = ListEntry.objects.filter(rating_list=rating_list).listed()
    return dict(rows.values_list("player_id", "rating"))


@pytest.fixture
def spread() -> dict[int, Player]:
    """Return players of an imported list by their ratings."""
    first = make.rating_list()
    return {
        rating: make.entry(rating_list=first, rating=rating, player__name=f"P{rating}, A").player
        for rating in SPREAD
    }


def test_d133_largest_changes_are_those_of_the_formula_too(spread: dict[int, Player], client: Client) -> None:
    players = [spread[1998], spread[1999]]
    make.play_and_rate(make.tournament(start=date(2026, 1, 10)), players, [(1, 1, 2, "1/2")])
    made = adjusted(FEBRUARY)
    february = make.publish("rapid", FEBRUARY)
    shown = client.get("/lists/rapid/2026-02-01/changes/").context
    gains = [(row.before, row.now) for row in shown["moved"].gains]
    assert gains[:2] == [(1000, by_hand(1000)), (1399, by_hand(1399))]
    assert shown["adjustment"] == made
    found = biggest_changes_of([february], shown=2)
    assert [(row.before, row.now) for _list, row in found] == gains[:2]


@pytest.mark.database
def test_d133_every_rating_of_the_list_is_that_of_the_formula(
    spread: dict[int, Player], tmp_path: Path
) -> None:
    players = [spread[rating] for rating in (1750, 1502, 2001, 2299)]
    event = make.tournament(start=date(2026, 1, 10))
    make.play_and_rate(
        event, players, [(1, 1, 2, "1-0"), (2, 3, 4, "1/2"), (3, 1, 4, "1-0"), (4, 2, 3, "0-1")]
    )
    adjusted(FEBRUARY)
    february = make.publish("rapid", FEBRUARY)

    own = {row.player_id: (row.base_rating or 0) + row.rounded_change for row in Calculation.objects.all()}
    before = {player.pk: own.get(player.pk, rating) for rating, player in spread.items()}
    # A rating of 1000 is over the floor of 1400 once it is adjusted.
    assert ratings_of(february) == {key: by_hand(rating) for key, rating in before.items()}
    assert len(own) == len(players)
    points = Judgement.objects.get(rating_list=february).figures.points
    assert points[Source.ADJUSTMENTS] == 100 * sum(by_hand(rating) - rating for rating in before.values())
    moved = sum(rating or 0 for rating in ratings_of(february).values()) - sum(spread)
    assert sum(points.values()) == 100 * moved
    assert february.manifest["adjustment"] == adjustment_taken(february)
    assert made_again(february) == []
    assert run_verifier(download(february, tmp_path)) == 0


def test_d133_next_list_starts_from_the_adjusted_ratings(spread: dict[int, Player]) -> None:
    """1750 becomes 1850; against 1850 a draw changes nothing, and the tournament that began before counts 1750."""
    adjusted(FEBRUARY)
    running = make.tournament(start=date(2026, 1, 30), end=date(2026, 2, 2))
    after = make.tournament(start=date(2026, 2, 3), end=date(2026, 2, 4))
    february = make.publish("rapid", FEBRUARY)
    pair = [spread[1750], spread[1501]]
    standing = []
    for event in (running, after):
        report = make.play_and_rate(event, pair, [(1, 1, 2, "1/2")])
        standing.append([row.start_rating for row in report.rating.participants.order_by("number")])
    march = make.publish("rapid", MARCH)

    assert standing == [[1750, 1501], [by_hand(1750), by_hand(1501)]]
    row = Calculation.objects.get(rating_list=march, player=spread[1750])
    assert row.base_rating == by_hand(1750)
    for published in (february, march):
        assert made_again(published) == []
    assert "adjustment" not in march.manifest


def test_d133_what_the_adjusted_list_shows_has_been_reached(spread: dict[int, Player]) -> None:
    """With 2600 as the limit 2299 becomes 2419: 2400 is reached, and K is 10 (D-112)."""
    adjusted(FEBRUARY, Adjustment(2600, Fraction(2, 5)))
    february = make.publish("rapid", FEBRUARY)
    entry = ListEntry.objects.get(rating_list=february, player=spread[2299])
    assert (entry.rating, entry.reached_2300, entry.reached_2400, entry.k_factor) == (2419, True, True, 10)
    assert made_again(february) == []


def test_d133_first_rating_of_the_list_is_adjusted_before_the_floor(spread: dict[int, Player]) -> None:
    newcomer = make.player(name="New, N")
    players = [newcomer, *(spread[rating] for rating in (1000, 1399, 1400, 1403, 1501))]
    event = make.tournament(start=date(2026, 1, 10))
    make.play_and_rate(
        event, players, [(number, 1, number + 1, "0-1" if number > 1 else "1/2") for number in range(1, 6)]
    )
    adjusted(FEBRUARY)
    february = make.publish("rapid", FEBRUARY)
    row = Calculation.objects.get(rating_list=february, player=newcomer)
    initial = row.value.initial.rating
    assert initial < 1400
    assert row.new_rating == by_hand(initial) == ratings_of(february)[newcomer.pk]
    assert made_again(february) == []


def test_d133_correction_of_an_earlier_list_goes_through_the_adjustment(month: Any, tmp_path: Path) -> None:
    publish("2026-02-01")
    adjusted(MARCH)
    publish("2026-03-01")
    path = tmp_path / "better.trf"
    # The win of 1002 against 1003 in round 4 was a draw.
    better = [*ALL_PLAY[:1], [*ALL_PLAY[1][:1], (5, 3, "1-0"), *ALL_PLAY[1][2:]], *ALL_PLAY[2:]]
    path.write_bytes(Event(PLAYERS, better).content())
    make.run("correct_report", month["tournament"], str(path), "--reason", "Wrong result")
    publish("2026-04-01")

    expected = {}
    for key, _name in PLAYERS:
        february, march = entry_of(key), entry_of(key, "2026-03-01")
        lines = CorrectionLine.objects.filter(player=key, corrected_list__date=FEBRUARY)
        exact = 100 * (february.rating or 0) + sum(line.difference_hundredths for line in lines)
        through = FORMULA.adjusted_hundredths(exact)
        assert march.rating == by_hand(february.rating or 0)
        gap = through - 100 * (march.rating or 0)
        expected[key] = (march.rating or 0) + (abs(gap) + 50) // 100 * (1 if gap > 0 else -1)
    assert {key: entry_of(key, "2026-04-01").rating for key, _name in PLAYERS} == expected
    moved = [key for key in expected if expected[key] != entry_of(key, "2026-03-01").rating]
    assert {1003, 1005} <= set(moved)
    for published in RatingList.objects.filter(origin="published", kind="rapid"):
        assert verify_list(published) is None
    # The lines of February and of the adjusted list add up to what April takes.
    for key in moved:
        row = Calculation.objects.get(rating_list__date=APRIL, rating_list__kind="rapid", player=key)
        lines = CorrectionLine.objects.filter(pk__in=row.found.lines)
        assert sum(line.difference_hundredths for line in lines) == row.correction_hundredths


def test_d133_correction_entered_before_or_after_the_adjustment_gives_the_same_list(
    month: Any, tmp_path: Path
) -> None:
    publish("2026-02-01")
    path = tmp_path / "better.trf"
    better = [*ALL_PLAY[:1], [*ALL_PLAY[1][:1], (5, 3, "1-0"), *ALL_PLAY[1][2:]], *ALL_PLAY[2:]]
    path.write_bytes(Event(PLAYERS, better).content())
    make.run("correct_report", month["tournament"], str(path), "--reason", "Wrong result")
    adjusted(MARCH)
    publish("2026-03-01")
    row = Calculation.objects.get(rating_list__date=MARCH, rating_list__kind="rapid", player=1003)
    assert row.new_rating == by_hand((row.base_rating or 0) + row.rounded_change)
    march = RatingList.objects.get(date=MARCH, kind="rapid")
    assert verify_list(march) is None
    # Undone, the next list gives back what the list would have been without it, through the adjustment (D-101).
    path.write_bytes(Event(PLAYERS, ALL_PLAY).content())
    make.run("correct_report", month["tournament"], str(path), "--reason", "It was right")
    publish("2026-04-01")
    without = {key: by_hand(entry_of(key).rating or 0) for key, _name in PLAYERS}
    assert {key: entry_of(key, "2026-04-01").rating for key, _name in PLAYERS} == without


def test_d132_differences_go_through_an_adjustment_in_between() -> None:
    """The list of April is adjusted: of what March would have had otherwise, 0.4 is taken off again."""
    formula = Adjustment(2100, Fraction(2, 5))
    first = make.rating_list()
    make.rating_list(kind="blitz")
    players = [
        make.entry(rating_list=first, rating=rating, k_factor=k, player__name=f"Of {rating}").player
        for rating, k in ((2700, 10), (1500, 20))
    ]
    make.publish("rapid", FEBRUARY)
    make.play_and_rate(
        make.tournament(start=date(2026, 2, 10)), players, [(1, 1, 2, "0-1"), (2, 2, 1, "1/2")]
    )
    march = make.publish("rapid", MARCH)
    prepare("rapid", APRIL, formula, Act(None, make.noon(MARCH), "R"), reference="F")
    april = make.publish("rapid", APRIL)
    low = players[1].pk
    before, adjusted_to = (
        ListEntry.objects.get(rating_list=item, player=low).rating or 0 for item in (march, april)
    )
    assert adjusted_to == formula.adjusted(before)
    decided = Act(None, make.noon(date(2026, 4, 20)), "GA decided")
    adopt_late("fide-rapid-blitz-2024-12", FEBRUARY, decided, reference="FC 2026/9", is_at_once=True)
    may = make.publish("rapid", MAY)
    # Without the games nothing of 1500 changed in March: April would have been 1500 + 0.4 x 600.
    assert ListEntry.objects.get(rating_list=may, player=low).rating == formula.adjusted(1500) == 1740
    for item in (march, april, may):
        assert made_again(item) == []


@pytest.mark.parametrize(
    ("kind", "on", "formula", "reason", "reference", "codes"),
    [
        ("standard", FEBRUARY, FORMULA, "R", "F", ["kind-imported"]),
        ("rapid", date(2026, 1, 1), FORMULA, "R", "F", ["list-published"]),
        ("rapid", date(2026, 2, 2), FORMULA, "R", "F", ["list-date-6.1"]),
        ("rapid", FEBRUARY, Adjustment(2000, Fraction(0)), "R", "F", ["share"]),
        ("rapid", FEBRUARY, Adjustment(2000, Fraction(3, 2)), "R", "F", ["share"]),
        ("rapid", FEBRUARY, Adjustment(50, Fraction(1, 2), least=60), "R", "F", ["limit", "least"]),
        ("rapid", FEBRUARY, FORMULA, " ", " ", ["reason-missing", "reference-missing"]),
    ],
)
def test_d133_adjustment_is_refused(
    kind: str, on: date, formula: Adjustment, reason: str, reference: str, codes: list[str]
) -> None:
    make.rating_list()
    with refusal() as refused:
        prepare(kind, on, formula, Act(None, make.noon(FEBRUARY), reason), reference=reference)
    assert refused.found == codes
    assert not ListAdjustment.objects.exists()


@pytest.mark.database
def test_d131_another_person_confirms_and_either_cancels_until_the_list_is_there(
    spread: dict[int, Player],
) -> None:
    one, other = (make.user(is_superuser=True) for _ in range(2))
    act = Act(one, make.noon(date(2026, 1, 20)), "Deflation")
    made = prepare("rapid", FEBRUARY, FORMULA, act, reference="FC 2026/1")
    assert made.confirmed_at is None
    with refusal() as refused:
        confirm(made, act)
    assert refused.found == ["own-matter-D-131"]
    # What nobody confirmed is no part of the list that is coming.
    assert ListAdjustment.objects.formulas("rapid") == {}
    cancel(made, Act(other, act.at, "Not yet"))
    again = prepare("rapid", FEBRUARY, FORMULA, act, reference="FC 2026/1")
    confirm(again, Act(other, act.at))
    february = make.publish("rapid", FEBRUARY)
    assert ratings_of(february)[spread[1750].pk] == 1850
    for late in (
        lambda: cancel(again, Act(other, act.at, "Too late")),
        lambda: confirm(made, Act(other, act.at)),
    ):
        with pytest.raises(RefusedError):
            late()


def test_d131_staff_alone_confirm_what_nobody_else_can(spread: dict[int, Player]) -> None:
    alone = make.user(is_superuser=True)
    act = Act(alone, make.noon(date(2026, 1, 20)), "Deflation")
    made = confirm(prepare("rapid", FEBRUARY, FORMULA, act, reference="FC 2026/1"), act)
    assert (made.is_alone, made.confirmed_by) == (True, alone)


def test_d133_list_with_an_adjustment_that_waits_has_the_bytes_of_one_without(
    spread: dict[int, Player],
) -> None:
    make.user(is_superuser=True)
    adjusted(FEBRUARY)
    february = make.publish("rapid", FEBRUARY)
    assert ratings_of(february)[spread[1750].pk] == 1750
    assert ("adjustment" in february.manifest, adjustment_taken(february)) == (False, None)
    assert made_again(february) == []


def test_d133_changed_formula_is_found_by_the_verification(spread: dict[int, Player]) -> None:
    made = adjusted(FEBRUARY)
    february = make.publish("rapid", FEBRUARY)
    ListAdjustment.objects.filter(pk=made.pk).update(limit=1990)
    assert made_again(february)[0].what == "adjustment"


def test_d133_bands_have_numbers_and_examples(spread: dict[int, Player]) -> None:
    shown = show("rapid", FEBRUARY, FORMULA)
    bands = [(band.low, band.players, band.points, band.before, band.after) for band in shown.bands]
    assert bands == [
        (1000, 1, 400, 1000, 1400),
        (1300, 1, 240, 1399, 1639),
        (1400, 2, 240 + 239, 1400, 1640),
        (1500, 2, 200 + 199, 1501, 1701),
        (1700, 1, 100, 1750, 1850),
        (1900, 1, 1, 1998, 1999),
    ]
    assert (shown.players, shown.leaving) == (8, 0)


WORDS = ("rapid", "2026-02-01", "--below", "2000", "--reason", "R", "--reference", "FC 1")


def test_d133_command_shows_enters_and_does_it_once() -> None:
    make.first_list({1001: 1500, 1002: 2100})
    words = [*WORDS, "--share", "0.4"]
    shown = make.run("adjust_list", *words, "--dry-run")
    assert (shown["entered"], shown["players"], shown["points"]) == (False, 1, 200)
    assert not ListAdjustment.objects.exists()
    for _time in range(2):
        done = make.run("adjust_list", *words)
        assert (done["entered"], done["confirmed"]) == (True, True)
    assert ListAdjustment.objects.get().is_alone
    publish("2026-02-01")
    assert (entry_of(1001).rating, entry_of(1002).rating) == (1700, 2100)
    assert make.run("adjust_list", *words)["confirmed"]
    assert ListAdjustment.objects.count() == 1


def test_d131_command_waits_for_the_second_person_where_there_is_one() -> None:
    make.first_list({1001: 1500})
    make.user(is_superuser=True, email="second@fide.example")
    words = [*WORDS, "--share", "2/5"]
    assert make.run("adjust_list", *words)["confirmed"] is False
    assert make.run("adjust_list", *words, "--confirmed-by", "Second@fide.example")["confirmed"] is True
    made = ListAdjustment.objects.get()
    assert (made.is_alone, made.confirmed_by.email) == (False, "second@fide.example")


def test_d133_next_list_so_far_shows_the_adjustment(spread: dict[int, Player]) -> None:
    players = [spread[1750], spread[1502]]
    make.play_and_rate(make.tournament(start=date(2026, 1, 10)), players, [(1, 1, 2, "1/2")])
    update_next_list("rapid", at=make.noon(date(2026, 1, 15)))
    before = dict(ProvisionalCalculation.objects.values_list("player_id", "new_rating"))
    figures = figures_so_far(FEBRUARY, {})["rapid"]
    made = adjusted(FEBRUARY)
    assert update_next_list("rapid", at=make.noon(date(2026, 1, 16)))
    after = dict(ProvisionalCalculation.objects.values_list("player_id", "new_rating"))
    assert after == {key: by_hand(rating or 0) for key, rating in before.items()}
    # It stops no list: it has a reason of its own (D-134).
    assert figures_so_far(FEBRUARY, {})["rapid"].whole.size == figures.whole.size
    cancel(made, Act(None, make.noon(date(2026, 1, 17)), "Not yet"))
    assert update_next_list("rapid", at=make.noon(date(2026, 1, 17)))
    assert dict(ProvisionalCalculation.objects.values_list("player_id", "new_rating")) == before
