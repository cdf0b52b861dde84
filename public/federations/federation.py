"""A federation, today and as of a list: its rating officer, top players and tournaments; its figures on each list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.charts.curves import Curve, curve_chart_svg
from core.html.dates import month_name, short_month
from core.html.figures import whole
from core.html.paging import Keyset
from core.web.etags import conditionally, public_page
from players.federations import unlisted_codes
from players.minors import minors_for
from players.models import Federation
from public.as_of import asked_day, lists_as_of
from ratings.events import winners_of
from ratings.federations import (
    FederationMonth,
    figures_of_lists,
    first_players,
    has_clubs,
    months_of,
    published_on,
    tournaments_of_federation,
)
from ratings.lists import read_lists, read_undivided
from ratings.models import RatingList
from tournaments.choices import Kind, Stage
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.states import public_states

NEWEST_FIRST = Keyset(("-date", "kind"))
LISTS_A_PAGE = 36
# Lines are drawn by values in tenths.
TENTHS, FEWEST = 10, 2


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
        published = published_on(code, lists)
        winners = winners_of(published)
        context = {
            "federation": found,
            "as_of": day,
            "days": every.days,
            "is_unlisted": code in unlisted_codes(day),
            "tops": first_players(code, lists),
            "has_clubs": False,
            # The states of then are not kept; what a list of then has taken was published.
            "tournaments": [("", [(one, Stage.PUBLISHED, winners.get(one.pk, ())) for one in published])],
        }
        return render(request, "public/federations/federation.html", context)

    version = ("federation", code, found.name, found.continent, found.is_member, day, every.version)
    return conditionally(request, page, version=(*version, minors_for(request)))


@require_safe
@public_page
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Show a federation's figures on each list, newest first."""
    page = NEWEST_FIRST.page(figures_of_lists(), request.GET, size=LISTS_A_PAGE)
    months = months_of(code, page.rows)
    context = {
        "federation": federation_or_404(code),
        "page": page,
        "months": months,
        "chart": _players_svg(months),
    }
    return render(request, "public/federations/history.html", context)


def _players_svg(months: Sequence[FederationMonth]) -> SafeString:
    """Return the numbers of players as lines from list to list; an empty text with lists of one month alone."""
    days = sorted({one.date for one in months})
    if len(days) < FEWEST:
        return mark_safe("")
    write_month = month_name if days[0].year == days[-1].year else short_month
    players = {(one.kind, one.date): TENTHS * one.part.listed for one in months}
    return curve_chart_svg(
        [write_month(day) for day in days],
        [Curve(kind, capfirst(kind.label), [players.get((kind, day)) for day in days]) for kind in Kind],
        title=_("Players by list"),
        description=_("Number of players of the federation on each list."),
        name="players",
        write=lambda value: whole((value or 0) // TENTHS),
    )


def _federation_now(federation: Federation, lists: Lists[RatingList]) -> dict[str, Any]:
    today = timezone.now().date()
    ahead, ended = tournaments_of_federation(federation.code, today=today)
    shown = [*ahead, *ended]
    states, winners = public_states(shown, lists, today=today), winners_of(ended)

    def rows(some: Sequence[Tournament]) -> list[tuple[Tournament, str, Sequence[str]]]:
        return [(one, states[one.pk], winners.get(one.pk, ())) for one in some]

    return {
        "federation": federation,
        "as_of": None,
        "days": lists.days,
        "is_unlisted": federation.code in unlisted_codes(today),
        "has_clubs": has_clubs(federation.code),
        "tops": first_players(federation.code, lists),
        "tournaments": [(_("Upcoming"), rows(ahead)), (_("Latest"), rows(ended))],
    }


def federation_or_404(code: str) -> Federation:
    found = Federation.objects.filter(code=code).first()
    if found is None:
        raise Http404(_("No federation has the code “%(code)s”.") % {"code": code})
    return found
