"""Own status, rating, K and pool before a list are those of the corrected history (D-110), and what follows from it.

The opponents are rated 1800 all. 5 wins of 5 are an initial rating of 2109, 4 of 5 one of 1958.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from players.exclusions import ExclusionEffect, exclude_federation
from players.fide_list import ListRecord
from players.models import Federation, Player, Transfer
from ratings.amend.effect import Effect
from ratings.imports.people import PERSON, PeopleImport
from ratings.lists import read_lists
from ratings.models import Calculation, CorrectionLine, ListEntry, ParticipantRating, PoolEvent
from ratings.records import record_of, tournaments_of, with_results
from tests import make
from tests.public.pages import articles, page
from tests.tools import verifier
from tests.tools.test_verify_list import change_rows, rows_of
from tests.tools.verifier import assert_verified
from tests.trf_files import Event
from tournaments.amendments import NotRated
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]

HERO = 1100
# Ten for each month: their ratings change where the hero is rated.
OPPONENTS = range(1001, 1041)
FEBRUARY, MARCH, APRIL, MAY = (date(2026, month, 1) for month in (2, 3, 4, 5))
RESULTS = {"+": "1-0", "=": "1/2", "-": "0-1", "f": "-+"}


def world(rating: int | None = None, k: int = 20) -> None:
    make.first_list({**dict.fromkeys(OPPONENTS, 1800), HERO: (rating, k) if rating else None})


def french(rating: int | None = None) -> None:
    world(rating)
    Player.objects.filter(pk=HERO).update(federation=make.federation(code="FRA"))


def play(day: date, results: str) -> None:
    registered = day.replace(day=1).isoformat()
    make.submit(event_of(day, results), registered=registered, submitted=day.isoformat())


def rate(day: date, results: str) -> None:
    """Let an event be played and the list of the next month published."""
    play(day, results)
    make.publish("rapid", date(day.year, day.month + 1, 1))


def event_of(day: date, results: str) -> Event:
    """Return an event in which the hero has these results, one opponent a round; `f` is a forfeit that is lost."""
    met = OPPONENTS[10 * (day.month - 1) :][: len(results)]
    people = [(HERO, f"Player, P{HERO}"), *((number, f"Player, P{number}") for number in met)]
    rounds = [[(1, number, RESULTS[result])] for number, result in enumerate(results, start=2)]
    text = day.isoformat().replace("-", "/")
    return Event(people, rounds, name=f"Open of {day}", start=text, end=text)


def correct(day: date, results: str, *, on: date) -> Effect:
    """Correct the event of a day, withdraw it without results, and return the effect."""
    return make.correct_report(
        Tournament.objects.get(name=f"Open of {day}"),
        event_of(day, results).content() if results else None,
        reason="Wrong results.",
        on=on,
    )


def shown(on: date) -> tuple[int, int] | None:
    """Return rating and games of the hero on a list, None where the hero is not on it."""
    entries = ListEntry.objects.filter(player=HERO, rating_list__kind="rapid", rating_list__date=on)
    return entries.listed().values_list("rating", "games").first()


def test_d110_losses_after_a_rating_that_a_correction_gives_are_those_of_a_rated_player(
    client: Client,
) -> None:
    """2109, and ten losses: D 309, PD .86, K 40: 344 points."""
    world()
    rate(date(2026, 1, 10), "++++f")
    play(date(2026, 2, 10), "-" * 10)
    correct(date(2026, 1, 10), "+++++", on=date(2026, 2, 20))
    make.publish("rapid", MARCH)
    assert shown(MARCH) == (1765, 10)
    assert ListEntry.objects.get(player=HERO, rating_list__date=MARCH).completed_games == 15
    assert Calculation.objects.get(player=HERO, rating_list__date=MARCH).previous_rating is None
    named = articles(page(client, f"/players/{HERO}/rapid/{MARCH}/?articles=1"))
    assert ("D-110" in named, "D-12" in named) == (True, False)
    assert_verified()


@pytest.mark.parametrize("is_late", [False, True])
def test_d110_it_does_not_matter_whether_the_correction_comes_before_the_list(is_late: bool) -> None:
    """2109, and two losses: 68.80 points."""
    world()
    rate(date(2026, 1, 10), "++++f")
    play(date(2026, 2, 10), "--")
    if is_late:
        make.publish("rapid", MARCH)
    correct(date(2026, 1, 10), "+++++", on=date(2026, 3, 10) if is_late else date(2026, 2, 20))
    if not is_late:
        make.publish("rapid", MARCH)
        assert shown(MARCH) == (2040, 2)
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (2040, 0)
    assert_verified()


def test_d110_loss_after_a_first_rating_that_a_correction_takes_away_makes_the_fifth_game() -> None:
    """1958 on five pooled games in March; a loss to 1800 from there: D 158, PD .71, K 40: 28.40 points."""
    world()
    rate(date(2026, 1, 10), "+++++")
    assert shown(FEBRUARY) == (2109, 5)
    play(date(2026, 2, 10), "-")
    correct(date(2026, 1, 10), "++++f", on=date(2026, 2, 20))
    make.publish("rapid", MARCH)
    rate(date(2026, 3, 10), "-")
    assert (shown(MARCH), shown(APRIL)) == ((1958, 1), (1930, 1))
    assert ListEntry.objects.get(player=HERO, rating_list__date=MARCH).completed_games == 5
    assert not PoolEvent.objects.filter(player=HERO, closed_by=None).exists()
    assert_verified()


def test_d110_loss_on_the_list_of_return_counts_from_the_rating_that_comes_back() -> None:
    """2109 loses to 1800: 34.40 points."""
    world()
    rate(date(2026, 1, 10), "+++++")
    correct(date(2026, 1, 10), "", on=date(2026, 2, 10))
    make.publish("rapid", MARCH)
    assert shown(MARCH) is None
    play(date(2026, 3, 10), "-")
    correct(date(2026, 1, 10), "+++++", on=date(2026, 3, 20))
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (2075, 1)
    assert_verified()


def test_d110_win_on_the_list_after_a_death_undone_counts() -> None:
    """1800 wins in January, 10 points that February could not count, and in March from 1810: 9.80."""
    world(1800)
    play(date(2026, 1, 10), "+")
    make.run("mark_player", str(HERO), "--died-on", "2026-01-25")
    make.publish("rapid", FEBRUARY)
    make.publish("rapid", MARCH)
    play(date(2026, 3, 10), "+")
    make.run("mark_player", str(HERO), "--not-dead", "--reason", "A namesake.")
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (1820, 1)
    assert_verified()


def test_d110_a_junior_whose_death_is_undone_after_any_number_of_lists_has_the_k_of_one() -> None:
    """1800 loses to 1800 with K 40: 20 points. The lists of March on know nothing of the hero."""
    world(1800, k=40)
    Player.objects.filter(pk=HERO).update(birth_year=2012)
    # K 40 of somebody with 30 games is that of a junior.
    ListEntry.objects.filter(player=HERO).update(birth_year=2012, completed_games=30)
    make.run("mark_player", str(HERO), "--died-on", "2026-01-25")
    for month in (FEBRUARY, MARCH, APRIL):
        make.publish("rapid", month)
    make.run("mark_player", str(HERO), "--not-dead", "--reason", "A namesake.")
    rate(date(2026, 4, 10), "-")
    assert shown(MAY) == (1780, 1)
    assert_verified()


@pytest.mark.parametrize("is_late", [False, True])
def test_d144_k_after_a_corrected_year_of_birth_is_that_of_the_right_one_on_any_day(
    is_late: bool, tmp_path: Path
) -> None:
    """1866: 1812 wins five games against 1840, D 28, PD .46: 2.7 with K 20; a junior of 2011 would have 1920."""
    make.first_list({**dict.fromkeys(OPPONENTS, 1840), HERO: (1812, 40)}, born=2011)
    # K 40 of somebody with 30 games is that of a junior.
    ListEntry.objects.filter(player=HERO).update(completed_games=30)
    make.publish("rapid", FEBRUARY)
    play(date(2026, 2, 10), "+++++")
    if is_late:
        make.publish("rapid", MARCH)
        assert shown(MARCH) == (1920, 5)
    hero = Player.objects.get(pk=HERO)
    at = make.noon(date(2026, 3, 10) if is_late else date(2026, 2, 20))
    make.correct_player(hero, {"birth_year": 1980}, reason="Passport.", at=at)
    if not is_late:
        rated = make.publish("rapid", MARCH)
        assert shown(MARCH) == (1866, 5)
        assert ParticipantRating.objects.get(tournament_rating__included_in=rated, player=HERO).own_k == 20
        files = verifier.download(rated, tmp_path)
        change_rows("own.csv", 0, "k", "10")(files)
        assert verifier.run(files) == 1
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (1866, 0)
    assert_verified()


def test_d114_games_before_an_exclusion_and_those_of_the_list_of_return_count(client: Client) -> None:
    """1800 wins on 10 February: 1810, kept in March; on 14 March from there, D 10, PD .51: 9.80."""
    french(1800)
    make.publish("rapid", FEBRUARY)
    play(date(2026, 2, 10), "+")
    make.run("mark_federation", "FRA", "--excluded-from", "2026-02-20", "--until", "2026-03-10")
    make.publish("rapid", MARCH)
    assert shown(MARCH) is None
    rate(date(2026, 3, 14), "+")
    assert shown(APRIL) == (1820, 1)
    assert ListEntry.objects.get(player=HERO, rating_list__date=APRIL).completed_games == 32
    kept, back = (page(client, f"/players/{HERO}/rapid/{on}/?articles=1") for on in (MARCH, APRIL))
    assert 'data-kept="1810"' in kept
    assert ("D-114" in articles(back), "D-110" in articles(back)) == (True, False)
    assert_verified()


def test_d114_events_that_begin_in_an_exclusion_count_for_nothing_while_it_lasts() -> None:
    french(1800)
    make.run("mark_federation", "FRA", "--excluded-from", "2026-01-05", "--until", "2026-03-25")
    rate(date(2026, 1, 10), "+")
    make.publish("rapid", MARCH)
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (1800, 0)
    assert_verified()


def parts(effect: Effect) -> list[tuple[int, int, int]]:
    """Return of the hero what the next list takes: lines and rounding, in hundredths, and whole points."""
    lines = sum(line.difference_hundredths for line in effect.lines if line.player_id == HERO)
    return [(lines, one.rounding, one.points) for one in effect.taken if one.player_id == HERO]


def test_d145_base_that_changes_from_an_initial_to_the_standard_rating_is_shown_as_it_is_taken() -> None:
    """1958 by 4 of 5, and -10.80 by 1629 with D 171, PD .27, K 40, make 1947; four games are no rating: 1618, by 1629.

    A Fair Play mark leaves the four: -329.
    """
    world()
    rate(date(2026, 1, 30), "++++-")
    make.first_list({HERO: 1629}, kind="standard", on=FEBRUARY)
    rate(date(2026, 2, 10), "-")
    assert shown(MARCH) == (1947, 6)
    mark = NotRated(1, 1, why="fair-play", reference="FPL 1/2026")
    values: dict[str, Any] = {"reason": "Engine.", "by": None, "on": date(2026, 3, 10)}
    event = Tournament.objects.get(name="Open of 2026-01-30")
    effect = make.correct_game(event, mark, **values, at=make.noon(date(2026, 3, 10)))
    assert parts(effect) == [(-32900, 0, -329)]
    make.publish("rapid", APRIL)
    assert shown(APRIL) == (1618, 0)
    assert_verified()


def test_d145_what_d101_gives_back_is_a_part_of_what_is_shown(client: Client) -> None:
    """1810 wins against 1800: 9.80, ten points. It is taken away as ten points, and comes back as ten."""
    world(1810)
    rate(date(2026, 1, 10), "+")
    assert parts(correct(date(2026, 1, 10), "f", on=date(2026, 2, 10))) == [(-980, 0, -10)]
    make.publish("rapid", MARCH)
    assert parts(correct(date(2026, 1, 10), "+", on=date(2026, 3, 10))) == [(980, 20, 10)]
    make.publish("rapid", APRIL)
    assert [shown(on) for on in (FEBRUARY, MARCH, APRIL)] == [(1820, 1), (1810, 0), (1820, 0)]
    assert 'data-rounding="20"' in page(client, f"/players/{HERO}/rapid/{APRIL}/")


def played_by(fide_id: int) -> tuple[list[tuple[int | None, bool]], int]:
    """Return changes of a player's tournaments with whether they were corrected, and the wins of the record."""
    rows = with_results(tournaments_of([fide_id], lists=read_lists()))
    record = record_of(rows, most=5)
    assert len(record.best_wins) == sum(score.wins for score in record.by_colour.values())
    return [(one.points, one.is_corrected) for one in rows], len(record.best_wins)


