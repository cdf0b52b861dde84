"""What the API's views of arenas share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rest_framework import serializers

from api.base import PublicView
from api.errors import NotFoundError
from api.serializers.parameters import PageParameters
from arenas.models import Arena
from arenas.queries.lookup import find_arena


class ArenaAPIView(PublicView):
    """A resource of one arena."""

    def of_arena(self, arena: Arena, serializer: Callable[..., Any], **context: Any) -> Callable[..., Any]:
        """Return a serializer that knows the arena and the request."""
        return partial(serializer, context={"request": self.request, "arena": arena, **context})


def arena_or_404(slug: str) -> Arena:
    """Return the arena of an address."""
    try:
        return find_arena(slug)
    except LookupError:
        raise NotFoundError("There is no such arena.") from None


class HandleField(serializers.CharField):
    def __init__(self) -> None:
        super().__init__(required=False, max_length=60, help_text="The member of exactly this handle.")


class MemberParameters(PageParameters):
    handle = HandleField()


class GameParameters(PageParameters):
    id = serializers.CharField(
        required=False, max_length=100, help_text="The game of this id of the arena's own."
    )
    member = serializers.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, help_text="Games of the member of this number."
    )


class HistoryParameters(PageParameters):
    category = serializers.CharField(
        required=False, max_length=20, help_text="One category, such as `rapid`."
    )


class OnDemandParameters(serializers.Serializer[Any]):
    category = serializers.CharField(required=False, max_length=20, help_text="One category; all without it.")
    at = serializers.DateTimeField(
        required=False, help_text="An instant, as `2026-02-01T12:30:00Z`; up to the last result without it."
    )


def chosen_category(arena: Arena, category: str | None) -> str | None:
    """Return the category asked for; a fault of the parameter for one that the arena does not have."""
    if category is None or category in arena.categories:
        return category
    offered = ", ".join(arena.categories)
    raise serializers.ValidationError({"category": f"{arena.slug} has the categories {offered}."})
