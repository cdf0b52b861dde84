"""Undoing gives back (D-101), and what follows from an order comes out of the corrected order (D-102)."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from arenas.models import Arena
from core.acts import Act
from players.choices import Role
from players.models import Player
from ratings.late_adoption import cancel, prepare
from ratings.models import Calculation, CorrectionLine, ListEntry, PoolEvent, RatingList
from tests import make
from tests.arenas.played import enrol, ratings
from tests.ratings.alphaville import FIRST, PLAYERS, entry_of, publish
from tests.ratings.list_files import Listed, text_list, written
from tests.tools import verifier
from tests.tools.verifier import assert_verified
from tests.trf_files import Event
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

NEWCOMER = 1006
FEBRUARY, MARCH, APRIL, MAY, JUNE = (f"2026-{month:02}-01" for month in range(2, 7))


@pytest.fixture(autouse=True)
def _first_lists() -> None:
    make.first_list({**FIRST, 1007: 1410, 1008: None, 1009: (2700, 10)})


def world(month: int, name: str, results: str, *, first: int = NEWCOMER, day: int = 10) -> Event:
    """Play an event of a month: the first player against the others, one game a round."""
    event = event_of(month, name, results, first=first, day=day)
    make.submit(event, registered=f"2026-{month:02}-01", submitted=f"2026-{month:02}-20")
    return event


def event_of(month: int, name: str, results: str, *, first: int = NEWCOMER, day: int = 10) -> Event:
    """Return an event in which a player has these results (+ = -) against 1001, 1002 and so on.

    With Black in each second month, so that the games are others than those before (D-129).
    """
    players = [(first, f"Player, P{first}"), *PLAYERS[: len(results)]]
    numbers = range(2, len(results) + 2)
    if month % 2:
        codes = {"+": "1-0", "=": "1/2", "-": "0-1"}
        rounds = [[(1, number, codes[result])] for number, result in zip(numbers, results, strict=True)]
    else:
        codes = {"+": "0-1", "=": "1/2", "-": "1-0"}
        rounds = [[(number, 1, codes[result])] for number, result in zip(numbers, results, strict=True)]
    played = f"2026/{month:02}/{day:02}"
    return Event(players, rounds, name=name, start=played, end=played)


def correct(name: str, event: Event | None, on: str) -> Any:
    day = date.fromisoformat(on)
    return make.correct_report(
        Tournament.objects.get(name=name), event.content() if event else None, reason="Tried out.", on=day
    )


def entry(fide_id: int, on: str) -> ListEntry | None:
    found = ListEntry.objects.filter(player=fide_id, rating_list__kind="rapid", rating_list__date=on)
    return found.first()


def held(fide_id: int, on: str) -> tuple[Any, ...] | None:
    found = entry(fide_id, on)
    if found is None:
        return None
    return found.status, found.rating, found.completed_games, found.k_factor, found.last_played


def pooled(fide_id: int) -> dict[str, tuple[int, bool]]:
    rows = PoolEvent.objects.filter(player=fide_id, closed_by=None).select_related(
        "tournament", "participant_rating"
    )
    return {row.tournament.name: (row.sums[1], row.is_disregarded) for row in rows}


def test_d_101_first_rating_that_was_lost_comes_back_with_all_later_months() -> None:
    """3.5 of 5 against 1800 on average: 1902. Two losses in March at K 40 against 2000 and 1900, PD .37 and .50.

    40 x (-.87) = -34.80, so 1867 with 7 games; withdrawn in April, restored in May.
    """
    first = world(1, "First", "=+=+=")
    publish(FEBRUARY)
    world(2, "Second", "--")
    publish(MARCH)
    was = held(NEWCOMER, MARCH)
    assert was == ("listed", 1867, 7, 40, date(2026, 3, 1))
    correct("First", None, "2026-03-10")
    publish(APRIL)
    assert entry(NEWCOMER, APRIL) is None
    assert pooled(NEWCOMER) == {"Second": (0, True)}
    correct("First", first, "2026-04-10")
    publish(MAY)
    assert held(NEWCOMER, MAY) == was
    assert_verified()


def test_d_101_rating_by_the_standard_one_in_between_gives_way_to_the_first_rating() -> None:
    """Two draws in between by the standard rating 1700, K 40, PD .15 and .24: 24.40, so 1724; restored 1902 + 24."""
    first = world(1, "First", "=+=+=")
    publish(FEBRUARY)
    make.first_list({NEWCOMER: 1700}, kind="standard", on=date(2026, 2, 1))
    correct("First", None, "2026-02-10")
    publish(MARCH)
    assert entry(NEWCOMER, MARCH) is None
    world(3, "Second", "==")
    publish(APRIL)
    assert held(NEWCOMER, APRIL) == ("listed", 1724, 2, 40, date(2026, 4, 1))
    correct("First", first, "2026-04-10")
    publish(MAY)
    assert held(NEWCOMER, MAY) == ("listed", 1926, 7, 40, date(2026, 4, 1))
    assert_verified()


def test_d_101_rating_that_a_correction_brought_under_the_floor_comes_back() -> None:
    """1410 draws with 2000: 20 x .42 = 8.40, so 1418. Five losses instead bring it under 1400."""
    draw = world(1, "First", "=", first=1007)
    publish(FEBRUARY)
    was = held(1007, FEBRUARY)
    assert was == ("listed", 1418, 31, 20, date(2026, 2, 1))
    correct("First", event_of(1, "First", "-----", first=1007), "2026-02-10")
    publish(MARCH)
    assert entry(1007, MARCH) is None
    correct("First", draw, "2026-03-10")
    publish(APRIL)
    assert held(1007, APRIL) == was
    assert_verified()


def test_d_102_first_event_corrected_to_zero_is_disregarded() -> None:
    """Half a point of three, then two of two: with 0 of 3 only two games are left in the pool."""
    world(1, "First", "--=")
    publish(FEBRUARY)
    correct("First", event_of(1, "First", "---"), "2026-02-05")
    world(2, "Second", "++")
    publish(MARCH)
    assert entry(NEWCOMER, MARCH) is None
    assert pooled(NEWCOMER) == {"First": (0, True), "Second": (2, False)}
    assert_verified()


def test_d_102_withdrawn_first_event_makes_the_next_one_the_first() -> None:
    """The second event, 0 of 2, becomes the first: of the three later games alone there is no rating."""
    world(1, "First", "--=")
    publish(FEBRUARY)
    correct("First", None, "2026-02-05")
    world(2, "Second", "--")
    world(2, "Third", "===", day=11)
    publish(MARCH)
    assert entry(NEWCOMER, MARCH) is None
    assert pooled(NEWCOMER) == {"Second": (0, True), "Third": (3, False)}
    assert_verified()


def test_d_102_corrected_order_decides_which_game_makes_the_fifth() -> None:
    """Three games and two make a first rating on the first list; without the two, the third event makes it five."""
    world(1, "First", "===")
    two = world(1, "Second", "++")
    publish(FEBRUARY)
    world(2, "Third", "==")
    publish(MARCH)
    was = held(NEWCOMER, MARCH)
    correct("Second", None, "2026-03-10")
    publish(APRIL)
    # Opponents 2000, 1900, 1800, 2000, 1900 and 2 x 1800: 13200 / 7 = 1885.71, p .50.
    assert held(NEWCOMER, APRIL) == ("listed", 1886, 5, 40, date(2026, 3, 1))
    correct("Second", two, "2026-04-10")
    publish(MAY)
    assert held(NEWCOMER, MAY) == was
    assert_verified()


def test_d_102_withdrawn_game_keeps_nobody_active() -> None:
    event = world(1, "First", "==", first=1004)
    publish(FEBRUARY)
    assert [held(fide_id, FEBRUARY)[-1] for fide_id in (1001, 1004)] == [date(2026, 2, 1)] * 2  # type: ignore[index]
    correct("First", None, "2026-02-10")
    publish(MARCH)
    assert [held(fide_id, MARCH)[1:] for fide_id in (1001, 1004)] == [  # type: ignore[index]
        (2000, 30, 20, date(2026, 1, 1)),
        (1700, 30, 20, date(2026, 1, 1)),
    ]
    correct("First", event, "2026-03-10")
    publish(APRIL)
    assert held(1004, APRIL) == held(1004, FEBRUARY)
    assert_verified()


def test_d_102_event_restored_after_its_pool_was_merged_makes_the_first_rating() -> None:
    """Two games under one ID, three under the other, all drawn: 13200 / 7 = 1885.71, p .50, at once."""
    two = world(1, "Two", "==")
    world(1, "Three", "===", first=1008)
    publish(FEBRUARY)
    correct("Two", None, "2026-02-10")
    publish(MARCH)
    staff = make.user()
    make.appointment(user=staff, role=Role.STAFF, federation=None)
    old, new = Player.objects.get(pk=1008), Player.objects.get(pk=NEWCOMER)
    make.merge_by_two(old, into=new, reason="One person.", by=staff, at=make.noon(date(2026, 3, 10)))
    publish(APRIL)
    assert pooled(NEWCOMER) == {"Three": (3, False)}
    correct("Two", two, "2026-04-10")
    publish(MAY)
    assert (held(NEWCOMER, MAY) or ())[:4] == ("listed", 1886, 5, 40)
    assert pooled(NEWCOMER) == {}
    assert_verified()


def test_d_102_games_under_an_id_whose_rating_was_dropped_follow_their_corrections(tmp_path: Path) -> None:
    """Both IDs are rated: the rating of the one stays, with the five games of the other as long as they stand."""
    event = world(1, "Twin", "=+=+=", first=1008)
    publish(FEBRUARY)
    staff = make.person(Role.STAFF)
    old, new = Player.objects.get(pk=1008), Player.objects.get(pk=1007)
    make.merge_by_two(old, into=new, reason="One person.", by=staff, at=make.noon(date(2026, 2, 10)))
    publish(MARCH)
    was = held(1007, MARCH)
    assert was == ("listed", 1410, 35, 20, date(2026, 2, 1))
    correct("Twin", None, "2026-03-10")
    publish(APRIL)
    assert held(1007, APRIL) == ("listed", 1410, 30, 20, date(2026, 1, 1))
    correct("Twin", event, "2026-04-10")
    publish(MAY)
    assert held(1007, MAY) == was
    assert_verified()
    may = RatingList.objects.get(kind="rapid", date=MAY)
    assert verifier.run(verifier.download(may, tmp_path)) == 0


def test_d_73_adopted_list_stands_whatever_corrections_wait(tmp_path: Path) -> None:
    """Who is on FIDE's list keeps its rating and games.

    The pool of somebody who is not on it is corrected all the same.
    """
    world(1, "First", "=", first=1004)
    world(1, "Pooled", "--=")
    world(1, "Rated", "=+=+=", first=1008)
    publish(FEBRUARY)
    correct("First", None, "2026-02-10")
    correct("Pooled", event_of(1, "Pooled", "---"), "2026-02-10")
    correct("Rated", None, "2026-02-10")
    fide = {fide_id: rating for fide_id, rating in FIRST.items() if rating} | {1004: 1750, 1008: 1880}
    listed = [
        Listed(fide_id, f"Player, P{fide_id}", rapid=(rating, 0, 20)) for fide_id, rating in fide.items()
    ]
    path = written(tmp_path / "list.txt", text_list(*listed))
    make.run("import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council, 12/2026")
    publish(MARCH)
    adopted = {fide_id: held(fide_id, MARCH) for fide_id in (1001, 1004, 1008)}
    publish(APRIL)
    assert {fide_id: held(fide_id, APRIL) for fide_id in adopted} == adopted
    assert entry(NEWCOMER, APRIL) is None
    assert pooled(NEWCOMER) == {"Pooled": (0, True)}
    assert_verified()
    april = RatingList.objects.get(kind="rapid", date=APRIL)
    assert verifier.run(verifier.download(april, tmp_path)) == 0
    calculation = Client().get(f"/players/1004/rapid/{APRIL}/").context["it"]
    assert (calculation.is_after_import, calculation.rating_before) == (True, 1750)


@pytest.mark.parametrize("is_adopted_first", [False, True])
def test_d_142_correction_before_an_adopted_list_adds_nothing_whichever_came_first(
    foa: Arena, tmp_path: Path, is_adopted_first: bool
) -> None:
    world(1, "First", "=", first=1004)
    publish(FEBRUARY)
    enrol(foa, "member", fide_id=1004, joined="2026-02-05")
    given = ratings(foa, "rapid")
    listed = [
        Listed(key, f"Player, P{key}", rapid=(rating, 0, 20)) for key, rating in FIRST.items() if rating
    ]
    path = written(tmp_path / "list.txt", text_list(*listed))
    adopt = ("--date", MARCH, "--kind", "rapid", "--adopt", "Council, 12/2026")
    if is_adopted_first:
        make.run("import_fide_list", path, *adopt)
    correct("First", None, "2026-02-10")
    if not is_adopted_first:
        make.run("import_fide_list", path, *adopt)
    publish(MARCH, APRIL)
    assert ratings(foa, "rapid") == given
    assert not Calculation.objects.filter(rating_list__date=APRIL).exists()
    assert not CorrectionLine.objects.filter(taken_by=None).exists()


@pytest.mark.parametrize("is_corrected_first", [False, True])
def test_d_142_correction_of_one_who_is_excluded_outlives_an_adopted_list(
    tmp_path: Path, is_corrected_first: bool
) -> None:
    """FIDE's list does not have 1004: the win instead of the draw, 10 points, is there on the list of return (9.1)."""
    make.federation(code="FRA")
    Player.objects.filter(pk=1004).update(federation="FRA")
    world(1, "First", "=", first=1004)
    publish(FEBRUARY)
    make.run("mark_federation", "FRA", "--excluded-from", "2026-02-05", "--until", "2026-04-15")
    won = event_of(1, "First", "+", first=1004)
    if is_corrected_first:
        correct("First", won, "2026-02-10")
    others = {key: rating for key, rating in FIRST.items() if rating and key != 1004}
    listed = [Listed(key, f"Player, P{key}", rapid=(rating, 0, 20)) for key, rating in others.items()]
    path = written(tmp_path / "list.txt", text_list(*listed))
    make.run("import_fide_list", path, "--date", MARCH, "--kind", "rapid", "--adopt", "Council, 12/2026")
    if not is_corrected_first:
        correct("First", won, "2026-02-10")
    publish(APRIL, MAY)
    found = [held(1004, month) or () for month in (MARCH, MAY)]
    assert [one[:2] for one in found] == [("withheld", 1707), ("listed", 1717)]
    assert_verified()


