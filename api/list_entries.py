"""`/lists/{kind}/{date}/entries`: the players on a list in list order.

`entries.ndjson` and `entries.csv` give all players in one stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from api.authentication import PUBLIC, WHOLE_LISTS
from api.base import ResourceView
from api.fields import publication_id
from api.lists import list_or_404
from api.media_types import CSVRenderer, NDJSONRenderer
from api.paging import PageParameters, keyset_page
from api.players import BAND_INSTEAD_OF_YEAR, NO_BIRTH_YEAR
from api.schema import as_json, club_parameter, federation_parameter, operation, page_of, text_of
from core.html.paging import Keyset
from core.web.csv import csv_text
from players.choices import Sex, Title
from players.members import members_of
from players.minors import BAND_NAMES, Minors, minors_for, shown_birth
from ratings.entries import LIST_ORDER, Filter, entries_of
from ratings.ledger.figures import EXPORT_COLUMNS, FIGURES, Figure
from ratings.models import ListEntry, RatingList

CHUNK_ROWS = 5_000
# Many entries of a list share one rating.
KEYSET = Keyset(LIST_ORDER, is_crowded=True)
# Public names of an entry with their model fields, in the order of the CSV columns.
ENTRY_COLUMNS = {name: column for name, column in EXPORT_COLUMNS.items() if name != "foa_title"}
ENTRY_NAMES = (*ENTRY_COLUMNS, "age_band")


def public_entry(row: Mapping[str, Any], minors: Minors) -> dict[str, Any]:
    """Return the public data of a row, under its public names."""
    entry = {name: row[column] for name, column in ENTRY_COLUMNS.items()}
    birth = shown_birth(entry["birth_year"], entry["federation"], minors, entry["fide_id"])
    entry["birth_year"] = birth.year
    entry["age_band"] = birth.band or None
    return entry


year_parameter = partial(serializers.IntegerField, required=False, min_value=1850, max_value=2200)
rating_parameter = partial(serializers.IntegerField, required=False, min_value=0, max_value=4000)


class EntryFilters(serializers.Serializer[Any]):
    """Filters of the entries. Without a filter, the whole list matches."""

    federation = federation_parameter()
    sex = serializers.ChoiceField(Sex.choices, required=False, help_text="`M` or `F`.")
    title = serializers.ChoiceField(
        Title.choices, required=False, help_text="Holders of this title, open or women's."
    )
    birth_year_from = year_parameter(
        help_text="Born in this year or later. Minors shown with an age band match by whole bands."
    )
    birth_year_to = year_parameter(
        help_text="Born in this year or earlier. Minors shown with an age band match by whole bands."
    )
    rating_from = rating_parameter(help_text="Lowest rating.")
    rating_to = rating_parameter(help_text="Highest rating.")
    club = club_parameter(help_text="Players of this club today, as its federation writes it.")
    district = club_parameter(help_text="Players of this district today.")
    active = serializers.BooleanField(
        required=False, help_text="`true`: active players. `false`: inactive players."
    )


class EntryParameters(EntryFilters, PageParameters):
    pass


class EntrySerializer(serializers.Serializer[Any]):
    """A player on a list, with the personal data of that date."""

    fide_id = serializers.IntegerField()
    name = serializers.CharField()
    federation = serializers.CharField()
    title = serializers.CharField(help_text="As in the Tit column of FIDE lists. Empty without a title.")
    women_title = serializers.CharField()
    other_titles = serializers.CharField(help_text="Arbiter and trainer titles.")
    sex = serializers.CharField(help_text="`M`, `F`, or empty if unknown.")
    birth_year = serializers.IntegerField(allow_null=True, help_text=NO_BIRTH_YEAR)
    age_band = serializers.ChoiceField(BAND_NAMES, allow_null=True, help_text=BAND_INSTEAD_OF_YEAR)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields with the figures of a list before the age band."""
        fields = super().get_fields()
        band = fields.pop("age_band")
        return fields | {figure.name: _field_of(figure) for figure in FIGURES} | {"age_band": band}

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        return public_entry(instance, self.context["minors"])


def _field_of(figure: Figure) -> serializers.Field[Any, Any, Any, Any]:
    options: dict[str, Any] = {"help_text": figure.about} if figure.about else {}
    if figure.may_be_missing:
        options["allow_null"] = True
    column = ListEntry._meta.get_field(figure.column)
    return serializers.ModelSerializer.serializer_field_mapping[type(column)](**options)  # type: ignore[index]


