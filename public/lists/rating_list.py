"""All rating lists, and one of them page by page with its filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.figures import list_month
from core.html.paging import Keyset, Page
from core.web.conditional import conditionally
from players.choices import Continent, Sex, Title
from players.queries.federations import Minors, minors_for
from players.queries.names import find_ids, successors_of
from public.filters import ALL, FilterForm, PlainSelect
from public.lists.files import downloads_of, list_or_404
from ratings.choices import ListKind, Origin
from ratings.models import ListArchive, ListEntry, RatingList
from ratings.queries.catalogue import Catalogue, catalogue
from ratings.queries.corrections import corrections_since
from ratings.queries.entries import LIST_ORDER, Filter, entries_of, position_of, rows_of, start_of_page_with
from ratings.queries.files import EVIDENCE, archives_of
from ratings.queries.ranking import Ranking, ranking_of
from ratings.services.publication.files import public_key
from tournaments.choices import Kind

PAGE = 100
ROWS_ABOVE = 10
# Juniors are under 20 on 1 January of the list's year.
JUNIOR = 20
MORE = ["born_from", "born_to", "rating_from", "rating_to", "sex", "title", "continent", "compare", "active"]
HIGHEST_RATING = 9999
KEYSET = Keyset(LIST_ORDER, is_crowded=True)


class ListFilterForm(FilterForm):
    """Filters of a rating list."""

    q = forms.CharField(label=_l("Name or FIDE ID"), max_length=100)
    federation = forms.ChoiceField(label=_l("Federation"), widget=PlainSelect)
    continent = forms.ChoiceField(
        label=_l("Continent"), choices=[ALL, *Continent.choices], widget=PlainSelect
    )
    sex = forms.ChoiceField(label=_l("Sex"), choices=[ALL, *Sex.choices], widget=PlainSelect)
    title = forms.ChoiceField(
        label=_l("Title"), choices=[ALL, *((value, value) for value in Title.values)], widget=PlainSelect
    )
    born_from = forms.IntegerField(label=_l("Born in or after"), min_value=1850, max_value=2100)
    born_to = forms.IntegerField(label=_l("Born in or before"), min_value=1850, max_value=2100)
    rating_from = forms.IntegerField(label=_l("Rating from"), min_value=0, max_value=HIGHEST_RATING)
    rating_to = forms.IntegerField(label=_l("Rating to"), min_value=0, max_value=HIGHEST_RATING)
    active = forms.BooleanField(label=_l("Active players only"))
    compare = forms.ChoiceField(label=_l("Change since"), widget=PlainSelect)

    def __init__(self, data: QueryDict, *, days: Sequence[date]) -> None:
        super().__init__(data)
        months = [(day.isoformat(), list_month(day)) for day in days]
        self.fields["compare"].choices = [("", _l("the previous list")), *months]  # type: ignore[attr-defined]

    def chosen(self, minors: Minors) -> Filter | None:
        """Return the filter, None where a field is wrong; minors are found by whole age bands."""
        if not self.is_valid():
            return None
        values = dict(self.cleaned_data)
        words, _compare = values.pop("q"), values.pop("compare")
        player_ids = tuple(find_ids(words)[0]) if words else None
        return Filter(is_active=values.pop("active"), player_ids=player_ids, minors=minors, **values)


@require_safe
def lists(request: HttpRequest) -> HttpResponse:
    """Show all months with their lists."""
    found = catalogue()

    def page() -> HttpResponse:
        context = {
            "months": found.months(),
            "newest": found.newest_of_each(),
            "coming": [kind for kind in Kind if found.newest(kind)],
        }
        return render(request, "public/lists/lists.html", context)

    return conditionally(request, page, version=("lists", found.version), changed_at=found.changed_at)


@require_safe
def newest(request: HttpRequest, kind: str) -> HttpResponse:
    """Lead to the newest list of a kind."""
    found = catalogue().newest(kind)
    if found is None:
        raise Http404(_("There is no list of this rating type."))
    return redirect("ratings:list", kind, found.date)


@require_safe
def rating_list(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show a list, 100 players a page."""
    found = catalogue()
    chosen = list_or_404(found, kind, day)
    corrected, corrected_at = corrections_since(chosen)
    archives = archives_of(chosen)
    minors = minors_for(request)
    version = ("list", chosen.pk, found.version, corrected, [item.sha256 for item in archives], minors)
    changed_at = max(filter(None, (found.changed_at, corrected_at)), default=None)
    return conditionally(
        request,
        lambda: _list_page(request, found, chosen, corrected=corrected, archives=archives),
        version=version,
        # The day of a publication does not tell when a federation asked for age bands.
        changed_at=None if minors.codes else changed_at,
    )


