"""A player's results by colour and opponent, the badge to embed, and the image for sharing."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from players.models import Player
from public.cards import NO_RATING, Card, Figure, picture_of
from public.players.player import first_month, player_or_404, series_of
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.queries.lists import read_lists
from ratings.queries.profile import KindProfile, profiles_of
from ratings.queries.records import former_ids, record_of, tournaments_of
from ratings.queries.search import ratings_of
from tournaments.lists import Lists

MOST = 20
# Of the chart on the image of a player's page.
CARD_YEARS = 3


@require_safe
def record(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show a player's score by colour and opponent strength, opponents and best wins."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:record", chosen.merged_into_id, permanent=True)
    if against := request.GET.get("against"):
        return redirect(
            f"{reverse('players:compare')}?{urlencode({'player': [fide_id, against]}, doseq=True)}"
        )
    ids = (fide_id, *former_ids(fide_id))
    lists = read_lists()

    def page() -> HttpResponse:
        record = record_of(tournaments_of(ids, lists=lists), most=MOST)
        return render(request, "public/players/record.html", {"player": chosen, "record": record})

    return conditionally(request, page, version=("record", ids, chosen.name, lists.version))


@require_safe
def badge(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Send the player's current ratings as a small SVG image."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:badge", chosen.merged_into_id, permanent=True)
    lists = read_lists()
    newest = lists.newest_of_each()

    def picture() -> HttpResponse:
        ratings = ratings_of([fide_id], newest).get(fide_id, {})
        figures = [(item, ratings.get(item.kind)) for item in newest]
        context = {"player": chosen, "figures": figures}
        response = render(request, "public/players/badge.svg", context, content_type="image/svg+xml")
        # Other sites embed it, which browsers otherwise refuse.
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    return conditionally(request, picture, version=("badge", chosen.pk, chosen.name, lists.version))


@require_safe
def card(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Send the image of a player's page: name, ratings and their chart."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:card", chosen.merged_into_id, permanent=True)
    lists = read_lists()
    person = (chosen.pk, chosen.name, chosen.title, chosen.women_title, chosen.federation.shown_name)
    return conditionally(
        request, lambda: picture_of(_card_of(chosen, lists)), version=("card", *person, lists.version)
    )


def _card_of(chosen: Player, lists: Lists[RatingList]) -> Card:
    profiles, first = profiles_of(chosen.pk, lists), first_month(lists, CARD_YEARS)
    title = chosen.title or chosen.women_title
    return Card(
        title=f"{title} {chosen.name}".strip(),
        otherwise=f"FIDE {chosen.pk}",
        facts=(chosen.federation.shown_name, f"FIDE ID {chosen.pk}"),
        figures=[_figure(one) for one in profiles if one.newest_list],
        chart=[series_of(one, lists, first) for one in profiles],
    )


def _figure(profile: KindProfile) -> Figure:
    label = str(capfirst(ListKind(profile.kind).label))
    return Figure(profile.kind, label, str(profile.rating or NO_RATING))
