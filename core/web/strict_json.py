"""JSON that programs send, read without the liberties of Python's reader."""

from __future__ import annotations

import json
from typing import Any


def decode_json(content: bytes) -> Any:
    """Return the value of JSON in UTF-8; ValueError, worded as `is not ...`, also for NaN and for repeated names."""
    try:
        value = json.loads(
            content.decode(), object_pairs_hook=_refuse_repeats, parse_constant=_refuse_constant
        )
        # Half of a surrogate pair comes in by an escape, and no answer or table could hold it.
        if b"\\u" in content:
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except UnicodeDecodeError as error:
        raise ValueError("is not UTF-8") from error
    except UnicodeEncodeError as error:
        raise ValueError("is not Unicode: half of a surrogate pair") from error
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
