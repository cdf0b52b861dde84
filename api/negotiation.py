"""Which form an answer has: the Accept header, or `?format=`, which must name a form that the resource has."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class Negotiation(DefaultContentNegotiation):
    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:
        """Return the renderers of a format; a fault of the parameter where there is none."""
        renderers = list(renderers)
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            names = ", ".join(str(renderer.format) for renderer in renderers)
            raise ValidationError({"format": f"This resource comes as {names}."})
        return found
