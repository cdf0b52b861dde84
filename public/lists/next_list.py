"""The next list so far, as if it were published now."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import as_public, conditionally
from public.filters import SearchForm, numbered_for
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.next_list import coming_tournaments, next_list_so_far, so_far_of, with_players
from ratings.search import Found, find_players_or_alike
from tournaments.choices import Kind
from tournaments.list_dates import closing_date
from tournaments.lists import Lists
from tournaments.states import public_states

# Provisional ratings are cached for a minute at most.
PROVISIONAL_SECONDS = 60
# So many of the players of a name are shown.
FOUND = 20


@require_safe
def next_list(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the next list so far: a player by name or FIDE ID, top players, changes, initial ratings, tournaments."""
    lists, today = read_lists(), timezone.now().date()
    found = next_list_so_far(kind, lists)
    if found is None:
        raise Http404(_("There is no next list of this rating type."))
    context: dict[str, Any] = {
        "list": found,
        "kind": Kind(kind),
        "kinds": [each for each in Kind if lists.newest(each)],
        "closing": closing_date(found.date),
        "last_to_accept": found.date - timedelta(days=1),
        "today": today,
    }
    if request.GET.get("q"):
        # Names change between two states of the list.
        context |= _search(request, kind, lists)
        return as_public(request, render(request, "public/lists/next_list.html", context))
    context["list"] = with_players(found)
    coming = coming_tournaments(found, today=today)
    states = public_states(coming.missing, lists, today=today)

    def page() -> HttpResponse:
        whole = {"form": SearchForm(request.GET), "words": "", "coming": coming, "missing_states": states}
        return render(request, "public/lists/next_list.html", context | whole)

    events = [[item.pk for item in some] for some in (coming.taken, coming.missing, coming.held)]
    version = ("next-list", lists.version, found.updated_at, today, events, coming.missing_total, states)
    return conditionally(request, page, version=version)


def _search(request: HttpRequest, kind: str, lists: Lists[RatingList]) -> dict[str, Any]:
    """Return the players of a name or FIDE ID with their ratings on the newest list, and what the next one changes."""
    form = SearchForm(request.GET)
    words, found, coming = form.words(), Found(), []
    if words:
        newest, also = (
            [item for item in lists.newest_of_each() if item.kind == kind],
            numbered_for(request, words),
        )
        found = find_players_or_alike(words, newest=newest, shown=FOUND, also=also)
        coming = so_far_of([one.player.pk for one in found.players], lists)
    rows = {one.row.player_id: one.row for one in coming if one.kind == kind}
    return {"form": form, "words": words, "found": found, "rows_so_far": rows}
