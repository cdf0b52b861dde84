"""The entry list of a tournament: checked, saved, and downloaded with current ratings for pairing programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
from players.models import Player
from ratings.entry_lists import EntryList
from ratings.lists import read_lists
from ratings.player_field import FormWithPlayer, PlayerField
from ratings.program_files import ENTRY_FILES, SHOWN_FILES, program_file
from ratings.search import FoundPlayer, look_up_players
from tournaments.entries import MAX_ENTRIES, entered_ids, is_entry_list_public, save_entries
from tournaments.models import Tournament
from tournaments.permissions import can_enter_players, can_see_drafts, can_see_handed, for_arbiter_or_user
from tournaments.registration_changes import is_changeable
from tournaments.trf import read_report

SEPARATORS = re.compile(r"[\s,;]+")
# So many of the removed players are named, each with its undoing.
MAX_GONE = 5


class EntriesForm(FormWithPlayer):
    """The list as the page shows it, and who is added to it: FIDE IDs, and one player by name.

    `players` has everybody that was found by the FIDE ID typed, also where others are refused.
    """

    player = PlayerField(label=_l("Name or FIDE ID of the player"), required=False)
    ids = forms.CharField(
        label=_l("FIDE IDs of the players"),
        widget=forms.Textarea(attrs={"rows": 5, "cols": 40, "spellcheck": "false"}),
        max_length=20_000,
        required=False,
        help_text=_l("One per line, or separated by commas."),
    )
    replaces = forms.BooleanField(label=_l("Replace the whole list"), required=False)
    listed = forms.CharField(max_length=20_000, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, may_be_empty: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ids"].condition = _("at most 1,000")  # type: ignore[attr-defined]
        # The other way to add players is below it, folded.
        self.fields["player"].is_asked = True  # type: ignore[attr-defined]
        self._may_be_empty = may_be_empty
        self.players: dict[int, FoundPlayer] = {}

    def clean(self) -> dict[str, Any]:
        """Find the players without repetitions. The error names unreadable and unknown IDs."""
        cleaned = super().clean() or self.cleaned_data
        player = cleaned.get("player")
        typed = _split(f"{cleaned.get('ids', '')} {player.pk if player else ''} {self.data.get('undo', '')}")
        listed = _split(cleaned.get("listed", ""))
        is_replacing = cleaned.get("replaces") and bool(cleaned.get("ids"))
        texts = list(dict.fromkeys(typed if is_replacing else [*listed, *typed]))
        if not texts and not self._may_be_empty and not self.errors:
            self._refuse("required", _("Enter the FIDE IDs of the players."))
        if len(texts) > MAX_ENTRIES:
            self._refuse("too-many", _("Enter at most 1,000 FIDE IDs."))
            texts = listed[:MAX_ENTRIES]
        self.players = _find(texts)
        if wrong := [text for text in texts if read_number(text, most=MAX_FIDE_ID) not in self.players]:
            named = ", ".join(text[:20] for text in wrong[:20])
            message = _("No player has these FIDE IDs: %(ids)s. Correct or delete them.")
            self._refuse("unknown", message % {"ids": named})
            if is_replacing:
                # Nobody leaves the list before all who come are known.
                self.players = _find(listed)
            else:
                # Those that were found are in the table: what is left to correct stays in the field.
                left = {"ids": "\n".join(wrong), "listed": _lines(self.players)}
                self.data = {name: self.data[name] for name in self.data} | left
        return cleaned

    def _refuse(self, code: str, message: str) -> None:
        self.add_error("ids", forms.ValidationError(message, code=code))


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """Show the players with their current ratings, send them as a file, or save them as the entry list."""
    may_save = can_enter_players(request.user, tournament)
    acts = request.POST
    is_saving, dropped = "save" in acts, read_number(acts.get("drop", ""), most=MAX_FIDE_ID)
    if is_saving and not may_save:
        raise PermissionDenied
    typed = acts if request.method == "POST" else restore_form(request)
    if typed is None:
        # Once there is a report, it says best who plays.
        ids = _reported_ids(request.user, tournament) or entered_ids(tournament)
        found = [*filter(None, look_up_players(ids, newest=read_lists().newest_of_each()))]
        form = EntriesForm(user=request.user, initial={"listed": _lines(ids)})
    else:
        form = EntriesForm(typed, user=request.user, may_be_empty=is_saving or bool(dropped))
        is_valid, name = form.is_valid(), acts.get("file", "")
        kept = {fide_id: one for fide_id, one in form.players.items() if one.player.pk != dropped}
        found = [*kept.values()]
        if is_valid:
            # By POST, as a thousand FIDE IDs make an address that servers refuse.
            if name in ENTRY_FILES:
                return streamed_file(program_file(name, ids=[*kept], minors=minors_for(request)), name=name)
            if is_saving:
                with refusals_shown(form):
                    _save(request, tournament, [*kept])
                    return redirect("desk:entries", tournament.event_id)
            else:
                # As it was read, with the player added or without the one that is removed.
                form = EntriesForm(user=request.user, initial={"listed": _lines(kept)})
    saved = entered_ids(tournament)
    shown = {one.player.pk for one in found}
    # The one that was removed last comes first.
    gone = [fide_id for fide_id in dict.fromkeys([dropped or 0, *saved]) if fide_id not in shown]
    named = Player.objects.in_bulk(gone[:MAX_GONE]) if gone else {}
    leaving = len(saved) or len(found)
    form["replaces"].help_text = ngettext(
        "Removes %(number)d player", "Removes %(number)d players", leaving
    ) % {"number": leaving}
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
        "gone": [named[fide_id] for fide_id in gone if fide_id in named],
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


def _split(text: str) -> list[str]:
    return [*filter(None, SEPARATORS.split(text))]


def _find(texts: Iterable[str]) -> dict[int, FoundPlayer]:
    """Return the players by the FIDE IDs as typed."""
    ids = [number for text in texts if (number := read_number(text, most=MAX_FIDE_ID)) is not None]
    found = look_up_players(ids, newest=read_lists().newest_of_each())
    return {fide_id: one for fide_id, one in zip(ids, found, strict=True) if one}


def _lines(ids: Iterable[int]) -> str:
    return "\n".join(map(str, ids))


def _reported_ids(user: Any, tournament: Tournament) -> list[int]:
    """Return the FIDE IDs of the newest report version, if the user may see it."""
    newest = tournament.reports.order_by("-version").first() if can_see_drafts(user, tournament) else None
    players = read_report(bytes(newest.content)).players if newest else ()
    return list(dict.fromkeys(player.fide_id for player in players if player.fide_id))
