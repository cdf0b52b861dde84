"""The picture of a report's way, drawn from the table below: `python -m supply.way` writes docs/images/way.svg.

A module comes once, below whatever handed it the report: the way has no return. With `--run`, the table is compared
with the modules that really run on a demonstration.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from supply.structure import ROOT, module_name, run_journeys, sources

PICTURE = ROOT / "docs" / "images" / "way.svg"


@dataclass(frozen=True, slots=True)
class Step:
    """A module on the way, what it does with the report, and what it hands on."""

    module: str
    does: str
    hands_on: str


STAGES: Mapping[str, Sequence[Step]] = {
    "Upload": (
        Step("core.web.files", "refuses a request that is too large", "bytes"),
        Step("desk.tournaments.reports", "checks who sends, and the form", "bytes, user, day"),
        Step("tournaments.services.reports", "locks the tournament", "bytes"),
        Step("tournaments.services.checking", "collects refusals and issues", "bytes"),
        Step("tournaments.trf.reader", "reads every line", "report, issues of lines"),
        Step("tournaments.services.checks.people", "compares players and federations", "issues"),
        Step("tournaments.services.checks.event", "compares registration and other events", "issues"),
        Step("tournaments.trf.checks", "checks the report against itself", "issues"),
        Step("tournaments.models.report", "stores the version", "file with SHA-256, issues"),
    ),
    "Acceptance": (
        Step("core.bulk", "writes the report's rows", "participants, games"),
        Step("tournaments.services.trail", "writes the audit log", "who, when, why"),
        Step("ratings.services.due_runs", "stores the job", "job that is due"),
    ),
    "Rating": (
        Step("ratings.services.rating", "collects ratings before the tournament", "fields of players"),
        Step("ratings.systems.registry", "finds the regulations of the first day", "regulations"),
        Step("ratings.systems.otb.tournament", "rates each game", "changes with reasons"),
    ),
    "Publishing": (
        Step(
            "ratings.services.publication.periods", "collects list, reports, corrections", "state of players"
        ),
        Step("ratings.systems.otb.period", "adds up the month", "new ratings, K-factors"),
        Step("ratings.services.publication.results", "stores the calculation", "results"),
        Step("ratings.services.publication.entries", "stores the list", "entries"),
        Step("ratings.services.publication.files", "writes files and manifest", "files with SHA-256"),
    ),
    "Reading": (
        Step("ratings.queries.profile", "reads published rows", "values"),
        Step("public.players.player", "shows the page", "HTML"),
    ),
}
JOURNEYS = {
    "Upload": "an upload",
    "Acceptance": "an acceptance",
    "Rating": "the publishing of a list",
    "Publishing": "the publishing of a list",
    "Reading": "a player page",
}
# The modules of these stages begin one after the other; in the others one asks the next.
IN_ORDER = ("Upload", "Acceptance")
WIDTH, MARGIN, LEFT, LABEL = 1180, 12, 110, 230
ROW, BOX_HEIGHT, LETTER, HEAD = 46, 22, 6.3, 30
STYLE = """
text { font: 11px ui-monospace, Consolas, Menlo, monospace; fill: #1b2430; }
.stage { font: bold 14px system-ui, sans-serif; }
.floor { font: bold 12px system-ui, sans-serif; fill: #5b7086; text-anchor: middle; }
.module { text-anchor: middle; }
.told { font: 11px system-ui, sans-serif; fill: #43566b; }
.band { fill: #f3f6fa; }
.box { fill: #ffffff; stroke: #5b7086; }
.arrow { stroke: #33679c; stroke-width: 1.4; fill: none; marker-end: url(#head); }
"""
MARKER = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8Z" fill="#33679c"/></marker></defs>'
)


def steps() -> list[Step]:
    """Return the steps of all stages in order."""
    return [step for stage in STAGES.values() for step in stage]


def problems() -> Iterator[str]:
    """Yield what is wrong with the table: modules that do not exist, and those that come twice."""
    there = {module_name(path) for path in sources()}
    passed: set[str] = set()
    for step in steps():
        if step.module not in there:
            yield f"{step.module} does not exist."
        if step.module in passed:
            yield f"{step.module} comes twice."
        passed.add(step.module)


def strayed(journeys: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield modules that the journey of their stage did not run through, or ran through in another order.

    Models have no function of their own to run. Publishing rates too what is not rated yet.
    """
    for stage, journey in JOURNEYS.items():
        ran = journeys[journey]
        wanted = [step.module for step in STAGES[stage] if ".models" not in step.module]
        yield from (f"{module} did not run in {journey}." for module in wanted if module not in ran)
        places = [ran.index(module) for module in wanted if module in ran]
        if stage in IN_ORDER and places != sorted(places):
            yield f"{stage}: the modules ran in another order, {', '.join(m for m in ran if m in wanted)}."


def draw() -> str:
    """Return the picture as SVG."""
    columns = _columns()
    rows = {step.module: HEAD + MARGIN + number * ROW for number, step in enumerate(steps())}
    height = HEAD + 2 * MARGIN + ROW * len(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="w">',
        f'<title id="w">The way of a report through {len(rows)} modules, from the upload to the page</title>',
        f"<style>{STYLE}</style>{MARKER}",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *_bands(rows),
        *(f'<text class="floor" x="{x:.0f}" y="20">{escape(name)}</text>' for name, x in columns.items()),
        *_arrows(rows, columns),
        *(_box(step, rows[step.module], columns[_package(step.module)]) for step in steps()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _columns() -> dict[str, float]:
    """Return the middle of each package, in the order in which they are passed."""
    names = list(dict.fromkeys(_package(step.module) for step in steps()))
    width = (WIDTH - LEFT - LABEL) / len(names)
    return {name: LEFT + width * (number + 0.5) for number, name in enumerate(names)}


def _package(module: str) -> str:
    return module.split(".")[0]


def _bands(rows: Mapping[str, int]) -> Iterator[str]:
    for number, (name, stage) in enumerate(STAGES.items()):
        top = rows[stage[0].module] - 10
        if number % 2 == 0:
            yield f'<rect class="band" y="{top}" width="{WIDTH}" height="{ROW * len(stage)}"/>'
        yield f'<text class="stage" x="{MARGIN}" y="{top + 26}">{escape(name)}</text>'


def _arrows(rows: Mapping[str, int], columns: Mapping[str, float]) -> Iterator[str]:
    modules = list(rows)
    for first, second in pairwise(modules):
        start, end = rows[first] + BOX_HEIGHT, rows[second] - 1
        left, right = columns[_package(first)], columns[_package(second)]
        yield (
            f'<path class="arrow" d="M{left:.1f} {start}C{left:.1f} {start + 16} {right:.1f} {end - 16} '
            f'{right:.1f} {end}"/>'
        )


def _box(step: Step, y: int, middle: float) -> str:
    width = len(step.module) * LETTER + 16
    told = f"{step.does} → {step.hands_on}"
    return (
        f'<rect class="box" x="{middle - width / 2:.1f}" y="{y}" width="{width:.1f}" height="{BOX_HEIGHT}" rx="3"/>'
        f'<text class="module" x="{middle:.1f}" y="{y + 15}">{escape(step.module)}</text>'
        f'<text class="told" x="{middle + width / 2 + 8:.1f}" y="{y + 15}">{escape(told)}</text>'
    )


def main(arguments: Sequence[str]) -> int:
    """Write the picture; with `--check`, fail where the one on disk is stale. Fail where the table is wrong."""
    found = list(problems())
    if "--run" in arguments:
        found += strayed(run_journeys())
    picture = draw()
    if "--check" not in arguments:
        PICTURE.write_text(picture)
    elif not PICTURE.exists() or PICTURE.read_text() != picture:
        found.append(f"{PICTURE.relative_to(ROOT)} is stale: run `make pictures`.")
    sys.stderr.writelines(f"{problem}\n" for problem in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
