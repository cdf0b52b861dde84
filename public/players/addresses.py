"""The player that an address names."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from players.models import Player


def player_or_404(fide_id: int, rows: QuerySet[Player] | None = None) -> Player:
    """Return a player with the federation, of `rows` as they are annotated, or raise Http404."""
    rows = Player.objects.all() if rows is None else rows
    found = rows.select_related("federation").filter(pk=fide_id).first()
    if found is None:
        raise Http404(_("No player has FIDE ID %(fide_id)s.") % {"fide_id": fide_id})
    return found
