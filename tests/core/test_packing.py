"""Bytes as gzip and as ZIP, the same each time."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.digests import sha256_of
from core.packing import packed


def files_of(parts: Iterable[bytes], *, is_large: bool = False) -> tuple[bytes, bytes]:
    with packed(parts, "list.txt", endings=["gz", "zip"], is_large=is_large) as files:
        return b"".join(files["gz"]), b"".join(files["zip"])


@given(st.lists(st.binary(max_size=200), max_size=5), st.booleans())
def test_packed_bytes_come_out_as_they_went_in_and_the_same_each_time(
    parts: list[bytes], is_large: bool
) -> None:
    made = [files_of(parts, is_large=is_large) for _attempt in range(2)]
    assert made[0] == made[1]
    assert gzip.decompress(made[0][0]) == b"".join(parts)
    with zipfile.ZipFile(io.BytesIO(made[0][1])) as archive:
        assert archive.namelist() == ["list.txt"]
        assert archive.testzip() is None
        assert archive.read("list.txt") == b"".join(parts)
        assert archive.getinfo("list.txt").date_time == (1980, 1, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("content", "hashes"),
    [
        (
            b"",
            (
                "ac73670af3abed54ac6fb4695131f4099be9fbe39d6076c5d0264a6bbdae9d83",
                "86fa1501159967f28abfac3e9c799021b7e35d642a478876875cc7c779d7a7f4",
            ),
        ),
        (
            b"101;Alder\n",
            (
                "e729546893667b95dc5bc898fcc96532480b08167a3a8ff91e95f671761f4439",
                "0c328eabf18ddc1a645af926a5184ce6e537df7eb6fe710a8f228f58a5d62090",
            ),
        ),
    ],
)
def test_files_packed_by_former_releases_are_packed_again_to_the_same_bytes(
    content: bytes, hashes: tuple[str, str]
) -> None:
    gz, zip_ = files_of([content])
    assert (sha256_of(gz), sha256_of(zip_)) == hashes
