"""A filtered list as a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.csv import csv_response
from core.web.downloads import streamed_file
from core.web.etags import conditionally
from core.web.rates import limited
from core.web.xlsx_writer import xlsx
from players.members import members_of
from players.minors import Minors, birth_of, minors_for
from public.lists.addresses import list_or_404
from public.lists.filters import ListFilterForm, compared_with
from ratings.entries import LIST_ORDER, Filter, entries_of, rows_of
from ratings.ledger.figures import FIGURES
from ratings.lists import read_lists
from ratings.models import RatingList

MAX_ROWS = 50_000
ROWS_AT_ONCE = 2000


@require_safe
@limited("download", method="GET")
def part(request: HttpRequest, kind: str, day: date, ending: str) -> HttpResponseBase:
    """Send a filtered list as CSV or XLSX, in list order. Return 422 for a wrong filter or too many rows."""
    found = read_lists()
    chosen = list_or_404(found, kind, day)
    form = ListFilterForm(request.GET, days=[item.date for item in found.of_kind(kind) if item != chosen])
    minors = minors_for(request)
    wanted = form.read_filter(minors)
    # A refusal instead of a shorter file, which nobody would notice.
    if wanted is None or _is_too_much(chosen, wanted):
        context = {"list": chosen, "most": MAX_ROWS, "is_wrong": wanted is None}
        return render(request, "public/lists/part_refused.html", context, status=422)
    compared = compared_with(form, found, chosen)
    rows = _rows(chosen, wanted, compared, minors)
    name, heads = f"{kind}-{day.isoformat()}-part.{ending}", _heads()

    def content() -> Any:
        if ending == "csv":
            return csv_response(name, [heads, *rows])
        return streamed_file(xlsx(f"{kind} {day.isoformat()}", heads, rows), name=name)

    # The members of a club change between two publications.
    names = {"federation": wanted.federation, "club": wanted.club, "district": wanted.district}
    members = members_of(**names).order_by("player") if wanted.club or wanted.district else None
    ids = [*members.values_list("player", flat=True)] if members is not None else ()
    version = ("part", chosen.pk, found.version, ending, request.GET.urlencode(), minors, ids)
    return conditionally(request, content, version=version)


def _is_too_much(chosen: RatingList, wanted: Filter) -> bool:
    # No filter leaves more rows than the list has.
    if chosen.listed <= MAX_ROWS:
        return False
    # Counts no further than to the first row too many.
    return entries_of(chosen, wanted).order_by()[: MAX_ROWS + 1].count() > MAX_ROWS


def _heads() -> list[str]:
    rating, *others = (str(figure.heading) for figure in FIGURES)
    return [
        _("FIDE ID"), _("Name"), _("Federation"), _("Sex"), _("Title"), _("Women's title"), _("Born"),
        rating, _("Change"), *others,
    ]  # fmt: skip


def _rows(
    chosen: RatingList, wanted: Filter, compared: RatingList | None, minors: Minors
) -> Iterator[list[Any]]:
    """Yield a row for each player, with public years of birth (age-bands.md)."""
    entries = entries_of(chosen, wanted).order_by(*LIST_ORDER).iterator(chunk_size=ROWS_AT_ONCE)
    while some := list(islice(entries, ROWS_AT_ONCE)):
        for row in rows_of(some, compared, None):
            entry, born = row.entry, birth_of(row.entry, minors)
            rating, *others = (figure.cell_of(entry) for figure in FIGURES)
            yield [
                entry.player_id, entry.name, entry.federation_id, entry.sex, entry.title, entry.women_title,
                born.year or born.band, rating, row.change, *others,
            ]  # fmt: skip
