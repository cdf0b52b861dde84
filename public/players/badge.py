"""The badge with a player's ratings, which other sites embed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from public.players.addresses import player_or_404
from ratings.lists import read_lists
from ratings.search import ratings_of


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
