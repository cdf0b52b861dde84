"""`/arenas/{arena}/members`: members with their ratings, sent by an arena's server, and the changes of each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.arenas import (
    ArenaStepSerializer,
    ExactField,
    arena_or_404,
    chosen_category,
    own_arena,
    read_batch,
)
from api.authentication import POST_GAMES, PUBLIC
from api.base import ResourceView
from api.errors import NotFoundError
from api.fields import AddressField
from api.media_types import GamesParser
from api.paging import PageParameters, keyset_page
from api.schema import operation, page_of
from arenas.entries import EntryError, MemberEntry, read_member
from arenas.members import ADDED, CHANGED, KNOWN, REFUSED, enrol_members, find_member
from arenas.models import Arena, Change, Member
from arenas.sentences import sentences
from arenas.standings import ratings_of
from core.html.paging import Keyset

BY_HANDLE = Keyset(("handle",))
NEWEST_FIRST = Keyset(("-effective_at", "-pk"))
MEMBER_EXAMPLE = {"handle": "ada", "fide_id": 1001, "full_member": True, "joined": "2026-02-01"}
ANSWER_EXAMPLE = {"members": [{"handle": "ada", "status": ADDED, "reasons": []}]}


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


class SentMemberSerializer(serializers.Serializer[Any]):
    """A member as an arena sends it."""

    handle = serializers.CharField(max_length=60, help_text="Username.")
    fide_id = serializers.IntegerField(required=False, allow_null=True)
    full_member = serializers.BooleanField()
    joined = serializers.DateField(help_text="Initial ratings come from the FIDE lists of this day.")


class EnrolledSerializer(serializers.Serializer[Any]):
    """Result for one member of the request."""

    handle = serializers.CharField(allow_null=True, help_text="Null if it could not be read.")
    status = serializers.ChoiceField(
        [ADDED, CHANGED, KNOWN, REFUSED],
        help_text="`changed`: became or ceased to be a full member. `known`: nothing changed.",
    )
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why the member was refused.")


class ArenaMemberBatchSerializer(serializers.Serializer[Any]):
    """Response to a request with members: the result of each, in the order sent."""

    members = EnrolledSerializer(many=True)


class MembersView(ResourceView):
    scope = {"GET": PUBLIC, "POST": POST_GAMES}
    Parameters = MemberParameters
    parser_classes = [GamesParser]

    @operation(
        "arena_members", summary="Members of an arena by username", responses=page_of(ArenaMemberSerializer)
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return a page of members, or the member with a username."""
        found = arena_or_404(arena)
        members = Member.objects.filter(arena=found)
        if "handle" in self.query:
            members = members.filter(handle=self.query["handle"])
        return keyset_page(self, BY_HANDLE, members, self.serialize(ArenaMemberSerializer, arena=found))

    @operation(
        "post_arena_members",
        summary="Add members, or change whether they are full members",
        request=SentMemberSerializer(many=True),
        responses=ArenaMemberBatchSerializer,
        examples=[
            OpenApiExample("a member", value=MEMBER_EXAMPLE, request_only=True),
            OpenApiExample("the response", value=ANSWER_EXAMPLE, response_only=True),
        ],
    )
    def post(self, request: Request, arena: str) -> HttpResponseBase:
        """Add one member or a list of up to 1,000 members. An invalid one is refused, the others are added.

        Who a member is, and when it joined, never changes. Requires `Authorization: Bearer TOKEN`.
        """
        found = own_arena(self, arena)
        rows = _enrol(found, read_batch(request.data, "members"), at=timezone.now())
        return Response(ArenaMemberBatchSerializer({"members": rows}).data)


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
        responses=page_of(ArenaChangeSerializer),
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


def _enrol(arena: Arena, sent: Sequence[Any], *, at: datetime) -> list[dict[str, Any]]:
    """Add the valid members. The answers are in the order sent."""
    answers: dict[int, dict[str, Any]] = {}
    entries: dict[int, MemberEntry] = {}
    for place, row in enumerate(sent):
        try:
            entries[place] = read_member(row)
        except EntryError as error:
            handle = row.get("handle") if isinstance(row, dict) else None
            known = handle[:60] if isinstance(handle, str) else None
            answers[place] = {"handle": known, "status": REFUSED, "reasons": error.reasons}
    enrolled = enrol_members(arena, list(entries.values()), at=at)
    for place, one in zip(entries, enrolled, strict=True):
        reasons = [one.reason] if one.reason else []
        answers[place] = {"handle": one.handle, "status": one.status, "reasons": reasons}
    return [answers[place] for place in range(len(sent))]