class EntriesView(ResourceView):
    scope = PUBLIC
    Parameters = EntryParameters

    @operation(
        "entries",
        summary="Players on a list in list order: highest rating first, then name, then FIDE ID",
        responses=as_json(page_of(EntrySerializer)),
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a page of the entries that match the filters."""
        found = list_or_404(kind, date)
        places = [found.kind, found.date.isoformat()]
        minors = minors_for(request._request)
        # As dictionaries: no model is built for a row that is only written out.
        entries = chosen_entries(found, self.query, minors).values(*ENTRY_COLUMNS.values())

        def make() -> HttpResponseBase:
            # Paging stays on one list, even if another is published between two pages.
            serializer = self.serialize(EntrySerializer, minors=minors)
            return keyset_page(self, KEYSET, entries, serializer, path=reverse("api:entries", args=places))

        parameters = sorted(request.query_params.items())
        members = _members_asked(self.query)
        return self.answer_from_lists(make, [found], "entries", parameters, minors=minors, members=members)


class NDJSONEntriesView(ResourceView):
    scope = WHOLE_LISTS
    Parameters = EntryFilters
    renderer_classes = [NDJSONRenderer]

    @operation(
        "entries_ndjson",
        summary="All players on a list as lines of JSON",
        responses=text_of(NDJSONRenderer.media_type),
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return all entries that match the filters as a stream, one JSON object per line."""
        return stream_entries(self, list_or_404(kind, date))


class CSVEntriesView(ResourceView):
    scope = WHOLE_LISTS
    Parameters = EntryFilters
    renderer_classes = [CSVRenderer]

    @operation(
        "entries_csv", summary="All players on a list as CSV", responses=text_of(CSVRenderer.media_type)
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return all entries that match the filters as a stream. The column names are the JSON field names."""
        return stream_entries(self, list_or_404(kind, date))


def stream_entries(view: ResourceView, found: RatingList) -> HttpResponseBase:
    """Return all entries that match the query as a stream in the accepted format, or 304."""
    request, minors = view.request, minors_for(view.request._request)
    form = request.accepted_renderer.format
    entries = chosen_entries(found, view.query, minors).values(*ENTRY_COLUMNS.values())
    parameters = sorted(request.query_params.items())
    return view.answer_from_lists(
        lambda: streamed_file(request, publication_id(found), STREAMS[form](entries, minors)),
        [found],
        "entries",
        form,
        parameters,
        minors=minors,
        members=_members_asked(view.query),
    )


def _members_asked(query: Mapping[str, Any]) -> list[int] | None:
    """Return the players of the club or district of a query, who change between two publications; None without one."""
    names = {name: query[name] for name in ("federation", "club", "district") if name in query}
    if not names.keys() & {"club", "district"}:
        return None
    return list(members_of(**names).order_by("player_id").values_list("player_id", flat=True))


def chosen_entries(rating_list: RatingList, query: Mapping[str, Any], minors: Minors) -> QuerySet[ListEntry]:
    """Return the listed entries that match the parameters. Minors match by whole age bands."""
    active = query.get("active")
    entries = entries_of(
        rating_list,
        Filter(
            federation=query.get("federation", ""),
            sex=query.get("sex", ""),
            title=query.get("title", ""),
            born_from=query.get("birth_year_from"),
            born_to=query.get("birth_year_to"),
            rating_from=query.get("rating_from"),
            rating_to=query.get("rating_to"),
            club=query.get("club", ""),
            district=query.get("district", ""),
            is_active=active is True,
            minors=minors,
        ),
    )
    return entries.filter(is_inactive=True) if active is False else entries


def streamed_file(request: Request, name: str, parts: Iterable[bytes]) -> HttpResponseBase:
    """Return a file in the accepted format, with the format as suffix of its name."""
    renderer = request.accepted_renderer
    kind = f"{renderer.media_type}; charset=utf-8"
    headers = {"Content-Disposition": f'attachment; filename="{name}.{renderer.format}"'}
    # No row is read for an answer without a body.
    if request.method == "HEAD":
        return HttpResponse(content_type=kind, headers=headers)
    return StreamingHttpResponse(parts, content_type=kind, headers=headers)


def ndjson(entries: QuerySet[ListEntry, Any], minors: Minors) -> Iterator[bytes]:
    """Yield the entries as lines of JSON."""
    for rows in _chunks(entries, minors):
        yield "".join(f"{json.dumps(row, ensure_ascii=False, default=str)}\n" for row in rows).encode()


def as_csv(entries: QuerySet[ListEntry, Any], minors: Minors) -> Iterator[bytes]:
    """Yield the entries as CSV (RFC 4180), with the names of the JSON fields as header."""
    yield _csv_lines([ENTRY_NAMES])
    for rows in _chunks(entries, minors):
        yield _csv_lines(row.values() for row in rows)


STREAMS = {"ndjson": ndjson, "csv": as_csv}


def _chunks(entries: QuerySet[ListEntry, Any], minors: Minors) -> Iterator[list[dict[str, Any]]]:
    rows = entries.order_by(*LIST_ORDER).iterator(chunk_size=CHUNK_ROWS)
    public = (public_entry(row, minors) for row in rows)
    while chunk := list(islice(public, CHUNK_ROWS)):
        yield chunk


def _csv_lines(rows: Iterable[Iterable[Any]]) -> bytes:
    return csv_text(rows).encode()
