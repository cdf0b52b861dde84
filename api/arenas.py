"""`/arenas`: online arenas, lists as of any instant, and monthly lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC, WHOLE_LISTS
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import AddressField
from api.media_types import CSVRenderer
from api.schema import as_json, list_of, operation, text_of
from arenas.members import find_arena
from arenas.models import Arena, ArenaList
from arenas.sentences import Sentence
from arenas.standings import StandingRow, arena_list, as_csv

MAX_BATCH = 1_000
# Text, as most programs read a JSON number as a binary float.
EXACT: dict[str, Any] = {"type": ["string", "null"], "pattern": r"^-?\d+(\.\d+)?$", "example": "1807.20"}


def arena_or_404(slug: str) -> Arena:
    found = find_arena(slug)
    if found is None:
        raise NotFoundError("This arena does not exist.")
    return found


def own_arena(view: ResourceView, slug: str) -> Arena:
    """Return the arena that the token belongs to. Raise PermissionDenied for another one."""
    found = arena_or_404(slug)
    if view.token.pk != found.pk:
        raise PermissionDenied(f"This token belongs to {view.token.slug}.")
    return found


def read_batch(data: Any, name: str) -> list[Any]:
    """Return the rows in a body: one object, a list, or a list under their name (`games`)."""
    if isinstance(data, dict) and data:
        # A row has no member of that name, so that the two kinds of objects cannot be mistaken.
        data = data[name] if set(data) == {name} else [data]
    if not isinstance(data, list) or not data:
        invalid = f'Send a {name[:-1]}, a list of {name}, or {{"{name}": [...]}}.'
        raise serializers.ValidationError({name: invalid})
    if len(data) > MAX_BATCH:
        too_many = f"Too many {name}: {len(data)}. Send at most {MAX_BATCH} per request."
        raise serializers.ValidationError({name: too_many})
    return data


def chosen_category(arena: Arena, category: str | None) -> str | None:
    """Return the requested category. Raise ValidationError if the arena does not have it."""
    if category is None or category in arena.categories:
        return category
    offered = ", ".join(arena.categories)
    raise serializers.ValidationError({"category": f"Unknown category. {arena.slug} has: {offered}."})


@extend_schema_field(EXACT)
class ExactField(serializers.Field[Any, Any, Any, Any]):
    """An exact decimal as text, null without a rating."""

    def to_representation(self, value: Any) -> Any:
        return value


class OnDemandParameters(serializers.Serializer[Any]):
    category = serializers.CharField(required=False, max_length=20, help_text=("One category. Default: all."))
    at = serializers.DateTimeField(
        required=False,
        help_text=("Date and time, for example `2026-02-01T12:30:00Z`. Default: after the last result."),
    )


class ArenaSerializer(serializers.ModelSerializer[Arena]):
    """An arena with its parameters."""

    categories = serializers.ListField(child=serializers.CharField())
    time_controls = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Time controls of rated games by category. Empty if all are rated.",
    )
    parameters = serializers.DictField(
        help_text=("Parameters set by FIDE staff in addition to the rating system.")
    )
    day_done = serializers.DateField(allow_null=True, help_text="The last UTC day that was processed.")
    url = AddressField("api:arena", lambda row, context: {"arena": row.slug})

    class Meta:
        model = Arena
        fields = ["slug", "name", "system", "categories", "time_controls", "parameters", "day_done", "url"]


class ArenaRowSerializer(serializers.Serializer[StandingRow]):
    """A member on a list, in the format of the command `arena_list`."""

    handle = serializers.CharField()
    category = serializers.CharField()
    rating = ExactField(help_text="Unrounded rating, or null for an unrated member.")
    shown = serializers.IntegerField(allow_null=True, help_text="Rounded rating, as displayed.")
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()


class ListOnDemandSerializer(serializers.Serializer[Any]):
    arena = serializers.CharField()
    at = serializers.DateTimeField(
        allow_null=True, help_text="The requested date and time, or null: after the last result."
    )
    results = ArenaRowSerializer(many=True)


def _file_places(row: ArenaList, context: Any) -> dict[str, Any]:
    return {"slug": context["arena"].slug, "day": row.date, "ending": "json"}


class MonthlyListSerializer(serializers.ModelSerializer[ArenaList]):
    """A monthly list. It never changes."""

    date = serializers.DateField()
    listed = serializers.IntegerField(help_text="Rated entries.")
    sha256 = serializers.CharField(help_text="SHA-256 of the JSON file.")
    url = AddressField("arenas:file", _file_places)

    class Meta:
        model = ArenaList
        fields = ["date", "published_at", "listed", "sha256", "url"]


class ArenasView(ResourceView):
    scope = PUBLIC

    @operation("arenas", summary="All arenas", responses=list_of(ArenaSerializer))
    def get(self, request: Request) -> HttpResponseBase:
        """Return all arenas with rating system, categories and parameters."""
        arenas = Arena.objects.order_by("slug")
        return self.answer_body({"results": self.serialize(ArenaSerializer)(arenas, many=True).data})


class ArenaView(ResourceView):
    scope = PUBLIC

    @operation("arena", summary="One arena", responses=ArenaSerializer)
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return an arena with rating system, categories and parameters."""
        return self.answer_body(self.serialize(ArenaSerializer)(arena_or_404(arena)).data)


class ArenaListView(ResourceView):
    scope = WHOLE_LISTS
    Parameters = OnDemandParameters

    @operation(
        "arena_list",
        summary="Ratings of all members, now or at a date and time",
        responses=as_json(ListOnDemandSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the ratings of all members by category and rating, after the last result. Unrated members are last."""
        found = arena_or_404(arena)
        rows = list_on_demand(found, self.query)
        body = {"arena": found.slug, "at": self.query.get("at"), "results": rows}
        return Response(ListOnDemandSerializer(body).data)


class ArenaListCSVView(ResourceView):
    scope = WHOLE_LISTS
    Parameters = OnDemandParameters
    renderer_classes = [CSVRenderer]

    @operation(
        "arena_list_csv", summary="Ratings of all members as CSV", responses=text_of(CSVRenderer.media_type)
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the rows of the list. The column names are the JSON field names."""
        return HttpResponse(
            as_csv(list_on_demand(arena_or_404(arena), self.query)), content_type="text/csv; charset=utf-8"
        )


def list_on_demand(arena: Arena, query: Mapping[str, Any]) -> list[StandingRow]:
    """Return the rows of an arena's list for a query."""
    return arena_list(arena, category=chosen_category(arena, query.get("category")), at=query.get("at"))


class MonthlyListsView(ResourceView):
    scope = PUBLIC

    @operation(
        "arena_lists",
        summary="Monthly lists of an arena, newest first",
        responses=list_of(MonthlyListSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the lists dated the first of each month, with the URLs of their files."""
        found = arena_or_404(arena)
        lists = ArenaList.objects.filter(arena=found).order_by("-date")
        rows = self.serialize(MonthlyListSerializer, arena=found)(lists, many=True).data
        return self.answer_body({"results": rows})


class ArenaStepSerializer(serializers.Serializer[Sentence]):
    """One step of a calculation."""

    key = serializers.CharField()
    text = serializers.CharField()
