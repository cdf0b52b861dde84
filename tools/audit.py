"""Known faults of the locked libraries: `python -m tools.audit`, with pip-audit.

Exit codes: 0 none known, 1 some are known, 3 nothing was learned because the service did not answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.licences import LOCK

CLEAN, FOUND, UNKNOWN = 0, 1, 3


def main(arguments: Sequence[str]) -> int:
    """Ask about every locked library and say what is known; arguments go to pip-audit."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        done = _ask(answer, arguments)
        # pip-audit ends with 1 for a fault and for a service that is away: only an answer tells them apart.
        if not answer.exists():
            # The last line names the cause; those before it are pip-audit's own.
            sys.stderr.write("\n".join(done.stderr.strip().splitlines()[-1:]) + "\n")
            sys.stderr.write("WARNING: the service of known faults was not reached; nothing is known.\n")
            return UNKNOWN
        found = list(_faults(json.loads(answer.read_text())))
    for line in found:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{len(found)} known faults in the libraries of {LOCK.name}.\n")
    return FOUND if found else CLEAN


def _ask(answer: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCK), "--disable-pip"]
    command += ["--require-hashes", "--progress-spinner", "off", "--format", "json", "--output", str(answer)]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)  # noqa: S603


def _faults(answer: dict[str, Any]) -> Iterator[str]:
    for library in answer["dependencies"]:
        for fault in library.get("vulns", []):
            fixed = ", ".join(fault["fix_versions"]) or "no version yet"
            yield f"{library['name']} {library['version']}: {fault['id']}, put right in {fixed}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
