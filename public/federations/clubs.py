"""The clubs of a federation, and the players of a club or district: a page, a file, a table for other sites."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from core.web.csv import csv_response
from core.web.etags import public_page
from core.web.rates import limited
from players.minors import birth_of, minors_for
from public.federations.federation import federation_or_404
from ratings.choices import KINDS
from ratings.federations import as_in_register, clubs_of, ids_of_club, read_players
from ratings.lists import read_lists
from ratings.search import Found

LONGEST = 80
# So many players are on a page; the file has all.
SHOWN = 500


@require_safe
@public_page
def clubs(request: HttpRequest, code: str) -> HttpResponse:
    """Show the clubs of a federation, or the players of the club or district that the address names."""
    federation = federation_or_404(code)
    if not _asked(request):
        context = {"federation": federation, "clubs": clubs_of(code)}
        return render(request, "public/federations/clubs.html", context)
    return render(request, "public/federations/club.html", _context(request, code))


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
def embedded(request: HttpRequest, code: str) -> HttpResponse:
    """Show the players of a club or district as a table that other sites embed."""
    response = render(request, "public/federations/club_embedded.html", _context(request, code))
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    # Not as other public pages: what is kept of those lacks what lifts the frame's bar of this one.
    response["Cache-Control"] = "max-age=300, public"
    return response


@require_safe
@limited("download", method="GET")
@public_page
def players(request: HttpRequest, code: str) -> HttpResponse:
    """Send the players of a club or district as CSV, without their national numbers."""
    context, minors = _context(request, code), minors_for(request)
    heads = [_("FIDE ID"), _("Name"), _("Title"), _("Born"), *(kind.label for kind in KINDS)]
    rows = (
        (
            one.player.pk,
            one.player.name,
            one.player.title or one.player.women_title,
            str(birth_of(one.player, minors)),
            *(one.ratings.get(kind, "") for kind in KINDS),
        )
        for one in read_players(context["everybody"], context["newest"])
    )
    return csv_response("players.csv", [heads, *rows])


def _asked(request: HttpRequest) -> dict[str, str]:
    """Return the club or the district, or both, that an address names."""
    names = {name: request.GET.get(name, "")[:LONGEST].replace("\x00", "") for name in ("club", "district")}
    return {name: value for name, value in names.items() if value}


def _context(request: HttpRequest, code: str) -> dict[str, Any]:
    federation, asked = federation_or_404(code), _asked(request)
    asked = as_in_register(code, asked) if asked else {}
    names = {"club": "", "district": ""} | asked
    newest = read_lists().newest_of_each()
    everybody = ids_of_club(code, **names, newest=newest) if asked else []
    if not everybody:
        raise Http404(_("No player of the federation has this club or district."))
    query = urlencode(asked)
    page = reverse("ratings:clubs", args=[code])
    return {
        "federation": federation,
        "title": " · ".join(asked.values()),
        "asked": asked,
        # The FIDE IDs of all, and those who are shown.
        "everybody": everybody,
        "found": Found([*read_players(everybody[:SHOWN], newest)], is_cut=len(everybody) > SHOWN),
        "page_url": f"{page}?{query}",
        "csv_url": f"{reverse('ratings:club-csv', args=[code])}?{query}",
        "embed_url": f"{settings.SITE_URL}{reverse('ratings:club-embed', args=[code])}?{query}",
        "list_url": f"?{urlencode({'federation': code, **asked})}",
        "newest": newest,
    }
