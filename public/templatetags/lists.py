"""The rows of a list's page, written at once: as a template they cost more than all the rest of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.html.figures import NONE, change_figure, filled, signed_points
from players.queries.minors import Minors, birth_of, minors_for
from ratings.models import ListEntry
from ratings.queries.entries import Row

register = template.Library()
ROW = (
    '<tr class="leads" id="p{id}"{current}>{place}'
    '<th scope="row" class="name">{title}<a class="row-link" href="{players}{id}/">{name}</a></th>'
    '<td class="top quiet">{federation}</td><td class="top quiet">{birth}</td>'
    '<td class="num rating" data-label="{rating_label}">{rating}</td><td class="num">{change}</td>'
    '<td class="num quiet" data-label="{games_label}">{games}</td>'
    '<td class="num quiet" data-label="K">{k_factor}</td><td class="quiet small">{activity}</td></tr>\n'
)
EMPTY = SafeString("")
CURRENT = SafeString(' aria-current="true"')


@register.simple_tag(takes_context=True)
def list_rows(context: Context, rows: Sequence[Row]) -> SafeString:
    """Return the rows of a list's page; `has_places`, `compared`, `explains`, `marked` say what they show."""
    minors = minors_for(context["request"])
    change = _changes(context)
    texts = {
        "players": reverse("players:search"),
        "rating_label": _("Rating"),
        "games_label": _("Games"),
    }
    inactive, marked = _("inactive"), context["marked"]
    return SafeString(
        "".join(
            filled(
                ROW,
                place=_place(row) if context["has_places"] else EMPTY,
                current=CURRENT if marked == str(row.entry.player_id) else EMPTY,
                change=change(row),
                activity=inactive if row.entry.is_inactive else EMPTY,
                **texts,
                **_person(row.entry, minors),
            )
            for row in rows
        )
    )


def _place(row: Row) -> SafeString:
    return filled('<td class="num quiet top">{}</td>', number_format(row.place or 0, force_grouping=True))


def title_mark(title: str) -> SafeString:
    """Return a title as it stands before a name; nothing where there is none."""
    return filled('<span class="title-of">{}</span> ', title) if title else EMPTY


def _person(entry: ListEntry, minors: Minors) -> dict[str, Any]:
    return {
        "id": entry.player_id,
        "title": title_mark(entry.title or entry.women_title),
        "name": entry.name or entry.player_id,
        "federation": entry.federation_id,
        "birth": str(birth_of(entry, minors)),
        "rating": entry.rating,
        "games": entry.games,
        "k_factor": entry.k_factor or NONE,
    }


def _changes(context: Context) -> Callable[[Row], SafeString]:
    """Return what draws a change: as a link where the portal can explain it."""
    new = filled('<span class="quiet">{}</span>', _("new")) if context["compared"] else EMPTY
    players, day = reverse("players:search"), f"{context['list'].kind}/{context['day']}"

    def change(row: Row) -> SafeString:
        if row.change is None:
            return new
        if row.entry.games and context["explains"]:
            figure = change_figure(signed_points(row.change))
            return filled(
                '<a class="figure" href="{}{}/{}/">{}</a>', players, row.entry.player_id, day, figure
            )
        if row.change == 0:
            return SafeString('<span class="nothing">0</span>')
        return change_figure(signed_points(row.change))

    return change
