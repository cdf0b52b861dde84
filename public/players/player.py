"""Players: search, page, rated tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.paging import numbered_page, page_number
from core.web.conditional import conditionally, public_page
from players.models import Player
from players.queries.federations import is_unlisted, minors_for
from players.queries.names import former_ids
from public.filters import SearchForm
from public.players.charts import chart_of
from ratings.choices import ListKind
from ratings.queries.catalogue import Catalogue, catalogue
from ratings.queries.entries import top_of
from ratings.queries.events import latest_winners
from ratings.queries.movements import newcomers_of
from ratings.queries.pools import pools_on
from ratings.queries.profile import (
    KindProfile,
    person_as_of,
    profiles_of_each,
    telling_rows,
)
from ratings.queries.provisional import SoFar, so_far_of
from ratings.queries.ranking import Place, places_of
from ratings.queries.records import record_of, tournaments_of, with_steps
from ratings.queries.search import Found, find_players_or_alike
from tournaments.choices import Kind

RECENT = 10
SHOWN_ON_SEARCH = 10
# The player page tells the results of so many tournaments, the page of the record those of all.
LOOKED_AT = 50
MAX_MET = 5
MAX_CHANGES = 36
PAGE = 50


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Find players by name or FIDE ID; without words show whom the lists and tournaments bring to the fore."""
    form = SearchForm(request.GET)
    words = form.words()
    lists = catalogue()
    found = find_players_or_alike(words, newest=lists.newest_of_each()) if words else Found()
    context: dict[str, Any] = {"form": form, "words": words, "found": found}
    if not request.GET.get("q"):
        context |= {"kinds": _newest_lists(lists), "winners": latest_winners(shown=SHOWN_ON_SEARCH)}
    return render(request, "public/players/search.html", context)


@require_safe
def player(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show a player: ratings of all kinds, history, tournaments; a merged ID leads to the one that stands."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:player", chosen.merged_into_id, permanent=True)
    lists = catalogue()
    if "as-of" in request.GET:
        return redirect("players:player-as-of", fide_id, asked_day(request, lists))
    former = former_ids(fide_id)
    minors = minors_for(request)
    coming = so_far_of([fide_id], lists)
    figures = [found.figures for found in coming]
    version = ("player", lists.version, former, minors, figures, *_person(chosen))
    return conditionally(
        request, lambda: _player_page(request, chosen, lists, former=former, coming=coming), version=version
    )


@require_safe
def player_as_of(request: HttpRequest, fide_id: int, day: date) -> HttpResponse:
    """Show a player as the lists up to a date did: a page that stays as it is."""
    chosen = player_or_404(fide_id)
    every = catalogue()
    lists = lists_as_of(every, day)
    person = (chosen.pk, chosen.name, chosen.merged_into_id)
    version = ("player", day, lists.version, *person, every.days(), minors_for(request))
    return conditionally(
        request, lambda: _player_page(request, chosen, lists, as_of=day, days=every.days()), version=version
    )