def test_d146_players_record_has_what_counts_after_corrections(client: Client) -> None:
    """Wins and losses of 1800 against 1800 are 10 points each; another opponent takes part after the correction."""
    world(1800)
    rate(date(2026, 1, 10), "++")
    assert played_by(HERO) == ([(2000, False)], 2)
    correct(date(2026, 1, 10), "+--", on=date(2026, 2, 10))
    assert played_by(HERO) == ([(-1000, True)], 1)
    assert played_by(OPPONENTS[1]) == ([(1000, True)], 1)
    # Came in by the correction.
    assert played_by(OPPONENTS[2]) == ([(1000, True)], 1)
    assert page(client, f"/players/{HERO}/tournaments/").count("data-corrected") == 1
    correct(date(2026, 1, 10), "", on=date(2026, 2, 11))
    assert [played_by(fide_id) for fide_id in (HERO, OPPONENTS[0], OPPONENTS[2])] == [([], 0)] * 3


def test_d146_corrected_event_follows_the_own_rating_that_a_later_correction_gives() -> None:
    """A loss and a draw against 1800 with K 40 (7.2.5): by 1958 PD .71, so -36.80; by 2109 PD .86, so -48.80."""
    world()
    play(date(2026, 1, 10), "+++++")
    rate(date(2026, 1, 30), "--")
    make.publish("rapid", MARCH)
    correct(date(2026, 1, 10), "++++-", on=date(2026, 3, 10))
    correct(date(2026, 1, 30), "-=", on=date(2026, 3, 11))
    assert played_by(HERO)[0][0] == (-3680, True)
    correct(date(2026, 1, 10), "+++++", on=date(2026, 3, 12))
    assert played_by(HERO)[0][0] == (-4880, True)


