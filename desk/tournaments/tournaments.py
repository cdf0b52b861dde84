"""The list of a person's tournaments, with filters."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.tables import Column, sort_heads, sort_order
from desk.access import requires
from players.permissions import can_register, can_use_desk, federations_of, is_staff
from ratings.lists import read_lists
from ratings.publish.checklist import next_publication, without_report
from tournaments.choices import Kind, Registration
from tournaments.models import Tournament
from tournaments.permissions import for_user
from tournaments.states import FILTER_STATES, in_state, load_progress

COLUMNS = (Column(_l("Tournament"), "name"), Column(_l("Dates"), "start", falling_first=True))
# What the next publication waits for, which is no state of its own.
MISSING = "missing"
# A registered one may have a report that nobody has accepted, which its status in the list says.
LABELS: dict[str, Any] = {Registration.REGISTERED: _l("registered, no accepted report")}
STATES = [
    ("", _l("Any status")),
    (MISSING, _l("report not accepted")),
    *((state, LABELS.get(state, label)) for state, label in FILTER_STATES),
]


class TournamentFilter(PortalForm):
    """Filter by name, rating type and state, and by federation if the user sees several."""

    q = forms.CharField(label=_l("Name or event ID"), max_length=100, required=False)
    kind = forms.ChoiceField(
        label=_l("Rating type"), required=False, choices=[("", _l("Any rating type")), *Kind.choices]
    )
    state = forms.ChoiceField(label=_l("Status"), required=False, choices=STATES)
    federation = forms.CharField(
        label=_l("Federation"), max_length=3, required=False, widget=forms.TextInput(attrs={"size": 3})
    )

    def __init__(self, *args: Any, has_federation: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The first choice of a field says what it filters, and so does what stands in an empty one.
        for field in self.fields.values():
            field.widget.attrs["placeholder"] = field.label
        if not has_federation:
            # Officers of one federation have nothing to choose.
            del self.fields["federation"]

    def read_filter(self) -> dict[str, str]:
        """Return the filters that are set, none if a field is invalid."""
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_valid() else {}


@require_safe
@requires(can_use_desk)
def tournaments(request: HttpRequest) -> HttpResponse:
    """Show a page of the user's tournaments, filtered, newest first; those without a report by their last day."""
    at_the_desk = for_user(request.user)
    has_federation = is_staff(request.user) or len(federations_of(request.user)) != 1
    form = TournamentFilter(request.GET, has_federation=has_federation)
    wanted = form.read_filter()
    is_missing = wanted.get("state") == MISSING
    found = _filter(at_the_desk, wanted).select_related("federation")
    lists, today = read_lists(), timezone.now().date()
    sort = sort_order(COLUMNS, request.GET.get("sort"), default="end" if is_missing else "-start")
    page = Keyset((sort, "event_id")).page(found, request.GET, size=50)
    name_head, dates_head = sort_heads(COLUMNS, request.GET, sort=sort)
    context = {
        "form": form,
        "page": page,
        "progress": load_progress(page.rows, lists, today=today),
        "today": today,
        "has_federation": has_federation,
        "is_missing": is_missing,
        "is_filtered": bool(wanted),
        "number": found.count() if wanted else None,
        "name_head": name_head,
        "dates_head": dates_head,
        "may_register": can_register(request.user),
    }
    return render(request, "desk/tournaments/tournaments.html", context)


def _filter(found: QuerySet[Tournament], wanted: dict[str, str]) -> QuerySet[Tournament]:
    for word in wanted.get("q", "").split():
        found = found.filter(Q(name__icontains=word) | Q(event_id__icontains=word) | Q(city__icontains=word))
    if kind := wanted.get("kind"):
        found = found.filter(kind=kind)
    if federation := wanted.get("federation"):
        found = found.filter(federation=federation.upper())
    if wanted.get("state") == MISSING:
        lists, today = read_lists(), timezone.now().date()
        return found.filter(without_report(lists, next_publication(lists, today), today))
    return in_state(found, wanted["state"]) if "state" in wanted else found
