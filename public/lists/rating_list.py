"""A rating list page by page with its filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.html.paging import Page, query_url
from core.html.tables import sort_heads, sort_order
from core.web.etags import as_public, conditionally, public_page
from players.minors import minors_for
from players.names import successors_of
from public.lists.addresses import list_or_404
from public.lists.files import downloads_of
from public.lists.filters import (
    MORE,
    ORDER,
    ListFilterForm,
    compared_with,
    filter_chips,
    filter_presets,
    list_columns,
    sort_options,
)
from public.lists.head import head_of
from ratings.choices import Origin
from ratings.entries import (
    DEFAULT,
    MAX_SORTED,
    Filter,
    keyset_of,
    position_of,
    rows_of,
    sorted_entries,
    start_of_page_with,
)
from ratings.judgements import judged_as
from ratings.ledger.figures import TABLE_FIGURES
from ratings.list_files import archives_of, files_of
from ratings.lists import is_published, read_lists
from ratings.models import ListArchive, ListEntry, RatingList, adjustment_on
from ratings.movements import corrections_since
from ratings.ranking import Ranking, ranking_of
from tournaments.lists import Lists

PAGE = 100
# The rows of a page for printing.
PRINTED = 1000
ROWS_ABOVE = 10


@require_safe
@public_page
def newest(request: HttpRequest, kind: str) -> HttpResponse:
    """Redirect to the current list of a rating type."""
    found = read_lists().newest(kind)
    if found is None:
        raise Http404(_("There is no list of this rating type."))
    return redirect("ratings:list", kind, found.date)


@require_safe
def rating_list(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show a list, 100 players per page."""
    found = read_lists()
    chosen = list_or_404(found, kind, day)
    corrected, corrected_at = corrections_since(chosen)
    archives = archives_of(chosen)
    minors = minors_for(request)
    version = ("list", chosen.pk, found.version, corrected, [item.sha256 for item in archives], minors)
    changed_at = max(filter(None, (found.changed_at, corrected_at)), default=None)

    def page() -> HttpResponse:
        return _list_page(request, found, chosen, corrected=corrected, archives=archives)

    # The members of a club change between two publications.
    if request.GET.get("club") or request.GET.get("district"):
        return as_public(request, page())
    return conditionally(
        request,
        page,
        version=version,
        # The publication date says nothing about later requests of federations for age bands.
        changed_at=None if minors else changed_at,
    )


@require_safe
@public_page
def at_player(request: HttpRequest, kind: str, day: date, fide_id: int) -> HttpResponse:
    """Redirect to the page of a list that has the player."""
    chosen = list_or_404(read_lists(), kind, day)
    try:
        start = start_of_page_with(chosen, fide_id, above=ROWS_ABOVE)
    except LookupError as error:
        # Lists of before a merger have the former ID, later ones the present one.
        if successor := successors_of([fide_id]).get(fide_id):
            return redirect("ratings:at", kind, day, successor)
        raise Http404(_("This player is not on the list.")) from error
    after = f"after={keyset_of(DEFAULT).position(start)}&" if start else ""
    return redirect(f"{reverse('ratings:list', args=[kind, day])}?{after}mark={fide_id}#p{fide_id}")


def _ranking(chosen: RatingList, wanted: Filter | None) -> Ranking | None:
    """Return the ranking for the shown ranks, or None if a filter excludes a part of the ranking."""
    if wanted is None or not wanted.is_whole:
        return None
    within = {"federation": wanted.federation, "continent": wanted.continent}
    return ranking_of(chosen, is_active=wanted.is_active, **within)


