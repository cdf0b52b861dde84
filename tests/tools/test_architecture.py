"""The architecture page names files that exist, and no modules import each other in a circle."""

from __future__ import annotations

import re
import tomllib
from graphlib import TopologicalSorter

import grimp
from django.conf import settings

ROOT = settings.BASE_DIR

PAGE = ROOT / "docs" / "architecture.md"


def test_files_that_the_page_names_exist() -> None:
    names = set(re.findall(r"`(\w[\w./-]*(?:\.(?:py|html|md|yaml|toml)|/))`", PAGE.read_text()))

    # A folder that several apps have, as `admin/`, stands for each of them.
    missing = [name for name in names if not (ROOT / name).exists() and not any(ROOT.glob(f"*/{name}"))]
    assert names
    assert missing == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    graph = grimp.build_graph(*settings["root_packages"])

    # `prepare` raises an error that names the circle.
    TopologicalSorter(
        {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    ).prepare()
