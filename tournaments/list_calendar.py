"""Which lists of a kind are published, due and coming, and on which of them a report will be (FIDE R&B 2024, 6.1.3).

Values only: what is published and verified is handed in; `ratings.queries.list_calendar` reads it.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import islice

MAX_MONTHS = 24
CLOSING_DAYS = 3
DAYS_LEFT_OF_MONTH = 5


@dataclass(frozen=True, slots=True)
class ListCalendar:
    """The lists of one kind on a day: the dates of those that are published, imported ones among them."""

    today: date
    published: frozenset[date] = frozenset()
    verified: frozenset[date] = frozenset()

    @property
    def newest(self) -> date | None:
        """The date of the newest list, None without one."""
        return max(self.published, default=None)

    @property
    def following(self) -> date:
        """The list that is published next: the month after the newest, or after today where there is none."""
        return next(lists_after(self.newest or self.today))

    @property
    def coming(self) -> date:
        """The next list that is dated after today and not published."""
        return next(lists_after(max(self.newest or self.today, self.today)))

    @property
    def closing(self) -> date:
        """The closing date of the coming list (6.1.3)."""
        return closing_date(self.coming)

    def has_reached(self, list_date: date) -> bool:
        """Return whether the list of that date, or a later one, is published."""
        return self.newest is not None and self.newest >= list_date

    @property
    def oldest_end(self) -> date:
        """The earliest last day of a tournament whose report is in time on this day.

        A report is in time until the third list after the last day is published (8.1, D-76).
        """
        if self.newest is None:
            return date.min
        reached = min(self.newest, self.today)
        month = reached.year * 12 + reached.month - 1 - 2
        return date(month // 12, month % 12 + 1, 1)

    def is_too_late(self, end: date, upheld_on: date | None = None) -> bool:
        """Return whether a report is too late; an upheld appeal starts a new period (0.4)."""
        return (end if upheld_on is None else max(end, upheld_on)) < self.oldest_end

    def list_for(
        self, end: date, *, is_official: bool, accepted_on: date, upheld_on: date | None = None
    ) -> date:
        """Return the first list that takes a report: not published, ended in time for it, not before its acceptance.

        A list that today is late may still take as the third what is accepted by today; of a later acceptance it is
        taken that the lists before it have been published.
        """
        newest = self.newest
        for list_date in lists_after(end):
            is_open = newest is None or list_date > newest
            is_passed = list_date < accepted_on and accepted_on > self.today
            if is_passed or not is_open:
                continue
            if takes(list_date, end, is_official=is_official, accepted_on=accepted_on, upheld_on=upheld_on):
                return list_date
        raise AssertionError("the lists have no end")


def takes(
    list_date: date, end: date, *, is_official: bool, accepted_on: date, upheld_on: date | None = None
) -> bool:
    """Return whether a list includes a report by its dates: accepted and ended in time (6.1.3, D-18).

    The third list takes what is accepted after its date, too, until it is published: there is no fourth (D-76).
    After an upheld appeal the lists are counted from its day (0.4).
    """
    last = third_list(end if upheld_on is None else max(end, upheld_on))
    is_accepted = accepted_on <= list_date or list_date == last
    return is_accepted and ends_in_time(end, list_date, is_official=is_official)


@dataclass(frozen=True, slots=True)
class ListCalendars:
    """The calendars of all kinds on a day; `taken` is the list on which a published tournament is, by its key."""

    today: date
    by_kind: Mapping[str, ListCalendar] = field(default_factory=dict)
    taken: Mapping[int, date] = field(default_factory=dict)

    def of(self, kind: str) -> ListCalendar:
        """Return the calendar of a kind."""
        return self.by_kind.get(kind) or ListCalendar(self.today)

    def due_month(self, kinds: Iterable[str]) -> date | None:
        """Return the list of the month if one of the kinds misses it, None before a first list of any of them."""
        calendars = [self.of(kind) for kind in kinds]
        month = self.today.replace(day=1)
        has_begun = any(calendar.published for calendar in calendars)
        return month if has_begun and any(month not in calendar.published for calendar in calendars) else None

    def months_to_publish(self, kinds: Sequence[str]) -> list[date]:
        """Return the months up to today's for which a list is missing after the newest one, the oldest first."""
        newest = [self.of(kind).newest for kind in kinds]
        oldest = min((day for day in newest if day), default=None)
        month = self.today.replace(day=1)
        months = [month] if None in newest else []
        while oldest and oldest < month and len(months) < MAX_MONTHS:
            months.append(month)
            month = (month - timedelta(days=1)).replace(day=1)
        return sorted(set(months))


def closing_date(list_date: date) -> date:
    """Return the closing date of a list: 2026-02-26 for 2026-03-01 (6.1.3)."""
    return list_date - timedelta(days=CLOSING_DAYS)


def ends_in_time(end: date, list_date: date, *, is_official: bool) -> bool:
    """Return whether a tournament may be on a list by its last day; official events may end the day before (6.1.3)."""
    return end < list_date if is_official else end <= closing_date(list_date)


def lists_after(day: date) -> Iterator[date]:
    """Yield the dates of the lists after a day, without end: the firsts of the months."""
    first = day.replace(day=1)
    while True:
        first = (first + timedelta(days=31)).replace(day=1)
        yield first


def due_list(end: date) -> date:
    """Return the list for which the report is due (8.1): the next, or the one after where few days are left."""
    left = monthrange(end.year, end.month)[1] - end.day
    return next(islice(lists_after(end), 1 if left <= DAYS_LEFT_OF_MONTH else 0, None))


def third_list(end: date) -> date:
    """Return the third list dated after the last day, the last for which a report may be submitted (8.1)."""
    return next(islice(lists_after(end), 2, None))


def last_day_to_report(end: date, upheld_on: date | None = None) -> date:
    """Return the deadline for a report: the day of the third list, whose publication ends the time (8.1, D-76).

    An upheld appeal starts a new period on the day of its decision, even after the third list (0.4).
    """
    return third_list(end if upheld_on is None else max(end, upheld_on))
