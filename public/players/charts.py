"""A player's charts: ratings over time, or games list by list; all kinds or one, chosen by the address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.html.charts.bars import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import Point, Series, rating_history_svg, rating_history_table
from core.html.figures import list_month
from players.models import Player
from ratings.choices import ListKind
from ratings.queries.catalogue import Catalogue
from ratings.queries.profile import HistoryRow, KindProfile

GAMES = "games"
# So many lists have room for a bar each on a phone.
MOST_BARS = 24


def chart_of(
    chosen: Player, profiles: Sequence[KindProfile], lists: Catalogue, query: QueryDict
) -> dict[str, Any] | None:
    """Return the chart that the address asks for, its table and the ways to the others; None without a history.

    A kind that the player has no rating of, or no such kind, shows all.
    """
    rated = [profile for profile in profiles if profile.highest]
    if not rated:
        return None
    kind = next((profile.kind for profile in rated if profile.kind == query.get("kind")), "")
    what = GAMES if query.get("chart") == GAMES else ""
    shown = [profile for profile in rated if kind in ("", profile.kind)]
    draw = _games if what else _ratings
    switches = {"kinds": _kinds(rated, kind, what), "whats": _whats(kind, what)}
    return {**draw(chosen, shown, lists), **switches}


def _kinds(rated: Sequence[KindProfile], kind: str, what: str) -> list[dict[str, Any]]:
    """Return the switches by kind, none where there is but one."""
    if len(rated) < 2:
        return []
    labels = {"": _("All rating types")} | {
        profile.kind: capfirst(ListKind(profile.kind).label) for profile in rated
    }
    return [
        {"label": label, "url": _address(name, what), "current": name == kind}
        for name, label in labels.items()
    ]


def _whats(kind: str, what: str) -> list[dict[str, Any]]:
    return [
        {"label": label, "url": _address(kind, name), "current": name == what}
        for name, label in (("", _("Ratings")), (GAMES, _("Games")))
    ]


def _address(kind: str, what: str) -> str:
    query = {name: value for name, value in (("kind", kind), ("chart", what)) if value}
    return f"?{urlencode(query)}#history"


def _ratings(chosen: Player, shown: Sequence[KindProfile], lists: Catalogue) -> dict[str, Any]:
    series = [_series(profile, lists) for profile in shown]
    months = [point.month for one in series for point in one.points]
    published = sorted({item.date for item in lists.lists if item.date >= min(months)})
    title = _("Ratings of %(name)s") % {"name": chosen.name}
    description = _(
        "One step for each list, with gaps where no rating was listed. The table below has the values."
    )
    svg = rating_history_svg(series, title=title, description=description, published=published)
    return {"svg": svg, "table": rating_history_table(series), "caption": title}


def _games(chosen: Player, shown: Sequence[KindProfile], lists: Catalogue) -> dict[str, Any]:
    """Return the games of each of the latest lists since the player's first one."""
    counted: dict[date, int] = {}
    for profile in shown:
        for row in profile.rows:
            counted[row.rating_list.date] = counted.get(row.rating_list.date, 0) + row.games
    days = [day for day in lists.days() if day >= min(counted)][:MOST_BARS]
    form = pgettext("date", "M Y")
    bars = [Bar(date_format(day, form), counted.get(day, 0)) for day in reversed(days)]
    title = _("Games of %(name)s by list") % {"name": chosen.name}
    description = _("Number of rated games on each of the latest lists. The table below has the values.")
    svg = bar_chart_svg(bars, title=title, description=description, name="games")
    rows = [Bar(list_month(day), counted.get(day, 0)) for day in days]
    table = bar_chart_table(rows, heads=(_("List"), _("Games")))
    return {"svg": svg, "table": table, "caption": title}


def _series(profile: KindProfile, lists: Catalogue) -> Series:
    rows = {row.rating_list.pk: row for row in profile.rows}
    first = min(row.rating_list.date for row in profile.rows if row.rating is not None)
    held = [item for item in lists.of_kind(profile.kind) if item.date >= first]
    points = [_point(item.date, rows.get(item.pk)) for item in reversed(held)]
    return Series(profile.kind, ListKind(profile.kind).label, points)


def _point(month: Any, row: HistoryRow | None) -> Point:
    if row is None:
        return Point(month, None)
    if row.is_first_rating:
        return Point(month, row.rating, "initial")
    return Point(month, row.rating, "correction" if row.has_correction else "")
