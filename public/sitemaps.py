"""What robots read: robots.txt, and sitemaps in files of bounded size."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.queries.federations import all_federations
from ratings.queries.lists import read_lists
from ratings.queries.sitemaps import events_of_year, player_ranges, players_in_range, years_of_events

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
