"""FIDE IDs merged that have games or ratings: published lists stay, the next ones count both for the person (D-11)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.utils import timezone

from players.choices import CaseState
from players.models import Notice, Player
from ratings.models import (
    Calculation,
    Correction,
    CorrectionLine,
    ListEntry,
    ListFile,
    Merger,
    ParticipantRating,
    PoolEvent,
    RatingList,
)
from ratings.publish.publish import publish_list
from ratings.verify.verify import verify_list
from tests import make
from tests.codes import refusal
from tests.ratings.alphaville import ALL_PLAY, FIRST, PLAYERS, entry_of, publish
from tests.tools.verifier import assert_verified
from tests.trf_files import Event
from tournaments.amendments import Datum, Result
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

NOW = make.noon(date(2026, 2, 10))
FEBRUARY, MARCH, APRIL = "2026-02-01", "2026-03-01", "2026-04-01"
CORRECTED = Event(PLAYERS, [*ALL_PLAY[:4], [(3, 6, "1-0"), (4, 2, "0-1"), (5, 1, "0-1")]])


def merge(old: int, new: int, at: datetime = NOW) -> bool:
    players = Player.objects.in_bulk([old, new])
    by = make.person("staff")
    return make.merge_by_two(players[old], into=players[new], reason="One person.", by=by, at=at)


def correct(event: Event, event_id: str) -> Any:
    days = ["--submitted-on", "2026-02-11", "--reason", "A result."]
    return make.run("correct_report", event_id, event.content(), *days)


def other_id(fide_id: int) -> int:
    """Create another ID of a player, one thousand higher."""
    return int(make.player(fide_id=fide_id + 1000, name="Other, O.", federation_id="SUI").pk)


def is_listed(fide_id: int, on: str) -> bool:
    return ListEntry.objects.filter(player=fide_id, rating_list__kind="rapid", rating_list__date=on).exists()


def calculation_of(fide_id: int, on: str) -> Calculation:
    return Calculation.objects.get(player=fide_id, rating_list__kind="rapid", rating_list__date=on)


def test_d11_results_not_yet_published_count_for_the_person(month: Any) -> None:
    """2000 and 6.6 points from four games, played under the ID that goes: the one that stays has 2007.

    Opponents meet the rating of the day: 1900 with a draw against 1600, lost to 2000, a draw with 1800, won against
    1700: 2 - 2.61 = -.61; K 20.
    """
    stays = other_id(1001)
    assert merge(1001, stays)
    publish(FEBRUARY, MARCH)
    assert (entry_of(stays).rating, entry_of(stays).games, entry_of(stays).k_factor) == (2007, 4, 20)
    assert entry_of(stays, MARCH).rating == 2007
    assert not is_listed(1001, FEBRUARY)
    assert calculation_of(1001, FEBRUARY).result == "merged-D-11"
    assert calculation_of(stays, FEBRUARY).found.joined == (1001,)
    assert calculation_of(1002, FEBRUARY).change_hundredths == -1220
    assert_verified()


def test_d11_rating_follows_on_the_next_list_and_published_ones_stay(month: Any) -> None:
    publish(FEBRUARY)
    before = list(ListFile.objects.order_by("pk").values_list("sha256", flat=True))
    completed = entry_of(1001).completed_games
    stays = other_id(1001)
    merge(1001, stays)
    publish(MARCH, APRIL)
    after = ListFile.objects.filter(rating_list__date=FEBRUARY).order_by("pk")
    assert list(after.values_list("sha256", flat=True)) == before
    assert is_listed(1001, FEBRUARY)
    assert not is_listed(1001, MARCH)
    assert (entry_of(stays, MARCH).rating, entry_of(stays, MARCH).completed_games) == (2007, completed)
    assert calculation_of(stays, MARCH).result == "joined-D-11"
    assert entry_of(stays, APRIL).rating == 2007
    assert_verified()


@pytest.mark.database
def test_6_1_4_pools_of_both_ids_make_one() -> None:
    """Two games under one ID and three under the other, 2.5 of 5 against 2000, 1900, 1800, 1700 and 1600: 1800."""
    make.first_list({**FIRST, 1007: None})
    two = Event([PLAYERS[5], *PLAYERS[:2]], [[(1, 2, "0-1")], [(1, 3, "1/2")]], name="First")
    three = Event(
        [(1007, "Player, P1007"), *PLAYERS[2:5]],
        [[(1, 2, "1/2")], [(1, 3, "1/2")], [(1, 4, "1-0")]],
        name="Second",
    )
    make.submit(two)
    make.submit(three)
    publish(FEBRUARY)
    assert not is_listed(1006, FEBRUARY)
    merge(1007, 1006)
    publish(MARCH, APRIL)
    assert (entry_of(1006, MARCH).rating, entry_of(1006, MARCH).completed_games) == (1800, 5)
    assert calculation_of(1006, MARCH).result == "initial-7.2.4"
    assert not PoolEvent.objects.filter(closed_by=None).exists()
    assert entry_of(1006, APRIL).rating == 1800
    assert_verified()


@pytest.mark.parametrize(("results", "shown"), [("===+", None), ("===++", False)])
def test_6_2_2_initial_rating_that_a_merger_gives_is_active_by_the_games_of_the_pool(
    results: str, shown: bool | None
) -> None:
    pools_of_two_ids(results[:2], results[2:])
    merge(1007, 1006)
    publish(MARCH)
    entries = ListEntry.objects.filter(player=1006, rating_list__date=MARCH, games=0)
    assert entries.listed().values_list("is_inactive", flat=True).first() is shown
    assert_verified()


@pytest.mark.parametrize(("going", "rated"), [("==", 5), ("--", None)])
def test_d_102_an_event_without_points_counts_where_the_other_id_played_before_it(
    going: str, rated: int | None
) -> None:
    """The three losses of 1006 are the first event of the ID, and the second of the person (7.2.2, D-6).

    The losses of 1007 were the first event of both: 1006 has three games that count.
    """
    pools_of_two_ids(going, "---")
    merge(1007, 1006)
    publish(MARCH, APRIL)
    on_list = ListEntry.objects.filter(player=1006, rating_list__date=MARCH).listed()
    assert on_list.values_list("completed_games", flat=True).first() == rated
    open_pool = PoolEvent.objects.filter(player=1006, closed_by=None)
    assert sum(row.sums[1] for row in open_pool if not row.is_disregarded) == (0 if rated else 3)
    assert_verified()


def pools_of_two_ids(going: str, staying: str) -> None:
    make.first_list({**FIRST, 1007: None, 1009: 2000})
    codes = {"+": "1-0", "=": "1/2", "-": "0-1"}
    for day, player, opponents, results in (
        ("2026/01/10", 1007, PLAYERS[:2], going),
        ("2026/01/12", 1006, PLAYERS[2:5], staying),
    ):
        people = [(player, f"Player, P{player}"), *opponents]
        rounds = [[(1, number, codes[one])] for number, one in enumerate(results, start=2)]
        make.submit(Event(people, rounds, name=f"Open of {day}", start=day, end=day))
    publish(FEBRUARY)


@pytest.mark.parametrize(
    ("goes", "stays", "met"), [(1006, 1009, None), (1006, 1008, None), (1007, 1009, 1500), (1007, 1008, 1500)]
)
def test_d_1_a_merger_before_or_after_the_acceptance_of_a_report_gives_the_same_lists(
    goes: int, stays: int, met: int | None
) -> None:
    """Opponents met the rating of the ID that was on the list in force; the person has the games.

    The report names the ID that goes, which nothing was known of before, or which has a rating. With the merger first,
    acceptance used to take the rating of the ID that stays for it, for the opponents, too.
    """
    make.first_list({**FIRST, 1006: None, 1007: 1500, 1008: None, 1009: 1800})
    event = Event([(goes, f"Player, P{goes}"), *PLAYERS[:2]], [[(1, 2, "1-0")], [(1, 3, "0-1")]])
    lists = []
    for acts in ("merge", "accept"), ("accept", "merge"):
        with transaction.atomic():
            for act in acts:
                if act == "accept":
                    make.submit(event, submitted="2026-01-26")
                else:
                    merge(goes, stays, at=make.noon(date(2026, 1, 25)))
            starts = dict(ParticipantRating.objects.values_list("player", "start_rating"))
            publish(FEBRUARY)
            assert_verified()
            entries = ListEntry.objects.filter(rating_list__kind="rapid").order_by(
                "rating_list__date", "player"
            )
            lists.append(
                (starts, [*entries.values_list("player", "rating", "games", "k_factor", "completed_games")])
            )
            transaction.set_rollback(True)
    assert lists[0] == lists[1]
    assert lists[0][0] == {goes: met, 1001: 2000, 1002: 1900}
    assert {row[0] for row in lists[0][1]} >= {1001, 1002} - {goes}


@pytest.mark.parametrize(
    ("is_corrected", "rated", "stays"),
    [(False, 1001, 1001), (False, 1009, 1009), (True, 1001, 1006), (True, 1009, 1009)],
)
def test_d_110_games_in_the_pool_of_an_unrated_id_are_those_of_a_rated_player_once_it_is_merged(
    is_corrected: bool, rated: int, stays: int
) -> None:
    """2000 against 1800, 1700 and 1600 with 3 points: .24 + .15 + .08 = .47, K 20: 9.40; the cap of 400 holds.

    It is the same where the report is corrected to the rated ID before the merger, whichever ID stays, and whether
    the rated ID has other games on the list (1001) or none (1009).
    """
    pools_of_two_ids("=", "+++")
    if is_corrected:
        day = "2026/01/12"
        people = [(rated, f"Player, P{rated}"), *PLAYERS[2:5]]
        rounds = [[(1, number, "1-0")] for number in (2, 3, 4)]
        event = Event(people, rounds, name=f"Open of {day}", start=day, end=day)
        correct(event, Tournament.objects.get(name=event.name).event_id)
    merge(1006 + rated - stays, stays, at=timezone.now())
    completed = entry_of(rated).completed_games
    publish(MARCH, APRIL)
    entry = entry_of(stays, MARCH)
    assert (entry.rating, entry.completed_games, entry.is_inactive) == (2009, completed + 3, False)
    assert calculation_of(stays, MARCH).correction_hundredths == 940
    assert not PoolEvent.objects.filter(player=1006, closed_by=None).exists()
    assert not CorrectionLine.objects.filter(taken_by=None).exists()
    assert entry_of(stays, APRIL).rating == 2009
    assert_verified()


def test_d_110_initial_rating_of_the_other_id_includes_games_in_the_pool(two_ratings: Any) -> None:
    """3.5 of 5 gave 1902; with draws against 2000 and 1900 it is 4.5 of 7: Ra 1833.33, p .61, dp 80, so 1913."""
    merge(1008, 1006)
    publish(MARCH)
    assert (entry_of(1006, MARCH).rating, entry_of(1006, MARCH).completed_games) == (1913, 7)
    assert_verified()


def test_d_76_an_act_after_the_date_of_a_list_that_is_published_late_is_on_it(two_ratings: Any) -> None:
    """The list of 1 February is published first, that of 1 March on the 10th; all was done on 5 March.

    Only reports are taken by the date of the list; mergers, deaths and corrections by what is known (D-104).
    """
    stays, late = other_id(1006), date(2026, 3, 5)
    with time_machine.travel(make.noon(late), tick=False):
        merge(1006, stays)
        correct(CORRECTED, two_ratings["tournament"])
        make.correct_player(
            Player.objects.get(pk=1002), {"died_on": date(2026, 2, 20)}, reason="Letter.", at=make.noon(late)
        )
    march = publish_list("rapid", date(2026, 3, 1), by=None, at=make.noon(date(2026, 3, 10))).rating_list
    assert [row.taken_by for row in Merger.objects.filter(kind="rapid")] == [march]
    assert not CorrectionLine.objects.filter(taken_by=None).exists()
    assert entry_of(1002, MARCH).status == "deceased"
    assert_verified()


def test_6_1_4_pool_of_the_merged_id_goes_on_until_it_is_large_enough() -> None:
    make.first_list(FIRST)
    make.submit(Event([PLAYERS[5], *PLAYERS[:2]], [[(1, 2, "0-1")], [(1, 3, "1/2")]], name="First"))
    publish(FEBRUARY)
    stays = other_id(1006)
    merge(1006, stays)
    publish(MARCH)
    assert not is_listed(stays, MARCH)
    assert calculation_of(stays, MARCH).result == "joined-D-11"
    three = Event(
        [(stays, "Other, O."), *PLAYERS[2:5]],
        [[(1, 2, "1/2")], [(1, 3, "1/2")], [(1, 4, "1-0")]],
        name="Second",
        start="2026/03/10",
        end="2026/03/11",
    )
    make.submit(three, registered="2026-03-01", submitted="2026-03-20")
    publish(APRIL)
    assert (entry_of(stays, APRIL).rating, entry_of(stays, APRIL).games) == (1800, 3)
    assert_verified()


@pytest.fixture
def two_ratings() -> Any:
    """1006 plays as ever and gets 1902; 1007 has 1500 and plays in an event of its own: .92 points less, K 20.

    1008 is unrated and draws against 2000 and 1900.
    """
    make.first_list({**FIRST, 1007: 1500, 1008: None})
    make.first_list({}, kind="blitz")
    both = make.submit(Event(PLAYERS, ALL_PLAY))
    make.submit(Event([(1007, "Player, P1007"), PLAYERS[0]], [[(1, 2, "0-1")]], name="Second"))
    drawn = [[(1, 2, "1/2")], [(1, 3, "1/2")]]
    make.submit(Event([(1008, "Player, P1008"), *PLAYERS[:2]], drawn, name="Third"))
    publish(FEBRUARY)
    return both


@pytest.mark.parametrize("is_late", [False, True])
def test_of_two_ratings_that_of_the_id_that_stays_stands(two_ratings: Any, is_late: bool) -> None:
    """The games of both count for K; a correction of what the dropped rating came from moves nothing, ever."""
    assert (entry_of(1006).completed_games, entry_of(1007).completed_games) == (5, 31)
    merge(1006, 1007)
    months = (MARCH, APRIL)
    publish(*months[:is_late])
    correct(CORRECTED, two_ratings["tournament"])
    publish(*months[is_late:])
    assert (entry_of(1007, MARCH).rating, entry_of(1007, MARCH).completed_games) == (1498, 36)
    assert entry_of(1007, APRIL).rating == 1498
    make.publish("blitz", date.fromisoformat(FEBRUARY))
    make.publish("blitz", date.fromisoformat(MARCH))
    assert set(Merger.objects.values_list("kind", "is_dropped")) == {("rapid", True), ("blitz", False)}
    assert not CorrectionLine.objects.filter(taken_by=None).exists()
    assert_verified()


@pytest.mark.parametrize("is_late", [False, True])
def test_d11_correction_of_a_game_of_the_merged_id_reaches_the_person(month: Any, is_late: bool) -> None:
    """The first rating of 1902 becomes 1800 by the correction, on the list that takes both over or the next one."""
    publish(FEBRUARY)
    stays = other_id(1006)
    merge(1006, stays)
    months = (MARCH, APRIL)
    publish(*months[:is_late])
    effect = correct(CORRECTED, month["tournament"])
    publish(*months[is_late:])
    lines = [(line["fide_id"], line["kind"], line["difference"]) for line in effect["lines"]]
    assert lines == [(1006, "initial", -10200)]
    assert entry_of(stays, MARCH).rating == (1902 if is_late else 1800)
    assert calculation_of(stays, months[is_late]).correction_hundredths == -10200
    assert entry_of(stays, APRIL).rating == 1800
    assert_verified()


@pytest.mark.parametrize("is_late", [False, True])
def test_d_145_second_correction_of_a_merged_id_shows_what_it_adds(month: Any, is_late: bool) -> None:
    """Of 1001 the win of round 5 becomes a loss, then the draw of round 3 too: 20 and 10 points."""
    publish(FEBRUARY)
    stays = other_id(1001)
    merge(1001, stays)
    months = (MARCH, APRIL)
    publish(*months[:is_late])
    last = [(3, 6, "0-1"), (4, 2, "0-1"), (5, 1, "1-0")]
    third = [(2, 6, "0-1"), (3, 1, "1-0"), (4, 5, "1-0")]
    event = month["tournament"]
    shown = [
        [
            row["difference"]
            for row in correct(Event(PLAYERS, rounds), event)["taken"]
            if row["fide_id"] == stays
        ]
        for rounds in ([*ALL_PLAY[:4], last], [*ALL_PLAY[:2], third, ALL_PLAY[3], last])
    ]
    publish(months[is_late])
    assert shown == [[-2000], [-1000]]
    assert calculation_of(stays, months[is_late]).correction_hundredths == -3000


@pytest.mark.parametrize("is_late", [False, True])
def test_player_of_a_merged_id_is_told_of_the_correction_of_a_game(month: Any, is_late: bool) -> None:
    """The report names the ID that went; account and objection are of the one that stays."""
    publish(FEBRUARY)
    stays = other_id(1001)
    account = make.claim(player_id=1001, state=CaseState.APPROVED).asked_by
    merge(1001, stays)
    publish(*(MARCH,)[:is_late])
    event = Tournament.objects.get(event_id=month["tournament"])
    objection = make.objection(tournament=event, player_id=stays, round=5, state=CaseState.APPROVED)
    make.correct_game(event, Result(5, 5, "1-0"), by=make.person("staff"), on=NOW.date())
    (told,) = Notice.objects.filter(user=account)
    assert "Other, O.: −20" in told.text
    objection.refresh_from_db()
    assert objection.settled_at is not None


def test_corrected_report_may_name_the_id_that_stays(month: Any) -> None:
    """The list of the time counted the games for the old ID; so it is held against the new report, too."""
    publish(FEBRUARY)
    stays = other_id(1006)
    merge(1006, stays)
    renamed = [*PLAYERS[:5], (stays, "Other, O.")]
    effect = correct(Event(renamed, CORRECTED.rounds), month["tournament"])
    publish(MARCH)
    assert sum(line["difference"] for line in effect["lines"]) == -10200
    assert entry_of(stays, MARCH).rating == 1800
    assert_verified()


def test_merging_goes_on_to_a_third_id(month: Any) -> None:
    publish(FEBRUARY)
    second = other_id(1001)
    merge(1001, second)
    third = other_id(second)
    merge(second, third)
    publish(MARCH)
    fourth = other_id(third)
    merge(third, fourth)
    publish(APRIL)
    listed = [fide_id for fide_id in (1001, second, third, fourth) if is_listed(fide_id, MARCH)]
    assert listed == [third]
    assert entry_of(third, MARCH).rating == 2007
    assert (entry_of(fourth, APRIL).rating, is_listed(third, APRIL)) == (2007, False)
    assert_verified()


def test_merge_is_recorded_once_in_the_ledger_and_the_manifest(month: Any) -> None:
    publish(FEBRUARY)
    stays = other_id(1001)
    assert [merge(1001, stays), merge(1001, stays)] == [True, False]
    publish(MARCH)
    correction = Correction.objects.get()
    assert (correction.player_id, correction.reason) == (1001, "One person.")
    assert correction.amendments == [Datum("merged_into", "1001", str(stays))]
    assert {row.taken_by.date for row in Merger.objects.all() if row.taken_by} == {date(2026, 3, 1)}
    lists = RatingList.objects.filter(kind="rapid").order_by("date")
    assert [item.manifest.get("mergers") for item in lists] == [
        None,
        None,
        [{"fide_id": 1001, "into": stays}],
    ]
    # A verification finds a merger that was changed.
    Merger.objects.filter(kind="rapid").update(successor=1002)
    found = [verify_list(item) for item in lists.filter(origin="published")]
    assert [item.what for item in found if item] == ["merged FIDE IDs"]


def test_d_141_who_played_in_one_round_under_both_ids_is_two_persons(month: Any) -> None:
    with refusal() as refused:
        merge(1001, 1002)
    assert refused.found == ["obstacle"]
    assert not Merger.objects.exists()
    assert not Player.objects.exclude(merged_into=None).exists()


@pytest.mark.parametrize(("first", "is_published"), [(1, True), (1, False), (2, True)])
def test_d_141_one_person_under_two_ids_of_one_event_gets_a_first_rating_from_all_games(
    first: int, is_published: bool
) -> None:
    """4.5 of 5: Ra (9750 + 3600) / 7, 1907.14, p 5.5 / 7, .79, dp 230: 2137. A forfeit is no round that was played.

    The `first` round is shared by both IDs (1), or one of them never played in it (2).
    """
    rated = dict(zip(range(1001, 1007), (2000, 1975, 1950, 1925, 1900, 1875), strict=True))
    opponents = [(number, f"Player, P{number}") for number in rated]
    make.first_list({**rated, 1011: None, 1012: None})
    rounds = [[(first, 3, "1-0")], [(4, first, "0-1")], [(2, 5, "1/2"), (1, 8, "-+")]]
    rounds += [[(6, 2, "0-1")], [(2, 7, "1-0")]]
    make.submit(Event([(1011, "Player, P1011"), (1012, "Player, P1012"), *opponents], rounds))
    if is_published:
        publish(FEBRUARY)
    merge(1011, 1012)
    on = MARCH if is_published else FEBRUARY
    publish(on)
    assert (entry_of(1012, on).rating, entry_of(1012, on).completed_games) == (2137, 5)
    assert not is_listed(1011, on)
    assert_verified()


@pytest.mark.parametrize("is_published", [True, False])
def test_d_141_games_under_the_other_of_two_rated_ids_count_for_the_one_that_stays(
    is_published: bool,
) -> None:
    """1861, and not 1800: five wins of the other ID, 1800 too, against 1880: D 80, PD .39, 5 x .61 x 20 = 61."""
    make.first_list({**dict.fromkeys(range(1001, 1006), 1880), 1011: 1800, 1012: 1800})
    met = [(number, f"Player, P{number}") for number in (1011, *range(1001, 1006))]
    make.submit(Event(met, [[(1, number, "1-0")] for number in range(2, 7)]))
    if is_published:
        publish(FEBRUARY)
    merge(1011, 1012)
    lines = CorrectionLine.objects.values_list("player", "difference_hundredths", "games_difference")
    assert list(lines) == ([(1012, 6100, 5)] if is_published else [])
    on = MARCH if is_published else FEBRUARY
    publish(on)
    assert (entry_of(1012, on).rating, entry_of(1012, on).completed_games) == (1861, 65)
    assert not is_listed(1011, on)
    if is_published:
        publish(APRIL)
        assert entry_of(1012, APRIL).rating == 1861
    assert not CorrectionLine.objects.filter(taken_by=None).exists()
    assert_verified()


@pytest.mark.parametrize("is_published", [True, False])
def test_d_141_rating_that_goes_never_stands_in_for_one_that_its_games_bring_under_the_floor(
    is_published: bool,
) -> None:
    """1405 stays; the other ID lost by 1800 to 1800 with K 20: 1395, and not 1790."""
    make.first_list({1001: 1800, 1011: 1800, 1012: 1405})
    make.submit(Event([(1011, "Player, P1011"), (1001, "Player, P1001")], [[(1, 2, "0-1")]]))
    months = (FEBRUARY, MARCH, APRIL)
    publish(*months[:is_published])
    merge(1011, 1012)
    publish(*months[is_published:])
    entries = ListEntry.objects.filter(player__in=(1011, 1012), rating_list__kind="rapid").listed()
    assert not entries.filter(rating_list__date__gte=months[is_published]).exists()
    assert_verified()


def test_id_without_anything_leaves_nothing_on_the_lists(month: Any) -> None:
    merge(other_id(1001), 1001)
    publish(FEBRUARY)
    assert not CorrectionLine.objects.exists()
    assert not Calculation.objects.filter(player=2001).exists()
    assert (entry_of(1001).rating, calculation_of(1001, FEBRUARY).result) == (2007, "change-7.3.4")
    assert_verified()
