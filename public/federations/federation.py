"""A federation, today and as of a list: its rating officer, top players and tournaments; its figures on each list."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from core.web.etags import conditionally, public_page
from players.federations import unlisted_codes
from players.minors import minors_for
from players.models import Federation
from public.as_of import asked_day, lists_as_of
from ratings.federations import (
    figures_of_lists,
    first_players,
    has_clubs,
    months_of,
    published_on,
    tournaments_of_federation,
)
from ratings.lists import read_lists, read_undivided
from ratings.models import RatingList
from tournaments.choices import CLOSED_REGISTRATIONS, Stage
from tournaments.lists import Lists
from tournaments.states import public_states

NEWEST_FIRST = Keyset(("-date", "kind"))
LISTS_A_PAGE = 36


@require_safe
@public_page
def federation(request: HttpRequest, code: str) -> HttpResponse:
    found = federation_or_404(code)
    if "as-of" in request.GET:
        return redirect("ratings:federation-as-of", code, asked_day(request, read_lists()))
    return render(
        request,
        "public/federations/federation.html",
        read_undivided(lambda lists: _federation_now(found, lists)),
    )


@require_safe
def federation_as_of(request: HttpRequest, code: str, day: date) -> HttpResponse:
    """Show a federation as of a list date. The page never changes."""
    found = federation_or_404(code)
    every = read_lists()
    lists = lists_as_of(every, day)

    def page() -> HttpResponse:
        context = {
            "federation": found,
            "as_of": day,
            "days": every.days,
            "is_unlisted": code in unlisted_codes(day),
            "tops": first_players(code, lists),
            "has_clubs": False,
            # The states of then are not kept; what a list of then has taken was published.
            "tournaments": [("", [(one, Stage.PUBLISHED) for one in published_on(code, lists)])],
        }
        return render(request, "public/federations/federation.html", context)

    version = ("federation", code, found.name, found.continent, found.is_member, day, every.version)
    return conditionally(request, page, version=(*version, minors_for(request)))


@require_safe
@public_page
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Show a federation's figures on each list, newest first."""
    page = NEWEST_FIRST.page(figures_of_lists(), request.GET, size=LISTS_A_PAGE)
    context = {"federation": federation_or_404(code), "page": page, "months": months_of(code, page.rows)}
    return render(request, "public/federations/history.html", context)


def _federation_now(found: Federation, lists: Lists[RatingList]) -> dict[str, Any]:
    today, tournaments = timezone.now().date(), tournaments_of_federation(found.code)
    states = public_states(tournaments, lists, today=today)
    rows = [(one, states[one.pk]) for one in tournaments]
    closed = [row for row in rows if row[1] in CLOSED_REGISTRATIONS]
    # What comes next is first, then what was played last.
    ahead = [row for row in rows if row[0].end >= today and row not in closed]
    return {
        "federation": found,
        "as_of": None,
        "days": lists.days,
        "is_unlisted": found.code in unlisted_codes(today),
        "has_clubs": has_clubs(found.code),
        "tops": first_players(found.code, lists),
        "tournaments": [
            (_("Upcoming"), ahead[::-1]),
            (_("Earlier"), [row for row in rows if row not in (*ahead, *closed)]),
            (_("Refused, withdrawn or not rated"), closed),
        ],
    }


def federation_or_404(code: str) -> Federation:
    found = Federation.objects.filter(code=code).first()
    if found is None:
        raise Http404(_("No federation has the code “%(code)s”.") % {"code": code})
    return found
