"""Client generators that `make setup` does not install. Without them the tests are skipped."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest

from tests.api.operations import SCHEMA

OPENAPI_GENERATOR = "openapi-generator-cli"


def is_missing(what: str) -> NoReturn:
    """Skip the test, or fail it with REQUIRE_CLIENTS=1 (`make clients`)."""
    if os.environ.get("REQUIRE_CLIENTS", "0") not in ("", "0"):
        pytest.fail(f"REQUIRE_CLIENTS=1, but {what} cannot be used here.")
    pytest.skip(f"needs {what}: `make clients`")


def generate(language: str, folder: Path, *options: str) -> None:
    """Generate the client of openapi-generator for a language in the folder."""
    generator = shutil.which(OPENAPI_GENERATOR)
    if generator is None or shutil.which("java") is None:
        is_missing("Java and openapi-generator-cli")
    command = [generator, "generate", "-i", str(SCHEMA), "-g", language, "-o", str(folder), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