@pytest.mark.parametrize("is_adopted", [False, True])
def test_d_132_text_adopted_late_and_cancelled_leaves_what_was_corrected_before(is_adopted: bool) -> None:
    """2700 drew with 2000 and lost by the corrected report: K 10, PD .92, 4.20 and 9.20; not rated by the text."""
    world(1, "First", "=", first=1009)
    publish(FEBRUARY)
    correct("First", event_of(1, "First", "-", first=1009), "2026-02-05")
    if is_adopted:
        act = Act(None, make.noon(date(2026, 2, 10)), "GA decided")
        text = "fide-rapid-blitz-2024-12"
        cancel(prepare(text, date(2026, 1, 1), act, reference="FC 2026/9", is_at_once=True), act)
    publish(MARCH)
    assert [entry_of(1009, month).rating for month in (FEBRUARY, MARCH)] == [2696, 2691]
    assert_verified()


def test_d_74_death_undone_gives_back_the_rating_and_the_results_in_between() -> None:
    """1700 draws with 2000, PD .15: 20 x .35 = 7 that February could not count."""
    world(1, "First", "=", first=1004)
    make.run("mark_player", "1004", "--died-on", "2026-01-25")
    publish(FEBRUARY, MARCH)
    assert (held(1004, FEBRUARY) or [""])[0] == "deceased"
    assert entry(1004, MARCH) is None
    shown = make.run("mark_player", "1004", "--not-dead", "--reason", "A namesake.", "--dry-run")
    assert Player.objects.get(pk=1004).died_on is not None
    done = make.run("mark_player", "1004", "--not-dead", "--reason", "A namesake.")
    assert done["lines"] == shown["lines"]
    publish(APRIL)
    assert held(1004, APRIL) == ("listed", 1707, 31, 20, date(2026, 2, 1))
    assert Calculation.objects.get(player=1004, rating_list__date=APRIL).change_hundredths == 0
    assert_verified()


