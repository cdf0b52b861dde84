"""The page of an arbiter, with the tournaments that the arbiter directed."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from core.web.etags import public_page
from players.arbiters import ON_THE_LIST, arbiter_of
from players.models import Player
from ratings.lists import read_lists
from tournaments.arbiters import directed_by
from tournaments.states import public_states

IN_ORDER = Keyset(("-start", "event_id"))
PAGE = 50


@require_safe
@public_page
def arbiter(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show an arbiter: title, licence, and the tournaments as chief arbiter or deputy, newest first."""
    players = Player.objects.select_related("federation", "arbiter_licence")
    player = players.filter(pk=fide_id).first()
    if player is not None and player.merged_into_id:
        return redirect("arbiter", player.merged_into_id)
    page = IN_ORDER.page(directed_by(fide_id), request.GET, size=PAGE)
    is_listed = player is not None and Player.objects.filter(ON_THE_LIST, pk=fide_id).exists()
    # Anybody may have a FIDE ID: the page is only for those with a licence, a title or a tournament.
    if player is None or not (page.rows or is_listed):
        raise Http404(_("No arbiter has FIDE ID %(id)s.") % {"id": fide_id})
    states = public_states(page.rows, read_lists(), today=timezone.now().date())
    rows = [(event, states[event.pk]) for event in page.rows]
    context = {"arbiter": arbiter_of(player), "player": player, "page": page, "rows": rows}
    return render(request, "public/arbiter.html", context)
