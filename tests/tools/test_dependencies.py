"""What pyproject.toml asks for is what the lock has."""

from __future__ import annotations

import re
import tomllib
from itertools import chain

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.licences import LOCK, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENTS = [*PROJECT["dependencies"], *chain.from_iterable(PROJECT["optional-dependencies"].values())]
LOCKED = {
    canonicalize_name(name): version
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text(), re.MULTILINE)
}


@pytest.mark.parametrize("wanted", REQUIREMENTS)
def test_lock_has_a_version_that_the_project_asks_for(wanted: str) -> None:
    requirement = Requirement(wanted)

    assert LOCKED[canonicalize_name(requirement.name)] in requirement.specifier


def test_lock_names_no_host() -> None:
    assert "://" not in LOCK.read_text()
    assert "--index-url" not in LOCK.read_text()


def test_licence_is_declared_and_there() -> None:
    assert PROJECT["license"] == "GPL-3.0-or-later"
    assert (ROOT / "LICENSE").read_text().split("\n", 1)[0].strip() == "GNU GENERAL PUBLIC LICENSE"
