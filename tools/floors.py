"""The picture of the floors, drawn from the imports: `python -m tools.floors` writes docs/images/floors.svg.

Each package stands on its floor (the contract `floors` of import-linter), each folder and module in it above what it
imports. Imports run down; one that ran up would be drawn red.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from html import escape
from math import fsum

import grimp

from tools.licences import ROOT

PICTURE = ROOT / "docs" / "images" / "floors.svg"
WIDTH, MARGIN, GAP = 1180, 16, 14
BOX_HEIGHT, BOX_GAP, ROW_GAP, LETTER = 20, 8, 26, 6.3
TITLE = 24
STYLE = """
text { font: 11px ui-monospace, Consolas, Menlo, monospace; fill: #1b2430; text-anchor: middle; }
.title { font: bold 14px system-ui, sans-serif; text-anchor: start; }
.package { fill: #f3f6fa; stroke: #9fb0c3; }
.box { fill: #ffffff; stroke: #5b7086; }
.down { stroke: #33679c; stroke-opacity: .16; fill: none; }
.inside { stroke: #33679c; stroke-opacity: .5; fill: none; }
.up { stroke: #c1121f; stroke-width: 2.5; fill: none; }
"""


def packages() -> list[str]:
    """Return the packages of the portal, those at the top of the repository on which a floor stands."""
    return [name for row in floors() for name in row]


@dataclass(frozen=True, slots=True)
class Box:
    """A folder or module of a package on the picture."""

    name: str
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Room:
    """A package on the picture, with its boxes."""

    name: str
    x: float
    y: float
    width: float
    height: float
    boxes: tuple[Box, ...]


def floors() -> list[list[str]]:
    """Return the packages floor by floor from the top, as the contract of import-linter names them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["id"] == "floors")
    return [[name.strip(" ()") for name in layer.replace("|", ":").split(":")] for layer in layers]


def imports_between(names: Iterable[str]) -> dict[str, set[str]]:
    """Return for each folder or module right inside the packages those that it imports."""
    graph = grimp.build_graph(*names, cache_dir=None, exclude_type_checking_imports=True)
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        if module.count(".") == 0 or ".migrations" in module:
            continue
        targets = found.setdefault(_folder(module), set())
        imported = graph.find_modules_directly_imported_by(module)
        targets |= {_folder(name) for name in imported if name.count(".")} - {_folder(module)}
    return found


def _folder(module: str) -> str:
    return ".".join(module.split(".")[:2])


def ranks(imports: Mapping[str, set[str]], package: str) -> list[list[str]]:
    """Return what stands in a package row by row from the top, each just above what it imports.

    Raises ValueError where folders import each other in a circle.
    """
    inside = {name: targets for name, targets in imports.items() if name.split(".")[0] == package}
    heights: dict[str, int] = {}
    try:
        for name in TopologicalSorter(inside).static_order():
            if name in inside:
                heights[name] = max(
                    (heights[other] + 1 for other in inside[name] if other in inside), default=0
                )
    except CycleError as error:
        raise ValueError(f"These import each other in a circle: {', '.join(error.args[1])}") from error
    top = max(heights.values(), default=-1)
    return [sorted(name for name in heights if heights[name] == height) for height in range(top, -1, -1)]


def draw() -> str:
    """Return the picture as SVG, the same for the same imports."""
    known = set(packages())
    storeys = [[name for name in floor if name in known] for floor in floors()]
    imports = imports_between([name for floor in storeys for name in floor])
    rooms, y = [], float(MARGIN)
    for storey in storeys:
        width = (WIDTH - 2 * MARGIN - GAP * (len(storey) - 1)) / len(storey)
        placed = [
            _room(name, ranks(imports, name), x=MARGIN + number * (width + GAP), y=y, width=width)
            for number, name in enumerate(storey)
        ]
        height = max(room.height for room in placed)
        rooms += [Room(room.name, room.x, room.y, room.width, height, room.boxes) for room in placed]
        y += height + 2 * GAP
    return _svg(rooms, imports, height=y - GAP)


def _room(name: str, rows: Sequence[Sequence[str]], *, x: float, y: float, width: float) -> Room:
    boxes: list[Box] = []
    top = y + TITLE + BOX_GAP
    for row in (line for names in rows for line in _lines(names, width)):
        # Python 3.12 adds floats more exactly than 3.11; `fsum` gives every version the same picture.
        gap = (width - fsum(map(_width, row))) / (len(row) + 1)
        left = x + gap
        for box in row:
            boxes.append(Box(box, round(left, 1), top, _width(box)))
            left += _width(box) + gap
        top += BOX_HEIGHT + ROW_GAP
    return Room(name, round(x, 1), y, round(width, 1), top - ROW_GAP + BOX_GAP - y, tuple(boxes))


def _lines(names: Sequence[str], width: float) -> Iterator[list[str]]:
    """Yield the names of a row in as many lines as they need."""
    line: list[str] = []
    for name in names:
        if line and fsum(map(_width, line)) + _width(name) + BOX_GAP * (len(line) + 2) > width:
            yield line
            line = []
        line.append(name)
    yield line


def _width(name: str) -> float:
    return round(len(name.split(".")[1]) * LETTER + 14, 1)


def _svg(rooms: Sequence[Room], imports: Mapping[str, set[str]], *, height: float) -> str:
    boxes = {box.name: box for room in rooms for box in room.boxes}
    arrows = [
        (boxes[name], boxes[target])
        for name in sorted(imports)
        for target in sorted(imports[name])
        if name in boxes and target in boxes
    ]
    up = sum(target.y <= source.y for source, target in arrows)
    summary = f"{len(arrows)} imports between folders, {up or 'none'} of them up"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="t">',
        f'<title id="t">The floors of the portal: {summary}</title>',
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#fff"/>',
        *(_package(room) for room in rooms),
        *(_arrow(*arrow) for arrow in arrows),
        *(_box(box) for box in boxes.values()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _package(room: Room) -> str:
    return (
        f'<rect class="package" x="{room.x}" y="{room.y}" width="{room.width}" height="{room.height}" rx="6"/>'
        f'<text class="title" x="{room.x + BOX_GAP}" y="{room.y + 18}">{escape(room.name)}</text>'
    )


def _box(box: Box) -> str:
    label = escape(box.name.split(".")[1])
    return (
        f'<rect class="box" x="{box.x}" y="{box.y}" width="{box.width}" height="{BOX_HEIGHT}" rx="3"/>'
        f'<text x="{box.middle:.1f}" y="{box.y + 14}">{label}</text>'
    )


def _arrow(source: Box, target: Box) -> str:
    start, end = source.y + BOX_HEIGHT, target.y
    inside = source.name.split(".")[0] == target.name.split(".")[0]
    kind = "up" if target.y <= source.y else "inside" if inside else "down"
    bend = (end - start) / 2
    return (
        f'<path class="{kind}" d="M{source.middle:.1f} {start}C{source.middle:.1f} {start + bend:.1f} '
        f'{target.middle:.1f} {end - bend:.1f} {target.middle:.1f} {end}"/>'
    )


def upward(svg: str) -> Iterator[str]:
    """Yield the arrows of a picture that run up."""
    yield from (line for line in svg.splitlines() if 'class="up"' in line)


def main(arguments: Sequence[str]) -> int:
    """Write the picture; with `--check`, fail where the one on disk is not that of the code."""
    try:
        picture = draw()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if "--check" in arguments:
        if not PICTURE.exists() or PICTURE.read_text() != picture:
            sys.stderr.write(f"{PICTURE.relative_to(ROOT)} is stale: run `make pictures`.\n")
            return 1
    else:
        PICTURE.write_text(picture)
    return 1 if any(upward(picture)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
