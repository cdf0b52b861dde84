"""The tournaments by month, and for calendar programs."""

from __future__ import annotations

from dataclasses import replace

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from players.models import Federation
from public.tournaments.filters import IN_SHEET, MORE, TournamentFilters, other_view
from public.tournaments.near import NAMES as NEAR
from public.tournaments.near import towns_meant
from public.tournaments.tournaments import THIS_MONTH, tabs_of
from ratings.events import tournaments_in
from ratings.lists import read_lists
from tournaments.calendar import month_named, month_of, public_entries
from tournaments.feeds import calendar_response
from tournaments.models import Tournament
from tournaments.states import public_states


class CalendarMonthForm(TournamentFilters):
    """Filters of the calendar by month; the month itself is not one of them."""

    month = forms.CharField(
        label=_l("Month"),
        validators=[MaxLengthValidator(7)],
        widget=forms.TextInput(attrs={"type": "month"}),
    )


@require_safe
@public_page
def month(request: HttpRequest) -> HttpResponse:
    """Show the tournaments of a month, by day."""
    today = timezone.now().date()
    first = month_named(request.GET.get("month", ""), today=today)
    query = request.GET.copy()
    query["month"] = f"{first or today:%Y-%m}"
    form = CalendarMonthForm(query)
    # A town that is not found, or too long a word, is shown beside the form; other values come from a wrong address.
    if first is None or form.errors.keys() - {"q", *NEAR}:
        raise Http404(_("Enter a month, for example 2026-03, and an existing rating type and federation."))
    chosen = form.read_filter()
    # The days of the grid go past the month, so it is no part of the filter.
    found = Tournament.objects.none() if chosen is None else tournaments_in(replace(chosen, month=None))
    if form.near:
        found = form.near.within(found)
    shown = month_of(found, first)
    # The tabs lead to the list, which all months share.
    query.pop("month")
    tabs = tabs_of(found, THIS_MONTH if first == today.replace(day=1) else "", query, today=today)
    context = {
        "form": form,
        "near": form.near,
        "more": [form[name] for name in MORE],
        "in_sheet": sum(1 for name in IN_SHEET if name != "month" and request.GET.get(name)),
        "month": shown,
        "states": public_states(shown.tournaments, read_lists(), today=today),
        "tabs": tabs,
        "towns_meant": towns_meant(form, request.GET),
        # On a phone the weeks before today's are one link away.
        "earlier": next((address for _label, _count, address, is_current in tabs if is_current), ""),
        "as_list": other_view("tournaments:calendar", request.GET, month=f"{first:%Y-%m}"),
        "today": today,
        "federation": form.cleaned_data["federation"],
        "event_page": "tournaments:tournament",
    }
    return render(request, "public/tournaments/month.html", context)


@require_safe
def feed(request: HttpRequest, code: str = "") -> HttpResponse:
    """Return the registered tournaments of all federations, or of one, for calendar programs."""
    name = get_object_or_404(Federation, pk=code).shown_name if code else _("Rated tournaments")
    entries = public_entries(code, today=timezone.now().date())
    return calendar_response(entries, name=str(name), page="tournaments:tournament", is_private=False)
