"""Fields that resources share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from ratings.models import RatingList
from ratings.systems.arithmetic import in_points

# Text, as most programs read a JSON number as a binary float.
DECIMAL: dict[str, Any] = {"type": "string", "pattern": r"^-?\d+\.\d+$"}
Places = Callable[[Any, Any], dict[str, Any]]


def publication_id(rating_list: RatingList) -> str:
    """Return the id of a list: `rapid-2026-02-01`."""
    return f"{rating_list.kind}-{rating_list.date.isoformat()}"


@extend_schema_field({"type": "string"})
class ListIdField(serializers.Field[RatingList, Any, Any, Any]):
    """A list as its id."""

    def to_representation(self, value: RatingList) -> str:
        return publication_id(value)


@extend_schema_field({"type": "string", "format": "uri"})
class AddressField(serializers.Field[Any, Any, Any, Any]):
    """The URL of a row's object. `places` returns the URL's arguments for the row and the context."""

    def __init__(self, name: str, places: Places) -> None:
        super().__init__(source="*", read_only=True)
        self.name, self.places = name, places

    def to_representation(self, value: Any) -> str:
        places = self.places(value, self.context)
        return reverse(self.name, kwargs=places, request=self.context.get("request"))


@extend_schema_field({**DECIMAL, "example": "-3.20"})
class HundredthsField(serializers.Field[int, Any, Any, Any]):
    """Hundredths of a point as a decimal: -320 gives `-3.20`."""

    def to_representation(self, value: int) -> str:
        return in_points(value)


@extend_schema_field({**DECIMAL, "example": "2.5"})
class HalfPointsField(serializers.Field[int, Any, Any, Any]):
    """Half points as a decimal: 5 gives `2.5`."""

    def to_representation(self, value: int) -> str:
        return f"{value // 2}.{5 * (value % 2)}"
