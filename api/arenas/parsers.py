"""The body that carries games: JSON of a bounded size, without a name that stands twice in an object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from api.errors import TooLargeError
from arenas.entries import refuse_repeats

MAX_BYTES = 4 * 1024 * 1024


class GamesParser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the JSON value; `TooLargeError` for more than 4 MiB, `ParseError` for what is no JSON."""
        content = stream.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise TooLargeError(f"A batch has at most {MAX_BYTES // 1024**2} MiB; send several.")
        try:
            return json.loads(content.decode(), object_pairs_hook=refuse_repeats, parse_constant=_refuse)
        except UnicodeDecodeError as error:
            raise ParseError("The body is not UTF-8.") from error
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}.") from error


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")
