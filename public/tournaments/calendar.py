"""The public calendar by month, and as calendar programs read it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Federation
from public.filters import CalendarMonthForm
from ratings.queries.events import CalendarFilter, tournaments_in
from tournaments.feeds import calendar_response
from tournaments.queries.calendar import month_named, month_of, public_entries


@require_safe
def month(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that begin in a month, by day."""
    today = timezone.now().date()
    form = CalendarMonthForm(request.GET)
    first = month_named(request.GET.get("month", ""), today=today)
    if first is None or not form.is_valid():
        raise Http404(_("Write a month as 2026-03, and a kind and federation that there are."))
    chosen = CalendarFilter(kind=form.cleaned_data["kind"], federation=form.cleaned_data["federation"])
    context = {
        "form": form,
        "month": month_of(tournaments_in(chosen), first),
        "today": today,
        "federation": chosen.federation,
        "event_page": "tournaments:tournament",
    }
    return render(request, "public/tournaments/month.html", context)


@require_safe
def feed(request: HttpRequest, code: str = "") -> HttpResponse:
    """Give the registered tournaments of all federations or of one, for calendar programs."""
    name = get_object_or_404(Federation, pk=code).name if code else _("Rated tournaments")
    entries = public_entries(code, today=timezone.now().date())
    return calendar_response(entries, name=str(name), page="tournaments:tournament", is_private=False)