def _list_page(
    request: HttpRequest,
    lists: Lists[RatingList],
    chosen: RatingList,
    *,
    corrected: int,
    archives: Sequence[ListArchive],
) -> HttpResponse:
    others = [item for item in lists.of_kind(chosen.kind) if item != chosen]
    form = ListFilterForm(request.GET, days=[item.date for item in others])
    compared = compared_with(form, lists, chosen)
    wanted = form.read_filter(minors_for(request))
    folded = sum(1 for name in MORE if request.GET.get(name))
    context = {
        **_rows(request, chosen, wanted, compared=compared),
        "list": chosen,
        "adjustment": adjustment_on(chosen),
        # The figures of an imported list are counted later, between other readers.
        "judged_as": judged_as(chosen) if is_published(chosen) else "",
        "day": chosen.date.isoformat(),
        "corrected": corrected,
        "head": head_of(lists, chosen, request.GET),
        "form": form,
        "more": [form[name] for name in MORE],
        "chips": filter_chips(form, request.GET),
        "folded": folded,
        "in_sheet": folded + bool(request.GET.get("federation")),
        "has_errors": bool(form.errors),
        "is_filtered": wanted is None or wanted != Filter(),
        "compared": compared,
        "explains": chosen.origin == Origin.PUBLISHED and compared == lists.previous(chosen),
        "presets": filter_presets(chosen, request.GET),
        "files": downloads_of(chosen, files_of(chosen), archives),
        "marked": request.GET.get("mark", ""),
        "share_text": f"{chosen.full_name} {settings.SITE_URL}{request.path}",
        "filtered_federation": wanted.federation if wanted else "",
        "filters": query_url(request.GET, **dict.fromkeys((*ORDER, "mark"))),
    }
    return render(request, "public/lists/rating_list.html", context)


def _rows(
    request: HttpRequest, chosen: RatingList, wanted: Filter | None, *, compared: RatingList | None
) -> dict[str, Any]:
    """Return the rows of a page with the column headings and page links."""
    sort = sort_order(list_columns(compared, has_places=False), request.GET.get("sort"), default=DEFAULT)
    entries: QuerySet[ListEntry] = ListEntry.objects.none()
    floor = None
    if wanted is not None:
        entries, floor = sorted_entries(chosen, wanted, sort, compared=compared)
    ranking = places = _ranking(chosen, wanted)
    if is_search := wanted is not None and wanted.player_ids is not None:
        # Who is found by name keeps the place among all.
        places = _ranking(chosen, replace(wanted, player_ids=None))
    is_printed = request.GET.get("rows") == str(PRINTED)
    page = keyset_of(sort).page(entries, request.GET, size=PRINTED if is_printed else PAGE)
    is_first = page.first_url is None and sort == DEFAULT
    counts_itself = is_first and not is_search
    has_places = places is not None or counts_itself
    if not page.rows or wanted is None:
        label = ""
    elif ranking is not None and sort == DEFAULT:
        label = _numbers(position_of(page.rows[0], chosen, ranking, wanted), len(page.rows), ranking.total)
    else:
        label = _other_label(page, _total(chosen, entries, ranking, floor), sort)
    return {
        "page": replace(page, label=label),
        "rows": rows_of(page.rows, compared, places, is_first_page=counts_itself),
        "has_places": has_places,
        "figures": TABLE_FIGURES,
        "heads": sort_heads(list_columns(compared, has_places=has_places), request.GET, sort=sort),
        "orders": list(sort_options(request.GET, sort, has_changes=compared is not None)),
        "floor": floor,
        "print_url": query_url(request.GET, mark=None, rows=PRINTED) if page.next_url else "",
    }


def _total(
    chosen: RatingList, entries: QuerySet[ListEntry], ranking: Ranking | None, floor: int | None
) -> int | None:
    """Return the number of players if it is known or fast to count, else None."""
    if ranking is not None:
        return ranking.total if floor is None else None
    return entries.count() if chosen.listed <= MAX_SORTED else None


def _other_label(page: Page[ListEntry], total: int | None, sort: str) -> str:
    """Return the label of a page without known ranks: row numbers on the first page, else the total."""
    if total is not None:
        if page.first_url is None:
            return _numbers(1, len(page.rows), total)
        counted = number_format(total, force_grouping=True)
        return ngettext("%(number)s player", "%(number)s players", total) % {"number": counted}
    if sort != DEFAULT:
        return ""
    return _("Ratings %(first)s to %(last)s") % {"first": page.rows[0].rating, "last": page.rows[-1].rating}


def _numbers(first: int, rows: int, total: int) -> str:
    numbers = {"first": first, "last": first + rows - 1, "total": total}
    return _("%(first)s to %(last)s of %(total)s") % {
        name: number_format(number, force_grouping=True) for name, number in numbers.items()
    }