def exclude(first: date, until: date | None, *, on: date) -> ExclusionEffect:
    """Exclude France on a day; return what it does."""
    federation = Federation.objects.get(code="FRA")
    values: dict[str, Any] = {"excluded_from": first, "until": until, "by": None, "at": make.noon(on)}
    shown = exclude_federation(federation, **values, is_dry_run=True)
    done = exclude_federation(federation, **values)
    assert (shown.is_new, shown.corrected) == (done.is_new, done.corrected)
    return done


def leave_by_transfer(hero: Player, to: Federation, *, on: date) -> None:
    user, at = make.person("staff"), make.noon(on)
    transfer = {"from_federation": hero.federation, "to_federation": to, "federation": to}
    decided = {"state": "approved", "asked_by": user, "asked_at": at, "decided_at": at}
    Transfer.objects.create(player=hero, **transfer, **decided)
    Player.objects.filter(pk=hero.pk).update(federation=to)


def leave_by_list(hero: Player, to: Federation, *, on: date) -> None:
    person = dict(zip(PERSON, Player.objects.values_list(*PERSON).get(pk=hero.pk), strict=True))
    record = ListRecord(*(person | {"federation_id": to.code}).values(), "", *[None] * 3)
    PeopleImport(on=on, may_update=True).merge([record])


