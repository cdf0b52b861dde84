"""Submit all reports of a folder, one process of several: `python -m benchmarks.submit FOLDER PART PARTS`.

The same service as `submit_report`, without starting a process a file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.reports import AGAIN

CONTROLS = {"rapid": (900, 10), "blitz": (180, 2)}


def submit_folder(folder: Path, part: int, parts: int) -> int:
    """Submit every `parts`-th report, then their second versions, and return how many were refused."""
    from django.utils import timezone

    from ratings.services.submission import submit_all

    refused = 0
    paths = handed_in(folder, part, parts)
    for path, submission in zip(paths, submit_all(_files(paths), at=timezone.now()), strict=True):
        if not submission.is_accepted:
            refused += 1
            print(path.name, *(str(item.message) for item in submission.refusals), file=sys.stderr)  # noqa: T201
    return refused


def handed_in(folder: Path, part: int, parts: int) -> list[Path]:
    """Return a part's reports in the order in which they come: the version that shall stand after the first."""
    firsts = sorted(folder.glob("*.trf"))[part::parts]
    seconds = [folder / AGAIN / path.name for path in firsts]
    return [*firsts, *(path for path in seconds if path.exists())]


def _files(paths: Iterable[Path]) -> Iterator[Any]:
    from ratings.services.submitted import Submitted, Terms

    for path in paths:
        _, kind, federation = path.stem.split("-")
        base, increment = CONTROLS[kind]
        terms = Terms(
            kind=kind,
            base_seconds=base,
            increment_seconds=increment,
            federation_code=federation,
            # Three days before the first event of December, too (0.2).
            registered_on=date(2025, 11, 20),
            submitted_on=date(2026, 1, 26),
            event_id=path.stem,
        )
        yield Submitted(path.read_bytes(), terms, path.name)


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    django.setup()
    sys.exit(1 if submit_folder(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])) else 0)
