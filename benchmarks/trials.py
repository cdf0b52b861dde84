"""`python -m benchmarks.trials`: trials of texts on a year of a generated world, and the rating health of its lists.

The year is played month by month: reports submitted, both lists published. Then the proposed amendment and the proposal
`cap 500, K 30` are tried on all its lists, as in the workshop. Each trial is compared with a second calculation, by the
public verifier. If they differ, the players are named and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

from benchmarks.reports import submission, write_reports
from benchmarks.steps import Measured, measure
from benchmarks.world import FULL_PLAYERS, Size, write_list
from ratings.systems.otb.rules import months_after
from ratings.systems.variants import Parameters

ROOT = Path(__file__).resolve().parent.parent
FIRST = date(2025, 11, 1)
AMENDED, CAP_500_K_30 = "fide-rapid-blitz-2024-12", "cap 500, K 30"
# By the names in `benchmarks.tried_again`.
TRIED: dict[str, Parameters] = {
    AMENDED: Parameters(AMENDED),
    CAP_500_K_30: Parameters("fide-rapid-blitz-2024", cap=500, k=30),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=50_000)
    parser.add_argument("--months", type=int, default=12)
    parser.add_argument("--try-on", metavar="YEAR-MONTH,...", help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.try_on:
        _try(options.name, [date.fromisoformat(day) for day in options.try_on.split(",")])
        return
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PORTAL_VAR_DIR": f"{folder}/var", "LOG_LEVEL": "WARNING"}
        print("| step | wall | processor | peak memory | each |\n|---|---|---|---|---|")  # noqa: T201
        size = Size(options.players / FULL_PLAYERS, late=0, again=0, corrected=0)
        for step in _year(size, options.months, Path(folder), environment):
            print(step.row(), flush=True)  # noqa: T201


def _year(size: Size, months: int, folder: Path, environment: dict[str, str]) -> list[Measured]:
    """Play a year. Return the cost, the cost of measuring rating health, and each trial."""
    manage = str(ROOT / "manage.py")
    source = folder / "list.txt"
    with ProcessPoolExecutor(1) as generator:
        generator.submit(write_list, source, size).result()
    measure("migrate", [[manage, "migrate", "--verbosity=0"]], environment)
    measure("import", [[manage, "import_fide_list", str(source), "--date", FIRST.isoformat()]], environment)
    began = time.monotonic()
    days = [months_after(FIRST, number) for number in range(1, months + 1)]
    for number, day in enumerate(days):
        played = months_after(day, -1)
        reports = folder / f"reports-{day.isoformat()}"
        write_reports(reports, size, year=played.year, month=played.month, first=10_000 * number)
        measure("submit", [submission(reports, 2)], environment)
        measure("publish", [[manage, "publish_lists", day.isoformat()]], environment)
    print(f"the year: {time.monotonic() - began:.0f} s", file=sys.stderr)  # noqa: T201
    games = size.games * months
    steps = [measure("measure the pools of all lists", [[manage, "measure_lists"]], environment)]
    for name in TRIED:
        wanted = ",".join(day.isoformat() for day in days)
        command = ["-m", "benchmarks.trials", "--try-on", wanted, "--name", name]
        steps.append(measure(f"try {name} on all lists", [command], environment))
    return [step.for_each(games, "game") for step in steps]


def _try(name: str, days: list[date]) -> None:
    """Try a text on the lists of some months, as a worker does, and compare it with a second calculation."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
    import django

    django.setup()
    from django.utils import timezone

    from benchmarks.tried_again import disagreements, ratings_under
    from ratings.models import TextTrial
    from ratings.services.text_trials import lists_of, perform_trial

    lists, _missing = lists_of(days)
    tried = TRIED[name]
    trial = TextTrial.objects.create(
        name="" if tried.changes_nothing else name,
        text=tried.text,
        parameters=tried.as_row(),
        lists=[f"{item.kind} {item.date.isoformat()}" for item in lists],
        at=timezone.now(),
    )
    began = time.monotonic()
    perform_trial(trial.pk)
    seconds = time.monotonic() - began
    trial.refresh_from_db()
    faults = [
        f"{row['kind']} {row['date']}: {fault}"
        for item, row in zip(lists, trial.results, strict=True)
        for fault in disagreements(row, ratings_under(item, name))
    ]
    players, games = (sum(row[key] for row in trial.results) for key in ("players", "games"))
    told = f"{len(lists)} lists in {seconds:.0f} s, {games} games concerned, {players} ratings differ"
    print(f"{name}: {told}; {len(faults)} differences from the second calculation", file=sys.stderr)  # noqa: T201
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
