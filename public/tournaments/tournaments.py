"""The list of tournaments: upcoming ones, those of the month, results, or all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby

from django import forms
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from core.html.dates import list_month
from core.html.paging import Keyset, query_url
from core.html.tables import Head
from core.web.etags import public_page
from public.tournaments.filters import IN_SHEET, MORE, TournamentFilters, other_view
from public.tournaments.near import NAMES as NEAR
from public.tournaments.near import context_of, towns_meant
from ratings.events import CALENDAR_ORDER, CalendarFilter, Field, fields_of, tournaments_in
from ratings.lists import read_lists
from tournaments.choices import OPEN_REGISTRATIONS, Stage
from tournaments.entries import is_entry_list_public, public_entry_counts
from tournaments.list_dates import lists_after
from tournaments.models import Tournament
from tournaments.states import is_upcoming, public_states

PAGE = 50
UPCOMING, THIS_MONTH, RESULTS, EVERY = "upcoming", "month", "results", "all"
VIEWS = {
    UPCOMING: _l("Upcoming"),
    THIS_MONTH: _l("This month"),
    RESULTS: _l("Results"),
    EVERY: _l("All"),
}
FORWARD, BACK = Keyset(("start", "event_id")), Keyset(CALENDAR_ORDER)
# With one of these, all tournaments are searched.
SEARCHES = ("q", "state", "month")
DISTANCE = "distance"


class TournamentListForm(TournamentFilters):
    month = forms.DateField(
        label=_l("Month of the first day"),
        input_formats=["%Y-%m"],
        widget=forms.DateInput(attrs={"type": "month"}, format="%Y-%m"),
    )


@require_safe
@public_page
def tournaments(request: HttpRequest) -> HttpResponse:
    """Show the tournaments: upcoming ones by week, those of the month, results from the latest back, or all."""
    today = timezone.now().date()
    form = TournamentListForm(request.GET)
    chosen = form.read_filter()
    view = _chosen_view(request.GET)
    found = Tournament.objects.none() if chosen is None else tournaments_in(chosen)
    near, viewed = form.near, found.filter(_conditions(today)[view])
    is_by_distance = near is not None and request.GET.get("sort") == DISTANCE
    keyset = _keyset(view, is_by_distance=is_by_distance)
    shown = viewed if near is None else near.within(near.with_distances(viewed))
    page = keyset.page(shown, request.GET, size=PAGE)
    fields, entered = fields_of(page.rows), public_entry_counts(page.rows)
    states = public_states(page.rows, read_lists(), today=today)
    rows = [
        TournamentRow(row, states[row.pk], fields.get(row.pk), entered.get(row.pk, 0)) for row in page.rows
    ]
    has_entries = view in (UPCOMING, THIS_MONTH)
    context = {
        "form": form,
        "more": [form[name] for name in MORE],
        "folded": sum(1 for name in MORE if request.GET.get(name)),
        "is_open": bool(form.errors.keys() - set(NEAR)),
        "in_sheet": sum(1 for name in IN_SHEET if request.GET.get(name)),
        "view": view,
        "tabs": tabs_of(near.within(found) if near else found, view, request.GET, today=today),
        "towns_meant": towns_meant(form, request.GET),
        "page": page,
        "rows": rows,
        "has_rounds": any(row.schedule for row in page.rows),
        "has_players": has_entries or bool(fields or entered),
        "has_entries": has_entries,
        "days_of_weeks": _days_of_weeks(today) if view == UPCOMING else {},
        "weeks": [("", rows)] if is_by_distance else [*_weeks(rows, view, today)],
        "is_filtered": chosen is None or chosen != CalendarFilter() or near is not None,
        "orders": _orders(request.GET, view, is_by_distance=is_by_distance) if near else None,
        "as_calendar": other_view("tournaments:month", request.GET),
        **context_of(near, request.GET, near.count(viewed) if near else {}, is_upcoming=view == UPCOMING),
        "today": today,
        "federation": form.cleaned_data.get("federation", ""),
        "kept": view if view != UPCOMING else "",
    }
    return render(request, "public/tournaments/tournaments.html", context)


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament of the list with its state; `field` are its players and winners once it is rated.

    Before that, `entered` is the number of players on its entry list.
    """

    tournament: Tournament
    state: str
    field: Field | None
    entered: int

    @property
    def players(self) -> int:
        """The number of players who played, or of those entered; 0 if unknown."""
        return self.field.players if self.field else self.entered

    def awaits_entries(self, today: date) -> bool:
        """Return whether the tournament is upcoming or being played, so that players may still be entered."""
        return today <= self.tournament.end and is_entry_list_public(self.tournament)

    def is_played(self, today: date) -> bool:
        return self.tournament.start <= today <= self.tournament.end


