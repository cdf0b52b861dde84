"""The half year behind the lists: reports submitted, lists published, a death and a correction, day by day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from demo.events import (
    CORRECTED,
    PLANS,
    Plan,
    draw_field,
    first_day,
    last_day,
    load_start_ratings,
    month_after,
)
from demo.people import HOME, Person
from demo.reports import Event, Played, play
from players.models import Player
from ratings.services.corrections.correct import correct_report
from ratings.services.corrections.players import correct_player
from ratings.services.publication.publish import publish_lists
from ratings.services.runs import perform_now
from ratings.services.submission import submit
from ratings.services.submitted import Submitted, Terms
from tournaments.models import Tournament
from tournaments.services.registration import RegistrationRequest, register_tournament

MONTHS = 6
SEED = "a rating portal's demonstration"
CORRECTION_DAY = 18
DEATH = "Told by the family."
REASON = "The result of a game of round 3 was entered the wrong way round; the arbiter sent the score sheet."
Tell = Callable[[str], None]
# What is done on a day, in order: lists come out at midnight.
LISTS, REGISTRATIONS, REPORTS = 0, 1, 2


def seeded_random(*parts: object) -> Random:
    """Return the random numbers of one part of the world, the same at every run."""
    return Random("|".join(map(str, (SEED, *parts))))  # noqa: S311 nothing here is a secret


def noon(day: date) -> datetime:
    """Return the hour at which things are done on a past day."""
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


@dataclass(slots=True)
class History:
    """Six months up to the list of the present one. `staff` corrects the report, `officer` registers."""

    people: Sequence[Person]
    first_month: date
    staff: Any
    officer: Any
    tell: Tell
    _played: dict[str, tuple[Tournament, Played]] = field(default_factory=dict)

    def run(self) -> None:
        """Do everything of the half year in the order of its days."""
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
        request = _request(_event(plan, self.first_month), plan)
        by = self.staff if plan.is_official else self.officer
        register_tournament(request, by=by, on=on, at=noon(on))

    def _submit(self, plan: Plan, on: date) -> None:
        event = _event(plan, self.first_month)
        rng = seeded_random(plan.name, event.start)
        people = [person for person in self.people if person != self._departed]
        year = event.start.year
        drawn = draw_field(rng, people, size=plan.size, guests=plan.guests, field=plan.field, year=year)
        played = play(rng, event, load_start_ratings(drawn, kind=event.kind, start=event.start))
        registered_on = _registered_on(plan, self.first_month)
        terms = _terms(plan, registered_on=registered_on, submitted_on=on)
        done = submit(Submitted(played.content, terms, event.file_name), at=noon(on))
        if not done.is_accepted or done.tournament is None:
            raise AssertionError(f"{event.name}: {[str(refusal.message) for refusal in done.refusals]}")
        self._played[plan.name] = done.tournament, played
        self.tell(f"{on}  report: {event.name}, {len(drawn)} players")

    def _publish(self, on: date) -> None:
        at = datetime(on.year, on.month, 1, 0, 10, tzinfo=UTC)
        published = publish_lists(on, by=None, at=at, dispatch=perform_now)
        counts = (f"{item.rating_list.kind} {item.rating_list.listed} players" for item in published)
        self.tell(f"{on}  lists published: {', '.join(counts)}")

    def _correct(self, on: date) -> None:
        tournament, played = self._played[CORRECTED]
        content = played.with_result_turned().content
        name = f"corrected-{played.event.file_name}"
        effect = correct_report(
            tournament, content, file_name=name, reason=REASON, by=self.staff, on=on, at=noon(on)
        )
        self.tell(f"{on}  correction: {played.event.name}, {len(effect.lines)} players concerned")

    def _bury(self, on: date) -> None:
        player = Player.objects.get(pk=self._departed.fide_id)
        correct_player(player, {"died_on": on}, reason=DEATH, by=self.staff, at=noon(on))

    @property
    def _departed(self) -> Person:
        """The oldest rated player at home; they play no more in the half year."""
        rated = (person for person in self.people if person.is_rated and person.record.federation == HOME)
        return min(rated, key=lambda person: (person.record.birth_year, person.fide_id))


def _event(plan: Plan, first_month: date) -> Event:
    return Event(
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
    """Return the day on which a planned tournament is registered, in time (0.2)."""
    start = first_day(plan, first_month)
    return start - timedelta(days=seeded_random(plan.name, "registered").randint(8, 40))


def _request(event: Event, plan: Plan) -> RegistrationRequest:
    minutes, increment = plan.time
    return RegistrationRequest(
        name=event.name,
        federation_code=HOME,
        kind=event.kind,
        base_seconds=minutes * 60,
        increment_seconds=increment,
        start=event.start,
        end=event.end,
        city=event.city,
        schedule=[day.isoformat() for day in event.round_dates],
        chief_arbiter=event.arbiter,
        organiser=f"Chess club of {event.city}",
        is_official=plan.is_official,
        is_match=plan.is_match,
    )


def _terms(plan: Plan, *, registered_on: date, submitted_on: date) -> Terms:
    minutes, increment = plan.time
    return Terms(
        kind=plan.kind,
        base_seconds=minutes * 60,
        increment_seconds=increment,
        federation_code=HOME,
        registered_on=registered_on,
        submitted_on=submitted_on,
        is_official=plan.is_official,
        is_match=plan.is_match,
    )
