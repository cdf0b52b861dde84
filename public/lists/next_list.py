"""The next list so far, as if it were published now."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.lists import read_lists
from ratings.next_list import coming_tournaments, next_list_so_far
from tournaments.choices import Kind
from tournaments.list_dates import closing_date
from tournaments.states import public_states

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
    states = public_states(coming.missing, lists, today=today)

    def page() -> HttpResponse:
        context = {
            "list": found,
            "kind": Kind(kind),
            "kinds": [each for each in Kind if lists.newest(each)],
            "coming": coming,
            "missing_states": states,
            "closing": closing_date(found.date),
            "last_to_accept": found.date - timedelta(days=1),
            "today": today,
        }
        return render(request, "public/lists/next_list.html", context)

    events = [[item.pk for item in some] for some in (coming.taken, coming.missing, coming.held)]
    version = ("next-list", lists.version, found.updated_at, today, events, coming.missing_total, states)
    return conditionally(request, page, version=version)
