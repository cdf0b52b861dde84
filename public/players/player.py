"""The page of a player, and the rated tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from core.html.charts import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import MarkKind, Point, Series, rating_history_svg, rating_history_table
from core.html.dates import list_month, short_month
from core.html.paging import numbered_page, page_number
from core.web.etags import conditionally, is_anonymous, public_page
from players.models import Player
from players.queries.federations import is_unlisted
from players.queries.minors import minors_for
from players.services.claims import claimed_player
from public.as_of import asked_day, lists_as_of
from public.cards import NO_RATING, Card, CardFigure, picture_of
from public.officers import officer_of
from ratings.choices import ListKind
from ratings.models import RatingList
from ratings.queries.lists import read_lists
from ratings.queries.pools import pools_on
from ratings.queries.profile import (
    HistoryRow,
    KindProfile,
    has_rows_until,
    person_as_of,
    profiles_of,
    recent_profiles_of_each,
    telling_rows,
)
from ratings.queries.provisional import SoFar, corrections_to_come, so_far_of
from ratings.queries.ranking import Rank, places_of
from ratings.queries.records import PlayedTournament, former_ids, record_of, tournaments_of, with_steps
from ratings.systems.otb.rules import months_after
from tournaments.lists import Lists

RECENT = 10
# The player page summarises this many tournaments, the results page all.
LOOKED_AT = 50
MAX_MET = 5
MAX_CHANGES = 36
PAGE = 50


@require_safe
def player(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show a player: ratings of all types, history, tournaments. A merged FIDE ID redirects."""
    chosen = player_or_404(fide_id)
    if chosen.merged_into_id:
        return redirect("players:player", chosen.merged_into_id, permanent=True)
    lists = read_lists()
    if "as-of" in request.GET:
        return redirect("players:player-as-of", fide_id, asked_day(request, lists))
    former = former_ids(fide_id)
    minors = minors_for(request)
    coming = so_far_of([fide_id], lists)
    figures = [found.figures for found in coming]
    version = (
        "player",
        lists.version,
        former,
        minors,
        figures,
        officer_of(chosen.federation),
        *_person(chosen),
    )
    return conditionally(
        request, lambda: _player_page(request, chosen, lists, former=former, coming=coming), version=version
    )


@require_safe
def player_as_of(request: HttpRequest, fide_id: int, day: date) -> HttpResponse:
    """Show a player as of a list date. The page never changes."""
    chosen = player_or_404(fide_id)
    every = read_lists()
    lists = lists_as_of(every, day)
    person = (chosen.pk, chosen.name, chosen.merged_into_id)
    version = ("player", day, lists.version, *person, every.days, minors_for(request))
    return conditionally(
        request, lambda: _player_page(request, chosen, lists, as_of=day, days=every.days), version=version
    )


@require_safe
@public_page
def tournaments(request: HttpRequest, fide_id: int) -> HttpResponse:
    """Show all rated tournaments of a player, page by page."""
    chosen = player_or_404(fide_id)
    number = page_number(request.GET)
    ids = (fide_id, *former_ids(fide_id))
    rows = tournaments_of(ids, lists=read_lists(), limit=PAGE + 1, offset=(number - 1) * PAGE)
    rows = with_steps(rows)
    if number > 1 and not rows:
        raise Http404(_("This page does not exist."))
    page = numbered_page(request.GET, number, has_next=len(rows) > PAGE)
    return render(
        request, "public/players/tournaments.html", {"player": chosen, "rows": rows[:PAGE], "page": page}
    )


def player_or_404(fide_id: int) -> Player:
    """Return a player with the federation, or raise Http404."""
    found = Player.objects.select_related("federation").filter(pk=fide_id).first()
    if found is None:
        raise Http404(_("No player has FIDE ID %(fide_id)s.") % {"fide_id": fide_id})
    return found


def is_own_record(request: HttpRequest, player: Player) -> bool:
    """Return whether the reader has a confirmed claim of the record; no query for anonymous readers."""
    if is_anonymous(request):
        return False
    own = claimed_player(request.user)
    return own is not None and own.pk == player.pk


def _person(chosen: Player) -> tuple[Any, ...]:
    """Return the personal data that may change between two lists."""
    titles = (chosen.title, chosen.women_title, chosen.other_titles, chosen.foa_title)
    return (
        chosen.pk,
        chosen.name,
        chosen.federation_id,
        chosen.sex,
        chosen.birth_year,
        chosen.died_on,
        *titles,
    )


