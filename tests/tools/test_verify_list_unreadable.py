"""The verifier in one file on files that are no lists and no bundles: one clear line and exit 2, never a traceback."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.tools.verifier import Files, run

LIST = {"kind": "rapid", "date": "2026-02-01", "rules": "fide-rapid-blitz-2024", "players": []}
HEAD: Mapping[str, Any] = {
    "format": 1,
    "kind": "rapid",
    "date": "2026-03-01",
    "active_since": "2025-04-01",
    "adoptions": [{"from": "2024-01-01", "text": "fide-rapid-blitz-2024"}],
    "members": {},
    "persons": {},
    "joined": {},
    "files": {},
    "previous": None,
    "listed": 0,
    "rules": "fide-rapid-blitz-2024",
}
NESTED = b'{"a":' * 200_000


def bundle(*members: tuple[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    target = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", compression) as archive:
        warnings.simplefilter("ignore")
        for name, content in members:
            archive.writestr(name, content)
    return target.getvalue()


def damaged() -> bytes:
    """Return a compressed bundle with bytes that no packer writes in its middle."""
    content = bytearray(
        bundle(("evidence.json", json.dumps(HEAD).encode() * 9), compression=zipfile.ZIP_DEFLATED)
    )
    content[60:90] = bytes(range(225, 255))
    return bytes(content)


HEAD_MEMBER = ("evidence.json", json.dumps(HEAD).encode())
LONG_CELL = b'fide_id,reason\n1,"' + b"x" * 200_000
EVIDENCE: Mapping[str, Callable[[], bytes]] = {
    "head nested": lambda: bundle(("evidence.json", NESTED)),
    "report nested": lambda: bundle(HEAD_MEMBER, ("reports.jsonl", NESTED)),
    "head no object": lambda: bundle(("evidence.json", b"[]")),
    "head twice": lambda: bundle(HEAD_MEMBER, HEAD_MEMBER),
    "reports twice": lambda: bundle(HEAD_MEMBER, ("reports.jsonl", b""), ("reports.jsonl", b"{}")),
    "packed bytes damaged": damaged,
    "cell too long": lambda: bundle(HEAD_MEMBER, ("left.csv", LONG_CELL)),
    "files no object": lambda: bundle(("evidence.json", json.dumps({**HEAD, "files": [1]}).encode())),
}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    found = Files(*(tmp_path / name for name in ("before.json", "evidence.zip", "new.json")))
    for path in (found.before, found.new):
        path.write_text(json.dumps(LIST))
    return found


@pytest.mark.parametrize("name", EVIDENCE)
def test_bundle_that_cannot_be_read_is_wrong_use(
    name: str, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    files.evidence.write_bytes(EVIDENCE[name]())
    assert run(files) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n"), told.err[:15]) == ("", 1, "verify_list.py:")


@pytest.mark.parametrize("content", [NESTED, b"fide_id,name\n1," + b'"' + b"x" * 200_000])
def test_list_that_cannot_be_read_is_wrong_use(content: bytes, files: Files) -> None:
    files.evidence.write_bytes(bundle(HEAD_MEMBER))
    files.new.write_bytes(content)
    assert run(files) == 2


def test_manifest_that_cannot_be_read_is_wrong_use(files: Files, tmp_path: Path) -> None:
    files.evidence.write_bytes(bundle(HEAD_MEMBER))
    manifest = tmp_path / "manifest.json"
    manifest.write_bytes(NESTED)
    assert run(files, "--manifest", str(manifest)) == 2


@pytest.mark.parametrize("seed", range(40))
def test_bundle_with_some_other_bytes_ends_in_an_answer(seed: int, files: Files) -> None:
    random = Random(seed)
    content = bytearray(bundle(HEAD_MEMBER, ("left.csv", b"fide_id,reason\n1,deceased\n")))
    for _ in range(random.randint(1, 6)):
        content[random.randrange(len(content))] = random.randrange(256)
    files.evidence.write_bytes(content)
    assert run(files) in (1, 2)
