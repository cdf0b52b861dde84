"""The list of an arena, with its filters: live, or as of an instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from arenas.members import arenas_with_activity
from arenas.models import Arena, Member, Rating
from arenas.standings import StandingRow, place_of, rank_members, row_of, standings
from arenas.systems import first_clauses_of
from core.html.paging import Keyset, Page, numbered_page, page_number
from core.text_values import read_instant
from core.web.etags import public_page
from public.arenas.addresses import arena_or_404, category_label, category_tabs, chosen_category
from public.filters import FilterForm

SIZE, LISTS_SHOWN = 100, 6
HOUR = timedelta(hours=1)
RATED, UNRATED = Keyset(("-hundredths", "member__handle")), Keyset(("member__handle",))
FIRST_YEAR, LAST_YEAR = 1990, 2999


class InstantInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def format_value(self, value: Any) -> Any:
        return value


class ListForm(FilterForm):
    """The filters of an arena's list: a part of the username, an instant, and rated or unrated members."""

    q = forms.CharField(
        label=_l("Username"),
        required=False,
        max_length=60,
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": _l("Username"), "autocomplete": "off"}
        ),
    )
    at = forms.CharField(
        label=_l("As of (UTC)"), required=False, validators=[MaxLengthValidator(40)], widget=InstantInput
    )
    show = forms.ChoiceField(
        label=_l("Members"), required=False, choices=[("", _l("rated")), ("unrated", _l("unrated"))]
    )

    def clean_at(self) -> datetime | None:
        """Return the instant. Without an offset it is in UTC. A date means its first instant."""
        text = self.cleaned_data["at"]
        if not text:
            return None
        moment = read_instant(text)
        if moment is None or not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise forms.ValidationError(
                _("Enter a date and time in UTC, for example 2026-02-01T12:30."), code="instant"
            )
        return moment


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the list with the member's key, and the rank if known."""

    place: int | None
    member_id: int
    row: StandingRow


@require_safe
@public_page
def arena(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the list of an arena by category: live, or as of an instant."""
    chosen = arena_or_404(slug)
    category = chosen_category(request, chosen)
    form = ListForm(request.GET)
    form.is_valid()
    at = form.cleaned_data.get("at")
    page = (
        _at_page(request, chosen, category, form, at) if at else _live_page(request, chosen, category, form)
    )
    context = {
        "arena": chosen,
        "category": category,
        "category_label": category_label(category),
        "tabs": category_tabs(request, chosen, category),
        "form": form,
        "at": at,
        "page": page[0],
        "rows": [] if form.errors else page[1],
        "activity": arenas_with_activity().get(pk=chosen.pk),
        "newest_lists": chosen.lists.order_by("-date")[:LISTS_SHOWN],
        "first_games": first_clauses_of(chosen.system, chosen.parameters),
        "is_asked": bool(form.errors or form.cleaned_data.get("q") or form.cleaned_data.get("show")),
        "folded": sum(bool(form.cleaned_data.get(name)) for name in ("at", "show")),
        "unrated": 0
        if set(request.GET) - {"category"}
        else standings(chosen, category, is_rated=False).count(),
        # In arenas in which a newcomer has a rating nobody is unrated.
        "has_unrated": chosen.rules.newcomer.rating is None,
    }
    return render(request, "public/arenas/arena.html", context)


def _live_page(
    request: HttpRequest, chosen: Arena, category: str, form: ListForm
) -> tuple[Page[Rating], list[StandingLine]]:
    handle = form.cleaned_data.get("q", "")
    is_rated = form.cleaned_data.get("show") != "unrated"
    rows = standings(chosen, category, handle=handle, is_rated=is_rated)
    page = (RATED if is_rated else UNRATED).page(rows, request.GET, size=SIZE)
    # Among the members that a search leaves, the rows do not follow each other in rank.
    first = place_of(page.rows[0], chosen) if page.rows and is_rated and not handle else None
    lines = [
        StandingLine(
            first and first + number,
            rating.member_id,
            row_of(chosen, str(rating.member.handle), category, (rating.hundredths, rating.games)),
        )
        for number, rating in enumerate(page.rows)
    ]
    return replace(page, label=_label(lines)), lines


def _at_page(
    request: HttpRequest, chosen: Arena, category: str, form: ListForm, at: datetime
) -> tuple[Page[Member], list[StandingLine]]:
    """Return a page of the list as of an instant. The whole list is calculated, so pages have numbers."""
    is_rated = form.cleaned_data.get("show") != "unrated"
    entries = [
        entry
        for entry in rank_members(chosen, category=category, at=at)
        if (entry.figures[0] is not None) == is_rated
    ]
    wanted = form.cleaned_data.get("q", "").casefold()
    lines = [
        StandingLine(
            place if is_rated else None,
            entry.member_id,
            row_of(chosen, entry.handle, category, entry.figures),
        )
        for place, entry in enumerate(entries, start=1)
        if wanted in entry.handle.casefold()
    ]
    last = max(1, -(-len(lines) // SIZE))
    number = page_number(request.GET, highest=last)
    part = lines[(number - 1) * SIZE : number * SIZE]
    page = numbered_page(request.GET, number, has_next=number < last, last=last, label=_label(part))
    return page, part


def _label(lines: Sequence[StandingLine]) -> str:
    """Return the ranks that a page shows, or "" without ranks."""
    if not lines or lines[0].place is None or lines[-1].place is None:
        return ""
    numbers = {"first": lines[0].place, "last": lines[-1].place}
    return _("Ranks %(first)s to %(last)s") % {
        name: number_format(number, force_grouping=True) for name, number in numbers.items()
    }
