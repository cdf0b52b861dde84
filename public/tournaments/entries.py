"""The public entry list of a tournament, and files of its players for pairing programs."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.downloads import streamed_file
from core.web.etags import public_page
from players.minors import minors_for
from public.tournaments.tournament import tournament_or_404
from ratings.entry_lists import entry_list_of
from ratings.events import provisional_rating, published_rating
from ratings.lists import read_lists
from ratings.program_files import ENTRY_FILES, SHOWN_FILES, program_file
from tournaments.entries import entered_ids, is_entry_list_public
from tournaments.models import Tournament
from tournaments.states import public_states


@require_safe
@public_page
def entries(request: HttpRequest, event_id: str) -> HttpResponse:
    """Show the players entered for a tournament. Once it is rated or closed, redirect to its page."""
    chosen = tournament_or_404(event_id)
    if not is_entry_list_public(chosen):
        # Links to the list are in messages and on other sites: they go on to the results.
        return redirect("tournaments:tournament", event_id)
    lists = read_lists()
    context = {
        "tournament": chosen,
        "state": public_states([chosen], lists, today=timezone.now().date())[chosen.pk],
        "entered": entry_list_of(chosen, lists),
        "newest": lists.newest(chosen.kind),
        "files": SHOWN_FILES,
    }
    return render(request, "public/tournaments/entries.html", context)


@require_safe
def entry_file(request: HttpRequest, event_id: str, name: str) -> HttpResponseBase:
    """Send the players of a rated tournament, or those entered, as a file for pairing programs."""
    ids = _ids_of(tournament_or_404(event_id)) if name in ENTRY_FILES else []
    if not ids:
        raise Http404(_("File not found."))
    return streamed_file(program_file(name, ids=ids, minors=minors_for(request)), name=name)


def _ids_of(chosen: Tournament) -> list[int]:
    rating = published_rating(chosen) or provisional_rating(chosen)
    if rating is None:
        return entered_ids(chosen) if is_entry_list_public(chosen) else []
    return [fide_id for fide_id in rating.report.participants.values_list("player_id", flat=True) if fide_id]
