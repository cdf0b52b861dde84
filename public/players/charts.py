"""The charts of a player's ratings and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.html.charts.bars import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import MarkKind, Point, Series, rating_history_svg, rating_history_table
from core.html.dates import list_month, short_month
from players.models import Player
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.next_list import SoFar
from ratings.profile import HistoryRow, KindProfile
from tournaments.lists import Lists

GAMES = "games"
ALL = "all"
# Years up to the newest list by query value, 1 by default.
# One year by default: with ten years of lists all of them took the page half as long again.
RANGES = {"": 1, "3y": 3, ALL: None}
# So many bars, one per list, fit on a phone.
MAX_BARS, BAR_YEARS = 24, 2


def chart_of(
    chosen: Player,
    profiles: Sequence[KindProfile],
    lists: Lists[RatingList],
    query: QueryDict,
    coming: Sequence[SoFar] = (),
) -> dict[str, Any] | None:
    """Return the requested chart with its table and switches, or None without a history.

    The query selects `chart`, `kind` and `range`. A rating type that the player never had shows all types.
    """
    rated = [profile for profile in profiles if profile.highest]
    if not rated:
        return None
    kind = next((profile.kind for profile in rated if profile.kind == query.get("kind")), "")
    what = GAMES if query.get("chart") == GAMES else ""
    shown = [profile for profile in rated if kind in ("", profile.kind)]
    years = years_shown(query)
    found = _games(chosen, shown, lists) if what else _ratings(chosen, shown, lists, years, coming)
    parameters = {"kind": kind, "chart": what, "range": asked_range(query)}
    years_switch = [] if what else [ranges(parameters)]
    whats = {"": pgettext("chart", "Ratings"), GAMES: _("Games")}
    what_switch = switch(_("Chart"), "chart", whats, parameters)
    return {**found, "switches": [*_kinds(rated, parameters), *years_switch, what_switch]}


def asked_range(query: QueryDict) -> str:
    """Return the requested range of years, a key of `RANGES`."""
    text = query.get("range", "")
    return text if text in RANGES else ""


def years_shown(query: QueryDict) -> int | None:
    """Return the years that the page shows, None for all; the bars of a chart of games need two."""
    years = RANGES[asked_range(query)]
    return max(years, BAR_YEARS) if years and query.get("chart") == GAMES else years


def switch(label: str, name: str, choices: dict[str, str], parameters: dict[str, Any]) -> dict[str, Any]:
    """Return a switch: links that set one query parameter and keep the others."""
    links = [
        {"label": text, "url": _address(parameters | {name: value}), "current": parameters[name] == value}
        for value, text in choices.items()
    ]
    return {"label": label, "choices": links}


def _kinds(rated: Sequence[KindProfile], parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the switch by rating type, none if there is only one."""
    if len(rated) < 2:
        return []
    names = {profile.kind: str(capfirst(ListKind(profile.kind).label)) for profile in rated}
    return [switch(_("Rating types in the chart"), "kind", {"": _("All")} | names, parameters)]


def ranges(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the switch by years."""
    labels = {"": _("1 year"), "3y": _("3 years"), ALL: _("All years")}
    return switch(_("Years in the chart"), "range", labels, parameters)


def _address(parameters: dict[str, Any]) -> str:
    return f"?{urlencode({name: value for name, value in parameters.items() if value}, doseq=True)}#history"


def _ratings(
    chosen: Player,
    shown: Sequence[KindProfile],
    lists: Lists[RatingList],
    years: int | None,
    coming: Sequence[SoFar],
) -> dict[str, Any]:
    title = _("Ratings of %(name)s") % {"name": chosen.name}
    first = first_month(lists, years)
    series = [one for profile in shown if (one := series_of(profile, lists, first)).rated_points()]
    so_far = {one.kind: _point_so_far(chosen, one) for one in coming if one.row.new_rating is not None}
    series = [replace(one, so_far=so_far.get(one.kind)) for one in series]
    return ratings_chart(series, lists, title=title)


def ratings_chart(series: Sequence[Series], lists: Lists[RatingList], *, title: str) -> dict[str, Any]:
    """Return the chart of some rating lines with its table, without an image if there are no lines.

    It has the lists of the last year at least, so that a new player's one rating is not a line across.
    """
    first = min([first_month(lists, 1), *(point.month for one in series for point in one.points)])
    published = sorted({item.date for item in lists.newest_first if item.date >= first})
    description = _(
        "One step for each list, with gaps where no rating was listed. The table below has the values."
    )
    svg = rating_history_svg(series, title=title, description=description, published=published)
    return {"svg": svg, "table": rating_history_table(series) if svg else None, "caption": title}


def first_month(lists: Lists[RatingList], years: int | None) -> date:
    """Return the first month of the latest years, the base of their first rating change."""
    newest = max((item.date for item in lists.newest_first), default=date.max)
    # Lists are dated the 1st, so that no year lacks the day.
    return date.min if years is None else newest.replace(year=newest.year - years)


def _games(chosen: Player, shown: Sequence[KindProfile], lists: Lists[RatingList]) -> dict[str, Any]:
    """Return the games on each of the latest lists, since the player's first list."""
    counted: dict[date, int] = {}
    for profile in shown:
        for row in profile.rows:
            counted[row.rating_list.date] = counted.get(row.rating_list.date, 0) + row.games
    days = [day for day in lists.days if day >= min(counted)][:MAX_BARS]
    bars = [Bar(short_month(day), counted.get(day, 0)) for day in reversed(days)]
    title = _("Games of %(name)s by list") % {"name": chosen.name}
    description = _("Number of rated games on each of the latest lists. The table below has the values.")
    svg = bar_chart_svg(bars, title=title, description=description, name="games")
    rows = [Bar(list_month(day), counted.get(day, 0)) for day in days]
    table = bar_chart_table(rows, heads=(_("List"), _("Games")))
    return {"svg": svg, "table": table, "caption": title}


def series_of(
    profile: KindProfile, lists: Lists[RatingList], first: date, *, label: str = "", line: str = ""
) -> Series:
    """Return the ratings of a type since a date. `label` and `line` replace those of the rating type."""
    rows = {row.rating_list.pk: row for row in profile.rows}
    rated = [row.rating_list.date for row in profile.rows if row.rating is not None]
    first = max(first, min(rated, default=first))
    held = [item for item in lists.of_kind(profile.kind) if item.date >= first]
    points = [_point(item, rows.get(item.pk)) for item in reversed(held)]
    return Series(line or profile.kind, label or capfirst(ListKind(profile.kind).label), points)


def _point_so_far(chosen: Player, found: SoFar) -> Point:
    address = reverse("players:so-far", args=[chosen.pk, found.kind])
    return Point(found.list_date, found.row.new_rating, address=address)


def _point(item: RatingList, row: HistoryRow | None) -> Point:
    month = item.date
    if row is None or row.rating is None:
        return Point(month, None)
    mark: MarkKind = "adjustment" if item.is_adjusted else ""
    mark = "initial" if row.is_first_rating else "correction" if row.has_correction else mark
    address = ""
    if row.result and row.entry:
        address = reverse("players:calculation", args=[row.entry.player_id, row.rating_list.kind, month])
    return Point(month, row.rating, mark, address)