@require_safe
def at_player(request: HttpRequest, kind: str, day: date, fide_id: int) -> HttpResponse:
    """Lead to the page of a list on which a player stands."""
    chosen = list_or_404(catalogue(), kind, day)
    try:
        start = start_of_page_with(chosen, fide_id, above=ROWS_ABOVE)
    except LookupError as error:
        if successor := successors_of([fide_id]).get(fide_id):
            return redirect("ratings:at", kind, day, successor)
        raise Http404(_("This player is not on the list.")) from error
    after = f"after={KEYSET.position(start)}&" if start else ""
    return redirect(f"{reverse('ratings:list', args=[kind, day])}?{after}mark={fide_id}#p{fide_id}")


def _ranking(chosen: RatingList, wanted: Filter | None) -> Ranking | None:
    """Return the ranking that places count in; None where a filter leaves only a part of one."""
    if wanted is None or not wanted.is_whole:
        return None
    within = {"federation": wanted.federation, "continent": wanted.continent}
    return ranking_of(chosen, is_active=wanted.is_active, **within)


def _list_page(
    request: HttpRequest,
    lists: Catalogue,
    chosen: RatingList,
    *,
    corrected: int,
    archives: Sequence[ListArchive],
) -> HttpResponse:
    others = [item for item in lists.of_kind(chosen.kind) if item != chosen]
    form = ListFilterForm(request.GET, days=[item.date for item in others])
    wanted = form.chosen(minors_for(request))
    compared = _compared(form, lists, chosen)
    entries = ListEntry.objects.none() if wanted is None else entries_of(chosen, wanted)
    ranking = _ranking(chosen, wanted)
    page = KEYSET.page(entries, request.GET, size=PAGE)
    context = {
        "list": chosen,
        "day": chosen.date.isoformat(),
        "corrected": corrected,
        "previous": lists.before(chosen),
        "following": lists.after(chosen),
        "kinds": [lists.on(kind, chosen.date) for kind in ListKind],
        "form": form,
        "more": [form[name] for name in MORE],
        "has_more": any(request.GET.get(name) for name in MORE),
        "is_filtered": wanted is None or wanted != Filter(),
        "page": replace(page, label=_label(page, chosen, ranking, wanted)),
        "has_places": ranking is not None or page.first_url is None,
        "rows": rows_of(page.rows, compared, ranking, is_first_page=page.first_url is None),
        "compared": compared,
        "explains": chosen.origin == Origin.PUBLISHED and compared == lists.before(chosen),
        "presets": _presets(chosen),
        "files": downloads_of(chosen, archives),
        "has_evidence": any(item.name.endswith(EVIDENCE) for item in archives),
        "signature": _signature(chosen),
        "manifest": f"{chosen.kind}-{chosen.date.isoformat()}.manifest.json",
        "marked": request.GET.get("mark", ""),
    }
    return render(request, "public/lists/rating_list.html", context)


def _signature(chosen: RatingList) -> dict[str, str] | None:
    """Return the signature of a list with the key to check it by, None where lists are not signed."""
    key = public_key()
    return {"key": key, "value": chosen.signature} if key and chosen.signature else None


def _compared(form: ListFilterForm, lists: Catalogue, chosen: RatingList) -> RatingList | None:
    """Return the list that changes are counted from: the one asked for, else the one before."""
    day = form.cleaned_data.get("compare") if form.is_valid() else ""
    return lists.on(chosen.kind, date.fromisoformat(day)) if day else lists.before(chosen)


def _presets(chosen: RatingList) -> list[list[tuple[Any, str]]]:
    """Return the usual parts of a list with their addresses, the continents last; ages are those of the list's year."""
    year = chosen.date.year
    parts: list[tuple[Any, dict[str, str | int]]] = [
        (_("Open"), {}),
        (_("Women"), {"sex": "F"}),
        (_("Juniors"), {"born_from": year - JUNIOR}),
        (_("Girls"), {"sex": "F", "born_from": year - JUNIOR}),
        (_("Seniors 50+"), {"born_to": year - 50}),
        (_("Seniors 65+"), {"born_to": year - 65}),
    ]
    continents = [(label, {"continent": code}) for code, label in Continent.choices]
    return [
        [(label, f"?{urlencode({**query, 'active': 'on'})}") for label, query in row]
        for row in (parts, continents)
    ]


def _label(page: Page[ListEntry], chosen: RatingList, ranking: Ranking | None, wanted: Filter | None) -> str:
    """Return which part of the list a page is: by number where that is known, else by rating."""
    if not page.rows or wanted is None:
        return ""
    if ranking is None:
        ends = {"first": page.rows[0].rating, "last": page.rows[-1].rating}
        return _("Ratings %(first)s to %(last)s") % ends
    first = position_of(page.rows[0], chosen, ranking, wanted)
    numbers = {"first": first, "last": first + len(page.rows) - 1, "total": ranking.total}
    return _("%(first)s to %(last)s of %(total)s") % {
        name: number_format(number, force_grouping=True) for name, number in numbers.items()
    }
