"""The calculation of one player on one list, from top to bottom."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally, public_page
from players.models import Player
from public.lists.files import list_or_404
from public.players.player import player_or_404
from ratings.models import RatingList
from ratings.queries.calculations import explained, is_known_to
from ratings.queries.catalogue import Catalogue, catalogue
from ratings.queries.provisional import explained_so_far, so_far_of
from ratings.systems.registry import rules_named


@require_safe
def calculation(request: HttpRequest, fide_id: int, kind: str, day: date) -> HttpResponse:
    """Show a player's calculation on a list. A merged FIDE ID that the list does not have redirects."""
    player, lists = player_or_404(fide_id), catalogue()
    if player.merged_into_id and not _is_known(player, lists.on(kind, day)):
        return redirect("players:calculation", player.merged_into_id, kind, day, permanent=True)
    chosen = list_or_404(lists, kind, day)
    version = ("calculation", chosen.pk, lists.version, player.pk, player.name, player.merged_into_id)
    return conditionally(
        request,
        lambda: _page(request, player, chosen, lists),
        version=version,
        changed_at=lists.changed_at,
    )


@require_safe
@public_page
def so_far(request: HttpRequest, fide_id: int, kind: str) -> HttpResponse:
    """Show a player's calculation on the next list so far. A merged FIDE ID redirects."""
    player, lists = player_or_404(fide_id), catalogue()
    if player.merged_into_id:
        return redirect("players:so-far", player.merged_into_id, kind)
    found = next((item for item in so_far_of([fide_id], lists) if item.kind == kind), None)
    if found is None:
        message = _("The next list so far has no new result and no correction for %(name)s.")
        raise Http404(message % {"name": player.name})
    it = explained_so_far(player, found, lists)
    context = {"player": player, "list": it.rating_list, "it": it, "rules": it.rating_list.text}
    return render(request, "public/players/calculation.html", context)


def _is_known(player: Player, chosen: RatingList | None) -> bool:
    """Return whether a list has the FIDE ID, whose page then remains."""
    return chosen is not None and is_known_to(chosen, player.pk)


def _page(request: HttpRequest, player: Player, chosen: RatingList, lists: Catalogue) -> HttpResponse:
    found = explained(player, chosen, lists)
    if not found.is_anything_known:
        message = _("%(name)s has no rating, no games and no progress to an initial rating on this list.")
        raise Http404(message % {"name": player.name})
    context = {
        "player": player,
        "list": chosen,
        "it": found,
        "rules": rules_named(chosen.rules) if chosen.rules else None,
        "following": lists.after(chosen),
    }
    return render(request, "public/players/calculation.html", context)
