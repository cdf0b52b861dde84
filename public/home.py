"""The home page, and the search that the head of every page leads to."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally, public_page
from players.queries.names import former_ids
from public.filters import SearchForm
from ratings.models import RatingList
from ratings.queries.catalogue import Catalogue, catalogue, is_published, undivided
from ratings.queries.entries import top_of
from ratings.queries.events import find_tournaments, load_tournaments_to_publish, newest_published
from ratings.queries.movements import Moved, biggest_changes_of
from ratings.queries.search import Found, find_players_or_alike
from tournaments.choices import Kind
from tournaments.list_calendar import ListCalendar
from tournaments.progress import state_of

TOP = 10
TOURNAMENTS = 8
CHANGES = 6
SUGGESTIONS = 8
MIN_LETTERS = 2


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest lists, their first players, what is being rated and what was rated last."""
    lists, events = undivided(lambda every: (every, load_tournaments_to_publish(shown=TOURNAMENTS)))
    today = timezone.now().date()
    coming = [(event, state_of(event)) for event in events]

    def page() -> HttpResponse:
        rated = frozenset(item.date for item in lists.lists if item.kind in Kind.values)
        context = {
            "newest": lists.newest_of_each(),
            "tops": [top for kind in Kind if (top := _top(lists, kind))],
            "changes": _biggest_changes(lists),
            "tournaments": newest_published(lists.newest_of_each(), shown=TOURNAMENTS),
            "being_rated": coming,
            "today": today,
            "calendar": ListCalendar(today, published=rated),
        }
        return render(request, "public/home.html", context)

    versions = [(event.pk, event.name, state) for event, state in coming]
    return conditionally(request, page, version=("home", lists.version, today, versions))


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Find players and tournaments; a FIDE ID leads to its player."""
    form = SearchForm(request.GET)
    words = form.words()
    newest = catalogue().newest_of_each()
    found = find_players_or_alike(words, newest=newest) if words else Found()
    only = found.players[0].player.pk if len(found.players) == 1 and words.strip().isdecimal() else None
    if only and words.strip() in map(str, (only, *former_ids(only))):
        return redirect("players:player", only)
    tournaments = find_tournaments(words, shown=TOURNAMENTS) if words else []
    context = {"form": form, "words": words, "found": found, "tournaments": tournaments}
    return render(request, "public/search.html", context)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return a part of a page: the first players and tournaments for what is being typed, 8 at most."""
    words = SearchForm(request.GET).words().strip()
    found, tournaments = Found(), []
    if len(words) >= MIN_LETTERS:
        found = find_players_or_alike(words, newest=catalogue().newest_of_each(), shown=SUGGESTIONS)
        room = SUGGESTIONS - min(len(found.players), SUGGESTIONS - 2)
        tournaments = find_tournaments(words, shown=room) if not words.isdecimal() else []
    players = found.players[: SUGGESTIONS - len(tournaments)]
    context = {"players": players, "tournaments": tournaments, "words": words}
    return render(request, "public/suggestions.html", context)


def _biggest_changes(lists: Catalogue) -> list[tuple[RatingList, Moved]]:
    """Return the biggest changes of the newest lists together, each with its list."""
    newest = [item for kind in Kind if (item := lists.newest(kind)) and is_published(item)]
    every = [(item, moved) for item in newest for moved in biggest_changes_of(item, shown=CHANGES)]
    return sorted(every, key=lambda row: -abs(row[1].change))[:CHANGES]


def _top(lists: Catalogue, kind: str) -> dict[str, object] | None:
    rating_list = lists.newest(kind)
    if rating_list is None:
        return None
    rows = top_of(rating_list, lists.before(rating_list), shown=TOP)
    return {"list": rating_list, "rows": rows}
