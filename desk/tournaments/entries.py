"""The entry list of a tournament: checked, saved, and downloaded with current ratings for pairing programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from core.html.refusals import refusals_shown
from core.text_values import read_number
from core.web.downloads import streamed_file
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament, tournament_url
from players.fide_list.values import MAX_FIDE_ID
from players.minors import minors_for
from players.player_field import FormWithPlayer, PlayerField
from ratings.entry_lists import EntryList
from ratings.lists import read_lists
from ratings.program_files import ENTRY_FILES, SHOWN_FILES, program_file
from ratings.search import FoundPlayer, look_up_players
from tournaments.entries import MAX_ENTRIES, entered_ids, is_entry_list_public, save_entries
from tournaments.models import Tournament
from tournaments.permissions import can_enter_players, can_see_drafts, can_see_handed, for_arbiter_or_user
from tournaments.registration_changes import is_changeable
from tournaments.trf import read_report

SEPARATORS = re.compile(r"[\s,;]+")


class EntriesForm(FormWithPlayer):
    """The FIDE IDs of the entered players, and one more by name. `found` has the players in the same order."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"), required=False)
    ids = forms.CharField(
        label=_l("FIDE IDs of the players"),
        widget=forms.Textarea(attrs={"rows": 8, "cols": 40, "spellcheck": "false"}),
        max_length=20_000,
        required=False,
        help_text=_l("One per line, or separated by commas."),
    )
    found: Sequence[FoundPlayer] = ()

    def __init__(self, *args: Any, may_be_empty: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ids"].condition = _("at most 1,000")  # type: ignore[attr-defined]
        self._may_be_empty = may_be_empty

    def clean_ids(self) -> list[int]:
        """Return the IDs without repetitions. The error names unreadable and unknown IDs."""
        texts = list(dict.fromkeys(filter(None, SEPARATORS.split(self.cleaned_data["ids"]))))
        if player := self.cleaned_data.get("player"):
            texts = list(dict.fromkeys([*texts, str(player.pk)]))
        elif not texts and not self._may_be_empty and "player" not in self.errors:
            raise forms.ValidationError(_("Enter the FIDE IDs of the players."), code="required")
        if len(texts) > MAX_ENTRIES:
            raise forms.ValidationError(_("Enter at most 1,000 FIDE IDs."), code="too-many")
        is_usable = {text: read_number(text, most=MAX_FIDE_ID) is not None for text in texts}
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
    """Show the players with their current ratings, send them as a file, or save them as the entry list."""
    may_save = can_enter_players(request.user, tournament)
    found: Sequence[FoundPlayer] = ()
    if request.method == "POST":
        is_saving, removed = "save" in request.POST, request.POST.get("drop", "")
        if is_saving and not may_save:
            raise PermissionDenied
        form = EntriesForm(request.POST, user=request.user, may_be_empty=is_saving or bool(removed))
        name = request.POST.get("file", "")
        if form.is_valid():
            read = zip(form.cleaned_data["ids"], form.found, strict=True)
            kept = {fide_id: one for fide_id, one in read if str(one.player.pk) != removed}
            ids, found = [*kept], [*kept.values()]
            # By POST, as a thousand FIDE IDs make an address that servers refuse.
            if name in ENTRY_FILES:
                return streamed_file(program_file(name, ids=ids, minors=minors_for(request)), name=name)
            if is_saving:
                with refusals_shown(form):
                    _save(request, tournament, ids)
                    return redirect("desk:entries", tournament.event_id)
            else:
                # As it was read, with the player added or without the one that is removed.
                form = EntriesForm(user=request.user, initial={"ids": _lines(ids)})
    else:
        # Once there is a report, it says best who plays.
        ids = _reported_ids(request.user, tournament) or entered_ids(tournament)
        form = EntriesForm(restore_form(request), user=request.user, initial={"ids": _lines(ids)})
        found = [*filter(None, look_up_players(ids, newest=read_lists().newest_of_each()))]
    saved = entered_ids(tournament)
    shown = {one.player.pk for one in found}
    context = {
        "tournament": tournament,
        "tournament_url": tournament_url(request.user, tournament),
        "form": form,
        "entered": EntryList.of(tournament.kind, found),
        "files": SHOWN_FILES,
        "may_save": may_save and is_changeable(tournament),
        "is_public": is_entry_list_public(tournament),
        "saved": len(saved),
        "added": len(shown.difference(saved)),
        "removed": len(set(saved) - shown),
    }
    return render(request, "desk/tournaments/entries.html", context)


def _save(request: HttpRequest, tournament: Tournament, ids: Sequence[int]) -> None:
    changes = save_entries(tournament, ids, by=request.user, at=timezone.now())
    if not changes:
        messages.info(request, _("The entry list is already saved like this."))
        return
    text = ngettext(
        "Entry list saved: %(number)d player. It is public.",
        "Entry list saved: %(number)d players. It is public.",
        changes.number,
    )
    messages.success(request, text % {"number": changes.number})


def _lines(ids: Sequence[int]) -> str:
    return "\n".join(map(str, ids))


def _reported_ids(user: Any, tournament: Tournament) -> list[int]:
    """Return the FIDE IDs of the newest report version, if the user may see it."""
    newest = tournament.reports.order_by("-version").first() if can_see_drafts(user, tournament) else None
    players = read_report(bytes(newest.content)).players if newest else ()
    return list(dict.fromkeys(player.fide_id for player in players if player.fide_id))
