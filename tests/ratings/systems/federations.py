"""Small random federations: people, imported figures and a year of tournaments, the same for the same seed.

`facts_of` says what the oracle may know of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from random import Random

from tests.ratings.ledger.facts import Death, Event, Exclusion, Facts, Game, Imported, Report, StandardList
from tests.ratings.ledger.facts import Person as Known
from tests.ratings.systems.oracle_figures import points

IMPORTS = (date(2023, 6, 1), date(2023, 6, 1), date(2023, 6, 1), date(2023, 11, 1), date(2024, 4, 1))
LISTS = 13
# Ratings close to what changes with them: the floors, 2200, 2300, 2400, and some between.
BANDS = ((1000, 1060), (1360, 1460), (1400, 2000), (1700, 2250), (2150, 2230), (2250, 2320), (2340, 2420))
UNPLAYED = (("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("L", "W"), ("D", "D"))
BYES = ("U", "H", "F", "Z", "+", "-")

PLAYED = {"1": "1-0", "0": "0-1", "=": "1/2"}

# Round, white, black, both codes, whether it was played, a mark (4.1).
Pairing = tuple[int, int, int | None, str, str, bool, str]


@dataclass(frozen=True, slots=True)
class Person:
    """A player, the figures imported, and the days on which the federation is no member or the player is gone."""

    number: int
    birth_year: int | None
    rating: int | None
    k: int
    is_inactive: bool
    standard: dict[date, int]
    excluded_from: date | None
    excluded_until: date | None
    died_on: date | None


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament as reported, with the list that it goes into."""

    event_id: str
    start: date
    end: date
    list_date: date
    rounds: int
    is_match: bool
    has_waiver: bool
    has_unequal_times: bool
    players: tuple[int, ...]
    games: tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Federation:
    imported_on: date
    list_dates: tuple[date, ...]
    standard_dates: tuple[date, ...]
    people: tuple[Person, ...]
    contests: tuple[Contest, ...]


def months_after(first: date, months: int) -> date:
    """Return the 1st of a later (or earlier) month."""
    count = first.year * 12 + first.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def federation_of(seed: int) -> Federation:
    """Return the federation of a seed."""
    random = Random(seed)
    imported_on = random.choice(IMPORTS)
    list_dates = tuple(months_after(imported_on, count) for count in range(1, LISTS + 1))
    standard_dates = (imported_on, *sorted(random.sample(list_dates, 2)))
    numbers = range(1, random.randint(4, 9) + 1)
    people = tuple(_person(random, number, imported_on, list_dates, standard_dates) for number in numbers)
    contests = _contests(random, imported_on, list_dates, people)
    return Federation(imported_on, list_dates, standard_dates, people, tuple(contests))


def _person(
    random: Random,
    number: int,
    imported_on: date,
    list_dates: tuple[date, ...],
    standard_dates: tuple[date, ...],
) -> Person:
    rating = random.randint(*random.choice(BANDS)) if random.random() < 0.6 else None
    if rating is not None and imported_on >= date(2024, 1, 1):
        rating = max(rating, 1400)
    excluded_from, excluded_until = _exclusion(random, list_dates)
    return Person(
        number=number,
        birth_year=_birth_year(random, imported_on),
        rating=rating,
        k=random.choice((40, 20, 20, 10)),
        is_inactive=random.random() < 0.3,
        standard=_standard(random, standard_dates),
        excluded_from=excluded_from,
        excluded_until=excluded_until,
        died_on=random.choice(list_dates) + timedelta(random.randint(-20, 20))
        if random.random() < 0.06
        else None,
    )


def _birth_year(random: Random, imported_on: date) -> int | None:
    if random.random() < 0.1:
        return None
    return imported_on.year - random.choice((12, 17, 18, 18, 19, 35, 60))


def _exclusion(random: Random, dates: tuple[date, ...]) -> tuple[date | None, date | None]:
    if random.random() > 0.15:
        return None, None
    first = random.choice(dates) + timedelta(random.randint(-3, 3))
    if random.random() < 0.2:
        return first, None
    return first, first + timedelta(random.randint(20, 130))


def _standard(random: Random, dates: tuple[date, ...]) -> dict[date, int]:
    if random.random() < 0.5:
        return {}
    low, high = random.choice(BANDS)
    return {day: random.randint(low, high) for day in dates if random.random() < 0.6}


