"""The next list so far, as if it were published now, and the calendar of the lists."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.html.dates import list_month
from core.web.etags import conditionally
from ratings.models import NextList, RatingList
from ratings.queries.lists import read_lists
from ratings.queries.provisional import coming_tournaments, next_list_so_far, next_lists
from tournaments.choices import Kind
from tournaments.feeds import calendar_response
from tournaments.lists import closing_date
from tournaments.queries.calendar import CalendarEntry

# Two years of both rating types.
IN_CALENDAR = 48
# Provisional ratings are cached for a minute at most.
PROVISIONAL_SECONDS = 60


@require_safe
def next_list(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the next list so far: top players, changes, initial ratings, tournaments."""
    lists, today = read_lists(), timezone.now().date()
    found = next_list_so_far(kind, lists)
    if found is None:
        raise Http404(_("There is no next list of this rating type."))
    coming = coming_tournaments(found, today=today)

    def page() -> HttpResponse:
        context = {
            "list": found,
            "kind": Kind(kind),
            "kinds": [each for each in Kind if lists.newest(each)],
            "coming": coming,
            "closing": closing_date(found.date),
            "today": today,
        }
        return render(request, "public/lists/next_list.html", context)

    events = [[item.pk for item in some] for some in (coming.taken, coming.missing, coming.held)]
    version = ("next-list", lists.version, found.updated_at, today, events, coming.missing_total)
    return conditionally(request, page, version=version)


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
    title = str(capfirst(_("%(kind)s rating list, %(month)s") % _names(item.kind, item.date)))
    made_on = item.published_at.date()
    return _entry(item.kind, item.date, title, made_on, reverse("ratings:list", args=[item.kind, item.date]))


def _coming_entry(found: NextList) -> CalendarEntry:
    """Return the entry of an unpublished list. The published list replaces it under the same UID."""
    day = found.date or date.max
    tournaments = ngettext("%(number)s tournament so far", "%(number)s tournaments so far", len(found.taken))
    title = _("%(kind)s rating list, %(month)s (provisional, %(tournaments)s)") % {
        **_names(found.kind, day),
        "tournaments": tournaments % {"number": len(found.taken)},
    }
    made_on = found.updated_at.date() if found.updated_at else day
    return _entry(found.kind, day, str(capfirst(title)), made_on, reverse("ratings:next", args=[found.kind]))


def _names(kind: str, day: date) -> dict[str, str]:
    return {"kind": str(Kind(kind).label), "month": list_month(day)}


def _entry(kind: str, day: date, title: str, made_on: date, address: str) -> CalendarEntry:
    return CalendarEntry(
        uid=f"list-{kind}-{day}", title=title, first=day, last=day, made_on=made_on, address=address
    )
