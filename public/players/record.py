"""A player's record, and the badge to embed elsewhere."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from players.models import Player
from players.queries.names import LARGEST_ID, former_ids
from public.players.player import player_or_404
from ratings.queries.catalogue import catalogue
from ratings.queries.records import meetings_of, record_of, tournaments_of
from ratings.queries.search import ratings_of

MOST = 20


@require_safe
def record(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show a player's score by colour, best wins, and the games against one opponent."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:record", chosen.merged_into_id, permanent=True)
    opponent = _opponent(request)
    ids = (fide_id, *former_ids(fide_id))
    lists = catalogue()
    theirs = (opponent.pk, *former_ids(opponent.pk)) if opponent else ()

    def page() -> HttpResponse:
        context = {
            "player": chosen,
            "record": record_of(tournaments_of(ids, lists=lists), most=MOST),
            "opponent": opponent,
            "games": [met.own for met in meetings_of(ids, theirs, lists=lists)] if opponent else [],
        }
        return render(request, "public/players/record.html", context)

    version = ("record", ids, chosen.name, theirs, opponent and opponent.name, lists.version)
    return conditionally(request, page, version=version)


@require_safe
def badge(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Send the player's newest ratings as a small picture."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:badge", chosen.merged_into_id, permanent=True)
    lists = catalogue()
    newest = lists.newest_of_each()

    def picture() -> HttpResponse:
        ratings = ratings_of([fide_id], newest).get(fide_id, {})
        figures = [(item, ratings.get(item.kind)) for item in newest]
        context = {"player": chosen, "figures": figures}
        return render(request, "public/players/badge.svg", context, content_type="image/svg+xml")

    return conditionally(request, picture, version=("badge", chosen.pk, chosen.name, lists.version))


def _opponent(request: HttpRequest) -> Player | None:
    """Return the opponent whom the address names, by a merged ID too; a 404 for one who is not known."""
    text = request.GET.get("against", "")
    if not text:
        return None
    if not text.isdecimal() or len(text) > len(str(LARGEST_ID)) or int(text) > LARGEST_ID:
        raise Http404(_("No player has this FIDE ID. Check the number."))
    opponent = player_or_404(int(text))
    return player_or_404(opponent.merged_into_id) if opponent.merged_into_id else opponent
