"""JSON of programs: what Python's reader would let through."""

from __future__ import annotations

import pytest

from core.web.strict_json import decode_json


@pytest.mark.parametrize(
    "content", [rb'{"a": "\ud800"}', rb'{"\udfff": 1}', b"\xff", b"NaN", b'{"a": 1, "a": 2}', b"["]
)
def test_what_other_readers_take_otherwise_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"is not|more than once"):
        decode_json(content)


def test_pairs_of_surrogates_are_text() -> None:
    assert decode_json(rb'["\ud83d\ude00"]') == ["\U0001f600"]