def leave_under_a_merged_id(hero: Player, to: Federation, *, on: date) -> None:
    other = make.player(fide_id=1099, name=hero.name, federation=hero.federation)
    Player.objects.filter(pk=hero.pk).update(federation=to)
    leave_by_list(other, to, on=on)
    Player.objects.filter(pk=other.pk).update(merged_into=hero)


@pytest.mark.parametrize(
    "leave",
    [
        None,
        leave_by_transfer,
        leave_by_list,
        pytest.param(leave_under_a_merged_id, marks=pytest.mark.database),
    ],
)
def test_d143_event_that_began_in_an_exclusion_never_counts_also_on_the_list_of_return(
    leave: Callable[..., None] | None, tmp_path: Path
) -> None:
    french(1800)
    exclude(date(2026, 1, 5), date(2026, 1, 20), on=date(2026, 1, 4))
    if leave:
        leave(Player.objects.get(pk=HERO), Federation.objects.get(code="SUI"), on=date(2026, 1, 22))
    play(date(2026, 1, 10), "+++")
    play(date(2026, 1, 21), "-")
    published = make.publish("rapid", FEBRUARY)
    assert shown(FEBRUARY) == (1790, 1)
    assert ListEntry.objects.get(player=OPPONENTS[1], rating_list=published).rating == 1790
    # The second engine counts the wins where nothing tells it otherwise.
    files = verifier.download(published, tmp_path)
    change_rows("own.csv", 0, "event_id", "none")(files)
    assert verifier.run(files) == 1
    effect = correct(date(2026, 1, 10), "++-", on=date(2026, 2, 10))
    assert {line.player_id for line in effect.lines} == {OPPONENTS[2]}
    make.publish("rapid", MARCH)
    assert shown(MARCH) == (1790, 0)
    assert_verified()


