"""The entry list of a tournament: its players with current ratings, as a file for pairing programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.forms import PortalForm
from core.web.files import streamed_file
from core.web.sessions import restore_form
from desk.access import requires_for_tournament
from players.queries.federations import minors_for
from players.queries.names import LARGEST_ID
from ratings.queries.lists import read_lists
from ratings.queries.search import FoundPlayer, look_up_players
from ratings.services.program_files import ENTRY_FILES, SHOWN_FILES, program_file
from tournaments.models import Tournament
from tournaments.permissions import can_see_drafts, can_see_handed, for_arbiter_or_user
from tournaments.trf import read_report

MAX_PLAYERS = 1_000
SEPARATORS = re.compile(r"[\s,;]+")


class EntriesForm(PortalForm):
    """The FIDE IDs of the entered players. `found` has these players in the same order."""

    ids = forms.CharField(
        label=_l("FIDE IDs of the players"),
        widget=forms.Textarea(attrs={"rows": 8, "cols": 40, "spellcheck": "false"}),
        max_length=20_000,
        help_text=_l("One per line, or separated by commas. At most 1,000."),
        error_messages={"required": _l("Enter the FIDE IDs of the players.")},
    )
    found: Sequence[FoundPlayer] = ()

    def clean_ids(self) -> list[int]:
        """Return the IDs without repetitions. The error names unreadable and unknown IDs."""
        texts = list(dict.fromkeys(filter(None, SEPARATORS.split(self.cleaned_data["ids"]))))
        if len(texts) > MAX_PLAYERS:
            raise forms.ValidationError(_("Enter at most 1,000 FIDE IDs."), code="too-many")
        is_usable = {
            text: bool(re.fullmatch("[0-9]{1,10}", text)) and int(text) <= LARGEST_ID for text in texts
        }
        ids = [int(text) for text in texts if is_usable[text]]
        found = look_up_players(ids, newest=read_lists().newest_of_each())
        known = dict(zip(ids, found, strict=True))
        wrong = [text for text in texts if not is_usable[text] or known[int(text)] is None]
        if wrong:
            message = _("No player has these FIDE IDs: %(ids)s. Correct or delete them.")
            named = {"ids": ", ".join(text[:20] for text in wrong[:20])}
            raise forms.ValidationError(message, code="unknown", params=named)
        self.found = [player for player in found if player]
        return ids


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Show the players with their current ratings, or send them as a file. Nothing is saved."""
    if request.method == "POST":
        form = EntriesForm(request.POST)
        name = request.POST.get("file", "")
        if form.is_valid() and name in ENTRY_FILES:
            ids, minors = form.cleaned_data["ids"], minors_for(request)
            return streamed_file(program_file(name, ids=ids, minors=minors), name=name)
    else:
        form = EntriesForm(restore_form(request), initial={"ids": _reported(request.user, tournament)})
    page = "desk:tournament" if can_see_drafts(request.user, tournament) else "desk:arbiter"
    context = {
        "tournament": tournament,
        "tournament_url": reverse(page, args=[tournament.event_id]),
        "form": form,
        "found": form.found,
        "files": SHOWN_FILES,
    }
    return render(request, "desk/tournaments/entries.html", context)


def _reported(user: Any, tournament: Tournament) -> str:
    """Return the FIDE IDs of the newest report version, one per line, if the user may see it."""
    newest = tournament.reports.order_by("-version").first() if can_see_drafts(user, tournament) else None
    players = read_report(bytes(newest.content)).players if newest else ()
    return "\n".join(str(player.fide_id) for player in players if player.fide_id)
