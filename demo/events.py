"""The tournaments of the half year behind the lists, as they are planned, and who plays where.

Days count from the month's first. Fields are drawn by how often somebody plays."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from random import Random

from demo.people import HOME, Person
from players.models import Player
from ratings.queries.in_force import Lists, basis_on, standings_of


class Field(Enum):
    """From whom a tournament draws its players."""

    OPEN = "open"
    JUNIORS = "juniors"
    SENIORS = "seniors"
    STRONGEST = "strongest"


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: when (month of the half year from 0, first day, days), where, how long, and with whom.

    A day below 1 counts from the month's end: 0 is the last day. `time` is minutes and seconds a move.
    """

    month: int
    day: int
    days: int
    name: str
    city: str
    kind: str
    time: tuple[int, int]
    rounds: int
    size: int
    guests: int = 0
    field: Field = Field.OPEN
    submitted_after: int = 2
    is_match: bool = False
    is_official: bool = False
    arbiter: str = "Feltgenhauer, Mariette"
    # The last such day of the week up to `day`, Monday is 0, where the name speaks of one.
    weekday: int | None = None


ARBITER_2 = "Möllendörfer, Götz"
ARBITER_3 = "Peixotinho, Graça"

PLANS = (
    Plan(0, 9, 1, "Musel Rapid", "Grevenmacher", "rapid", (15, 10), 7, 44, 4),
    Plan(0, 16, 1, "Minett Blitz", "Esch-sur-Alzette", "blitz", (3, 2), 11, 36, arbiter=ARBITER_2),
    Plan(0, 23, 2, "Abbey Open", "Echternach", "rapid", (25, 5), 9, 52, 12),
    Plan(1, 6, 1, "Junior Grand Prix 1", "Mersch", "rapid", (15, 5), 7, 30, field=Field.JUNIORS),
    Plan(1, 13, 1, "Kirchberg Blitz Night", "Luxembourg", "blitz", (3, 2), 13, 40, 6),
    Plan(1, 20, 1, "Club Evening 1", "Differdange", "rapid", (12, 3), 5, 26, arbiter=ARBITER_3),
    Plan(2, 4, 2, "National Rapid Championship", "Ettelbruck", "rapid", (15, 10), 9, 58),
    Plan(2, 11, 1, "National Blitz Championship", "Ettelbruck", "blitz", (3, 2), 13, 54, arbiter=ARBITER_2),
    # It ends after the closing date, so that the list after the next takes it.
    Plan(2, -1, 2, "Castle Festival Rapid", "Vianden", "rapid", (15, 10), 8, 38, 8, submitted_after=3),
    Plan(3, 8, 1, "Seniors' Rapid", "Mondorf-les-Bains", "rapid", (20, 10), 6, 28, field=Field.SENIORS),
    Plan(3, 15, 1, "Harbour Blitz", "Mertert", "blitz", (5, 0), 9, 34, 3, arbiter=ARBITER_3),
    Plan(3, 22, 2, "Old Town Open", "Luxembourg", "rapid", (25, 5), 9, 56, 16),
    Plan(4, 5, 1, "Junior Grand Prix 2", "Wiltz", "rapid", (15, 5), 7, 32, field=Field.JUNIORS),
    Plan(4, 12, 1, "Quay Blitz", "Remich", "blitz", (3, 2), 11, 38, 4, arbiter=ARBITER_2),
    Plan(4, 19, 1, "Club Evening 2", "Differdange", "rapid", (12, 3), 5, 28, arbiter=ARBITER_3),
    Plan(
        month=4,
        day=26,
        days=1,
        name="Blitz Match of Two Generations",
        city="Luxembourg",
        kind="blitz",
        time=(5, 3),
        rounds=8,
        size=2,
        field=Field.STRONGEST,
        submitted_after=1,
        is_match=True,
    ),
    Plan(5, 3, 2, "Ardennes Rapid", "Clervaux", "rapid", (15, 10), 9, 50, 10),
    Plan(5, 10, 1, "Small States Blitz Cup", "Luxembourg", "blitz", (3, 2), 11, 42, 24, is_official=True),
    Plan(5, 17, 1, "Rapid Day Dudelange", "Dudelange", "rapid", (10, 5), 8, 40, 2, arbiter=ARBITER_2),
    Plan(5, -5, 1, "Friday Blitz", "Bettembourg", "blitz", (5, 0), 9, 30, submitted_after=1, weekday=4),
)
# Its report is corrected after publication, so that the next list shows a line for that.
CORRECTED = "Old Town Open"


def month_after(month: date, months: int) -> date:
    """Return the first day of the month so many months later, or earlier where negative."""
    index = month.year * 12 + month.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def first_day(plan: Plan, first_month: date) -> date:
    """Return the first day of a planned tournament."""
    month = month_after(first_month, plan.month)
    day = plan.day if plan.day > 0 else monthrange(month.year, month.month)[1] + plan.day
    nominal = month.replace(day=day)
    if plan.weekday is None:
        return nominal
    return nominal - timedelta(days=(nominal.weekday() - plan.weekday) % 7)


def last_day(plan: Plan, first_month: date) -> date:
    """Return the last day of a planned tournament."""
    return first_day(plan, first_month) + timedelta(days=plan.days - 1)


JUNIOR_AGE, SENIOR_AGE = 18, 60
MANY = 1_000_000
# So far apart on the ranking that a match is decided before its last game.
STRENGTH_STEP = 6


def draw_field(
    rng: Random, people: Sequence[Person], *, size: int, guests: int, field: Field, year: int
) -> list[Person]:
    """Return so many players, guests among them; who plays more often is drawn more often."""
    at_home = [person for person in people if person.record.federation == HOME and _fits(person, field, year)]
    if field is Field.STRONGEST:
        return sorted(at_home, key=lambda person: -person.strength)[::STRENGTH_STEP][:size]
    away = [person for person in people if person.record.federation != HOME]
    return _draw(rng, away, guests) + _draw(rng, at_home, size - guests)


def load_start_ratings(people: Sequence[Person], *, kind: str, start: date) -> list[tuple[Person, int]]:
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


def _draw(rng: Random, people: Sequence[Person], number: int) -> list[Person]:
    return sorted(people, key=lambda person: rng.randrange(MANY) // person.activity**2)[:number]
