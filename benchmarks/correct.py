"""Correct published reports by the files in `corrected` of a folder, one by one: `python -m benchmarks.correct FOLDER`.

As FIDE staff do: preview each correction, then make it.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks.reports import CORRECTED

ON = date(2026, 2, 10)
# The seconds of each call, written beside the reports.
TIMES = "corrected.json"
SHOWN, MADE = "a correction's effect shown", "the correction made"


def correct_folder(folder: Path) -> dict[str, list[float]]:
    """Make the corrections and return the seconds of each call. Raise RefusedError if one is refused."""
    times: dict[str, list[float]] = {SHOWN: [], MADE: []}
    for path in sorted((folder / CORRECTED).glob("*.trf")):
        for what, seconds in _corrected(path):
            times[what].append(seconds)
    return times


def _corrected(path: Path) -> Iterator[tuple[str, float]]:
    from django.utils import timezone

    from ratings.services.corrections.correct import correct_report
    from tournaments.models import Tournament

    for what in (SHOWN, MADE):
        began = time.perf_counter()
        correct_report(
            Tournament.objects.get(event_id=path.stem),
            path.read_bytes(),
            file_name=path.name,
            reason="A game's result was noted wrongly.",
            by=None,
            on=ON,
            at=timezone.now(),
            is_dry_run=what == SHOWN,
        )
        yield what, time.perf_counter() - began


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    reports = Path(sys.argv[1])
    (reports / TIMES).write_text(json.dumps(correct_folder(reports)))
