"""Bodies that carry a report: the bare file, or a form with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser, MultiPartParser

from api.errors import TooLargeError
from tournaments.trf.limits import MAX_BYTES

# The boundaries and heads of a form around the largest report.
FORM_OVERHEAD = 64 * 1024


class ReportParser(BaseParser):
    """The body is the report."""

    media_type = "text/plain"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the bytes; `TooLargeError` where the request says it has more than a report may have."""
        refuse_large(parser_context, MAX_BYTES)
        return stream.read(MAX_BYTES + 1)


class ReportBytesParser(ReportParser):
    media_type = "application/octet-stream"


class ReportFormParser(MultiPartParser):
    """A form whose field `file` is the report."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the form; `TooLargeError` before anything of a large one is read."""
        refuse_large(parser_context, MAX_BYTES + FORM_OVERHEAD)
        return super().parse(stream, media_type, parser_context)


def refuse_large(context: Mapping[str, Any] | None, most: int) -> None:
    """Refuse a body that says it has more bytes."""
    length = context["request"].META.get("CONTENT_LENGTH") if context else None
    if length and length.isdecimal() and int(length) > most:
        raise TooLargeError(f"A report has at most {MAX_BYTES // 1024**2} MiB.")
