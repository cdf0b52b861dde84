"""The forms of bulk answers. Views stream them; the classes take part in the choice of the form only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer


class StreamedRenderer(BaseRenderer):
    """A form whose lines a view writes by itself."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return text as bytes: no view hands over more than that."""
        return str(data).encode()


class NDJSONRenderer(StreamedRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class CSVRenderer(StreamedRenderer):
    media_type = "text/csv"
    format = "csv"
