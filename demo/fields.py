"""Who plays where: fields drawn by how often somebody plays, with the ratings that are in force."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from random import Random

from demo.events import Field
from demo.people import HOME, Person
from players.models import Player
from ratings.queries.in_force import Lists
from ratings.services.standings import basis_on, standings_of

JUNIOR_AGE, SENIOR_AGE = 18, 60
MANY = 1_000_000
# So far apart on the ranking that a match is decided before its last game.
STRENGTH_STEP = 6


def drawn_field(
    rng: Random, people: Sequence[Person], *, size: int, guests: int, field: Field, year: int
) -> list[Person]:
    """Return so many players, guests among them; who plays more often is drawn more often."""
    at_home = [person for person in people if person.record.federation == HOME and _fits(person, field, year)]
    if field is Field.STRONGEST:
        return sorted(at_home, key=lambda person: -person.strength)[::STRENGTH_STEP][:size]
    away = [person for person in people if person.record.federation != HOME]
    return _drawn(rng, away, guests) + _drawn(rng, at_home, size - guests)


def with_ratings(people: Sequence[Person], *, kind: str, start: date) -> list[tuple[Person, int]]:
    """Return players with the rating by which each starts on a day, 0 for the unrated (7.2.1)."""
    players = Player.objects.in_bulk([person.fide_id for person in people])
    lists = Lists()
    standings = standings_of(basis_on(kind, start, lists), players.values(), lists)
    ratings = {fide_id: standing.rating or 0 for fide_id, standing in standings.items()}
    return [(person, ratings.get(person.fide_id, 0)) for person in people]


def _fits(person: Person, field: Field, year: int) -> bool:
    age = year - (person.record.birth_year or year)
    if field is Field.JUNIORS:
        return age <= JUNIOR_AGE
    return age >= SENIOR_AGE if field is Field.SENIORS else True


def _drawn(rng: Random, people: Sequence[Person], number: int) -> list[Person]:
    return sorted(people, key=lambda person: rng.randrange(MANY) // person.activity**2)[:number]
