"""`/arenas`: online arenas, their members, lists as of any instant, and monthly lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.authentication import PUBLIC, WHOLE_LISTS
from api.base import PageParameters, ResourceView, keyset_page
from api.errors import NotFoundError
from api.fields import AddressField
from api.media_types import CSVRenderer
from api.schema import as_json, listed, operation, paged, streamed
from arenas.models import Arena, ArenaList, Change, Member
from arenas.queries.arenas import find_arena
from arenas.queries.members import find_member
from arenas.queries.sentences import Sentence, sentences
from arenas.queries.standings import StandingRow, arena_list, as_csv, ratings_of
from core.html.paging import Keyset

EXACT: dict[str, Any] = {"type": ["string", "null"], "pattern": r"^-?\d+(\.\d+)?$", "example": "1807.20"}


def arena_or_404(slug: str) -> Arena:
    found = find_arena(slug)
    if found is None:
        raise NotFoundError("This arena does not exist.")
    return found


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

    @operation("arenas", summary="All arenas", responses=listed(ArenaSerializer))
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
        "arena_list_csv", summary="Ratings of all members as CSV", responses=streamed(CSVRenderer.media_type)
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
        responses=listed(MonthlyListSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return the lists dated the first of each month, with the URLs of their files."""
        found = arena_or_404(arena)
        lists = ArenaList.objects.filter(arena=found).order_by("-date")
        rows = self.serialize(MonthlyListSerializer, arena=found)(lists, many=True).data
        return self.answer_body({"results": rows})


BY_HANDLE = Keyset(("handle",))
NEWEST_FIRST = Keyset(("-effective_at", "-pk"))


class MemberParameters(PageParameters):
    handle = serializers.CharField(
        required=False, max_length=60, help_text="The member with exactly this username."
    )


class ArenaHistoryParameters(PageParameters):
    category = serializers.CharField(
        required=False, max_length=20, help_text="One category, for example `rapid`."
    )


class ArenaRatingSerializer(serializers.Serializer[Any]):
    """Rating of a member in one category."""

    category = serializers.CharField()
    rating = ExactField()
    shown = serializers.IntegerField(allow_null=True)
    games = serializers.IntegerField()
    provisional = serializers.BooleanField()


def _member_places(row: Member, context: Any) -> dict[str, Any]:
    return {"arena": context["arena"].slug, "number": row.pk}


class ArenaMemberSerializer(serializers.ModelSerializer[Member]):
    """A member. `id` never changes, even if the username does."""

    handle = serializers.CharField()
    fide_id = serializers.IntegerField(source="player_id", allow_null=True)
    full_member = serializers.BooleanField(source="is_full_member")
    joined = serializers.DateField()
    left = serializers.DateField(allow_null=True)
    url = AddressField("api:arena_member", _member_places)

    class Meta:
        model = Member
        fields = ["id", "handle", "fide_id", "full_member", "joined", "left", "url"]


class ArenaMemberDetailSerializer(ArenaMemberSerializer):
    """A member with live ratings in every category."""

    ratings = serializers.SerializerMethodField()
    history_url = AddressField("api:arena_history", _member_places)

    class Meta(ArenaMemberSerializer.Meta):
        fields = [*ArenaMemberSerializer.Meta.fields, "ratings", "history_url"]

    @extend_schema_field(ArenaRatingSerializer(many=True))
    def get_ratings(self, row: Member) -> Any:
        return ArenaRatingSerializer(self.context["ratings"], many=True).data


class StoredRatingField(ExactField):
    """A stored rating as an exact decimal, by the arena's rules."""

    def to_representation(self, value: Any) -> Any:
        return self.context["arena"].rules.exact(value)


class ArenaStepSerializer(serializers.Serializer[Sentence]):
    """One step of a calculation."""

    key = serializers.CharField()
    text = serializers.CharField()


class ArenaChangeSerializer(serializers.ModelSerializer[Change]):
    """One rating change of a member."""

    category = serializers.CharField(source="rating.category")
    number = serializers.IntegerField(help_text="Sequence number of the change within the category.")
    cause = serializers.CharField(help_text="`first`, `game`, `day`, `list` or `cancelled`.")
    before = StoredRatingField(read_only=True)
    after = StoredRatingField(read_only=True)
    game = serializers.CharField(
        source="game.arena_game_id",
        read_only=True,
        allow_null=True,
        help_text="The arena's ID of the game, or null.",
    )
    steps = serializers.SerializerMethodField()

    class Meta:
        model = Change
        fields = [
            "category",
            "number",
            "cause",
            "effective_at",
            "recorded_at",
            "before",
            "after",
            "game",
            "steps",
        ]

    @extend_schema_field(ArenaStepSerializer(many=True))
    def get_steps(self, row: Change) -> Any:
        steps: Any = sentences(self.context["arena"].rules, row.steps)
        return ArenaStepSerializer(steps, many=True).data


class MembersView(ResourceView):
    scope = PUBLIC
    Parameters = MemberParameters

    @operation(
        "arena_members", summary="Members of an arena by username", responses=paged(ArenaMemberSerializer)
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return a page of members, or the member with a username."""
        found = arena_or_404(arena)
        members = Member.objects.filter(arena=found)
        if "handle" in self.query:
            members = members.filter(handle=self.query["handle"])
        return keyset_page(self, BY_HANDLE, members, self.serialize(ArenaMemberSerializer, arena=found))


class MemberView(ResourceView):
    scope = PUBLIC

    @operation("arena_member", summary="One member with live ratings", responses=ArenaMemberDetailSerializer)
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return a member with the rating in every category."""
        found = arena_or_404(arena)
        member = _member_or_404(found, number)
        ratings = ratings_of(found, member)
        return Response(
            self.serialize(ArenaMemberDetailSerializer, arena=found, ratings=ratings)(member).data
        )


class ArenaHistoryView(ResourceView):
    scope = PUBLIC
    Parameters = ArenaHistoryParameters

    @operation(
        "arena_history",
        summary="Rating changes of a member, newest first",
        responses=paged(ArenaChangeSerializer),
    )
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return a page of rating changes with their calculation steps."""
        found = arena_or_404(arena)
        member = _member_or_404(found, number)
        category = chosen_category(found, self.query.get("category"))
        changes = Change.objects.filter(rating__member=member).select_related("rating", "game")
        if category:
            changes = changes.filter(rating__category=category)
        return keyset_page(self, NEWEST_FIRST, changes, self.serialize(ArenaChangeSerializer, arena=found))


def _member_or_404(arena: Arena, number: int) -> Member:
    found = find_member(arena, number)
    if found is None:
        raise NotFoundError(f"{arena.slug} has no member {number}.")
    return found
