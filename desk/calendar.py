"""The calendar of a person's deadlines, as a page and as a feed for calendar programs."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from itertools import takewhile

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.html.dates import list_month
from core.web.proofs import proved
from desk.access import requires
from players.permissions import can_register, can_use_desk, federations_of, is_staff
from ratings.lists import read_lists
from tournaments.calendar import Month, deadline_entries, month_named, month_of
from tournaments.feeds import calendar_response
from tournaments.list_dates import closing_date, lists_after
from tournaments.models import DeadlineFeed
from tournaments.permissions import for_user
from tournaments.progress import shown_state
from tournaments.tokens import issue_feed, owner_of, revoke_feed

WEEKS = 6


@require_safe
@requires(can_use_desk)
def calendar(request: HttpRequest) -> HttpResponse:
    """Show a month of the user's tournaments."""
    return _page(request)


@never_cache
@require_POST
@requires(can_use_desk)
@proved
def feed(request: HttpRequest) -> HttpResponse:
    """Create the user's calendar address and show it once, or revoke it."""
    if "revoke" in request.POST:
        if revoke_feed(request.user):
            messages.success(
                request, _("The calendar link is revoked. Calendars that use it are no longer updated.")
            )
        return redirect("desk:calendar")
    # Only the hash of the secret is stored: no later page can show the address.
    token = issue_feed(request.user, at=timezone.now())
    return _page(request, settings.SITE_URL + reverse("deadlines-feed", args=[token]))


@require_safe
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar of deadlines of the user who owns the secret address."""
    now = timezone.now()
    owner = owner_of(token, at=now)
    # The address outlives the role of its owner, but shows nothing any more.
    if owner is None or not can_use_desk(owner):
        raise Http404
    entries = deadline_entries(owner, read_lists(), today=now.date())
    return calendar_response(entries, name=_("Deadlines"), page="desk:tournament", is_private=True)


def _dates_of_lists(month: Month) -> dict[date, list[str]]:
    """Return the dates of the lists on the days that are shown."""
    first, last = month.weeks[0][0].day, month.weeks[-1][-1].day
    dates = defaultdict(list)
    for list_date in takewhile(lambda day: closing_date(day) <= last, lists_after(first)):
        name = {"month": list_month(list_date)}
        dates[closing_date(list_date)].append(_("Closing date: %(month)s") % name)
        dates[list_date - timedelta(days=1)].append(_("Report deadline: %(month)s") % name)
        dates[list_date].append(_("Lists of %(month)s") % name)
    return dates


def _page(request: HttpRequest, address: str = "") -> HttpResponse:
    today = timezone.now().date()
    text = request.GET.get("month", "")
    first = month_named(text, today=today)
    if first is None:
        raise Http404(_("Enter a month, for example 2026-03."))
    # Without a month what comes: today's week and the next ones.
    month = month_of(for_user(request.user), first if text else today, weeks=0 if text else WEEKS)
    context = {
        "month": month,
        "weeks": 0 if text else WEEKS,
        "coming": ngettext("Next %(number)s week", "Next %(number)s weeks", WEEKS) % {"number": WEEKS},
        "states": {row.pk: shown_state(row) for row in month.tournaments},
        "marks": _dates_of_lists(month),
        "is_one_federation": len(federations_of(request.user)) == 1 and not is_staff(request.user),
        "today": today,
        "address": address,
        "feed": DeadlineFeed.objects.filter(user=request.user.pk).first(),
        "event_page": "desk:tournament",
        "may_register": can_register(request.user),
    }
    return render(request, "desk/calendar.html", context)