def test_d_74_death_of_one_who_played_on_no_list_is_undone_after_any_number_of_lists() -> None:
    """The rating comes from an imported list alone."""
    make.run("mark_player", "1007", "--died-on", "2026-01-25")
    for month in (FEBRUARY, MARCH, APRIL):
        publish(month)
    assert [(held(1007, month) or [""])[0] for month in (FEBRUARY, MARCH, APRIL)] == ["deceased", "", ""]
    make.run("mark_player", "1007", "--not-dead", "--reason", "A namesake.")
    publish(MAY)
    assert held(1007, MAY) == ("listed", 1410, 30, 20, date(2026, 1, 1))
    assert_verified()


@pytest.mark.parametrize("day", ["2062-01-01", "1062-01-01", "1979-12-31"])
def test_d_74_day_of_death_lies_between_birth_and_today(day: str) -> None:
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("mark_player", "1004", "--died-on", day)
    assert refused.value.args[0]["codes"] == ["death-D-74"]
    assert Player.objects.get(pk=1004).died_on is None


def test_d_74_undoing_a_death_needs_a_reason() -> None:
    make.run("mark_player", "1004", "--died-on", "2026-01-25")
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("mark_player", "1004", "--not-dead")
    assert refused.value.args[0]["codes"] == ["reason-missing"]