@pytest.mark.parametrize("is_late", [False, True])
def test_d143_it_does_not_matter_when_an_exclusion_and_its_end_are_entered(is_late: bool) -> None:
    """Two wins before the exclusion count, three in it do not."""
    french(1800)
    span = date(2026, 1, 15), date(2026, 1, 30)
    if not is_late:
        assert set(exclude(*span, on=date(2026, 1, 14)).corrected.values()) == {0}
    play(date(2026, 1, 10), "++")
    rate(date(2026, 1, 20), "+++")
    assert shown(FEBRUARY) == ((1850, 5) if is_late else (1820, 2))
    if is_late:
        assert exclude(*span, on=date(2026, 2, 14)).corrected == {"rapid": 1, "blitz": 0}
        line = CorrectionLine.objects.get()
        assert (line.player_id, line.difference_hundredths, line.games_difference) == (HERO, -3000, -3)
    make.publish("rapid", MARCH)
    assert shown(MARCH) == (1820, 0)
    assert ListEntry.objects.get(player=HERO, rating_list__date=MARCH).completed_games == 32
    assert_verified()


def test_d143_a_correction_that_names_a_member_of_an_excluded_federation_gives_no_rating() -> None:
    """Five wins would be 2109: the hero, whom no list knew, was excluded when the event began."""
    french()
    exclude(date(2026, 1, 5), date(2026, 2, 20), on=date(2026, 1, 4))
    rate(date(2026, 1, 10), "fffff")
    correct(date(2026, 1, 10), "+++++", on=date(2026, 2, 10))
    make.publish("rapid", MARCH)
    assert shown(MARCH) is None
    assert_verified()


def test_d143_event_before_an_exclusion_that_a_correction_reports_counts_on_return() -> None:
    """Ten wins of 1800 against 1800 with K 20, for five."""
    french(1800)
    exclude(date(2026, 1, 15), date(2026, 2, 20), on=date(2026, 1, 14))
    rate(date(2026, 1, 10), "+++++fffff")
    correct(date(2026, 1, 10), "+" * 10, on=date(2026, 2, 10))
    make.publish("rapid", MARCH)
    assert shown(MARCH) == (1900, 0)
    assert_verified()


