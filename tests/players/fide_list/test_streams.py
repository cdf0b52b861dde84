"""Plain, gzip and zip files, whole, damaged and far too large."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from players.fide_list import (
    BytesRead,
    FideListError,
    ListRecord,
    open_list,
    read_list,
    streams,
)
from tests.players.fide_list.samples import LINE, records, text_file

CONTENT = text_file(LINE, *(f"{number:<15}" + LINE[15:] for number in range(1_000_000, 1_002_000)))


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def zipped(folder: Path, **members: bytes) -> Path:
    path = folder / "list.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return path


def packed(folder: Path, form: str) -> Path:
    if form == "zip":
        return zipped(folder, players_txt=CONTENT, readme_pdf=b"%PDF", MACOSX__players_png=b"x")
    return written(folder, "list", gzip.compress(CONTENT) if form == "gz" else CONTENT)


@pytest.mark.parametrize("form", ["plain", "gz", "zip"])
def test_list_reads_alike_in_every_form(tmp_path: Path, form: str) -> None:
    with open_list(packed(tmp_path, form)) as stream:
        assert list(read_list(stream)) == records(CONTENT)


@pytest.mark.parametrize("form", ["plain", "gz", "zip"])
def test_progress_grows_up_to_the_size_of_the_file(tmp_path: Path, form: str) -> None:
    path = packed(tmp_path, form)
    seen = []
    with open_list(str(path)) as stream:
        while stream.read(1 << 16):
            seen.append(stream.progress)
    total = path.stat().st_size
    assert [progress.total for progress in seen] == [total] * len(seen)
    assert sorted(seen) == seen
    assert all(0 < progress.done <= total for progress in seen)
    assert form == "zip" or seen[-1] == BytesRead(total, total)


def test_whole_file_is_read_without_a_size(tmp_path: Path) -> None:
    with open_list(packed(tmp_path, "gz")) as stream:
        assert stream.read() == CONTENT


@pytest.mark.parametrize("form", ["plain", "gz", "zip"])
def test_file_beyond_the_limit_is_refused_and_one_of_just_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    path = packed(tmp_path, form)
    monkeypatch.setattr(streams, "MAX_UNPACKED_BYTES", len(CONTENT))
    with open_list(path) as stream:
        assert stream.read() == CONTENT
    monkeypatch.setattr(streams, "MAX_UNPACKED_BYTES", len(CONTENT) - 1)
    with open_list(path) as stream, pytest.raises(FideListError) as refusal:
        list(read_list(stream))
    assert refusal.value.code == "too-large"


def test_gzip_that_ends_too_early_gives_its_records_then_an_error(tmp_path: Path) -> None:
    lines = [f"{number:<15}" + LINE[15:] for number in range(1_000_000, 1_020_000)]
    path = written(tmp_path, "list.gz", gzip.compress(text_file(*lines))[:-2000])
    found: list[object] = []
    with open_list(path) as stream, pytest.raises(FideListError) as refusal:
        found.extend(item for item in read_list(stream))
    assert refusal.value.code == "damaged"
    assert all(isinstance(item, ListRecord) for item in found)


def test_zip_with_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stored.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("players.txt", CONTENT)
    path.write_bytes(path.read_bytes().replace(b"Zarnik, Olvo", b"Zarnik, Elvo", 1))
    with open_list(path) as stream, pytest.raises(FideListError) as refusal:
        stream.read()
    assert (refusal.value.code, "CRC-32" in str(refusal.value)) == ("damaged", True)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({}, "zip-without-list"),
        ({"readme_pdf": b""}, "zip-without-list"),
        ({"rapid_txt": b"", "blitz_xml": b""}, "zip-of-several"),
    ],
)
def test_zip_without_just_one_list_is_refused(tmp_path: Path, members: dict[str, bytes], code: str) -> None:
    with pytest.raises(FideListError) as refusal, open_list(zipped(tmp_path, **members)):
        pass
    assert refusal.value.code == code


@pytest.mark.parametrize("content", [b"PK\x03\x04", b"PK\x03\x04" + bytes(100)])
def test_broken_zip_is_refused(tmp_path: Path, content: bytes) -> None:
    with (
        pytest.raises(FideListError) as refusal,
        open_list(written(tmp_path, "list.zip", content)),
    ):
        pass
    assert refusal.value.code == "unopened"


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FideListError) as refusal, open_list(tmp_path / "none.txt"):
        pass
    assert refusal.value.code == "unopened"


def test_error_of_the_reader_passes_through(tmp_path: Path) -> None:
    path = packed(tmp_path, "gz")
    with pytest.raises(ZeroDivisionError), open_list(path):
        raise ZeroDivisionError


@pytest.mark.parametrize("form", ["gz", "zip"])
def test_small_archive_of_a_large_list_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr(streams, "UNSUSPICIOUS_BYTES", 2**20)
    large = text_file(LINE * 15_000)
    path = (
        zipped(tmp_path, players_txt=large) if form == "zip" else written(tmp_path, "l", gzip.compress(large))
    )
    assert path.stat().st_size * streams.MAX_RATIO < 2**20 < len(large)
    assert streams.MAX_UNPACKED_BYTES > 2**20

    with open_list(path) as stream, pytest.raises(FideListError) as refusal:
        stream.read()
    assert refusal.value.code == "too-large"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archive_of_another_method_is_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "list.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("players.txt", CONTENT)
    with pytest.raises(FideListError) as refusal, open_list(path):
        pass
    assert refusal.value.code == "compression-unknown"


def test_reading_ends_when_it_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "SECONDS", 0)
    monkeypatch.setattr(streams, "SECONDS_PER_MEGABYTE", 0)
    with (
        open_list(packed(tmp_path, "zip")) as stream,
        pytest.raises(FideListError) as refusal,
    ):
        stream.read()
    assert refusal.value.code == "too-slow"
