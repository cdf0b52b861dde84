"""The architecture page names files that exist, its figures can be written, and imports run one way."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

from supply.structure import PAGE, ROOT, Lines, Structure, packages, update

FILES = sorted(set(re.findall(r"`(\w[\w./-]*(?:\.(?:py|html|md|yaml|toml)|/))`", PAGE.read_text())))
FOUND = Structure(
    modules=470,
    lines=46_000,
    single_importer=9,
    single_importer_small=0,
    long_functions={},
    long_files={},
    templates=Lines(count=100, long=0, longest=120),
    subjects=Lines(count=40, long=0, longest=70),
    journeys={"an upload": ["desk.reports", "tournaments.reports"]},
)


@pytest.mark.parametrize("name", FILES)
def test_file_that_the_page_names_exists(name: str) -> None:
    # A folder that several apps have, as `admin/`, stands for each of them.
    assert (ROOT / name).exists() or any(ROOT.glob(f"*/{name}"))


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph(*packages())

    # `prepare` raises an error that names the circle.
    TopologicalSorter(
        {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    ).prepare()


def test_figures_are_written_into_the_last_column(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    rows = "| lines | 51,782 | 1 |\n| modules in an upload | 54 | |\n| longest template line | 1,214 | |\n"
    page.write_text(f"<!-- an upload -->\nold\n<!-- end -->\n{rows}")

    update(page, FOUND)

    listed = "<!-- an upload -->\n`desk.reports`, `tournaments.reports`\n<!-- end -->\n"
    rows = "| lines | 51,782 | 46,000 |\n| modules in an upload | 54 | 2 |\n| longest template line | 1,214 | 120 |\n"
    assert page.read_text() == listed + rows


def test_page_has_a_row_for_each_measure() -> None:
    text = PAGE.read_text()
    journeys = re.findall(r"^<!-- (?!end)(.+) -->$", text, re.MULTILINE)

    assert len(journeys) == 4
    for name in ("modules", "lines", *(f"modules in {journey}" for journey in journeys)):
        assert f"\n| {name} | " in text
