"""Says, after all runs, what could not be tested on this machine."""

from __future__ import annotations

import os
import shutil
import sys

from tests.e2e.browser import find_chromium


def missing() -> list[str]:
    """Return a line for each thing that the tests lacked."""
    lines = []
    if find_chromium() is None:
        lines.append("NO CHROMIUM: the browser tests were SKIPPED. Install chromium, or name it in CHROMIUM.")
    if not os.environ.get("REAL_DATA_DIR"):
        lines.append(
            "NO REAL_DATA_DIR: the tests on real lists and reports were SKIPPED. Name their folder in it."
        )
    if shutil.which("xgettext") is None:
        lines.append("NO GNU GETTEXT: whether every text is translated was NOT CHECKED. Install gettext.")
    return lines


if __name__ == "__main__":
    for line in missing():
        sys.stdout.write(f"\n!!! {line}\n")
