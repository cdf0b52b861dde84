"""The rated tournaments of a player."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.paging import numbered_page, page_number
from core.web.etags import public_page
from public.players.addresses import player_or_404
from ratings.lists import read_lists
from ratings.records import former_ids, tournaments_of, with_results

PAGE = 50


@require_safe
@public_page
def tournaments(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show all rated tournaments of a player, page by page."""
    chosen = player_or_404(fide_id)
    number = page_number(request.GET)
    ids = (fide_id, *former_ids(fide_id))
    rows = tournaments_of(ids, lists=read_lists(), limit=PAGE + 1, offset=(number - 1) * PAGE)
    rows = with_results(rows)
    if number > 1 and not rows:
        raise Http404(_("This page does not exist."))
    page = numbered_page(request.GET, number, has_next=len(rows) > PAGE)
    return render(
        request, "public/players/tournaments.html", {"player": chosen, "rows": rows[:PAGE], "page": page}
    )