@require_safe
@public_page
def tournaments(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show all rated tournaments of a player, page by page."""
    chosen = player_or_404(fide_id)
    number = page_number(request.GET)
    ids = (fide_id, *former_ids(fide_id))
    rows = tournaments_of(ids, lists=catalogue(), limit=PAGE + 1, offset=(number - 1) * PAGE)
    rows = with_steps(rows)
    if number > 1 and not rows:
        raise Http404(_("This page does not exist."))
    page = numbered_page(request.GET, number, has_next=len(rows) > PAGE)
    return render(
        request, "public/players/tournaments.html", {"player": chosen, "rows": rows[:PAGE], "page": page}
    )


def player_or_404(fide_id: int) -> Player:
    """Return a player with the federation."""
    found = Player.objects.select_related("federation").filter(pk=fide_id).first()
    if found is None:
        raise Http404(_("No player has FIDE ID %(id)s.") % {"id": fide_id})
    return found


def lists_as_of(lists: Catalogue, day: date) -> Catalogue:
    """Return the lists up to a date that one of them bears; a 404 for another date."""
    try:
        return lists.as_of(day)
    except LookupError as error:
        raise Http404(_("There is no list of %(day)s.") % {"day": day.isoformat()}) from error


def asked_day(request: HttpRequest, lists: Catalogue) -> date:
    """Return the date of a list that a form asks to go back to; a 404 for another text."""
    day = next((day for day in lists.days() if day.isoformat() == request.GET["as-of"]), None)
    if day is None:
        raise Http404(_("This list does not exist."))
    return day


def _person(chosen: Player) -> tuple[Any, ...]:
    """What of a person may change between two lists."""
    titles = (chosen.title, chosen.women_title, chosen.other_titles, chosen.foa_title)
    return (
        chosen.pk,
        chosen.name,
        chosen.federation_id,
        chosen.sex,
        chosen.birth_year,
        chosen.died_on,
        *titles,
    )


def _player_page(
    request: HttpRequest,
    chosen: Player,
    lists: Catalogue,
    *,
    as_of: date | None = None,
    days: Sequence[date] | None = None,
    former: Sequence[int] = (),
    coming: Sequence[SoFar] = (),
) -> HttpResponse:
    of_each = profiles_of_each((chosen.pk, *former), lists)
    profiles = of_each.pop(chosen.pk)
    if as_of is not None:
        chosen = person_as_of(chosen, profiles, as_of)
    unrated = [one.newest_list for one in profiles if one.rating is None and one.newest_list is not None]
    unrated = [item for item in unrated if item.kind != ListKind.STANDARD]
    pools = pools_on(unrated, chosen.pk) if unrated else {}
    places = places_of(profiles)
    history = telling_rows(profiles)
    context = {
        "player": chosen,
        "as_of": as_of,
        "days": lists.days() if days is None else days,
        "rules": next((item.text for item in lists.newest_of_each() if item.text), None),
        "kinds": [_kind(one, pools, places[one.kind]) for one in profiles],
        "chart": chart_of(chosen, profiles, lists, request.GET, coming),
        "coming": coming,
        "history": history[:MAX_CHANGES],
        "has_more_history": len(history) > MAX_CHANGES,
        "former": [
            {"id": key, "history": telling_rows(of_id)[:MAX_CHANGES]} for key, of_id in of_each.items()
        ],
        "is_unlisted": _is_unlisted(chosen, profiles, lists),
        **_results((chosen.pk, *former), lists, coming),
    }
    return render(request, "public/players/player.html", context)


def _results(ids: Sequence[int], lists: Catalogue, coming: Sequence[SoFar]) -> dict[str, Any]:
    """Return the latest tournaments, and what the games of more of them come to."""
    played = tournaments_of(ids, lists=lists, limit=LOOKED_AT, coming=coming)
    return {
        "tournaments": with_steps(played[:RECENT]),
        "has_more_tournaments": len(played) > RECENT,
        "record": record_of(played, most=MAX_MET),
        "is_cut": len(played) == LOOKED_AT,
    }


def _is_unlisted(chosen: Player, profiles: Sequence[KindProfile], lists: Catalogue) -> bool:
    """Whether the newest lists leave out the player's federation; one of them that has the player answers it."""
    day = max((item.date for item in lists.newest_of_each()), default=None)
    own = [one for one in profiles if one.rating is not None and one.kind != ListKind.STANDARD]
    if day is None or any(one.newest_list and one.newest_list.date == day for one in own):
        return False
    return is_unlisted(chosen.federation, day)


def _kind(profile: KindProfile, pools: dict[int, Any], places: Sequence[Place]) -> dict[str, Any]:
    newest = profile.newest
    entry = newest.entry if newest else None
    return {
        "profile": profile,
        "entry": entry,
        "places": places,
        "pool": pools.get(profile.newest_list.pk) if profile.newest_list else None,
    }


def _newest_lists(lists: Catalogue) -> list[dict[str, Any]]:
    """Return the newest list of each rating type with its highest rated active players and its newcomers."""
    newest = [found for kind in Kind if (found := lists.newest(kind))]
    return [
        {
            "list": rating_list,
            "rows": top_of(rating_list, lists.before(rating_list), shown=SHOWN_ON_SEARCH),
            "newcomers": newcomers_of(rating_list, shown=SHOWN_ON_SEARCH),
        }
        for rating_list in newest
    ]
