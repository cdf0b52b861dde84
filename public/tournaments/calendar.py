"""The public tournament calendar: as a list, by month, and for calendar programs."""

from __future__ import annotations

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.paging import Keyset
from core.web.etags import public_page
from players.models import Federation
from public.filters import ALL, FilterForm, PlainSelect
from ratings.queries.events import CALENDAR_ORDER, CalendarFilter, tournaments_in
from tournaments.choices import Kind
from tournaments.feeds import calendar_response
from tournaments.models import Tournament
from tournaments.progress import state_of
from tournaments.queries.calendar import month_named, month_of, public_entries
from tournaments.queries.states import FILTER_STATES

PAGE = 50
KEYSET = Keyset(CALENDAR_ORDER)


class CalendarForm(FilterForm):
    """Filters of the calendar."""

    q = forms.CharField(label=_l("Name"), max_length=100)
    kind = forms.ChoiceField(label=_l("Rating type"), choices=[ALL, *Kind.choices], widget=PlainSelect)
    federation = forms.ChoiceField(label=_l("Federation"), widget=PlainSelect)
    state = forms.ChoiceField(label=_l("Status"), choices=[ALL, *FILTER_STATES], widget=PlainSelect)
    month = forms.DateField(
        label=_l("Month of the first day"),
        input_formats=["%Y-%m"],
        widget=forms.DateInput(attrs={"type": "month"}, format="%Y-%m"),
    )

    def chosen(self) -> CalendarFilter | None:
        """Return the filter, or None if a field is invalid."""
        if not self.is_valid():
            return None
        values = dict(self.cleaned_data)
        return CalendarFilter(words=values.pop("q"), **values)


class CalendarMonthForm(FilterForm):
    """Filters of the calendar by month."""

    month = forms.CharField(
        label=_l("Month"),
        validators=[MaxLengthValidator(7)],
        widget=forms.TextInput(attrs={"type": "month"}),
    )
    kind = forms.ChoiceField(label=_l("Rating type"), choices=[ALL, *Kind.choices], widget=PlainSelect)
    federation = forms.ChoiceField(label=_l("Federation"), widget=PlainSelect)


@require_safe
@public_page
def calendar(request: HttpRequest) -> HttpResponse:
    """Show the tournaments, latest first."""
    form = CalendarForm(request.GET)
    chosen = form.chosen()
    found = Tournament.objects.none() if chosen is None else tournaments_in(chosen)
    page = KEYSET.page(found, request.GET, size=PAGE)
    rows = [{"tournament": row, "state": state_of(row)} for row in page.rows]
    context = {
        "form": form,
        "page": page,
        "rows": rows,
        "is_filtered": chosen is None or chosen != CalendarFilter(),
        "today": timezone.now().date(),
    }
    return render(request, "public/tournaments/calendar.html", context)


@require_safe
@public_page
def month(request: HttpRequest) -> HttpResponse:
    """Show the tournaments that begin in a month, by day."""
    today = timezone.now().date()
    form = CalendarMonthForm(request.GET)
    first = month_named(request.GET.get("month", ""), today=today)
    if first is None or not form.is_valid():
        raise Http404(_("Enter a month, for example 2026-03, and an existing rating type and federation."))
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
    """Return the registered tournaments of all federations, or of one, for calendar programs."""
    name = get_object_or_404(Federation, pk=code).shown_name if code else _("Rated tournaments")
    entries = public_entries(code, today=timezone.now().date())
    return calendar_response(entries, name=str(name), page="tournaments:tournament", is_private=False)
