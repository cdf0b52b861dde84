"""JSON that programs send, read without the liberties of Python's reader."""

from __future__ import annotations

import json
from typing import Any


def decode_json(content: bytes) -> Any:
    """Return the value of JSON in UTF-8; ValueError, worded as `is not ...`, also for NaN and for repeated names."""
    try:
        return json.loads(
            content.decode(), object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from error


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    # Readers differ in which of two values they take.
    if len(row) < len(pairs):
        raise ValueError("a name appears more than once in the object")
    return row


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")
