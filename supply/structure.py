"""Measures of the project's own code: `python -m supply.structure` prints them, `--json` as JSON.

Migrations and tests are left out. The packages are those at the top of the repository, so that a new one counts.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FUNCTION, LONGEST_FILE = 40, 400
LONGEST_TEMPLATE_LINE, LONGEST_SUBJECT = 120, 72
SMALL_MODULE = 60
TEMPLATES = (".html", ".svg", ".txt", ".xml", ".jinja")
JOURNEYS = "supply.journeys"
PAGE = ROOT / "docs" / "architecture.md"


@dataclass(frozen=True, slots=True)
class Lines:
    """How many lines there are, how many of them are too long, and the length of the longest."""

    count: int
    long: int
    longest: int

    @property
    def share(self) -> float:
        """The share of long lines in percent, rounded to one place."""
        return round(100 * self.long / self.count, 1) if self.count else 0.0


@dataclass(frozen=True, slots=True)
class Structure:
    """The measures; `journeys` has the modules that each journey of `supply.journeys` ran through."""

    modules: int
    lines: int
    single_importer: int
    single_importer_small: int
    long_functions: dict[str, int]
    long_files: dict[str, int]
    templates: Lines
    subjects: Lines
    journeys: dict[str, list[str]]


def packages() -> list[str]:
    """Return the project's top-level packages without the tests, sorted."""
    return sorted(path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests")


def sources() -> list[Path]:
    """Return the files of the project's own code, without migrations and tests, sorted."""
    inside = (path for name in packages() for path in (ROOT / name).rglob("*.py"))
    return sorted([*ROOT.glob("*.py"), *(path for path in inside if "migrations" not in path.parts)])


def module_name(path: Path) -> str:
    """Return the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def measure(*, commits: str | None, journeys: bool) -> Structure:
    """Measure the working tree, and the commit subjects of a range of git (empty: all; None: none)."""
    sizes = {path: len(path.read_text().splitlines()) for path in sources()}
    single = single_importers()
    small = {module_name(path) for path, lines in sizes.items() if lines < SMALL_MODULE}
    return Structure(
        modules=len(sizes),
        lines=sum(sizes.values()),
        single_importer=len(single),
        single_importer_small=len(single & small),
        long_functions=dict(long_functions(sizes)),
        long_files={_path(path): lines for path, lines in sizes.items() if lines > LONGEST_FILE},
        templates=measure_lines(template_lines(), most=LONGEST_TEMPLATE_LINE),
        subjects=measure_lines(subjects(commits) if commits is not None else [], most=LONGEST_SUBJECT),
        journeys=run_journeys() if journeys else {},
    )


def single_importers() -> set[str]:
    """Return the modules that only one other module uses.

    A package that opens its modules, and the addresses of views, are no use of their own: such modules are not counted.
    """
    graph = grimp.build_graph(*packages(), cache_dir=None)
    found = set()
    for name in graph.modules:
        importers = graph.find_modules_that_directly_import(name)
        if ".migrations" not in name and len(importers) == 1 and not _only_opens(graph, *importers):
            found.add(name)
    return found


def _only_opens(graph: grimp.ImportGraph, importer: str) -> bool:
    return bool(graph.find_children(importer)) or "urls" in importer.split(".")


def long_functions(paths: Iterable[Path]) -> Iterator[tuple[str, int]]:
    """Yield the functions that are too long, as `file:name`, with their lines."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LONGEST_FUNCTION:
                    yield f"{_path(path)}:{node.name}", lines


def template_lines() -> Iterator[str]:
    """Yield the lines of all text templates."""
    for path in sorted((ROOT / "templates").rglob("*")):
        if path.suffix in TEMPLATES:
            yield from path.read_text().splitlines()


def subjects(commits: str) -> list[str]:
    """Return the subjects of the commits in a range of git, of all for an empty one; none outside a clone."""
    if not (ROOT / ".git").exists():
        return []
    command = ["git", "log", "--format=%s", *([commits] if commits else []), "--"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.splitlines()


def measure_lines(lines: Iterable[str], *, most: int) -> Lines:
    """Count lines, those longer than `most` characters, and find the longest."""
    lengths = [len(line) for line in lines]
    return Lines(
        count=len(lengths), long=sum(length > most for length in lengths), longest=max(lengths, default=0)
    )


def run_journeys() -> dict[str, list[str]]:
    """Return the modules that each journey ran through; a process of its own makes the portal for them."""
    done = subprocess.run([sys.executable, "-m", JOURNEYS], cwd=ROOT, stdout=subprocess.PIPE, check=True)  # noqa: S603
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def figures(found: Structure) -> dict[str, object]:
    """Return the measures by name."""
    templates, subjects = found.templates, found.subjects
    rows: list[tuple[str, object]] = [
        ("modules", found.modules),
        ("lines", found.lines),
        ("modules with a single importer", found.single_importer),
        (f"of these under {SMALL_MODULE} lines", found.single_importer_small),
        (f"functions over {LONGEST_FUNCTION} lines", len(found.long_functions)),
        (f"files over {LONGEST_FILE} lines", len(found.long_files)),
        (f"template lines over {LONGEST_TEMPLATE_LINE} characters", f"{templates.share}%"),
        ("longest template line", templates.longest),
    ]
    if subjects.count:
        name = f"commit subjects over {LONGEST_SUBJECT} characters"
        rows.append((name, f"{subjects.long} of {subjects.count}"))
    rows += [(f"modules in {name}", len(modules)) for name, modules in found.journeys.items()]
    return dict(rows)


def table(found: Structure) -> str:
    """Return the measures as a Markdown table, and below it what is too long by name."""
    rows, named = figures(found).items(), {**found.long_functions, **found.long_files}
    lines = ["| measure | figure |", "|---|---|", *(f"| {name} | {figure} |" for name, figure in rows)]
    return "\n".join([*lines, *(f"{where}: {length} lines" for where, length in named.items())]) + "\n"


def update(page: Path, found: Structure) -> None:
    """Write the measures into the last column of a page's table, and the journeys where the page lists them."""
    text = page.read_text()
    for name, figure in figures(found).items():
        row = re.compile(rf"^(\| {re.escape(name)} \|.*\|)[^|]*\|$", re.MULTILINE)
        shown = f"{figure:,}" if isinstance(figure, int) else figure
        text = row.sub(rf"\g<1> {shown} |", text)
    for name, modules in found.journeys.items():
        listed = fill(", ".join(f"`{module}`" for module in modules), width=130, break_on_hyphens=False)
        block = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(?=<!-- end -->)", re.DOTALL)
        text = block.sub(rf"\g<1>{listed}\n", text)
    page.write_text(text)


def _path(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main(arguments: Sequence[str]) -> int:
    """Print the measures."""
    parser = argparse.ArgumentParser(prog="python -m supply.structure", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON, the modules of journeys by name")
    parser.add_argument("--no-journeys", action="store_true", help="read the code only, run nothing")
    parser.add_argument("--commits", metavar="RANGE", default="", help="commits to count (default: all)")
    parser.add_argument("--update", action="store_true", help=f"write the figures into {_path(PAGE)}")
    options: Any = parser.parse_args(arguments)
    found = measure(commits=options.commits, journeys=not options.no_journeys)
    if options.update:
        update(PAGE, found)
    sys.stdout.write(json.dumps(asdict(found), indent=2) + "\n" if options.json else table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
