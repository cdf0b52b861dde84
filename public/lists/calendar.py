"""The calendar of the rating lists, for calendar programs."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.html.dates import list_month
from core.pages import Page
from public.lists.next_list import PROVISIONAL_SECONDS
from ratings.lists import read_lists
from ratings.models import NextList, RatingList
from ratings.next_list import next_lists
from tournaments.calendar import CalendarEntry
from tournaments.choices import Kind
from tournaments.feeds import calendar_response

# Two years of both rating types.
IN_CALENDAR = 48


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the lists of the latest months, and the next ones so far, for calendar programs."""
    lists = read_lists()
    published = [item for item in lists.newest_first if item.kind in Kind.values][:IN_CALENDAR]
    entries = [*map(_published_entry, published), *map(_coming_entry, next_lists(lists))]
    response = calendar_response(entries, name=_("Rating lists"), is_private=False)
    response["Cache-Control"] = f"public, max-age={PROVISIONAL_SECONDS}"
    return response


def _published_entry(item: RatingList) -> CalendarEntry:
    page, made_on = Page("ratings:list", item.kind, item.date), item.published_at.date()
    return _entry(item.kind, item.date, item.full_name, made_on, page)


def _coming_entry(found: NextList) -> CalendarEntry:
    """Return the entry of an unpublished list. The published list replaces it under the same UID."""
    day = found.date or date.max
    tournaments = ngettext("%(number)s tournament so far", "%(number)s tournaments so far", len(found.taken))
    title = _("%(kind)s rating list, %(month)s (provisional, %(tournaments)s)") % {
        "kind": Kind(found.kind).label,
        "month": list_month(day),
        "tournaments": tournaments % {"number": len(found.taken)},
    }
    made_on = found.updated_at.date() if found.updated_at else day
    return _entry(found.kind, day, str(capfirst(title)), made_on, Page("ratings:next", found.kind))


def _entry(kind: str, day: date, title: str, made_on: date, page: Page) -> CalendarEntry:
    return CalendarEntry(
        uid=f"list-{kind}-{day}", title=title, first=day, last=day, made_on=made_on, page=page
    )
