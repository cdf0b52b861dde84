"""A small month of whole reports, for what breaks in the middle of it: the generator of the benchmarks."""

from __future__ import annotations

from datetime import date
from io import StringIO
from pathlib import Path

from django.core.management import call_command

from benchmarks.reports import MANIFEST, write_reports
from benchmarks.world import Size, write_list
from ratings.choices import RunState, Work
from ratings.models import ListFile, ParticipantRating, RatingList, Run, TournamentRating
from tournaments.choices import Stage
from tournaments.models import Tournament

FIRST = date(2026, 1, 1)
MONTH = date(2026, 2, 1)
# 950 players, and reports of 56 players and 9 rounds.
SMALL = Size(0.0005, late=0)
# One report, large enough that reading and writing it takes a while.
PLAYERS = [(1_300_001 + number, f"Alder, Ada {number}") for number in range(80)]
GAMES = [[(white, white + 40, "1-0") for white in range(1, 41)]] * 9


def play_a_month(folder: Path, *, size: Size = SMALL) -> None:
    """Import a list, then register, check, accept and rate the reports of January 2026."""
    write_a_month(folder, size=size)
    read_list(folder)
    read_reports(folder)


def write_a_month(folder: Path, *, size: Size = SMALL) -> None:
    """Write the list of January 2026 and the reports of its tournaments."""
    write_list(folder / "list.txt", size)
    write_reports(folder / "reports", size, year=2026, month=1)


def read_list(folder: Path) -> None:
    """Import the list."""
    call_command("import_fide_list", str(folder / "list.txt"), date=FIRST, verbosity=0, json=True)


def read_reports(folder: Path) -> None:
    """Register, check, accept and rate the reports."""
    reports = folder / "reports"
    call_command("submit_reports", str(reports), manifest=reports / MANIFEST, stdout=StringIO())


def unrate() -> list[str]:
    """Take the ratings back, so that they are due again; return the reports' keys as tasks take them."""
    ParticipantRating.objects.all().delete()
    TournamentRating.objects.all().delete()
    Tournament.objects.update(stage=Stage.REPORTED)
    Run.objects.filter(work=Work.RATE).update(
        state=RunState.DUE, attempts=0, claimed_at=None, finished_at=None
    )
    return list(Run.objects.filter(work=Work.RATE).order_by("pk").values_list("subject", flat=True))


def hashes() -> dict[str, str]:
    """Return {path: SHA-256} of the month's list files."""
    return dict(
        ListFile.objects.filter(rating_list__date=MONTH).order_by("path").values_list("path", "sha256")
    )


def lists_of_the_month() -> list[str]:
    """Return the kinds of the lists that the month has."""
    return sorted(RatingList.objects.filter(date=MONTH).values_list("kind", flat=True))
