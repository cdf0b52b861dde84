"""Field types of the API: exact decimals as text."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api import figures

DECIMAL: dict[str, Any] = {"type": "string", "pattern": r"^-?\d+\.\d+$"}


@extend_schema_field({**DECIMAL, "example": "-3.20"})
class HundredthsField(serializers.Field[int, Any, Any, Any]):
    """Hundredths of a point as a decimal."""

    def to_representation(self, value: int) -> str | None:
        """Return the decimal."""
        return figures.hundredths(value)


@extend_schema_field({**DECIMAL, "example": "2.5"})
class HalfPointsField(serializers.Field[int, Any, Any, Any]):
    """Half points as a decimal."""

    def to_representation(self, value: int) -> str | None:
        """Return the decimal."""
        return figures.half_points(value)
