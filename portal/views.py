"""The first page, and the search that the head of every page leads to."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.csrf import csrf_failure
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from players.views.typed import is_from_here, keep
from ratings.api.errors import RETRY_SECONDS, is_passing
from ratings.queries.catalogue import Catalogue, catalogue
from ratings.queries.entries import LIST_ORDER, Filter, entries_of, rows_of
from ratings.queries.events import find_tournaments, newest_published
from ratings.queries.ranking import ranking_of
from ratings.queries.search import Found, find_players_or_alike
from ratings.views.conditional import conditionally
from ratings.views.filters import SearchForm
from tournaments.choices import Kind
from tournaments.regulations import closing_date, lists_after

TOP = 10
TOURNAMENTS = 8
SECURITY_CONTACT_HOLDS = timedelta(days=180)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest lists, their first players and what was rated last."""
    lists = catalogue()
    today = timezone.now().date()

    def page() -> HttpResponse:
        coming = next(lists_after(today))
        context = {
            "newest": lists.newest_of_each(),
            "tops": [top for kind in Kind if (top := _top(lists, kind))],
            "tournaments": newest_published(lists.newest_of_each(), shown=TOURNAMENTS),
            "today": today,
            "coming": coming,
            "closing": closing_date(coming),
        }
        return render(request, "portal/home.html", context)

    return conditionally(request, page, version=("home", lists.version, today))


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Find players and tournaments; a FIDE ID leads to its player."""
    form = SearchForm(request.GET)
    words = form.words()
    newest = catalogue().newest_of_each()
    found = find_players_or_alike(words, newest=newest) if words else Found()
    if words.strip().isdecimal() and len(found.players) == 1:
        return redirect("players:player", found.players[0].player.pk)
    tournaments = find_tournaments(words, shown=TOURNAMENTS) if words else []
    context = {"form": form, "words": words, "found": found, "tournaments": tournaments}
    return render(request, "portal/search.html", context)


@never_cache
def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in of everybody; the stock one of the admin knows no second factor and no limits."""
    if not request.user.is_authenticated:
        wanted = request.GET.get("next") or reverse("admin:index")
        return redirect_to_login(wanted, settings.LOGIN_URL)
    if not admin.site.has_permission(request):
        raise PermissionDenied
    return redirect("admin:index")


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show a form again that its own person sent with the safety mark of an earlier sign-in; refuse any other."""
    page = keep(request) if is_from_here(request) else None
    return redirect(page) if page else csrf_failure(request, reason)


@require_safe
def security_contact(request: HttpRequest) -> HttpResponse:
    """Say whom to write to about a weakness (RFC 9116); 404 where the installation names nobody."""
    contact = settings.ENVIRONMENT.security_contact
    if contact is None:
        raise Http404
    # Good for half a year from today: who keeps a copy asks again, and the portal never tells what has expired.
    expires = datetime.combine(timezone.now().date() + SECURITY_CONTACT_HOLDS, time.min, tzinfo=UTC)
    lines = [
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}{request.path}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def failed(request: HttpRequest) -> HttpResponse:
    """Answer a failure: 503 where database or disk cannot take the work now, 500 for a mistake of the portal."""
    if not is_passing(sys.exception()):
        return server_error(request)
    # Without the request: the page's frame would ask the database who is signed in.
    answer = HttpResponse(render_to_string("503.html"), status=503)
    answer["Retry-After"] = str(RETRY_SECONDS)
    return answer


def _top(lists: Catalogue, kind: str) -> dict[str, object] | None:
    rating_list = lists.newest(kind)
    if rating_list is None:
        return None
    entries = list(entries_of(rating_list, Filter(is_active=True)).order_by(*LIST_ORDER)[:TOP])
    rows = rows_of(entries, lists.before(rating_list), ranking_of(rating_list))
    return {"list": rating_list, "rows": rows}
