"""Which rating lists exist, are in force or due, or take a report (FIDE R&B 2024, 6.1.3).

Values only: `ratings.lists` reads which lists there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from copy import copy
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tournaments.choices import Kind

if TYPE_CHECKING:
    from tournaments.models import Tournament
from tournaments.list_dates import ends_in_time, last_day_to_report, lists_after

# In which pages show the kinds.
ORDER = (*Kind.values, "standard")
MAX_MONTHS = 24


# A list has `pk`, `kind`, `date` and `published_at`. It is no protocol: the fields of a model fulfil none.
OneList = TypeVar("OneList", bound=Any)


class Lists(Generic[OneList]):
    """The lists of all kinds, published or imported. Nothing in it changes: pages and threads share it.

    One list is handed out as a copy, so that it may load the fields that were not read with all.
    """

    def __init__(self, rows: Iterable[OneList] = ()) -> None:
        self.newest_first: Sequence[OneList] = sorted(rows, key=lambda row: row.date, reverse=True)
        self._of_kind: dict[str, list[OneList]] = defaultdict(list)
        for row in self.newest_first:
            self._of_kind[row.kind].append(row)

    def of_kind(self, kind: str) -> list[OneList]:
        """Return the lists of a kind, the newest first."""
        return [*self._of_kind.get(kind, ())]

    def newest(self, kind: str) -> OneList | None:
        return self.in_force(kind, date.max)

    def newest_of_each(self) -> list[OneList]:
        """Return the newest list of each kind that has one: rapid, blitz, standard."""
        return [row for kind in ORDER if (row := self.newest(kind))]

    def on(self, kind: str, day: date) -> OneList | None:
        """Return the list that bears a date."""
        found = self.in_force(kind, day)
        return found if found and found.date == day else None

    def in_force(self, kind: str, day: date) -> OneList | None:
        """Return the newest list dated on or before the day (RULES, the list in force; D-1)."""
        return copy(next((row for row in self._of_kind.get(kind, ()) if row.date <= day), None))

    def before(self, kind: str, day: date) -> OneList | None:
        """Return the newest list dated before the day."""
        return self.in_force(kind, day - timedelta(days=1))

    def previous(self, rating_list: Any) -> OneList | None:
        """Return the list before: the one that its figures are compared with."""
        return self.before(rating_list.kind, rating_list.date)

    def after(self, rating_list: Any) -> OneList | None:
        later = [row for row in self._of_kind.get(rating_list.kind, ()) if row.date > rating_list.date]
        return copy(later[-1]) if later else None

    @cached_property
    def by_id(self) -> dict[int, OneList]:
        """The lists by their keys: for what these took in, and no list that appeared since."""
        return {row.pk: row for row in self.newest_first}

    def as_of(self, day: date) -> Lists[OneList]:
        """Return the lists that stood on a day; `LookupError` where none bears it."""
        if day not in self.days:
            raise LookupError(day)
        return Lists(row for row in self.newest_first if row.date <= day)

    @cached_property
    def days(self) -> Sequence[date]:
        """The dates of all lists, the newest first."""
        return sorted({row.date for row in self.newest_first}, reverse=True)

    @cached_property
    def changed_at(self) -> datetime | None:
        """When the newest of all lists appeared."""
        return max((row.published_at for row in self.newest_first), default=None)

    @property
    def version(self) -> str:
        """What differs as soon as a list is published or imported: for validators of cached pages."""
        return f"{len(self.newest_first)}-{self.changed_at.isoformat() if self.changed_at else ''}"

    def following(self, kind: str, today: date) -> date:
        """Return the list that is published next: the month after the newest, or after today where there is none."""
        return next(lists_after(self._newest_day(kind) or today))

    def coming(self, kind: str, today: date) -> date:
        """Return the next list that is dated after today and not published."""
        return next(lists_after(max(self._newest_day(kind) or today, today)))

    def due(self, kinds: Collection[str], today: date) -> date | None:
        """Return the list of the month if one of the kinds misses it, None before a first list of any of them."""
        month = today.replace(day=1)
        has_begun = any(self.of_kind(kind) for kind in kinds)
        return month if has_begun and not all(self.on(kind, month) for kind in kinds) else None

    def months_due(self, kinds: Collection[str], today: date) -> list[date]:
        """Return the months up to today's for which a list is missing after the newest one, the oldest first."""
        newest = [self._newest_day(kind) for kind in kinds]
        oldest = min(filter(None, newest), default=None)
        month = today.replace(day=1)
        months = [month] if None in newest else []
        while oldest and oldest < month and len(months) < MAX_MONTHS:
            months.append(month)
            month = (month - timedelta(days=1)).replace(day=1)
        return sorted(set(months))

    def oldest_end(self, kind: str, today: date) -> date:
        """Return the earliest last day of a tournament whose report is in time on a day.

        A report is in time until the third list after the last day is published (8.1, D-76).
        """
        newest = self._newest_day(kind)
        if newest is None:
            return date.min
        reached = min(newest, today)
        # For a last day two months before the newest list, the third list is the one after it.
        month = reached.year * 12 + reached.month - 1 - 2
        return date(month // 12, month % 12 + 1, 1)

    def is_too_late(self, tournament: Tournament, today: date) -> bool:
        """Return whether a report is too late; an upheld appeal starts a new period (0.4)."""
        begin = max(filter(None, (tournament.end, tournament.upheld_on)))
        return begin < self.oldest_end(tournament.kind, today)

    def closed_at(self, tournament: Tournament) -> datetime | None:
        """Return when the time for a report ended, by the publication of the third list (8.1, D-76); None before."""
        third = last_day_to_report(tournament.end, tournament.upheld_on)
        published = (row.published_at for row in self._of_kind.get(tournament.kind, ()) if row.date >= third)
        return min(filter(None, published), default=None)

    def expected(self, tournament: Tournament, *, accepted_on: date, today: date) -> date:
        """Return the first list that takes a report: not published, ended in time for it, not before its acceptance.

        A list that today is late may still take as the third what is accepted by today; of a later acceptance it is
        taken that the lists before it have been published.
        """
        newest = self._newest_day(tournament.kind)
        for list_date in lists_after(tournament.end):
            is_open = newest is None or list_date > newest
            is_passed = list_date < accepted_on and accepted_on > today
            if is_open and not is_passed and takes(list_date, tournament, accepted_on=accepted_on):
                return list_date
        raise AssertionError("the lists have no end")

    def open_to(self, tournament: Tournament, *, today: date) -> tuple[date, date]:
        """Return the first list whose deadline for the report is ahead, and that day.

        No later list follows the third one, which takes a report until it is published (D-76).
        """
        day = max(today, tournament.end)
        list_date = self.expected(tournament, accepted_on=day, today=today)
        if list_date != last_day_to_report(tournament.end, tournament.upheld_on):
            list_date = self.expected(tournament, accepted_on=day + timedelta(days=1), today=today)
        return list_date, max(list_date - timedelta(days=1), today)

    def _newest_day(self, kind: str) -> date | None:
        return next((row.date for row in self._of_kind.get(kind, ())), None)


def takes(list_date: date, tournament: Tournament, *, accepted_on: date) -> bool:
    """Return whether a list includes a report by its dates: accepted and ended in time (6.1.3, D-18).

    The third list takes what is accepted after its date, too, until it is published: there is no fourth (D-76).
    After an upheld appeal the lists are counted from its day (0.4).
    """
    is_accepted = accepted_on <= list_date or list_date == last_day_to_report(
        tournament.end, tournament.upheld_on
    )
    return is_accepted and ends_in_time(tournament.end, list_date, is_official=tournament.may_end_late)
