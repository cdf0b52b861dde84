"""`/lists`, `/lists/{kind}/{date}`: rating lists with their files and manifests."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import AddressField, ListIdField, publication_id
from api.paging import PageParameters, keyset_page
from api.schema import day_parameter, operation, page_of
from core.html.paging import Keyset
from core.text_values import read_day
from ratings.choices import FileFormat, ListKind, Origin
from ratings.lists import LARGE
from ratings.models import ListFile, RatingList

NEWEST_FIRST = Keyset(("-date", "kind"))
LATEST = "latest"
INVALID_DATE = "Enter the date of a list as YYYY-MM-DD, for example 2026-02-01."


def list_or_404(kind: str, day: str) -> RatingList:
    """Return the list of a rating type and date, or the latest, without its manifest, or raise NotFoundError."""
    lists = RatingList.objects.defer("manifest").filter(kind=known_kind(kind)).order_by("-date")
    found = (lists if day == LATEST else lists.filter(date=parse_day(day))).first()
    if found is None:
        raise NotFoundError(f"No {kind} list found for {day}.")
    return found


def known_kind(kind: str) -> str:
    """Return the rating type, or raise NotFoundError."""
    if kind not in ListKind.values:
        raise NotFoundError(f"Unknown rating type. Valid types: {', '.join(ListKind.values)}.")
    return kind


def parse_day(text: str) -> date:
    """Return the date of a list as addresses spell it, or raise NotFoundError."""
    day = read_day(text)
    if day is None:
        raise NotFoundError(INVALID_DATE)
    return day


class KindParameters(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(
        ListKind.choices, required=False, help_text=("Only lists of this rating type.")
    )


class HistoryParameters(KindParameters):
    """Filters of the lists. Without a filter, all lists match."""

    date_from = day_parameter(help_text="Only lists dated this day or later.")
    date_to = day_parameter(help_text="Only lists dated this day or earlier.")


class ListParameters(HistoryParameters, PageParameters):
    pass


def _file_places(row: ListFile, context: Any) -> dict[str, Any]:
    found = row.rating_list
    return {"kind": found.kind, "day": found.date, "name": f"{publication_id(found)}.{row.format}"}


def _list_places(row: RatingList, context: Any) -> dict[str, Any]:
    return {"kind": row.kind, "date": row.date.isoformat()}


class ListFileSerializer(serializers.ModelSerializer[ListFile]):
    """A published file."""

    format = serializers.ChoiceField(FileFormat.choices)
    url = AddressField("ratings:file", _file_places)

    class Meta:
        model = ListFile
        fields = ["format", "size", "sha256", "url"]


class RatingListSerializer(serializers.ModelSerializer[RatingList]):
    """A list without its entries."""

    id = ListIdField(
        source="*", read_only=True, help_text=("Rating type and date, for example `rapid-2026-02-01`.")
    )
    kind = serializers.ChoiceField(ListKind.choices)
    origin = serializers.ChoiceField(
        Origin.choices, help_text="`imported` from a FIDE file, or `published` by the portal."
    )
    rules = serializers.CharField(
        help_text="Regulations in effect on the date. Empty if the portal does not have them."
    )
    listed = serializers.IntegerField(min_value=0, help_text="Players listed.")
    url = AddressField("api:list", _list_places)

    class Meta:
        model = RatingList
        fields = ["id", "kind", "date", "origin", "rules", "listed", "published_at", "url"]


class RatingListDetailSerializer(RatingListSerializer):
    """A list with its files and manifest."""

    files = ListFileSerializer(many=True, read_only=True)
    previous = ListIdField(read_only=True, allow_null=True, help_text="ID of the previous list.")
    entries_url = AddressField("api:entries", _list_places)
    manifest = serializers.DictField(
        help_text="All inputs of the list with checksums. Empty for an imported list."
    )
    manifest_sha256 = serializers.CharField()
    signature = serializers.CharField(help_text="Ed25519 signature of the manifest in base64, or empty.")

    class Meta(RatingListSerializer.Meta):
        fields = [
            *RatingListSerializer.Meta.fields,
            "engine_version",
            "previous",
            "entries_url",
            "files",
            "manifest",
            "manifest_sha256",
            "signature",
        ]


class ListsView(ResourceView):
    scope = PUBLIC
    Parameters = ListParameters

    @operation("lists", summary="All rating lists, newest first", responses=page_of(RatingListSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return a page of lists without their manifests."""
        bounds = {"kind": "kind", "date__gte": "date_from", "date__lte": "date_to"}
        chosen = {lookup: self.query[name] for lookup, name in bounds.items() if name in self.query}
        lists = RatingList.objects.defer(*LARGE).filter(**chosen)
        return self.answer_made(keyset_page(self, NEWEST_FIRST, lists, self.serialize(RatingListSerializer)))


class ListView(ResourceView):
    scope = PUBLIC

    @operation(
        "rating_list",
        summary="One rating list with its files and manifest",
        responses=RatingListDetailSerializer,
    )
    def get(self, request: Request, kind: str, date: str) -> HttpResponseBase:
        """Return a list. `latest` is the current list."""
        found = list_or_404(kind, date)
        return self.answer_from_lists(lambda: self._detail(found), [found], "list")

    def _detail(self, found: RatingList) -> Response:
        # Only for an answer that is sent: the manifest has a line for each report of the month.
        whole = RatingList.objects.select_related("previous").prefetch_related("files").get(pk=found.pk)
        return Response(self.serialize(RatingListDetailSerializer)(whole).data)
