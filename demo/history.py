"""The history of half a year: reports submitted, lists published, a death and a correction, day by day."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from random import Random
from typing import Any, Literal

from core.acts import Act
from demo.people import HOME, DemoPlayer
from demo.reports import DemoEvent, PlayedEvent, play
from players.models import Player
from ratings.amend.amend import amend
from ratings.amend.players import amend_player
from ratings.in_force import InForce
from ratings.publish.publish import publish_lists
from ratings.runs import perform_now
from ratings.standings import basis_on, standings_of
from ratings.submission import Submitted, Terms, submit
from tournaments.amendments import Datum, File
from tournaments.models import Tournament
from tournaments.registration import register_tournament

# The group of players from which a tournament draws.
DemoField = Literal["open", "juniors", "seniors", "strongest"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: when (month of the half year from 0, first day, days), where, how many rounds and players.

    A day below 1 counts from the end of the month: 0 is the last day. `time` is minutes and seconds per move.
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
    field: DemoField = "open"
    submitted_after: int = 2
    is_match: bool = False
    is_official: bool = False
    arbiter: str = "Feltgenhauer, Mariette"
    # The last such weekday up to `day`, Monday is 0, if the name includes a weekday.
    weekday: int | None = None


ARBITER_2 = "Möllendörfer, Götz"
ARBITER_3 = "Peixotinho, Graça"

PLANS = (
    Plan(0, 9, 1, "Musel Rapid", "Grevenmacher", "rapid", (15, 10), 7, 44, 4),
    Plan(0, 16, 1, "Minett Blitz", "Esch-sur-Alzette", "blitz", (3, 2), 11, 36, arbiter=ARBITER_2),
    Plan(0, 23, 2, "Abbey Open", "Echternach", "rapid", (25, 5), 9, 52, 12),
    Plan(1, 6, 1, "Junior Grand Prix 1", "Mersch", "rapid", (15, 5), 7, 30, field="juniors"),
    Plan(1, 13, 1, "Kirchberg Blitz Night", "Luxembourg", "blitz", (3, 2), 13, 40, 6),
    Plan(1, 20, 1, "Club Evening 1", "Differdange", "rapid", (12, 3), 5, 26, arbiter=ARBITER_3),
    Plan(2, 4, 2, "National Rapid Championship", "Ettelbruck", "rapid", (15, 10), 9, 58),
    Plan(2, 11, 1, "National Blitz Championship", "Ettelbruck", "blitz", (3, 2), 13, 54, arbiter=ARBITER_2),
    # It ends after the closing date, so the list after the next includes it.
    Plan(2, -1, 2, "Castle Festival Rapid", "Vianden", "rapid", (15, 10), 8, 38, 8, submitted_after=3),
    Plan(3, 8, 1, "Seniors' Rapid", "Mondorf-les-Bains", "rapid", (20, 10), 6, 28, field="seniors"),
    Plan(3, 15, 1, "Harbour Blitz", "Mertert", "blitz", (5, 0), 9, 34, 3, arbiter=ARBITER_3),
    Plan(3, 22, 2, "Old Town Open", "Luxembourg", "rapid", (25, 5), 9, 56, 16),
    Plan(4, 5, 1, "Junior Grand Prix 2", "Wiltz", "rapid", (15, 5), 7, 32, field="juniors"),
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
        field="strongest",
        submitted_after=1,
        is_match=True,
    ),
    Plan(5, 3, 2, "Ardennes Rapid", "Clervaux", "rapid", (15, 10), 9, 50, 10),
    Plan(5, 10, 1, "Small States Blitz Cup", "Luxembourg", "blitz", (3, 2), 11, 42, 24, is_official=True),
    Plan(5, 17, 1, "Rapid Day Dudelange", "Dudelange", "rapid", (10, 5), 8, 40, 2, arbiter=ARBITER_2),
    Plan(5, -5, 1, "Friday Blitz", "Bettembourg", "blitz", (5, 0), 9, 30, submitted_after=1, weekday=4),
)
# Its report is corrected after publication, so the next list has an adjustment.
CORRECTED = "Old Town Open"


def month_after(month: date, months: int) -> date:
    """Return the first day of the month that many months later. `months` may be negative."""
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
# The distance in the ranking at which a match is decided before its last game.
STRENGTH_STEP = 6


def draw_field(
    rng: Random, people: Sequence[DemoPlayer], *, size: int, guests: int, year: int, field: DemoField = "open"
) -> list[DemoPlayer]:
    """Return `size` players, `guests` of them guests. More active players are drawn more often."""
    at_home = [person for person in people if person.record.federation == HOME and _fits(person, field, year)]
    if field == "strongest":
        return sorted(at_home, key=lambda person: -person.strength)[::STRENGTH_STEP][:size]
    away = [person for person in people if person.record.federation != HOME]
    return _draw(rng, away, guests) + _draw(rng, at_home, size - guests)


def load_start_ratings(
    people: Sequence[DemoPlayer], *, kind: str, start: date
) -> list[tuple[DemoPlayer, int]]:
    """Return the players with their ratings on the first day, 0 if unrated (7.2.1)."""
    players = Player.objects.in_bulk([person.fide_id for person in people])
    in_force = InForce()
    standings = standings_of(basis_on(kind, start, in_force), players.values(), in_force)
    ratings = {fide_id: standing.rating or 0 for fide_id, standing in standings.items()}
    return [(person, ratings.get(person.fide_id, 0)) for person in people]


def _fits(person: DemoPlayer, field: DemoField, year: int) -> bool:
    age = year - (person.record.birth_year or year)
    if field == "juniors":
        return age <= JUNIOR_AGE
    return age >= SENIOR_AGE if field == "seniors" else True


def _draw(rng: Random, people: Sequence[DemoPlayer], number: int) -> list[DemoPlayer]:
    return sorted(people, key=lambda person: rng.randrange(MANY) // person.activity**2)[:number]


MONTHS = 6
SEED = "a rating portal's demonstration"
CORRECTION_DAY = 18
DEATH = "Reported by the family."
REASON = "The result of a game of round 3 was entered the wrong way round. The arbiter sent the score sheet."
Tell = Callable[[str], None]
# The order of the actions of a day. Lists are published at midnight.
LISTS, REGISTRATIONS, REPORTS = 0, 1, 2


def seeded_random(*parts: object) -> Random:
    """Return the random generator of one part of the world, the same in every run."""
    # One generator for each part, so that a change to one part leaves the others as they are.
    return Random("|".join(map(str, (SEED, *parts))))  # noqa: S311 nothing here is a secret


def noon(day: date) -> datetime:
    """Return the time of all actions on a past day."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


