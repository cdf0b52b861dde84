"""A player's charts: ratings over time, or games list by list; kinds and years are chosen by the address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.html.charts import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import MarkKind, Point, Series, rating_history_svg, rating_history_table
from core.html.figures import list_month
from players.models import Player
from ratings.choices import ListKind
from ratings.queries.catalogue import Catalogue
from ratings.queries.profile import HistoryRow, KindProfile
from ratings.queries.provisional import SoFar

GAMES = "games"
ALL = "all"
# Years up to the newest list, by the names in the address; three where it names none.
RANGES = {"1y": 1, "": 3, ALL: None}
# So many lists have room for a bar each on a phone.
MAX_BARS = 24


def chart_of(
    chosen: Player,
    profiles: Sequence[KindProfile],
    lists: Catalogue,
    query: QueryDict,
    coming: Sequence[SoFar] = (),
) -> dict[str, Any] | None:
    """Return the chart that the address asks for, its table and the ways to the others; None without a history.

    A kind that the player has no rating of, or no such kind, shows all. Ratings are those of the latest years.
    """
    rated = [profile for profile in profiles if profile.highest]
    if not rated:
        return None
    kind = next((profile.kind for profile in rated if profile.kind == query.get("kind")), "")
    what = GAMES if query.get("chart") == GAMES else ""
    years = query.get("range", "") if query.get("range") in RANGES else ""
    shown = [profile for profile in rated if kind in ("", profile.kind)]
    found = _games(chosen, shown, lists) if what else _ratings(chosen, shown, lists, RANGES[years], coming)
    asked = {"kind": kind, "chart": what, "range": years}
    years_switch = [] if what else [ranges(asked)]
    return {**found, "switches": [*_kinds(rated, asked), *years_switch, _whats(asked)]}


def switch(label: str, name: str, choices: dict[str, str], asked: dict[str, Any]) -> dict[str, Any]:
    """Return a switch: the links that set one name of the address and keep the others."""
    links = [
        {"label": text, "url": _address(asked | {name: value}), "current": asked[name] == value}
        for value, text in choices.items()
    ]
    return {"label": label, "choices": links}


def _kinds(rated: Sequence[KindProfile], asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the switch by rating type, none where there is but one."""
    if len(rated) < 2:
        return []
    names = {profile.kind: str(capfirst(ListKind(profile.kind).label)) for profile in rated}
    return [switch(_("Rating types in the chart"), "kind", {"": _("All")} | names, asked)]


def ranges(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the switch by years."""
    labels = {"1y": _("1 year"), "": _("3 years"), ALL: _("All years")}
    return switch(_("Years in the chart"), "range", labels, asked)


def _whats(asked: dict[str, Any]) -> dict[str, Any]:
    return switch(_("Chart"), "chart", {"": _("Ratings"), GAMES: _("Games")}, asked)


def _address(asked: dict[str, Any]) -> str:
    return f"?{urlencode({name: value for name, value in asked.items() if value}, doseq=True)}#history"


def _ratings(
    chosen: Player,
    shown: Sequence[KindProfile],
    lists: Catalogue,
    years: int | None,
    coming: Sequence[SoFar],
) -> dict[str, Any]:
    title = _("Ratings of %(name)s") % {"name": chosen.name}
    first = first_month(lists, years)
    series = [one for profile in shown if (one := series_of(profile, lists, first)).rated()]
    so_far = {one.kind: _point_so_far(chosen, one) for one in coming if one.row.new_rating is not None}
    series = [replace(one, so_far=so_far.get(one.kind)) for one in series]
    return ratings_chart(series, lists, title=title)


def ratings_chart(series: Sequence[Series], lists: Catalogue, *, title: str) -> dict[str, Any]:
    """Return the chart of some lines of ratings, with its table; no picture where there is no line."""
    months = [point.month for one in series for point in one.points]
    published = sorted({item.date for item in lists.lists if months and item.date >= min(months)})
    description = _(
        "One step for each list, with gaps where no rating was listed. The table below has the values."
    )
    svg = rating_history_svg(series, title=title, description=description, published=published)
    return {"svg": svg, "table": rating_history_table(series) if svg else None, "caption": title}


def first_month(lists: Catalogue, years: int | None) -> date:
    """Return the date of the first list of the latest years, the one that their first change is counted from."""
    newest = max((item.date for item in lists.lists), default=date.max)
    return date.min if years is None else newest.replace(year=newest.year - years)


def _games(chosen: Player, shown: Sequence[KindProfile], lists: Catalogue) -> dict[str, Any]:
    """Return the games of each of the latest lists since the player's first one."""
    counted: dict[date, int] = {}
    for profile in shown:
        for row in profile.rows:
            counted[row.rating_list.date] = counted.get(row.rating_list.date, 0) + row.games
    days = [day for day in lists.days() if day >= min(counted)][:MAX_BARS]
    form = pgettext("date", "M Y")
    bars = [Bar(date_format(day, form), counted.get(day, 0)) for day in reversed(days)]
    title = _("Games of %(name)s by list") % {"name": chosen.name}
    description = _("Number of rated games on each of the latest lists. The table below has the values.")
    svg = bar_chart_svg(bars, title=title, description=description, name="games")
    rows = [Bar(list_month(day), counted.get(day, 0)) for day in days]
    table = bar_chart_table(rows, heads=(_("List"), _("Games")))
    return {"svg": svg, "table": table, "caption": title}


def series_of(
    profile: KindProfile, lists: Catalogue, first: date, *, label: str = "", line: str = ""
) -> Series:
    """Return the ratings of a kind since a list; `label` and `line` where they are not those of the kind."""
    rows = {row.rating_list.pk: row for row in profile.rows}
    rated = [row.rating_list.date for row in profile.rows if row.rating is not None]
    first = max(first, min(rated, default=first))
    held = [item for item in lists.of_kind(profile.kind) if item.date >= first]
    points = [_point(item.date, rows.get(item.pk)) for item in reversed(held)]
    return Series(line or profile.kind, label or capfirst(ListKind(profile.kind).label), points)


def _point_so_far(chosen: Player, found: SoFar) -> Point:
    address = reverse("players:so-far", args=[chosen.pk, found.kind])
    return Point(found.list_date, found.row.new_rating, address=address)


def _point(month: date, row: HistoryRow | None) -> Point:
    if row is None or row.rating is None:
        return Point(month, None)
    mark: MarkKind = "initial" if row.is_first_rating else "correction" if row.has_correction else ""
    address = ""
    if row.result and row.entry:
        address = reverse("players:calculation", args=[row.entry.player_id, row.rating_list.kind, month])
    return Point(month, row.rating, mark, address)
