"""Results of `make bench`, stored as JSON with the machine's floors, and shown as ratios.

`python -m benchmarks.results` prints the table of ratios of all stored runs. Seconds differ by a third between two
hours on one machine, the ratio of a step to the floors of its own run hardly differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.steps import Measured

FOLDER = Path(__file__).resolve().parent.parent / "var" / "bench"
READ = "floor: the reports read"
RATED = "floor: read and rated, not stored"
COPIED = "floor: the month's rows copied, no index"
SUBMITTED, PUBLISHED, VERIFIED = (
    "read, check and rate the reports",
    "publish both lists",
    "verify the rapid list",
)
IMPORTED = "import a first list"
# Each ratio: its name, the steps whose seconds are added, the floors that divide them.
RATIOS = (
    ("the month / read, rated, copied", (SUBMITTED, PUBLISHED), (RATED, COPIED)),
    ("reports / read and rated", (SUBMITTED,), (RATED,)),
    ("publishing / rows copied", (PUBLISHED,), (COPIED,)),
    ("import / rows copied", (IMPORTED,), (COPIED,)),
    ("verifying / read and rated", (VERIFIED,), (RATED,)),
)


def keep(machine: str, parts: Mapping[str, Sequence[Measured]], *, reading: Mapping[str, float]) -> Path:
    """Write a run to `var/bench/` and return the path: machine, steps of each part, and readers."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    at = datetime.now(UTC)
    run = {
        "at": at.isoformat(timespec="seconds"),
        "machine": machine,
        "parts": {name: [asdict(step) for step in steps] for name, steps in parts.items()},
        "reading_seconds": dict(reading),
    }
    path = FOLDER / f"{at:%Y-%m-%dT%H%M%S}.json"
    path.write_text(json.dumps(run, indent=1) + "\n")
    return path


def ratios(steps: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """Yield each ratio of a part whose steps and floors were all measured."""
    seconds = {step["name"]: step["seconds"] for step in steps}
    for name, above, below in RATIOS:
        if all(step in seconds for step in (*above, *below)):
            floor = sum(seconds[step] for step in below)
            yield name, sum(seconds[step] for step in above) / floor


def rows(folder: Path = FOLDER) -> Iterator[str]:
    """Yield the table of all runs in a folder, newest first, with the ratios of each part."""
    names = [name for name, *_ in RATIOS]
    yield f"| run | part | {' | '.join(names)} |"
    yield "|---" * (len(names) + 2) + "|"
    for path in sorted(folder.glob("*.json"), reverse=True):
        run = json.loads(path.read_text())
        for part, steps in run["parts"].items():
            found = dict(ratios(steps))
            shown = [f"{found[name]:.2f}" if name in found else "–" for name in names]
            yield f"| {run['at']} | {part} | {' | '.join(shown)} |"


if __name__ == "__main__":
    for row in rows():
        print(row)  # noqa: T201