@dataclass(slots=True)
class DemoHistory:
    """Six months up to the current list. `staff` corrects the report, `officer` registers."""

    people: Sequence[DemoPlayer]
    first_month: date
    staff: Any
    officer: Any
    tell: Tell
    _event_ids: dict[str, str] = field(default_factory=dict)
    _played: dict[str, tuple[Tournament, PlayedEvent]] = field(default_factory=dict)

    def run(self) -> None:
        """Run all actions of the half year in order of date."""
        for _, _, act in sorted(self._diary(), key=lambda entry: entry[:2]):
            act()

    def _diary(self) -> Iterator[tuple[date, int, Callable[[], None]]]:
        for plan in PLANS:
            registered_on = _registered_on(plan, self.first_month)
            yield registered_on, REGISTRATIONS, partial(self._register, plan, registered_on)
            submitted_on = last_day(plan, self.first_month) + timedelta(days=plan.submitted_after)
            yield submitted_on, REPORTS, partial(self._submit, plan, submitted_on)
        for months in range(1, MONTHS + 1):
            list_date = month_after(self.first_month, months)
            yield list_date, LISTS, partial(self._publish, list_date)
        corrected_on = month_after(self.first_month, MONTHS - 2).replace(day=CORRECTION_DAY)
        yield corrected_on, REPORTS, partial(self._correct, corrected_on)
        died_on = month_after(self.first_month, MONTHS - 2).replace(day=12)
        yield died_on, REPORTS, partial(self._bury, died_on)

    def _register(self, plan: Plan, on: date) -> None:
        request = _event(plan, self.first_month).conditions(is_official=plan.is_official)
        by = self.staff if plan.is_official else self.officer
        self._event_ids[plan.name] = register_tournament(request, by=by, on=on, at=noon(on)).event_id

    def _submit(self, plan: Plan, on: date) -> None:
        event = _event(plan, self.first_month)
        rng = seeded_random(plan.name, event.start)
        departed = self._choose_departed
        people = [person for person in self.people if person != departed]
        year = event.start.year
        drawn = draw_field(rng, people, size=plan.size, guests=plan.guests, field=plan.field, year=year)
        played = play(rng, event, load_start_ratings(drawn, kind=event.kind, start=event.start))
        registered_on = _registered_on(plan, self.first_month)
        conditions = event.conditions(event_id=self._event_ids[plan.name], is_official=plan.is_official)
        terms = Terms(conditions, registered_on=registered_on, submitted_on=on)
        done = submit(Submitted(played.content, terms, event.file_name), at=noon(on))
        if not done.is_accepted or done.tournament is None:
            raise AssertionError(f"{event.name}: {[str(refusal.message) for refusal in done.refusals]}")
        self._played[plan.name] = done.tournament, played
        self.tell(f"{on}  report: {event.name}, {len(drawn)} players")

    def _publish(self, on: date) -> None:
        # As the schedule publishes: ten minutes past each hour.
        at = datetime(on.year, on.month, 1, 0, 10, tzinfo=UTC)
        published = publish_lists(on, by=None, at=at, dispatch=perform_now)
        counts = (f"{item.rating_list.kind} {item.rating_list.listed} players" for item in published)
        self.tell(f"{on}  lists published: {', '.join(counts)}")

    def _correct(self, on: date) -> None:
        tournament, played = self._played[CORRECTED]
        content = played.with_result_turned().content
        file = File(name=f"corrected-{played.event.file_name}", content=content)
        effect = amend(tournament, [file], Act(self.staff, noon(on), REASON))
        self.tell(f"{on}  correction: {played.event.name}, {len(effect.lines)} players affected")

    def _bury(self, on: date) -> None:
        player = Player.objects.get(pk=self._choose_departed.fide_id)
        amend_player(player, [Datum(field="died_on", after=on)], Act(self.staff, noon(on), DEATH))

    @property
    def _choose_departed(self) -> DemoPlayer:
        """The oldest rated player of the home federation, who plays no game in the half year."""
        rated = (person for person in self.people if person.is_rated and person.record.federation == HOME)
        return min(rated, key=lambda person: (person.record.birth_year, person.fide_id))


def _event(plan: Plan, first_month: date) -> DemoEvent:
    return DemoEvent(
        name=plan.name,
        city=plan.city,
        kind=plan.kind,
        time=plan.time,
        start=first_day(plan, first_month),
        end=last_day(plan, first_month),
        rounds=plan.rounds,
        arbiter=plan.arbiter,
        is_match=plan.is_match,
    )


def _registered_on(plan: Plan, first_month: date) -> date:
    """Return the registration date of a planned tournament, on time (0.2)."""
    start = first_day(plan, first_month)
    return start - timedelta(days=seeded_random(plan.name, "registered").randint(8, 40))
