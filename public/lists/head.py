"""The head that all pages of a list share: rating types, months of a year, tabs. A link keeps the page and filters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _l

from core.html.paging import query_url
from ratings.choices import ListKind, Origin
from ratings.models import RatingList
from tournaments.choices import Kind
from tournaments.list_dates import lists_after
from tournaments.lists import Lists

TABS = {
    "list": _l("List"),
    "movements": _l("Rating changes"),
    "by-federation": _l("Federations"),
    "statistics": _l("Statistics"),
    "verify": _l("Verify"),
}
# The page that only lists of the portal have.
OF_PUBLISHED = "verify"
# The filters of a list; other pages have none.
FILTERED = "list"


@dataclass(frozen=True, slots=True)
class MonthOfYear:
    """A month in the switcher: its list with the address, that of the next list so far, or neither."""

    day: date
    list: RatingList | None
    url: str
    is_current: bool
    is_coming: bool = False


@dataclass(frozen=True, slots=True)
class ListHead:
    """What the head shows: `kinds` and `tabs` are labels with addresses and whether they are the present one.

    `earlier` and `later` are the nearest lists of the years before and after, with their addresses.
    """

    kinds: Sequence[tuple[RatingList, str, bool]]
    months: Sequence[MonthOfYear]
    tabs: Sequence[tuple[str | Promise, str, bool]]
    previous: tuple[RatingList, str] | None
    following: tuple[RatingList, str] | None
    earlier: tuple[RatingList, str] | None
    later: tuple[RatingList, str] | None


def head_of(
    lists: Lists[RatingList], chosen: RatingList, query: QueryDict, *, page: str = "list"
) -> ListHead:
    """Return the head of a page of a list, which is one of `TABS`."""
    kept = query_url(query, mark=None, compare=None) if page == FILTERED and query else ""
    kept = kept if kept != "?" else ""

    def address(item: RatingList, name: str = page) -> str:
        # An imported list has no such page: its month leads to the list itself.
        name = "list" if item.origin == Origin.IMPORTED and name == OF_PUBLISHED else name
        return reverse(f"ratings:{name}", args=[item.kind, item.date]) + (kept if name == FILTERED else "")

    def with_address(item: RatingList | None) -> tuple[RatingList, str] | None:
        return (item, address(item)) if item else None

    of_kind = lists.of_kind(chosen.kind)
    kinds = [item for kind in ListKind if (item := lists.on(kind, chosen.date))]
    year = chosen.date.year
    return ListHead(
        kinds=[(item, address(item), item == chosen) for item in kinds],
        months=[*_months(lists, chosen, address)],
        tabs=[
            (label, address(chosen, name), name == page)
            for name, label in TABS.items()
            if name != OF_PUBLISHED or chosen.origin == Origin.PUBLISHED
        ],
        previous=with_address(lists.previous(chosen)),
        following=with_address(lists.after(chosen)),
        earlier=with_address(next((item for item in of_kind if item.date.year < year), None)),
        later=with_address(next((item for item in reversed(of_kind) if item.date.year > year), None)),
    )


def _months(lists: Lists[RatingList], chosen: RatingList, address: Any) -> Iterator[MonthOfYear]:
    newest = lists.newest(chosen.kind)
    # The portal publishes no standard list, so that none is to come.
    coming = next(lists_after(newest.date)) if newest and chosen.kind in Kind.values else None
    for month in range(1, 13):
        day = date(chosen.date.year, month, 1)
        found = lists.on(chosen.kind, day)
        if found is not None:
            yield MonthOfYear(day, found, address(found), found == chosen)
        elif day == coming:
            yield MonthOfYear(day, None, reverse("ratings:next", args=[chosen.kind]), False, True)
        else:
            yield MonthOfYear(day, None, "", False)
