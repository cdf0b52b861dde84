"""The player that an address names."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _

from players.models import Player


def player_or_404(fide_id: int) -> Player:
    """Return a player with the federation, or raise Http404."""
    found = Player.objects.select_related("federation").filter(pk=fide_id).first()
    if found is None:
        raise Http404(_("No player has FIDE ID %(fide_id)s.") % {"fide_id": fide_id})
    return found
