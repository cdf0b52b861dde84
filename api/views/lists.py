"""Lists, one list, its entries as pages or as a whole."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api import conditional
from api.base import PublicView, page
from api.cursors import Key, Order
from api.entries import as_csv, chosen_entries, ndjson, page_of
from api.errors import NotFoundError
from api.names import LATEST, known_day, known_kind, publication_id
from api.renderers import CSVRenderer, NDJSONRenderer
from api.schema import paged, paged_or_streamed
from api.serializers.lists import EntrySerializer, ListDetailSerializer, ListSerializer
from api.serializers.parameters import EntryParameters, ListParameters
from players.minors import minors_for
from ratings.models import RatingList
from ratings.queries.catalogue import LARGE

NEWEST_FIRST = Order((Key("date", date, is_falling=True), Key("kind", str)))
STREAMS = {"ndjson": ndjson, "csv": as_csv}


def list_or_404(kind: str, day: str) -> RatingList:
    """Return the list of a kind and date, or the latest one; without its manifest."""
    lists = RatingList.objects.defer("manifest").filter(kind=known_kind(kind)).order_by("-date")
    found = (lists if day == LATEST else lists.filter(date=known_day(day))).first()
    if found is None:
        raise NotFoundError(f"There is no {kind} list of {day}.")
    return found


class ListsView(PublicView):
    Parameters = ListParameters

    @extend_schema(
        operation_id="lists",
        tags=["lists"],
        summary="All lists, the newest first",
        parameters=[ListParameters],
        responses=paged(ListSerializer),
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of lists without their manifests."""
        values = self.parameters(request)
        bounds = {"kind": "kind", "date__gte": "date_from", "date__lte": "date_to"}
        chosen = {lookup: values[name] for lookup, name in bounds.items() if name in values}
        lists = RatingList.objects.defer(*LARGE).filter(**chosen)
        rows, cursor = NEWEST_FIRST.take(lists, values.get("cursor", ""), values["limit"])
        return page(request, rows, cursor, self.serialize(ListSerializer))


class ListView(PublicView):
    @extend_schema(
        operation_id="list",
        tags=["lists"],
        summary="One list with its files and manifest",
        responses=ListDetailSerializer,
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return the list; `latest` stands for the newest date."""
        self.parameters(request)
        found = list_or_404(kind, date)
        validators = conditional.of_lists([found], "list")
        return conditional.answer(request, validators, lambda: self._detail(found))

    def _detail(self, found: RatingList) -> Response:
        whole = RatingList.objects.select_related("previous").prefetch_related("files").get(pk=found.pk)
        return Response(self.serialize(ListDetailSerializer)(whole).data)


class EntriesView(PublicView):
    Parameters = EntryParameters
    renderer_classes = [JSONRenderer, NDJSONRenderer, CSVRenderer]

    def scope_of(self, request: Request) -> str:
        """Count whole lists apart from pages."""
        return "bulk" if request.accepted_renderer.format in STREAMS else "read"

    @extend_schema(
        operation_id="entries",
        tags=["lists"],
        summary="The players on a list in list order: rating falling, then name, then FIDE ID",
        parameters=[EntryParameters],
        responses=paged_or_streamed(EntrySerializer, "application/x-ndjson", "text/csv"),
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a page; as NDJSON or CSV all entries that the filters leave, in one stream."""
        values = self.parameters(request)
        form = request.accepted_renderer.format
        if form in STREAMS:
            _refuse_pages(request)
        found = list_or_404(kind, date)
        minors = minors_for(request._request)
        asked = sorted(request.query_params.items())
        validators = conditional.of_lists([found], "entries", form, asked, minors=minors)
        return conditional.answer(request, validators, lambda: self._entries(request, found, values))

    def _entries(self, request: Request, found: RatingList, values: dict[str, Any]) -> HttpResponseBase:
        minors = minors_for(request._request)
        entries = chosen_entries(found, values, minors)
        renderer = request.accepted_renderer
        if renderer.format in STREAMS:
            return _streamed(request, found, STREAMS[renderer.format](entries, minors))
        rows, cursor = page_of(entries, values.get("cursor", ""), values["limit"])
        # A list may be published between two pages: what began on one list goes on in it.
        path = reverse("api:entries", args=[found.kind, found.date.isoformat()])
        serializer = partial(EntrySerializer, context={"minors": minors})
        return page(request, rows, cursor, serializer, path=path)


def _refuse_pages(request: Request) -> None:
    given = [name for name in ("cursor", "limit") if name in request.query_params]
    if given:
        raise ValidationError(dict.fromkeys(given, "NDJSON and CSV give everything at once, no pages."))


def _streamed(request: Request, found: RatingList, parts: Any) -> HttpResponseBase:
    renderer = request.accepted_renderer
    kind = f"{renderer.media_type}; charset=utf-8"
    name = f"{publication_id(found)}.{renderer.format}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if request.method == "HEAD":
        return HttpResponse(content_type=kind, headers=headers)
    return StreamingHttpResponse(parts, content_type=kind, headers=headers)
