"""What robots read: robots.txt, and sitemaps in files of bounded size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import MAXYEAR, MINYEAR
from xml.sax.saxutils import escape

from django.conf import settings
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from players.fide_list.values import MAX_FIDE_ID
from ratings.counted_once import counted_once
from ratings.federations import all_federations
from ratings.lists import read_lists
from ratings.models import ListEntry, RatingList
from tournaments.models import Tournament

SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
PRIVATE = ("/admin/", "/accounts/", "/desk/", "/api/", "/follows/")
PAGES = (
    "home", "ratings:lists", "ratings:federations", "players:search", "tournaments:calendar",
    "ratings:rules", "ratings:reasons", "ratings:terms", "ratings:corrections", "ratings:check",
    "ratings:calculator-change", "tools", "about", "data",
)  # fmt: skip


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return the paths that robots must not read, and the URL of the sitemap."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE)]
    lines.append(f"Sitemap: {settings.SITE_URL}{reverse('sitemap')}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Return the index of the sitemaps."""
    lists, years = read_lists(), years_of_events()

    def content() -> HttpResponse:
        newest = lists.newest_of_each()
        addresses = [
            reverse("sitemap-pages"),
            *(reverse("sitemap-tournaments", args=[year]) for year in years),
            *(reverse("sitemap-players", args=[number]) for number in player_ranges(newest)),
        ]
        return _xml("sitemapindex", "sitemap", addresses)

    return conditionally(request, content, version=("sitemap", lists.version, years))


@require_safe
def pages(request: HttpRequest) -> HttpResponse:
    """Return the single pages, the lists and the federations."""
    addresses = [reverse(name) for name in PAGES]
    addresses += [reverse("ratings:list", args=[one.kind, one.date]) for one in read_lists().newest_first]
    addresses += [reverse("ratings:federation", args=[one.code]) for one in all_federations()]
    return _xml("urlset", "url", addresses)


@require_safe
def tournaments(request: HttpRequest, year: int) -> HttpResponse:
    found = events_of_year(year)
    if not found:
        raise Http404(_("This page does not exist."))
    return _xml("urlset", "url", [reverse("tournaments:tournament", args=[one]) for one in found])


@require_safe
def players(request: HttpRequest, number: int) -> HttpResponse:
    """Return the players on the newest lists whose FIDE IDs are in one range."""
    lists = read_lists()
    # Not reversed for each player: their pages are below the search.
    base = reverse("players:search")

    def content() -> HttpResponse:
        # Ranges of FIDE IDs are found without counting players.
        found = players_in_range(lists.newest_of_each(), number)
        if not found:
            raise Http404(_("This page does not exist."))
        return _xml("urlset", "url", [f"{base}{fide_id}/" for fide_id in found])

    return conditionally(request, content, version=("sitemap", number, lists.version))


def _xml(root: str, element: str, addresses: Iterable[str]) -> HttpResponse:
    rows = "".join(
        f"<{element}><loc>{escape(settings.SITE_URL + address)}</loc></{element}>\n" for address in addresses
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{SCHEMA}">\n{rows}</{root}>\n'
    return HttpResponse(text, content_type="application/xml")


# The players and tournaments that search engines are shown, in parts of bounded size.

# A sitemap has at most 50,000 addresses: a part has at most as many FIDE IDs.
RANGE = 50_000
MOST = 50_000


def player_ranges(newest: Sequence[RatingList]) -> list[int]:
    """Return the numbers of the ranges of FIDE IDs in which somebody is on these lists; counted once a list."""
    ids = [item.pk for item in newest]
    entries = ListEntry.objects.filter(rating_list__in=ids).listed().order_by()
    # Both databases divide integers to integers.
    parts = entries.annotate(part=F("player_id") / RANGE).values_list("part", flat=True).distinct()
    key = ":".join(["sitemap", *(item.edition for item in newest)])
    return counted_once(key, list[int], lambda: sorted(parts))


def players_in_range(newest: Sequence[RatingList], number: int) -> list[int]:
    """Return the FIDE IDs of a range that are on one of these lists, rising."""
    # A number from an address: what no FIDE ID reaches does not fit into the column.
    if number > MAX_FIDE_ID // RANGE:
        return []
    entries = ListEntry.objects.filter(
        rating_list__in=[item.pk for item in newest],
        player__gte=number * RANGE,
        player__lt=(number + 1) * RANGE,
    )
    return sorted(set(entries.listed().order_by().values_list("player_id", flat=True)))


def years_of_events() -> list[int]:
    """Return the years in which tournaments began."""
    return [day.year for day in Tournament.objects.dates("start", "year")]


def events_of_year(year: int) -> list[str]:
    """Return the event IDs of a year's tournaments, at most as many as fit in a sitemap."""
    # A year from an address: Python has no dates beyond these, and would raise an error.
    if not MINYEAR <= year <= MAXYEAR:
        return []
    events = Tournament.objects.filter(start__year=year).order_by("start", "event_id")
    return list(events.values_list("event_id", flat=True)[:MOST])
