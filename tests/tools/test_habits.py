"""What editors, hooks and workflows do is what make does."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from tools.licences import ROOT

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_hooks_are_the_steps_of_make_lint() -> None:
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe is not None
    steps = recipe[1].replace("$(PY)", ".venv/bin/python").replace("$(VENV)", ".venv").split("\n")[:-1]
    assert [hook["entry"] for hook in repository["hooks"]] == [step.strip() for step in steps]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_calls_targets_of_make(path: Any) -> None:
    [job] = yaml.safe_load(path.read_text())["jobs"].values()
    matrix = job["strategy"]["matrix"]
    targets = matrix.get("target") or [row["target"] for row in matrix["include"]]
    assert set(targets) <= TARGETS
    assert [step["run"] for step in job["steps"] if "run" in step][
        -1
    ] == "make ${{ matrix.target }} PYTHON=python"


def test_issue_forms_are_read() -> None:
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    assert len(forms) == 3
    for path in forms:
        form = yaml.safe_load(path.read_text())
        assert form.keys() == {"name", "description", "body"}
        labels = [field["attributes"]["label"] for field in form["body"] if field["type"] != "markdown"]
        assert len(labels) == len(set(labels))