def _keyset(view: str, *, is_by_distance: bool) -> Keyset:
    """Return the order of a view: what is ahead runs forward, all else back; or the nearest first."""
    by_date = FORWARD if view in (UPCOMING, THIS_MONTH) else BACK
    return Keyset(("nearness", *by_date.order)) if is_by_distance else by_date


def _orders(query: QueryDict, view: str, *, is_by_distance: bool) -> dict[str, Head]:
    """Return the heads of the columns by which the list can be sorted."""
    columns = {"": _("Dates"), DISTANCE: pgettext("kilometres", "Distance")}
    by_date = "ascending" if view in (UPCOMING, THIS_MONTH) else "descending"
    return {
        key or "date": Head(
            label,
            query_url(query, sort=key or None),
            sorted=("ascending" if key else by_date) if bool(key) == is_by_distance else "",
        )
        for key, label in columns.items()
    }


def _chosen_view(query: QueryDict) -> str:
    view = query.get("view", "")
    if view in VIEWS:
        return view
    return EVERY if any(query.get(name) for name in SEARCHES) else UPCOMING


def _conditions(today: date) -> dict[str, Q]:
    """Return which tournaments each view has."""
    first = today.replace(day=1)
    # Also what began before the month and goes on in it.
    in_month = Q(start__lt=next(lists_after(first)), end__gte=first)
    return {
        UPCOMING: is_upcoming(today),
        THIS_MONTH: in_month,
        RESULTS: Q(stage__in=(Stage.RATED, Stage.PUBLISHED), registration__in=OPEN_REGISTRATIONS),
        EVERY: Q(),
    }


def tabs_of(
    found: QuerySet[Tournament], view: str, query: QueryDict, *, today: date
) -> list[tuple[str | Promise, int, str, bool]]:
    """Return each view with the number of its tournaments by the same filters, its address, and whether it is shown."""
    page = reverse("tournaments:calendar")
    conditions = _conditions(today)
    counts = found.order_by().aggregate(
        **{name: Count("pk", filter=wanted) if wanted else Count("pk") for name, wanted in conditions.items()}
    )
    return [
        (label, counts[name] or 0, page + query_url(query, view=name), name == view)
        for name, label in VIEWS.items()
    ]


def _weeks(
    rows: Iterable[TournamentRow], view: str, today: date
) -> Iterator[tuple[str, Sequence[TournamentRow]]]:
    """Yield the rows in groups with their heads: weeks of what is upcoming, else months."""
    for head, group in groupby(rows, key=lambda row: _head_of(row.tournament.start, view, today)):
        yield head, [*group]


def _head_of(start: date, view: str, today: date) -> str:
    if view != UPCOMING:
        return list_month(start)
    monday = today - timedelta(days=today.weekday())
    weeks = (start - monday).days // 7
    if weeks < 1:
        return _("This week")
    if weeks == 1:
        return _("Next week")
    # The Sunday of next week: what follows in its month comes "later in" it.
    sunday = monday + timedelta(days=13)
    if (start.year, start.month) == (sunday.year, sunday.month):
        return _("Later in %(month)s") % {"month": date_format(start, "F")}
    return list_month(start)


def _days_of_weeks(today: date) -> dict[str, tuple[date, date]]:
    """Return the first and last day of the weeks that have heads of their own: of this one those that are left."""
    monday = today + timedelta(days=7 - today.weekday())
    return {
        _("This week"): (today, monday - timedelta(days=1)),
        _("Next week"): (monday, monday + timedelta(days=6)),
    }
