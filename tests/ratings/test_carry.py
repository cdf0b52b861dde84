"""Entries that the database carries over by itself, against the rule in plain words of `carried_over`."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from random import Random

import pytest

from core.acts import Act
from players.models import Federation, FederationExclusion, Player
from ratings.adjust import prepare
from ratings.choices import EntryStatus as Stored
from ratings.ledger.figures import ENTRY_FIELDS
from ratings.ledger.stored import bar_of, entry_from
from ratings.models import ListEntry, RatingList
from ratings.publish.entries import listing_of
from ratings.publish.publish import publish_list
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.listing import EntryFigures, carried_over
from ratings.systems.otb.values import PlayerState
from ratings.systems.registry import SHIPPED
from tests import make

DATES = (date(2023, 6, 1), date(2026, 2, 1))
PERSON_FIELDS = ("name", "federation_id", "sex", "title", "birth_year")


def _person(fide_id: int, random: Random, on: date) -> Player:
    died_on = random.choice([None] * 8 + [on - timedelta(days=1), on])
    return Player(
        fide_id=fide_id,
        name=f"Player, P{fide_id}",
        federation_id=random.choice(["SUI", "FRA", "OUT"]),
        sex=random.choice(["M", "F", ""]),
        title=random.choice(["", "GM", "FM"]),
        birth_year=random.choice([None, 1850, 1950, on.year - 19, on.year - 18, on.year - 17, 2015]),
        died_on=died_on,
    )


def _entry(player: Player, rating_list: RatingList, random: Random, on: date) -> ListEntry:
    """An entry of any kind that a list may hold, with the person as somebody else on the list before."""
    status = random.choice([Stored.LISTED] * 6 + [Stored.WITHHELD, Stored.UNRATED, Stored.DECEASED])
    floor = SHIPPED.text_on(on).floor
    rating = random.choice([floor - 1, floor, floor + 1, 1399, 1400, 1800, 2299, 2300, 2400, 2700])
    return ListEntry(
        rating_list=rating_list,
        player=player,
        status=status,
        name="As It Was",
        federation_id="SUI",
        rating=None if status == Stored.UNRATED else rating,
        games=random.choice([0, 9]),
        k_factor=None if status == Stored.UNRATED else random.choice([10, 20, 40]),
        is_inactive=random.random() < 0.3,
        completed_games=random.choice([0, 5, 29, 30, 31, 400]),
        # What a list shows is reached (D-112).
        reached_2300=rating >= 2300 or random.random() < 0.3,
        reached_2400=rating >= 2400 or random.random() < 0.3,
        last_played=random.choice([None, date(2022, 6, 1), date(2025, 3, 1), rating_list.date]),
    )


def _federations(on: date) -> None:
    for code in ("SUI", "FRA", "OUT"):
        Federation.objects.get_or_create(code=code, defaults={"name": code})
    FederationExclusion.objects.create(
        federation_id="OUT", excluded_from=on - timedelta(days=40), recorded_at=make.noon(on)
    )


@pytest.mark.django_db
@pytest.mark.parametrize("on", DATES)
@pytest.mark.parametrize(
    ("seed", "formula"),
    [
        *((seed, None) for seed in range(3)),
        (3, Adjustment(2000, Fraction(2, 5))),
        (4, Adjustment(2600, Fraction(1, 3), least=2350)),
        (5, Adjustment(1399, Fraction(3, 10), is_above=True)),
    ],
)
def test_entries_carried_by_the_database_are_those_of_the_rule(
    on: date, seed: int, formula: Adjustment | None
) -> None:
    random = Random(seed)
    if formula is not None:
        # An adjustment in SQL, for the most, and by the rule, for the others (D-133).
        prepare("rapid", on, formula, Act(None, make.noon(on), "Deflation"), reference="FC 1")
    _federations(on)
    before = (on - timedelta(days=1)).replace(day=1)
    previous = RatingList.objects.create(
        kind="rapid", date=before, origin="imported", published_at=make.noon(before)
    )
    people = Player.objects.bulk_create(_person(1001 + n, random, on) for n in range(150))
    ListEntry.objects.bulk_create(_entry(player, previous, random, on) for player in people)
    made = publish_list("rapid", on, by=None, at=make.noon(on)).rating_list
    assert _held(made) == _expected(made)
    assert made.listed == ListEntry.objects.filter(rating_list=made).listed().count()


def _held(rating_list: RatingList) -> dict[int, tuple[object, ...]]:
    rows = ListEntry.objects.filter(rating_list=rating_list)
    values = rows.values_list("player_id", *PERSON_FIELDS, *ENTRY_FIELDS)
    width = len(PERSON_FIELDS) + 1
    return {row[0]: (*row[1:width], entry_from(row[width:])) for row in values}


def _expected(rating_list: RatingList) -> dict[int, tuple[object, ...]]:
    listing = listing_of(rating_list.kind, rating_list.date, SHIPPED)
    rows = ListEntry.objects.filter(rating_list=rating_list.previous).select_related("player")
    expected: dict[int, tuple[object, ...]] = {}
    for row in rows:
        person = row.player
        barred = bar_of(person.federation_id, person.died_on, rating_list.date, frozenset({"OUT"}))
        former = entry_from([getattr(row, name) for name in ENTRY_FIELDS])
        new: EntryFigures | None = carried_over(former, listing, birth_year=person.birth_year, barred=barred)
        if new is not None:
            expected[person.pk] = (*(getattr(person, name) for name in PERSON_FIELDS), new)
    return expected


@pytest.mark.parametrize("on", DATES)
@pytest.mark.parametrize("birth_year", [None, 1980, 2010])
@pytest.mark.parametrize(("reached_2300", "reached_2400"), [(False, False), (True, False), (True, True)])
def test_k_does_not_ask_for_more_games_than_a_newcomers(
    on: date, birth_year: int | None, reached_2300: bool, reached_2400: bool
) -> None:
    """What carrying relies on: from 30 games on, their number decides nothing."""
    factors = {
        SHIPPED.text_on(on).list_k(
            PlayerState(completed=completed, reached_2300=reached_2300, reached_2400=reached_2400),
            birth_year=birth_year,
            on=on,
        )
        for completed in range(SHIPPED.text_on(on).newcomer_games, 230)
    }
    assert len(factors) == 1
