"""Says in one line what could not be tested on this machine: after all runs, and after those of `make test-machine`."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from typing import Any

from tests.e2e.browser import find_chromium


def missing() -> list[str]:
    """Return what `make test` lacked, with what to do."""
    found = []
    if find_chromium() is None:
        found.append("pages in a browser (install chromium-headless-shell or chromium, or set CHROMIUM)")
    if not os.environ.get("REAL_DATA_DIR"):
        found.append("real lists and reports (name their folder in REAL_DATA_DIR)")
    if shutil.which("xgettext") is None:
        found.append("whether every text is translated (install gettext)")
    return found


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which tests this machine skipped, and why."""
    reasons = Counter(
        str(report.longrepr[2]).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        told = "; ".join(f"{reason} ({number})" for reason, number in reasons.items())
        terminalreporter.write_line(f"NOT TRIED: {told}")


if __name__ == "__main__":
    if lacking := missing():
        sys.stdout.write(f"\nNOT TESTED HERE: {'; '.join(lacking)}.\n")
