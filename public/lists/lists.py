"""All rating lists: the current ones, and each list of a year with its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from public.lists.files import formats_of
from ratings.choices import KINDS, PUBLISHED_KINDS, FileFormat, Origin
from ratings.list_files import newest_history
from ratings.lists import read_lists
from ratings.models import Correction, CorrectionLine, ListFile, RatingList
from tournaments.list_dates import lists_after
from tournaments.lists import Lists


@dataclass(frozen=True, slots=True)
class ListCell:
    """A list of the year: its size as CSV in bytes, None of an imported one, and its files."""

    list: RatingList
    size: int | None
    files: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class MonthCell:
    """A month of the year with its lists, or without: `until` is the earliest month of a gap."""

    day: date
    lists: Sequence[ListCell] = ()
    until: date | None = None
    corrections: int = 0
    is_newest: bool = False
    is_coming: bool = False

    @property
    def is_imported(self) -> bool:
        return bool(self.lists) and all(cell.list.origin == Origin.IMPORTED for cell in self.lists)


@require_safe
def lists(request: HttpRequest) -> HttpResponse:
    """Show the current lists, and the lists of a year with their files, the newest month first."""
    found = read_lists()
    years = sorted({day.year for day in found.days}, reverse=True)
    year = _chosen_year(request.GET.get("year", ""), years)
    corrected_at = Correction.objects.order_by("-at").values_list("at", flat=True).first()

    def page() -> HttpResponse:
        context = {
            "cards": [(item, found.previous(item), formats_of(item)) for item in found.newest_of_each()],
            "year": year,
            "earlier": next((one for one in years if one < year), None),
            "later": next((one for one in reversed(years) if one > year), None),
            "months": [*_cells(found, year)],
            "coming": [kind for kind in PUBLISHED_KINDS if found.newest(kind)],
            "histories": [item for kind in PUBLISHED_KINDS if (item := newest_history(kind))],
            "published": found.newest(PUBLISHED_KINDS[0]),
        }
        return render(request, "public/lists/lists.html", context)

    changed_at = max(filter(None, (found.changed_at, corrected_at)), default=None)
    version = ("lists", year, found.version, corrected_at)
    return conditionally(request, page, version=version, changed_at=changed_at)


def _chosen_year(text: str, years: Sequence[int]) -> int:
    """Return the year of the query, else the newest one; Http404 for a year without lists."""
    if not text:
        return years[0] if years else timezone.now().year
    # The length first: `int` refuses thousands of digits with an error.
    if not text.isdecimal() or len(text) > 4 or int(text) not in years:
        raise Http404(_("There is no list of this year."))
    return int(text)


def _cells(found: Lists[RatingList], year: int) -> Iterator[MonthCell]:
    """Yield the months of a year from the newest on; months without a list that follow each other are one."""
    newest = max((item.date for kind in PUBLISHED_KINDS if (item := found.newest(kind))), default=None)
    coming = next(lists_after(newest)) if newest else None
    sizes = dict(
        ListFile.objects.filter(rating_list__date__year=year, format=FileFormat.CSV).values_list(
            "rating_list", "size"
        )
    )
    corrections: dict[date, int] = dict(
        CorrectionLine.objects.filter(corrected_list__date__year=year)
        .order_by()
        .values_list("corrected_list__date")
        .annotate(number=Count("correction", distinct=True))
    )
    gap: list[date] = []
    for month in range(12, 0, -1):
        day = date(year, month, 1)
        of_day = [item for kind in KINDS if (item := found.on(kind, day))]
        if not of_day and day != coming:
            # Months to come have no cell.
            if newest is None or day < newest:
                gap.append(day)
            continue
        yield from _gap(gap)
        gap = []
        yield MonthCell(
            day,
            [ListCell(item, sizes.get(item.pk), formats_of(item)) for item in of_day],
            corrections=corrections.get(day, 0),
            is_newest=day == newest,
            is_coming=day == coming and not of_day,
        )
    yield from _gap(gap)


def _gap(days: Sequence[date]) -> Iterator[MonthCell]:
    if days:
        yield MonthCell(days[0], until=days[-1])