def _player_page(
    request: HttpRequest,
    chosen: Player,
    lists: Lists[RatingList],
    *,
    as_of: date | None = None,
    days: Sequence[date] | None = None,
    former: Sequence[int] = (),
    coming: Sequence[SoFar] = (),
) -> HttpResponse:
    years = years_shown(request.GET)
    since = first_month(lists, None if former else years)
    of_each = recent_profiles_of_each((chosen.pk, *former), lists, since=since)
    profiles = of_each.pop(chosen.pk)
    if as_of is not None:
        chosen = person_as_of(chosen, profiles, as_of)
    unrated = [one.newest_list for one in profiles if one.rating is None and one.newest_list is not None]
    unrated = [item for item in unrated if item.kind != ListKind.STANDARD]
    pools = pools_on(unrated, chosen.pk) if unrated else {}
    places = places_of(profiles)
    history = telling_rows(profiles, since=since)
    context = {
        "player": chosen,
        "as_of": as_of,
        "days": lists.days if days is None else days,
        "rules": next((item.text for item in lists.newest_of_each() if item.text), None),
        "kinds": [_kind(one, pools, places[one.kind]) for one in profiles],
        "chart": chart_of(chosen, profiles, lists, request.GET, coming),
        "coming": coming,
        "corrections": corrections_to_come((chosen.pk, *former), coming),
        "history": history[:MAX_CHANGES],
        "has_more_history": bool(years) and (len(history) > MAX_CHANGES or has_rows_until(since, profiles)),
        "former": [
            {"id": key, "history": telling_rows(of_id, since=since)[:MAX_CHANGES]}
            for key, of_id in of_each.items()
        ],
        "is_unlisted": _is_unlisted(chosen, profiles, lists),
        "is_own": is_own_record(request, chosen),
        "officer": officer_of(chosen.federation),
        **_results((chosen.pk, *former), lists, coming),
    }
    context["still"] = None if as_of or coming else _no_recent_game(profiles, context["tournaments"])
    context["share_text"] = _share_text(chosen, profiles)
    return render(request, "public/players/player.html", context)


@dataclass(frozen=True, slots=True)
class NoRecentGame:
    """The newest lists have no rated game of a player: the last one, and until which list it keeps them active."""

    month: date
    last: PlayedTournament
    active_until: date | None = None


def _no_recent_game(
    profiles: Sequence[KindProfile], played: Sequence[PlayedTournament]
) -> NoRecentGame | None:
    """Return what to say of a player who is rated but has no rated game on any of the newest lists."""
    newest = [one.newest for one in profiles if one.rating is not None and one.kind != ListKind.STANDARD]
    rated = [one for one in played if one.row.games]
    if not rated or any(row is None or row.games for row in newest):
        return None
    last = rated[0]
    text, entries = last.on_list.text, [row.entry for row in newest if row and row.entry]
    if text is None or not entries or all(entry.is_inactive for entry in entries):
        return NoRecentGame(max(row.rating_list.date for row in newest if row), last) if entries else None
    until = months_after(last.on_list.date, text.active_lists - 1)
    return NoRecentGame(max(row.rating_list.date for row in newest if row), last, until)


def _share_text(chosen: Player, profiles: Sequence[KindProfile]) -> str:
    """Return a line for a message: name, ratings and address."""
    ratings = [f"{ListKind(one.kind).label} {one.rating}" for one in profiles if one.rating is not None]
    address = settings.SITE_URL + reverse("players:player", args=[chosen.pk])
    return f"{', '.join([chosen.name or str(chosen.pk), *ratings])} {address}"


def _results(ids: Sequence[int], lists: Lists[RatingList], coming: Sequence[SoFar]) -> dict[str, Any]:
    """Return the latest tournaments, and the results of more of them."""
    played = tournaments_of(ids, lists=lists, limit=LOOKED_AT, coming=coming)
    return {
        "tournaments": with_steps(played[:RECENT]),
        "has_more_tournaments": len(played) > RECENT,
        "record": record_of(played, most=MAX_MET),
        "is_cut": len(played) == LOOKED_AT,
    }


def _is_unlisted(chosen: Player, profiles: Sequence[KindProfile], lists: Lists[RatingList]) -> bool:
    """Return whether the newest lists exclude the player's federation. They do not if one of them has the player."""
    day = max((item.date for item in lists.newest_of_each()), default=None)
    own = [one for one in profiles if one.rating is not None and one.kind != ListKind.STANDARD]
    if day is None or any(one.newest_list and one.newest_list.date == day for one in own):
        return False
    return is_unlisted(chosen.federation, day)


def _kind(profile: KindProfile, pools: dict[int, Any], places: Sequence[Rank]) -> dict[str, Any]:
    newest = profile.newest
    entry = newest.entry if newest else None
    return {
        "profile": profile,
        "entry": entry,
        "places": places,
        "pool": pools.get(profile.newest_list.pk) if profile.newest_list else None,
    }


GAMES = "games"
ALL = "all"
# Years up to the newest list by query value, 1 by default.
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
    return {**found, "switches": [*_kinds(rated, parameters), *years_switch, _whats(parameters)]}


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


def _whats(parameters: dict[str, Any]) -> dict[str, Any]:
    return switch(_("Chart"), "chart", {"": pgettext("chart", "Ratings"), GAMES: _("Games")}, parameters)


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
    series = [one for profile in shown if (one := series_of(profile, lists, first)).rated()]
    so_far = {one.kind: _point_so_far(chosen, one) for one in coming if one.row.new_rating is not None}
    series = [replace(one, so_far=so_far.get(one.kind)) for one in series]
    return ratings_chart(series, lists, title=title)


def ratings_chart(series: Sequence[Series], lists: Lists[RatingList], *, title: str) -> dict[str, Any]:
    """Return the chart of some rating lines with its table, without an image if there are no lines."""
    months = [point.month for one in series for point in one.points]
    published = sorted({item.date for item in lists.newest_first if months and item.date >= min(months)})
    description = _(
        "One step for each list, with gaps where no rating was listed. The table below has the values."
    )
    svg = rating_history_svg(series, title=title, description=description, published=published)
    return {"svg": svg, "table": rating_history_table(series) if svg else None, "caption": title}


def first_month(lists: Lists[RatingList], years: int | None) -> date:
    """Return the first month of the latest years, the base of their first rating change."""
    newest = max((item.date for item in lists.newest_first), default=date.max)
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