def test_d112_recalculated_rating_that_no_list_showed_has_reached_nothing() -> None:
    """2395, 2385, 2355; January corrected by 20 points would have been 2405 in February. K stays 20."""
    make.first_list({**dict.fromkeys(OPPONENTS, 2395), HERO: 2395})
    rate(date(2026, 1, 10), "-")
    rate(date(2026, 2, 10), "---")
    assert (shown(FEBRUARY), shown(MARCH)) == ((2385, 1), (2356, 3))
    correct(date(2026, 1, 10), "+", on=date(2026, 3, 10))
    make.publish("rapid", APRIL)
    entry = ListEntry.objects.get(player=HERO, rating_list__date=APRIL)
    assert (entry.rating, entry.k_factor, entry.reached_2400) == (2376, 20, False)
    rate(date(2026, 4, 10), "++")
    assert shown(MAY) == (2397, 2)
    assert_verified()


def test_d148_k_10_by_a_published_2400_stays_where_that_figure_was_corrected() -> None:
    make.first_list({**dict.fromkeys(OPPONENTS, 2395), HERO: 2395})
    rate(date(2026, 1, 10), "+")
    assert shown(FEBRUARY) == (2405, 1)
    correct(date(2026, 1, 10), "-", on=date(2026, 2, 10))
    make.publish("rapid", MARCH)
    entry = ListEntry.objects.get(player=HERO, rating_list__date=MARCH)
    assert (entry.rating, entry.k_factor, entry.reached_2400) == (2385, 10, True)
    assert_verified()


def test_d112_junior_whose_recalculated_rating_only_was_2300_keeps_k_40() -> None:
    """2290 loses in January and would have won: 2310 in February, which no list showed."""
    make.first_list({**dict.fromkeys(OPPONENTS, 2290), HERO: (2290, 40)}, born=2010)
    rate(date(2026, 1, 10), "-")
    rate(date(2026, 2, 10), "--")
    assert (shown(FEBRUARY), shown(MARCH)) == ((2270, 1), (2232, 2))
    correct(date(2026, 1, 10), "+", on=date(2026, 3, 10))
    make.publish("rapid", APRIL)
    entry = ListEntry.objects.get(player=HERO, rating_list__date=APRIL)
    assert (entry.rating, entry.k_factor, entry.reached_2300) == (2272, 40, False)
    assert_verified()


def test_d113_initial_rating_and_the_change_by_the_standard_rating_are_added(client: Client) -> None:
    """Six wins: 2136. 1600 loses to 1800, PD .24, K 40: 9.60 less."""
    world()
    rate(date(2026, 1, 30), "++++++")
    make.first_list({HERO: 1600}, kind="standard", on=FEBRUARY)
    rate(date(2026, 2, 10), "-")
    assert shown(MARCH) == (2126, 7)
    sums = re.findall(r'data-(initial|sum)="(-?[0-9]+)"', page(client, f"/players/{HERO}/rapid/{MARCH}/"))
    assert {("initial", "2136"), ("sum", "-960")} <= {*sums}
    assert ListEntry.objects.get(player=HERO, rating_list__date=MARCH).completed_games == 7
    assert not PoolEvent.objects.filter(player=HERO, closed_by=None).exists()
    assert_verified()


def test_d110_second_engine_believes_no_rating_that_no_correction_gave_or_took_away(tmp_path: Path) -> None:
    """A first rating goes with the March list and comes back with the April list."""
    world()
    rate(date(2026, 1, 10), "+++++")
    correct(date(2026, 1, 10), "++++f", on=date(2026, 2, 20))
    is_lost = verifier.download(make.publish("rapid", MARCH), tmp_path)
    assert verifier.run(is_lost) == 0
    change_rows("corrections.csv", _row_of(is_lost), "lost", "0")(is_lost)
    assert verifier.run(is_lost) == 1

    correct(date(2026, 1, 10), "+++++", on=date(2026, 3, 20))
    is_back = verifier.download(make.publish("rapid", APRIL), tmp_path)
    assert verifier.run(is_back) == 0
    change_rows("corrections.csv", _row_of(is_back), "first_rating", "2110")(is_back)
    assert verifier.run(is_back) == 1


def _row_of(files: verifier.Files) -> int:
    """Return the place of the hero's row among the corrections of a bundle."""
    return [row["fide_id"] for row in rows_of(files, "corrections.csv")].index(str(HERO))
