#!/usr/bin/env python3
"""Check docs/openapi.yaml with the linters Redocly and Spectral, from npm: a part of `make clients`.

Exit 1 where one finds an error or a warning. Without npm both are skipped, and named.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEMA = Path(__file__).resolve().parent.parent / "docs" / "openapi.yaml"
PACKAGES = ("@redocly/cli@2", "@stoplight/spectral-cli@6")
LINTERS = {
    "Redocly": ("redocly", "lint", "--max-problems", "50"),
    "Spectral": ("spectral", "lint", "--fail-severity", "warn"),
}


def run(folder: Path, *command: str) -> str:
    """Run a program; its output where it fails, else nothing."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)  # noqa: S603
    return (done.stdout + done.stderr)[-4000:] or "failed" if done.returncode else ""


def main() -> int:
    """Run both linters; 1 where one finds something."""
    if shutil.which("npm") is None:
        print(f"{' and '.join(LINTERS)}: skipped, npm is missing")
        return 0
    problems = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n')
        if problem := run(folder, "npm", "install", "--silent", "--no-audit", *PACKAGES):
            print(problem)
            return 1
        for title, (program, *options) in LINTERS.items():
            problems[title] = run(folder, f"node_modules/.bin/{program}", *options, str(SCHEMA))
            print(f"{title}: {problems[title] or 'no error, no warning'}")
    return int(any(problems.values()))


if __name__ == "__main__":
    sys.exit(main())
