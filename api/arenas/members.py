"""Members of arenas and the history of their ratings."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.arenas.base import ArenaAPIView, HistoryParameters, MemberParameters, arena_or_404, chosen_category
from api.arenas.serializers import ArenaChangeSerializer, ArenaMemberDetailSerializer, ArenaMemberSerializer
from api.base import page
from api.cursors import Key, Order
from api.errors import NotFoundError
from api.schema import paged
from arenas.models import Arena, Change, Member
from arenas.queries.lookup import find_member
from arenas.queries.ranking import ratings_of

BY_HANDLE = Order((Key("handle", str),))
NEWEST_FIRST = Order((Key("effective_at", datetime, is_falling=True), Key("pk", int, is_falling=True)))


class MembersView(ArenaAPIView):
    Parameters = MemberParameters

    @extend_schema(
        operation_id="arena_members",
        tags=["arenas"],
        summary="The members of an arena by handle",
        parameters=[MemberParameters],
        responses=paged(ArenaMemberSerializer),
    )
    def get(self, request: Request, arena: str) -> HttpResponseBase:
        """Return a page of members, or the one of a handle."""
        values = self.parameters(request)
        found = arena_or_404(arena)
        members = Member.objects.filter(arena=found)
        if "handle" in values:
            members = members.filter(handle=values["handle"])
        rows, cursor = BY_HANDLE.take(members, values.get("cursor", ""), values["limit"])
        return page(request, rows, cursor, self.of_arena(found, ArenaMemberSerializer))


class MemberView(ArenaAPIView):
    @extend_schema(
        operation_id="arena_member",
        tags=["arenas"],
        summary="A member with the live ratings",
        responses=ArenaMemberDetailSerializer,
    )
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return a member and the rating of every category."""
        self.parameters(request)
        found = arena_or_404(arena)
        member = _member_or_404(found, number)
        serializer = self.of_arena(found, ArenaMemberDetailSerializer, ratings=ratings_of(found, member))
        return Response(serializer(member).data)


class HistoryView(ArenaAPIView):
    Parameters = HistoryParameters

    @extend_schema(
        operation_id="arena_history",
        tags=["arenas"],
        summary="Every change of a member's ratings, the newest first",
        parameters=[HistoryParameters],
        responses=paged(ArenaChangeSerializer),
    )
    def get(self, request: Request, arena: str, number: int) -> HttpResponseBase:
        """Return a page of changes, each with the steps that led to it."""
        values = self.parameters(request)
        found = arena_or_404(arena)
        member = _member_or_404(found, number)
        category = chosen_category(found, values.get("category"))
        changes = Change.objects.filter(rating__member=member).select_related("rating", "game")
        if category:
            changes = changes.filter(rating__category=category)
        rows, cursor = NEWEST_FIRST.take(changes, values.get("cursor", ""), values["limit"])
        return page(request, rows, cursor, self.of_arena(found, ArenaChangeSerializer))


def _member_or_404(arena: Arena, number: int) -> Member:
    try:
        return find_member(arena, number)
    except LookupError:
        raise NotFoundError(f"{arena.slug} has no member {number}.") from None
