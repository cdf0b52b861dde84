"""`/arenas`: online arenas, their lists on demand, their monthly lists."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import AddressField
from api.media_types import CSVRenderer
from api.schema import listed, operation, or_streamed
from arenas.models import Arena, ArenaList
from arenas.queries.ranking import Row, arena_list, as_csv
from arenas.queries.standings import find_arena

EXACT: dict[str, Any] = {"type": ["string", "null"], "pattern": r"^-?\d+(\.\d+)?$", "example": "1807.20"}


def arena_or_404(slug: str) -> Arena:
    """Return the arena of an address."""
    try:
        return find_arena(slug)
    except LookupError:
        raise NotFoundError("There is no such arena.") from None


def chosen_category(arena: Arena, category: str | None) -> str | None:
    """Return the category asked for; a fault of the parameter for one that the arena does not have."""
    if category is None or category in arena.categories:
        return category
    offered = ", ".join(arena.categories)
    raise serializers.ValidationError({"category": f"{arena.slug} has the categories {offered}."})


@extend_schema_field(EXACT)
class ExactField(serializers.Field[Any, Any, Any, Any]):
    """An exact decimal as text, null without a rating."""

    def to_representation(self, value: Any) -> Any:
        return value


class OnDemandParameters(serializers.Serializer[Any]):
    category = serializers.CharField(required=False, max_length=20, help_text="One category; all without it.")
    at = serializers.DateTimeField(
        required=False, help_text="An instant, as `2026-02-01T12:30:00Z`; up to the last result without it."
    )


class ArenaSerializer(serializers.ModelSerializer[Arena]):
    """An arena with its parameters."""

    categories = serializers.ListField(child=serializers.CharField())
    time_controls = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="The time controls of rated games by category; empty where every one is rated.",
    )
    parameters = serializers.DictField(help_text="What staff have set beside the system's own rules.")
    day_done = serializers.DateField(allow_null=True, help_text="The last UTC day that was ended.")
    url = AddressField("api:arena", lambda row, context: {"arena": row.slug})

    class Meta:
        model = Arena
        fields = ["slug", "name", "system", "categories", "time_controls", "parameters", "day_done", "url"]


class ArenaRowSerializer(serializers.Serializer[Row]):
    """A member on a list, as `arena_list` prints it."""

    handle = serializers.CharField()
    category = serializers.CharField()
    rating = ExactField(help_text="The exact rating; null for an unrated member.")
    shown = serializers.IntegerField(allow_null=True, help_text="The whole number that is displayed.")
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()


class ListOnDemandSerializer(serializers.Serializer[Any]):
    arena = serializers.CharField()
    at = serializers.DateTimeField(
        allow_null=True, help_text="The instant asked for; null: up to the last result."
    )
    results = ArenaRowSerializer(many=True)


def _file_places(row: ArenaList, context: Any) -> dict[str, Any]:
    return {"slug": context["arena"].slug, "day": row.date, "ending": "json"}


class MonthlyListSerializer(serializers.ModelSerializer[ArenaList]):
    """A monthly list, which stays as it was published."""

    date = serializers.DateField()
    listed = serializers.IntegerField(help_text="Rated entries.")
    sha256 = serializers.CharField(help_text="SHA-256 of the JSON file.")
    url = AddressField("arenas:file", _file_places)

    class Meta:
        model = ArenaList
        fields = ["date", "published_at", "listed", "sha256", "url"]


class ArenasView(ResourceView):
    scope = PUBLIC

    @operation("arenas", summary="All arenas", responses=listed(ArenaSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return every arena with its system, categories and parameters."""
        arenas = Arena.objects.order_by("slug")
        return self.answer_body({"results": self.serialize(ArenaSerializer)(arenas, many=True).data})


class ArenaView(ResourceView):
    scope = PUBLIC

    @operation("arena", summary="One arena", responses=ArenaSerializer)
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return an arena with its system, categories and parameters."""
        return self.answer_body(self.serialize(ArenaSerializer)(arena_or_404(arena)).data)


class ArenaListView(ResourceView):
    scope = PUBLIC
    Parameters = OnDemandParameters
    renderer_classes: list[type[BaseRenderer]] = [JSONRenderer, CSVRenderer]

    def throttle_scope(self, request: Request) -> str:
        """Count whole lists apart."""
        return "bulk"

    @operation(
        "arena_list",
        summary="The list on demand: now, or as of an instant",
        responses=or_streamed(ListOnDemandSerializer, "text/csv"),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return every member's rating after the last result, by category, then rating; unrated members last."""
        found, at = arena_or_404(arena), self.query.get("at")
        rows = arena_list(found, category=chosen_category(found, self.query.get("category")), at=at)
        if request.accepted_renderer.format == "csv":
            return HttpResponse(as_csv(rows), content_type="text/csv; charset=utf-8")
        return Response(ListOnDemandSerializer({"arena": found.slug, "at": at, "results": rows}).data)


class MonthlyListsView(ResourceView):
    scope = PUBLIC

    @operation(
        "arena_lists",
        summary="The monthly lists of an arena, the newest first",
        responses=listed(MonthlyListSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the lists dated the first of each month, with the addresses of their files."""
        found = arena_or_404(arena)
        lists = ArenaList.objects.filter(arena=found).order_by("-date")
        rows = self.serialize(MonthlyListSerializer, arena=found)(lists, many=True).data
        return self.answer_body({"results": rows})
