"""A player's results by colour and opponent."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from public.players.addresses import player_or_404
from ratings.lists import read_lists
from ratings.records import former_ids, record_of, tournaments_of

MOST = 20


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
