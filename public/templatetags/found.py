"""The rows of players found, written at once: as a template they cost more than all the rest of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.html.figures import NONE, filled
from players.models import Player
from players.queries.minors import Minors, birth_of, minors_for
from public.templatetags.lists import EMPTY, title_mark
from ratings.choices import ListKind
from ratings.queries.search import FoundPlayer

register = template.Library()
ROW = (
    '<tr class="leads"><th scope="row" class="name">{title}'
    '<a class="row-link" href="{players}{id}/">{name}</a>{died}</th>'
    '<td class="top quiet">{federation}</td><td class="top quiet">{birth}</td>'
    '<td class="num quiet" data-label="{id_label}">{id}</td>'
    '<td class="num rating" data-label="{rapid_label}">{rapid}</td>'
    '<td class="num rating" data-label="{blitz_label}">{blitz}</td>'
    '<td class="num" data-label="{standard_label}">{standard}</td></tr>\n'
)
DIED = SafeString(' <span class="quiet">†</span>')


@register.simple_tag(takes_context=True)
def found_rows(context: Context, found: Sequence[FoundPlayer]) -> SafeString:
    """Return a row for each player found, with the rating on the newest list of each kind."""
    minors = minors_for(context["request"])
    texts = {
        "players": reverse("players:search"),
        "id_label": _("ID"),
        "rapid_label": _("Rapid"),
        "blitz_label": _("Blitz"),
        "standard_label": _("Standard"),
    }
    rows = (filled(ROW, **texts, **_person(one.player, minors), **_ratings(one)) for one in found)
    return SafeString("".join(rows))


def _person(player: Player, minors: Minors) -> dict[str, Any]:
    return {
        "id": player.fide_id,
        "title": title_mark(player.title or player.women_title),
        "name": player.name or player.fide_id,
        "died": DIED if player.died_on else EMPTY,
        "federation": player.federation_id,
        "birth": str(birth_of(player, minors)),
    }


def _ratings(one: FoundPlayer) -> dict[str, Any]:
    return {kind.value: one.ratings.get(kind) or NONE for kind in ListKind}
