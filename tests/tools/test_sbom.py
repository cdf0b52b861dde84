"""The bill of materials: every locked library with its version and hashes, the same bytes each time."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tools.licences import LOCK, ROOT, locked_names

pytestmark = pytest.mark.program


def command(output: Path) -> list[str]:
    """Return the command of `make sbom`, writing elsewhere."""
    [line] = [line for line in (ROOT / "Makefile").read_text().splitlines() if "cyclonedx-py" in line]
    words = shlex.split(line.strip().lstrip("@").replace("$(VENV)/bin", str(Path(sys.executable).parent)))
    return [str(output) if word == "var/sbom.json" else word for word in words]


def test_bill_names_every_locked_library_with_its_hashes(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for output in (first, second):
        # Whether it is a valid bill takes most of the time: `make sbom` looks at that.
        subprocess.run([*command(output), "--no-validate"], cwd=ROOT, check=True, capture_output=True)

    found = json.loads(first.read_text())["components"]
    hashes = [
        item["content"]
        for one in found
        for reference in one["externalReferences"]
        for item in reference["hashes"]
    ]

    assert first.read_bytes() == second.read_bytes()
    assert sorted((one["name"] for one in found), key=str.lower) == locked_names()
    assert {f"{one['name']}=={one['version']}" for one in found} == set(
        re.findall(r"^[^\s#-]\S*==\S+", LOCK.read_text(), re.MULTILINE)
    )
    assert sorted(hashes) == sorted(re.findall(r"--hash=sha256:(\w+)", LOCK.read_text()))
