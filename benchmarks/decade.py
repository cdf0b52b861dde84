"""`python -m benchmarks.decade`: cost of pages, an import and a publication with 4 and with 240 lists of each type.

Two databases of one world, filled one after the other, with lists of the months up to December 2025.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

from benchmarks.reports import submission
from benchmarks.steps import MANAGE, ROOT, machine, measure, portal, write_month
from benchmarks.world import Size

FEW, MANY = 4, 240
MOST_TIMES = 1.2
LAST = date(2025, 12, 1)
IMPORTED, PUBLISHED = "2026-01-01", "2026-02-01"
HOUSE = ["-m", "benchmarks.steps", "house"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.decade", description=__doc__)
    parser.add_argument("--size", type=float, default=0.005, help="fraction of FIDE's month")
    parser.add_argument("--lists", type=int, default=MANY, help="of each kind")
    options = parser.parse_args()
    size = Size(options.size, late=0)
    print(  # noqa: T201
        f"{machine()}; {size.players:,} players, processor time\n\n"
        f"| what | {FEW} lists | {options.lists} lists | times |\n|---|---|---|---|"
    )
    few, many = (dict(_costs(size, count)) for count in (FEW, options.lists))
    for what, cost in few.items():
        times = many[what] / cost
        mark = "" if times <= MOST_TIMES else " (missed)"
        print(f"| {what} | {cost:.2f} | {many[what]:.2f} | {times:.2f}{mark} |")  # noqa: T201


def _costs(size: Size, count: int) -> Iterator[tuple[str, float]]:
    """Yield each step's cost with `count` lists of each type: processor seconds, for pages milliseconds."""
    with portal() as (folder, environment):
        source, reports = write_month(folder, size)
        measure("lists", [["-m", "benchmarks.decade", "fill", str(source), str(count - 2)]], environment)
        measure("housekeeping", [HOUSE], environment)
        yield _cost(
            "import of a list (s)", [MANAGE, "import_fide_list", str(source), "--date", IMPORTED], environment
        )
        measure("reports", [submission(reports, 2)], environment)
        yield _cost("both lists published (s)", [MANAGE, "publish_lists", PUBLISHED], environment)
        measure("housekeeping", [HOUSE], environment)
        yield from _pages(environment)


def _cost(what: str, command: list[str], environment: Mapping[str, str]) -> tuple[str, float]:
    done = measure(what, [command], environment)
    return what, done.processor + done.database


def _pages(environment: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Yield the median of each type of page, from the output of `benchmarks.pages`."""
    command = [sys.executable, "-m", "benchmarks.pages"]
    result = subprocess.run(  # noqa: S603 our own command
        command, env=dict(environment), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    for line in result.splitlines()[2:]:
        page, *_, processor = (cell.strip() for cell in line.strip("|").split("|"))
        if processor:
            yield f"page: {page} (ms)", float(processor.removesuffix(" ms"))


def months(count: int) -> list[date]:
    """Return the first days of `count` months up to `LAST`, earliest first."""
    last = LAST.year * 12 + LAST.month - 1
    return [date(at // 12, at % 12 + 1, 1) for at in range(last - count + 1, last + 1)]


def fill(source: Path, count: int) -> None:
    """Import the same combined list for the dates of `count` months, in one process."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    from django.core.management import call_command

    for day in months(count):
        call_command("import_fide_list", str(source), date=day, verbosity=0)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "fill":
        fill(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
