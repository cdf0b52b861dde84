"""The form of an answer: the Accept header, or `?format=`, which must name a form that the resource has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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


class StreamedRenderer(BaseRenderer):
    """A form that a view writes by itself; the class takes part in the choice of the form only."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Return text as bytes: no view hands over more than that."""
        return str(data).encode()


class NDJSONRenderer(StreamedRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class CSVRenderer(StreamedRenderer):
    media_type = "text/csv"
    format = "csv"


class YAMLRenderer(StreamedRenderer):
    media_type = "application/yaml"
    format = "yaml"
