"""How long each test took in the last run of each kind of run: `make test-times`.

The times are those on the clock, set-up and tear-down included: compare them within a run only.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / ".pytest_cache" / "times"
SLOWEST = 30

_seconds: defaultdict[str, float] = defaultdict(float)
_kinds: dict[str, str] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the parts of a test."""
    _seconds[report.nodeid] += report.duration
    _kinds[report.nodeid] = str(dict(report.user_properties).get("kind", ""))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the times of a named run; the process that hands out the tests knows them all."""
    name = os.environ.get("TEST_RUN")
    if not name or "PYTEST_XDIST_WORKER" in os.environ or not _seconds:
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    times = {test: (_kinds[test], round(seconds, 3)) for test, seconds in _seconds.items()}
    (FOLDER / f"{name}.json").write_text(json.dumps(times, indent=0), encoding="utf-8")


def main() -> None:
    """Print the time of each kind and folder and the slowest tests of every run that is kept."""
    files = sorted(FOLDER.glob("*.json"))
    if not files:
        sys.exit("No times are kept: run `make test` or `make check` first.")
    for file in files:
        times = json.loads(file.read_text(encoding="utf-8"))
        whole = sum(seconds for _kind, seconds in times.values())
        _print(f"== {file.stem}: {len(times)} tests, {whole:.0f} s in all processes together")
        _print_sums("kind", [(kind, seconds) for kind, seconds in times.values()])
        _print_sums("folder", [(_folder(test), seconds) for test, (_kind, seconds) in times.items()])
        _print(f"slowest {SLOWEST}")
        slowest = sorted(times.items(), key=lambda item: -item[1][1])[:SLOWEST]
        for test, (_kind, seconds) in slowest:
            _print(f"{seconds:9.2f}  {test}")


def _print_sums(what: str, parts: list[tuple[str, float]]) -> None:
    sums: defaultdict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for name, seconds in parts:
        sums[name] += seconds
        counts[name] += 1
    _print(f"{'seconds':>9}  {'tests':>6}  {what}")
    for name, seconds in sorted(sums.items(), key=lambda item: -item[1]):
        _print(f"{seconds:9.1f}  {counts[name]:6}  {name}")


def _folder(test: str) -> str:
    return "/".join(test.partition("::")[0].split("/")[:-1][:3])


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
