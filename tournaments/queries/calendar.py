"""A month of tournaments by day. All days are UTC days."""

from __future__ import annotations

from calendar import Calendar, monthrange
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import RowNumber

from tournaments.models import Tournament

MAX_A_DAY = 5
FIRST_YEAR, LAST_YEAR = 1900, 2200


@dataclass(frozen=True, slots=True)
class Day:
    """A day with the tournaments that begin on it; `more` are those beyond the ones shown."""

    day: date
    in_month: bool
    tournaments: Sequence[Tournament]
    more: int


@dataclass(frozen=True, slots=True)
class Month:
    """A month in weeks from Monday to Sunday, and the months beside it."""

    first: date
    weeks: Sequence[Sequence[Day]]
    previous: date
    following: date

    @property
    def days(self) -> list[Day]:
        """The days of the month on which a tournament begins."""
        return [day for day in chain.from_iterable(self.weeks) if day.in_month and day.tournaments]


def month_named(text: str, *, today: date) -> date | None:
    """Return the first day of a month written 2026-03; the present one for an empty text, None for nonsense."""
    if not text:
        return today.replace(day=1)
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    # The weeks of the first and the last month of all have days that `date` does not know.
    return month if FIRST_YEAR <= month.year <= LAST_YEAR else None


def month_of(tournaments: QuerySet[Tournament], first: date) -> Month:
    """Return a month with the tournaments by their first days, so many a day at most, by two queries."""
    days = list(Calendar().itermonthdates(first.year, first.month))
    within = tournaments.filter(start__range=(days[0], days[-1])).order_by()
    counts = dict(within.values_list("start").annotate(number=Count("pk")))
    # Numbered in the database: of the tournaments of a busy day only five are read.
    place = Window(RowNumber(), partition_by=[F("start")], order_by=["name", "event_id"])
    shown: dict[date, list[Tournament]] = defaultdict(list)
    rows = within.select_related("federation").defer("schedule").annotate(place=place)
    for row in rows.filter(place__lte=MAX_A_DAY).order_by("start", "place"):
        shown[row.start].append(row)
    cells = [
        Day(day, day.month == first.month, shown[day], counts.get(day, 0) - len(shown[day])) for day in days
    ]
    last = first.replace(day=monthrange(first.year, first.month)[1])
    return Month(
        first=first,
        weeks=[cells[start : start + 7] for start in range(0, len(cells), 7)],
        previous=(first - timedelta(days=1)).replace(day=1),
        following=last + timedelta(days=1),
    )
