"""The field with which forms ask for a player: by name or FIDE ID, with suggestions while one types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.html.figures import NONE
from core.html.forms import PortalForm
from core.text_values import read_number
from players.fide_list.values import MAX_FIDE_ID
from players.members import numbered_ids
from players.minors import Birth, birth_of, minors_on
from players.models import Player
from players.names import find_ids
from ratings.choices import PUBLISHED_KINDS
from ratings.lists import read_lists
from ratings.search import ratings_of

# So many players of a name are offered.
CANDIDATES = 8


class PlayerInput(forms.TextInput):
    """A text field with the suggestions of the portal's search; a chosen one fills in its FIDE ID."""

    template_name = "partials/player_input.html"
    # Who has the typed words in their name, where several have them, each with birth and ratings.
    candidates: Sequence[tuple[Player, Birth, dict[str, int]]] = ()

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        candidates = [
            (
                one.pk,
                one.name,
                f"{one.federation_id} {birth} · {one.pk} · "
                + " · ".join(f"{capfirst(kind.label)} {ratings.get(kind, NONE)}" for kind in PUBLISHED_KINDS),
            )
            for one, birth, ratings in self.candidates
        ]
        return super().get_context(name, value, attrs) | {"candidates": candidates}


class PlayerField(forms.CharField):
    """A player, by FIDE ID or by a name that only one player has. The cleaned value is the player, None without one.

    Where nobody has the FIDE ID or the name, it is a national number of those that the `user` may look up.
    """

    widget = PlayerInput
    user: Any = None

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=100, **kwargs)

    def clean(self, value: Any) -> Any:
        words = super().clean(value).strip()
        if not words:
            return None
        if words.isascii() and words.isdecimal():
            player = Player.objects.filter(pk=read_number(words, most=MAX_FIDE_ID) or 0).first()
            player = player or self._numbered(words)
            if player is None:
                message = _("No player has this FIDE ID. Check the number.")
                raise forms.ValidationError(message, code="unknown")
            return player
        ids, is_cut = find_ids(words)
        found = list(Player.objects.filter(pk__in=ids[:CANDIDATES], merged_into=None)) if ids else []
        if len(found) == 1 and len(ids) == 1 and not is_cut:
            return found[0]
        if found:
            self.widget.candidates = _with_birth_and_ratings(found)
            message = _("Select the player, or enter the FIDE ID.")
            if (is_cut := is_cut or len(ids) > CANDIDATES) or len({player.name for player in found}) == 1:
                message = ask_which(is_cut=is_cut)
            raise forms.ValidationError(message, code="several")
        if player := self._numbered(words):
            return player
        raise forms.ValidationError(_("No player has this name or FIDE ID."), code="unknown")

    def _numbered(self, words: str) -> Player | None:
        ids = numbered_ids(self.user, words) if self.user else []
        # For staff, who see the numbers of all federations, it may be several players' number.
        return Player.objects.get(pk=ids[0]) if len(ids) == 1 else None


def ask_which(*, is_cut: bool) -> str:
    """Return what to do where several players have the typed name; `is_cut` where not all of them are offered."""
    if is_cut:
        text = _("More than %(number)d players have this name. Select one of these, or enter the FIDE ID.")
        return text % {"number": CANDIDATES}
    return _("Several players have this name. Select one, or enter the FIDE ID.")


def _with_birth_and_ratings(players: Sequence[Player]) -> list[tuple[Player, Birth, dict[str, int]]]:
    """Return what tells players of one name apart, as everybody may see it."""
    ratings = ratings_of([player.pk for player in players], read_lists().newest_of_each())
    minors = minors_on(timezone.now().date())
    return [(player, birth_of(player, minors), ratings.get(player.pk, {})) for player in players]


class FormWithPlayer(PortalForm):
    """A form that asks the user for a player."""

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, PlayerField):
                field.user = user
