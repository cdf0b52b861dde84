#!/usr/bin/env python3
"""Check docs/openapi.yaml with the programs of other people: `make clients`.

With Node.js: Redocly and Spectral find no error and no warning, and openapi-typescript's types compile. With Java and
`pip install openapi-generator-cli`: openapi-generator's clients for Python and TypeScript are made, and compile. What
is missing is named and left out. Exit 1 if any of them fails. The tests call every operation of generated clients.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

SCHEMA = Path(__file__).resolve().parent.parent / "docs" / "openapi.yaml"
PACKAGES = (
    "@redocly/cli@2",
    "@stoplight/spectral-cli@6",
    "openapi-typescript@7",
    "typescript@5",
)
TSC = ("--noEmit", "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "bundler")
GENERATOR = "openapi-generator-cli"


def run(folder: Path, *command: str) -> str:
    """Run a program; its output where it fails, else nothing."""
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)  # noqa: S603
    return (done.stdout + done.stderr)[-4000:] if done.returncode else ""


def npm_program(folder: Path, name: str) -> str:
    """Return the path of a program that npm has put into the folder."""
    return str(folder / "node_modules" / ".bin" / name)


def redocly(folder: Path) -> str:
    return run(folder, npm_program(folder, "redocly"), "lint", "--max-problems", "50", str(SCHEMA))


def spectral(folder: Path) -> str:
    (folder / ".spectral.yaml").write_text('extends: ["spectral:oas"]\n')
    return run(folder, npm_program(folder, "spectral"), "lint", "--fail-severity", "warn", str(SCHEMA))


def typescript(folder: Path) -> str:
    made = run(folder, npm_program(folder, "openapi-typescript"), str(SCHEMA), "--output", "schema.d.ts")
    return made or run(folder, npm_program(folder, "tsc"), *TSC, "schema.d.ts")


def generated_python(folder: Path) -> str:
    made = run(folder, GENERATOR, "generate", "-i", str(SCHEMA), "-g", "python", "-o", "python")
    return made or run(folder, sys.executable, "-m", "compileall", "-q", "python")


def generated_typescript(folder: Path) -> str:
    made = run(folder, GENERATOR, "generate", "-i", str(SCHEMA), "-g", "typescript-fetch", "-o", "ts")
    return made or run(folder, npm_program(folder, "tsc"), *TSC, "--lib", "es2022,dom", "ts/index.ts")


# What each needs on the machine.
CHECKS: dict[str, tuple[Callable[[Path], str], tuple[str, ...]]] = {
    "Redocly": (redocly, ("npm",)),
    "Spectral": (spectral, ("npm",)),
    "openapi-typescript and tsc": (typescript, ("npm",)),
    "openapi-generator, Python": (generated_python, ("java", GENERATOR)),
    "openapi-generator, TypeScript and tsc": (generated_typescript, ("java", GENERATOR, "npm")),
}


def main() -> int:
    """Run what can be run; 1 where anything fails."""
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if shutil.which("npm"):
            print(run(folder, "npm", "install", "--silent", "--no-audit", *PACKAGES), end="")
        for title, (check, needs) in CHECKS.items():
            missing = [program for program in needs if not shutil.which(program)]
            problem = "" if missing else check(folder)
            failed |= bool(problem)
            outcome = (
                f"skipped, {' and '.join(missing)} missing" if missing else "failed" if problem else "done"
            )
            print(f"{title}: {outcome}")
            if problem:
                print(problem)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
