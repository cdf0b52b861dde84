"""One deflated stream as gzip and as ZIP."""

from __future__ import annotations

import gzip
import io
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from core.packing import deflate, gzip_parts, zip_parts


@given(st.lists(st.binary(max_size=200), max_size=5))
def test_packed_bytes_come_out_as_they_went_in_and_the_same_each_time(parts: list[bytes]) -> None:
    made = []
    for _attempt in range(2):
        with deflate(parts) as packed:
            made.append((b"".join(gzip_parts(packed)), b"".join(zip_parts(packed, name="list.txt"))))
    assert made[0] == made[1]
    assert gzip.decompress(made[0][0]) == b"".join(parts)
    with zipfile.ZipFile(io.BytesIO(made[0][1])) as archive:
        assert archive.namelist() == ["list.txt"]
        assert archive.testzip() is None
        assert archive.read("list.txt") == b"".join(parts)
        assert archive.getinfo("list.txt").date_time == (1980, 1, 1, 0, 0, 0)
