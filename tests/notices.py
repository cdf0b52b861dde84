"""Says, after all runs, what could not be tested on this machine."""

from __future__ import annotations

import os
import shutil
import sys

from tests.e2e.browser import find_chromium

PROGRAMS = {
    "nginx": "the configuration of the proxy",
    "systemd-analyze": "whether systemd takes the units",
    "systemctl": "how the units start, reload and stop",
    "npm": "the TypeScript clients of the API",
    "openapi-generator-cli": "the clients that openapi-generator makes (`make clients`)",
}


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
    for program, what in PROGRAMS.items():
        if shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") is None:
            lines.append(f"NO {program.upper()}: {what} was NOT CHECKED. Install {program}.")
    if os.geteuid() != 0:
        lines.append("NOT ROOT: a full disk under PostgreSQL and the units under systemd were NOT TRIED.")
    return lines


if __name__ == "__main__":
    for line in missing():
        sys.stdout.write(f"\n!!! {line}\n")