def test_d_103_arena_leaves_the_correction_of_an_initial_rating(foa: Arena) -> None:
    """1902 by 3.5 of 5 becomes 1800 by 2.5; the loss in the month after, 40 x (-.36) = -14.40, is a change."""
    world(1, "First", "=+=+=")
    publish(FEBRUARY)
    enrol(foa, "newcomer", fide_id=NEWCOMER, joined="2026-02-05")
    second = world(2, "Second", "-")
    publish(MARCH)
    assert ratings(foa, "rapid")["newcomer"] == "1887.20"
    correct("First", event_of(1, "First", "====="), "2026-03-10")
    correct("Second", None, "2026-03-11")
    publish(APRIL)
    assert ratings(foa, "rapid")["newcomer"] == "1902.00"
    correct("Second", second, "2026-04-10")
    publish(MAY)
    assert ratings(foa, "rapid")["newcomer"] == "1887.20"


def test_d_103_change_of_a_first_rating_by_standard_that_is_lost_is_taken_back(foa: Arena) -> None:
    """Two draws by the standard rating 1700, K 40: 24.40."""
    make.first_list({NEWCOMER: 1700}, kind="standard")
    enrol(foa, "newcomer", fide_id=NEWCOMER, joined="2026-01-05")
    event = world(1, "First", "==")
    given = []
    for month, change in ((FEBRUARY, None), (MARCH, "withdraw"), (APRIL, "restore")):
        if change:
            correct("First", event if change == "restore" else None, f"{month[:7]}-01")
        publish(month)
        given.append((entry(NEWCOMER, month) is not None, ratings(foa, "rapid")["newcomer"]))
    assert given == [(True, "1724.40"), (False, "1700.00"), (True, "1724.40")]
    assert_verified()