def _contests(
    random: Random, imported_on: date, dates: tuple[date, ...], people: tuple[Person, ...]
) -> Iterator[Contest]:
    strengths = {person.number: random.choice((0.02, 0.3, 0.5, 0.7, 0.98)) for person in people}
    days = (dates[-1] - imported_on).days
    start = imported_on
    for count in range(random.randint(6, 34)):
        if random.random() < 0.85:  # else on the day of the one before: the end and the id order them
            start = imported_on + timedelta(random.randint(0, days - 4))
        end = start + timedelta(random.choice((0, 0, 1, 2, 3, 9, 40)))
        in_time = [day for day in dates if end <= day - timedelta(3)]
        delay = random.choice((0, 0, 0, 0, 1, 1, 2, 3))
        alive = [p.number for p in people if p.died_on is None or p.died_on > end]
        if delay < len(in_time) and len(alive) >= 2:
            yield _contest(random, str(1000 - 7 * count), start, end, in_time[delay], alive, strengths)


def _contest(
    random: Random,
    event_id: str,
    start: date,
    end: date,
    list_date: date,
    alive: list[int],
    strengths: dict[int, float],
) -> Contest:
    is_match = random.random() < 0.12
    players = random.sample(alive, 2 if is_match else random.randint(2, len(alive)))
    rounds = random.choice((1, 2, 3, 5, 7, 9, 9, 15))
    return Contest(
        event_id=event_id,
        start=start,
        end=end,
        list_date=list_date,
        rounds=rounds,
        is_match=is_match,
        has_waiver=random.random() < 0.3,
        has_unequal_times=random.random() < 0.04,
        players=tuple(players),
        games=tuple(_games(random, players, rounds, strengths)),
    )


def _games(random: Random, players: list[int], rounds: int, strengths: dict[int, float]) -> Iterator[Pairing]:
    for number in range(1, rounds + 1):
        order = random.sample(players, len(players))
        for white, black in zip(order[::2], order[1::2], strict=False):
            yield _pairing(random, number, white, black, strengths)
        if len(order) % 2:
            yield (number, order[-1], None, random.choice(BYES), "", False, "")


def _pairing(random: Random, number: int, white: int, black: int, strengths: dict[int, float]) -> Pairing:
    if random.random() < 0.07:
        return (number, white, black, *random.choice(UNPLAYED), False, "")
    mark = random.choice(("force-majeure", "fair-play")) if random.random() < 0.03 else ""
    expected = (1 + strengths[white] - strengths[black]) / 2
    chance = random.random()
    if random.random() < 0.2 and 0.02 < expected < 0.98:
        return (number, white, black, "=", "=", True, mark)
    codes = ("1", "0") if chance < expected else ("0", "1")
    return (number, white, black, *codes, True, mark)


def facts_of(federation: Federation) -> Facts:
    """Return what is known of a federation; nobody's federation is another's, so that each is excluded alone."""
    people = federation.people
    return Facts(
        people=tuple(Known(one.number, f"X{one.number:02}", one.birth_year) for one in people),
        imported={
            federation.imported_on: {
                one.number: Imported(one.rating, one.k, one.is_inactive) for one in people if one.rating
            }
        },
        published=federation.list_dates,
        events=tuple(_event(contest) for contest in federation.contests),
        standard=tuple(
            StandardList(day, day, {one.number: one.standard[day] for one in people if day in one.standard})
            for day in federation.standard_dates
        ),
        deaths=tuple(Death(date.min, one.number, one.died_on) for one in people if one.died_on),
        exclusions=tuple(
            Exclusion(date.min, f"X{one.number:02}", one.excluded_from, one.excluded_until)
            for one in people
            if one.excluded_from
        ),
    )


def _event(contest: Contest) -> Event:
    """Return a contest with the games that are rated whoever is rated (1.2, 4.1, 5.2)."""
    games = tuple(
        Game(game[0], game[1], game[2], PLAYED[game[3]])
        for game in contest.games
        if game[2] is not None and game[5] and not game[6] and not _is_decided_before(contest, game)
    )
    report = Report(contest.list_date, () if contest.has_unequal_times else games)
    # The order of the IDs is that of their numbers.
    event_id = f"{int(contest.event_id):04}"
    dates = contest.start, contest.end, contest.list_date
    return Event(event_id, *dates, (report,), is_match=contest.is_match)


def _is_decided_before(contest: Contest, game: Pairing) -> bool:
    """5.2, D-17: whether one of the two of a match had more than half of the points before the game."""
    if not contest.is_match or contest.has_waiver:
        return False
    scores: dict[int, Fraction] = {}
    for number, white, black, white_code, black_code, *_ in contest.games:
        if number < game[0] and black is not None:
            scores[white] = scores.get(white, Fraction(0)) + points(white_code)
            scores[black] = scores.get(black, Fraction(0)) + points(black_code)
    return any(score > Fraction(contest.rounds, 2) for score in scores.values())
