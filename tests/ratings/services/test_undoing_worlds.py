"""Random worlds of events and corrections: undoing leaves nothing behind, no order matters, the oracle agrees.

`UNDONE_WORLDS=200 pytest ...` for a long run, which also tries every order of corrections.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from django.db import transaction

from players.models import Player
from ratings.choices import EntryStatus
from ratings.models import ListEntry, PoolEvent, RatingList
from ratings.services.verification.lists import list_differences
from ratings.systems.arithmetic import half_away_from_zero
from tests.amending import correct_game, correct_player, correct_report
from tests.factories import AppointmentFactory, FederationFactory, merge_by_two, noon, publish
from tests.ratings.services.stored_federation import listed
from tests.ratings.systems.federations import Contest, Federation, Person
from tests.ratings.systems.oracle import Oracle
from tests.trf_files import RESULTS, Event
from tournaments.amendments import NotRated
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
WORLDS = int(os.environ.get("UNDONE_WORLDS", "1"))
SEEDS = range(WORLDS)
# Four facts have 24 orders: a world of each seed takes some of them, a long run all.
ORDERS = 24 if WORLDS > 1 else 3
RATED = {1001: 2000, 1002: 1900, 1003: 1650, 1004: 1420, 1005: 1405}
UNRATED = (1006, 1007, 1008)
# Second records of persons: a rated one, a low one, and one who has no rating.
TWINS = {1011: 1001, 1015: 1005, 1018: 1008}
# A federation whose players are listed, and one whose players are not (9.1).
ELSEWHERE = ("FRA", "XXX")
IMPORTED = date(2026, 1, 1)
LISTS = [date(2026, month, 1) for month in range(2, 9)]
SCORES = ("1-0", "0-1", "1/2", "0-1")
Submit = Callable[..., Any]


@dataclass
class Played:
    """An event as it was submitted, and the report that stands: the event, another one, or none."""

    event: Event
    tournament: Tournament
    stands: Event | None
    is_marked: bool = False

    def correct(self, content: Event | None, on: date) -> None:
        correct_report(
            self.tournament,
            content.content() if content else None,
            file_name="corrected.trf",
            reason="Tried out.",
            by=None,
            on=on,
            at=noon(on),
        )
        self.stands = content

    def mark(self, why: str, on: date) -> None:
        decision = NotRated(1, self.event.rounds[0][0][0], why=why, reference="QC 1/2026")
        correct_game(self.tournament, decision, reason="Decided.", by=None, on=on, at=noon(on))
        self.is_marked = bool(why)

    def undo(self, on: date) -> None:
        if self.stands != self.event:
            self.correct(self.event, on)
        if self.is_marked:
            self.mark("", on)


def event_of(random: Random, month: int, number: int, *, has_twins: bool) -> Event:
    """Return an event of some players, some of whom meet in each round; nobody who has no rating plays alone.

    With twins, persons play under the one or the other of their FIDE IDs.
    """
    ids = random.sample([*RATED], 3) + random.sample(UNRATED, 2)
    random.shuffle(ids)
    if has_twins:
        second = {person: twin for twin, person in TWINS.items()}
        ids = [random.choice((fide_id, second.get(fide_id, fide_id))) for fide_id in ids]
    rounds = [_round(random, len(ids)) for _ in range(random.randint(2, 4))]
    day = f"2026/{month:02}/{4 + 7 * number:02}"
    players = [(fide_id, f"Player, P{fide_id}") for fide_id in ids]
    return Event(players, rounds, name=f"Open {month}-{number}", start=day, end=day)


def _round(random: Random, players: int) -> list[tuple[int, int, str]]:
    order = random.sample(range(1, players + 1), players)
    return [
        (white, black, random.choice(SCORES)) for white, black in zip(order[::2], order[1::2], strict=False)
    ]


def changed(random: Random, event: Event) -> Event:
    """Return an event with other results; one that is not the same."""
    while True:
        rounds = [
            [(white, black, random.choice(SCORES)) for white, black, _ in games] for games in event.rounds
        ]
        if rounds != event.rounds:
            return replace(event, rounds=rounds)


@pytest.fixture
def play(first_list: Callable[..., RatingList], submit: Submit) -> Callable[..., list[Played]]:
    """Return a function that plays events in some months, each list published after its month."""
    first_list(RATED | dict.fromkeys((*UNRATED, *TWINS)))
    FederationFactory(code="FRA")
    FederationFactory(code="XXX", is_member=False)

    def call(random: Random, months: Sequence[int], events: int, *, has_twins: bool = False) -> list[Played]:
        found = []
        for month in months:
            for number in range(events):
                event = event_of(random, month, number, has_twins=has_twins)
                submit(event, registered=f"2026-{month:02}-01", submitted=f"2026-{month:02}-27")
                tournament = Tournament.objects.get(name=event.name)
                found.append(Played(event, tournament, event))
            publish("rapid", LISTS[month - 1])
        for item in found:
            item.tournament.refresh_from_db()
        return found

    return call


def snapshot(on: date) -> set[Any]:
    """Return what the newest list and the pools hold of everybody."""
    entries = ListEntry.objects.filter(rating_list__kind="rapid", rating_list__date=on).order_by("player")
    fields = (
        "player", "status", "rating", "k_factor", "completed_games", "reached_2300", "reached_2400",
        "last_played", "is_inactive",
    )  # fmt: skip
    rows = PoolEvent.objects.filter(closed_by=None).select_related("participant_rating")
    pools = {(row.player_id, row.tournament_id, row.sums, row.is_disregarded) for row in rows}
    return set(entries.values_list(*fields)) | pools


def without_ratings(held: set[Any], people: set[int]) -> set[Any]:
    """Return what a snapshot holds, but for the ratings of some people."""
    return {
        (*row[:2], *row[3:]) if row[0] in people and row[1] in EntryStatus.values else row for row in held
    }


def rating_of(held: set[Any], person: int) -> int:
    """Return the rating that a snapshot holds of a person, 0 for none."""
    ratings = [row[2] for row in held if row[0] == person and row[1] in EntryStatus.values]
    return next(filter(None, ratings), 0)


def undisturbed(lists: Sequence[date], mergers: Mapping[date, int]) -> set[Any]:
    """Return what would be held after some more lists and mergers; nothing of it is for good."""
    with transaction.atomic():
        for day in lists:
            merge(mergers.get(day), day)
            publish("rapid", day)
        found = snapshot(lists[-1])
        transaction.set_rollback(True)
    return found


def act(random: Random, played: Played, on: date) -> None:
    """Do one thing to an event, or undo what was done."""
    choice = random.choice(("withdraw", "change", "mark", "undo"))
    if choice == "withdraw" and played.stands is not None:
        played.correct(None, on)
    elif choice == "change":
        played.correct(changed(random, played.stands or played.event), on)
    elif choice == "mark" and played.stands is not None and not played.is_marked:
        played.mark("fair-play", on)
    elif choice == "undo":
        played.undo(on)


def merge(twin: int | None, before: date) -> None:
    """Merge the second record of a person, if any, into the first one."""
    if twin is not None:
        player, into = Player.objects.get(pk=twin), Player.objects.get(pk=TWINS[twin])
        staff = AppointmentFactory(role="staff").user
        on = before.replace(month=before.month - 1, day=10)
        merge_by_two(player, into=into, reason="One person.", by=staff, at=noon(on))


def transfer(fide_id: int, federation: str, at: date) -> None:
    player = Player.objects.get(pk=fide_id)
    if player.federation_id != federation:
        data = {"federation_id": federation}
        correct_player(player, data, reason="Tried out.", by=None, at=noon(at))


def bury(fide_id: int, died_on: date | None, at: date) -> None:
    player = Player.objects.get(pk=fide_id)
    if player.died_on != died_on:
        correct_player(player, {"died_on": died_on}, reason="Tried out.", by=None, at=noon(at))


def assert_verified() -> None:
    for rating_list in RatingList.objects.filter(origin="published").order_by("date"):
        assert list(list_differences(rating_list)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_d_101_what_is_undone_over_any_number_of_lists_leaves_nothing_behind(
    seed: int, play: Callable[..., list[Played]]
) -> None:
    random = Random(seed)
    played = play(random, (1, 2, 3), 2, has_twins=True)
    later = LISTS[3:6]
    # No merge is undone: it is in both worlds.
    mergers = {day: twin for twin in TWINS if (day := random.choice((*later, IMPORTED))) != IMPORTED}
    expected = undisturbed(later, mergers)
    dead, moved = random.sample([*RATED, *UNRATED], 2)
    for day in later:
        on = day.replace(month=day.month - 1, day=15)
        for item in random.sample(played, 3):
            act(random, item, on)
        bury(dead, random.choice((None, date(2026, 3, 20))), on)
        transfer(moved, random.choice(("SUI", *ELSEWHERE)), on)
        merge(mergers.get(day), day)
        if day == later[-1]:
            for item in random.sample(played, len(played)):
                item.undo(on)
            bury(dead, None, on)
            transfer(moved, "SUI", on)
        publish("rapid", day)
    found, merged = snapshot(later[-1]), {TWINS[twin] for twin in mergers.values()}
    assert sorted(without_ratings(found, merged) ^ without_ratings(expected, merged), key=str) == []
    # Games of a merged pool are an adjustment of the list with the merger, and rounded with what else falls on it.
    differences = {person: rating_of(found, person) - rating_of(expected, person) for person in merged}
    assert all(abs(difference) <= 1 for difference in differences.values()), differences
    assert_verified()


@pytest.mark.parametrize("seed", SEEDS)
def test_d_102_the_same_corrections_in_another_order_give_the_same_list(
    seed: int, play: Callable[..., list[Played]]
) -> None:
    random = Random(seed)
    first, second = random.sample(play(random, (1, 2), 2, has_twins=True), 2)
    twin = random.choice([*TWINS])
    facts: list[Callable[[], None]] = [
        lambda: first.correct(None, day),
        lambda: second.correct(other, day),
        lambda: merge(twin, LISTS[2]),
        lambda: transfer(TWINS[twin], "FRA", day),
    ]
    day, other = date(2026, 3, 15), changed(random, second.event)
    found = []
    for order in random.sample([*permutations(facts)], ORDERS):
        with transaction.atomic():
            for fact in order:
                fact()
            publish("rapid", LISTS[2])
            found.append(snapshot(LISTS[2]))
            transaction.set_rollback(True)
    assert all(held == found[0] for held in found), f"seed {seed}"


@pytest.mark.parametrize("seed", SEEDS)
def test_d11_corrected_month_is_that_of_the_oracle(seed: int, play: Callable[..., list[Played]]) -> None:
    """The oracle calculates the month from the corrected events alone, knowing of no correction."""
    random = Random(seed)
    played = play(random, (1,), 3)
    before = _oracle([item.event for item in played])
    assert listed(LISTS[0]) == before.lists[LISTS[0]]
    for item in random.sample(played, 2):
        item.correct(random.choice((None, changed(random, item.event))), date(2026, 2, 10))
    after = _oracle([item.stands for item in played if item.stands])
    publish("rapid", LISTS[1])
    found = {fide_id: (row.rating, row.completed) for fide_id, row in listed(LISTS[1]).items()}
    assert found == _expected(before, after), f"seed {seed}"
    assert_verified()


def _expected(before: Oracle, after: Oracle) -> dict[int, tuple[int, int]]:
    """Return rating and games completed by list two: what was published and the unrounded difference (D-11).

    Who fell under the floor on list one comes back by the change as it was rounded there (D-101).
    """
    day, expected = LISTS[0], {}
    for fide_id, rating in RATED.items():
        changes = [oracle.changes.get((day, fide_id), Fraction(0)) for oracle in (after, before)]
        published = before.lists[day].get(fide_id)
        held = rating + half_away_from_zero(changes[1]) if published is None else published.rating
        corrected = held + half_away_from_zero(changes[0] - changes[1])
        games = sum(len(item.rounds) for key, item in after.results.items() if key[1] == fide_id)
        if corrected >= 1400:
            expected[fide_id] = (corrected, 30 + games)
    for fide_id in UNRATED:
        if (right := after.lists[day].get(fide_id)) is not None:
            expected[fide_id] = (right.rating, right.completed)
    return expected


def _oracle(events: Sequence[Event]) -> Oracle:
    people = [_person(fide_id) for fide_id in (*RATED, *UNRATED)]
    contests = tuple(_contest(event) for event in events)
    return Oracle(Federation(IMPORTED, (LISTS[0],), (), tuple(people), contests))


def _person(fide_id: int) -> Person:
    return Person(
        number=fide_id,
        birth_year=1980,
        rating=RATED.get(fide_id),
        k=20,
        is_inactive=False,
        old_events=(),
        standard={},
        excluded_from=None,
        excluded_until=None,
        died_on=None,
    )


def _contest(event: Event) -> Contest:
    day = date.fromisoformat(event.start.replace("/", "-"))
    ids = [fide_id for fide_id, _name in event.players]
    games = tuple(
        (number, ids[white - 1], ids[black - 1], *RESULTS[result], True, "")
        for number, pairs in enumerate(event.rounds, start=1)
        for white, black, result in pairs
    )
    return Contest(
        event_id=str(day.day),
        start=day,
        end=day,
        list_date=LISTS[0],
        rounds=len(event.rounds),
        is_match=False,
        has_waiver=False,
        has_unequal_times=False,
        players=tuple(ids),
        games=games,
    )
