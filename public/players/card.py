"""The image of a player's page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from players.models import Player
from public.cards import NO_RATING, Card, CardFigure, picture_of
from public.players.addresses import player_or_404
from public.players.charts import first_month, series_of
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.queries.lists import read_lists
from ratings.queries.profile import KindProfile, profiles_of
from tournaments.lists import Lists

# Of the chart on the image of a player's page.
CARD_YEARS = 3


@require_safe
def card(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Send the image of a player's page: name, ratings and their chart."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:card", chosen.merged_into_id, permanent=True)
    lists = read_lists()
    person = (chosen.pk, chosen.name, chosen.title, chosen.women_title, chosen.federation.shown_name)
    return conditionally(
        request, lambda: picture_of(_card_of(chosen, lists)), version=("card", *person, lists.version)
    )


def _card_of(chosen: Player, lists: Lists[RatingList]) -> Card:
    profiles, first = profiles_of(chosen.pk, lists), first_month(lists, CARD_YEARS)
    title = chosen.title or chosen.women_title
    return Card(
        title=f"{title} {chosen.name}".strip(),
        otherwise=f"FIDE {chosen.pk}",
        facts=(chosen.federation.shown_name, f"FIDE ID {chosen.pk}"),
        figures=[_figure(one) for one in profiles if one.newest_list],
        chart=[series_of(one, lists, first) for one in profiles],
    )


def _figure(profile: KindProfile) -> CardFigure:
    label = str(capfirst(ListKind(profile.kind).label))
    return CardFigure(profile.kind, label, str(profile.rating or NO_RATING))
