"""Media types: size-limited request bodies, and the format of a response.

The Accept header or `?format=` selects the format. A `format` that the resource does not have is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.errors import CONTENT_TYPE as PROBLEM
from api.errors import TooLargeError
from core.web.strict_json import decode_json
from tournaments.trf.limits import MAX_BYTES

# Room for the boundaries and headers of a form around the largest report.
FORM_OVERHEAD = 64 * 1024
Context = Mapping[str, Any] | None


class ReportParser(BaseParser):
    """A body that is the report."""

    media_type = "text/plain"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        """Return the bytes. Raise TooLargeError if Content-Length exceeds the limit of a report."""
        _refuse_large(parser_context, MAX_BYTES)
        return stream.read(MAX_BYTES + 1)


class ReportBytesParser(ReportParser):
    media_type = "application/octet-stream"


class ReportFormParser(MultiPartParser):
    """A form with the report in the field `file`."""

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        """Return the form. Raise TooLargeError before reading a form that is too large."""
        _refuse_large(parser_context, MAX_BYTES + FORM_OVERHEAD)
        return super().parse(stream, media_type, parser_context)


class ObjectParser(BaseParser):
    """A body with one JSON object of at most 64 KiB. An empty body is an empty object."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        """Return the object. Raise TooLargeError or ParseError for anything else."""
        content = _read_at_most(stream, 64 * 1024, "The body is larger than 64 KiB. Send less.")
        found = _decode(content or b"{}")
        if not isinstance(found, dict):
            raise ParseError("The body is not a JSON object.")
        return found


class GamesParser(BaseParser):
    """A JSON body of at most 4 MiB. No object may repeat a name."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], media_type: str | None = None, parser_context: Context = None) -> Any:
        """Return the JSON value. Raise TooLargeError or ParseError for anything else."""
        content = _read_at_most(
            stream, 4 * 1024 * 1024, ("The body is larger than 4 MiB. Send several smaller requests.")
        )
        return _decode(content)


class Negotiation(DefaultContentNegotiation):
    def get_accept_list(self, request: Request) -> list[str]:
        """Return the media types of the Accept header, without problem details, the format of errors only.

        Clients of openapi-generator accept nothing else if a resource is not JSON.
        """
        accepted = super().get_accept_list(request)
        return [name for name in accepted if not name.startswith(PROBLEM)] or ["*/*"]

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:
        """Return the renderers of a format. Raise ValidationError if there is none."""
        renderers = list(renderers)
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            names = ", ".join(str(renderer.format) for renderer in renderers)
            raise ValidationError({"format": f"This format is not available. Valid formats: {names}."})
        return found


class StreamedRenderer(BaseRenderer):
    """A format that a view writes itself. The class only takes part in content negotiation."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Return text as bytes. Views pass nothing else."""
        return str(data).encode()


class NDJSONRenderer(StreamedRenderer):
    media_type = "application/x-ndjson"
    format = "ndjson"


class CSVRenderer(StreamedRenderer):
    media_type = "text/csv"
    format = "csv"


class TextRenderer(StreamedRenderer):
    media_type = "text/plain"
    format = "txt"


class MarkdownRenderer(StreamedRenderer):
    media_type = "text/markdown"
    format = "md"


class YAMLRenderer(StreamedRenderer):
    media_type = "application/yaml"
    format = "yaml"


def _read_at_most(stream: IO[Any], most: int, message: str) -> bytes:
    # One byte more than is taken tells a body that is too large from one that just fits.
    content: bytes = stream.read(most + 1)
    if len(content) > most:
        raise TooLargeError(message)
    return content


def _decode(content: bytes) -> Any:
    try:
        # Of two values of one name the usual reader takes the last without a word, and it takes NaN.
        return decode_json(content)
    except ValueError as error:
        raise ParseError(f"The body {error}.") from error


def _refuse_large(context: Context, most: int) -> None:
    # By the header, before the body is received; the parsers bound what is read all the same.
    length = context["request"].META.get("CONTENT_LENGTH") if context else None
    if length and length.isdecimal() and int(length) > most:
        raise TooLargeError(f"The report must be {MAX_BYTES // 1024**2} MiB or smaller.")
