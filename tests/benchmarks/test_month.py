"""A small month with many late reports, second versions and corrections, from its first list to the next month."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmarks.reports import (
    AGAIN,
    CORRECTED,
    MADE,
    MANIFEST,
    SHOWN,
    correct_folder,
    write_manifest,
    write_reports,
)
from benchmarks.world import Size, write_list
from ratings.models import CorrectionLine, RatingList, TournamentRating
from ratings.publish.publish import publish_lists
from ratings.verify.verify import verify_list
from tournaments.models import Report

# 1,900 players and 6 reports: 3 late, 3 submitted twice, 3 corrected.
MONTH = Size(0.001, late=0.5, again=0.5, corrected=0.5)
DECEMBER, JANUARY, FEBRUARY, MARCH = date(2025, 12, 1), date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)
NOW = datetime(2026, 3, 1, 0, 10, tzinfo=UTC)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[1, 2], ids=["versions in one call", "second versions in a call of their own"])
def calls(request: pytest.FixtureRequest) -> int:
    calls: int = request.param
    return calls


@pytest.fixture
def reports(transactional_db: None, tmp_path: Path, calls: int) -> Path:
    """The folder of a month whose reports are rated."""
    folder = tmp_path / "reports"
    write_list(tmp_path / "list.txt", MONTH)
    write_reports(folder, MONTH, year=2026, month=1)
    for on in (DECEMBER, JANUARY):
        call_command("import_fide_list", str(tmp_path / "list.txt"), date=on, verbosity=0, json=True)
    firsts = folder / "firsts.csv"
    write_manifest(firsts, folder.glob("*.trf"))
    for manifest in ([firsts] if calls == 2 else []) + [folder / MANIFEST]:
        call_command("submit_reports", str(folder), manifest=manifest, stdout=StringIO())
    return folder


def standing() -> dict[str, str]:
    """Return {file name: SHA-256} of the accepted reports."""
    return dict(Report.objects.filter(state="accepted").values_list("file_name", "sha256"))


def hashes(*folders: Path) -> dict[str, str]:
    """Return {file name: SHA-256} of the files. Files of a later folder replace earlier ones."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in folders
        for path in folder.glob("*.trf")
    }


def test_month_with_late_repeated_and_corrected_reports(reports: Path, calls: int) -> None:
    """Late reports use the list of their start (D-1), second versions replace, corrections follow in March (D-11)."""
    assert standing() == hashes(reports, reports / AGAIN)
    assert Counter(Report.objects.values_list("state", flat=True)) == {"accepted": 6, "replaced": 3}
    # A version that is replaced before its group is rated is never rated.
    unneeded = TournamentRating.objects.filter(report__state="replaced").count()
    assert unneeded == (3 if calls == 2 else 0)
    rated = TournamentRating.objects.filter(report__state="accepted")
    started = rated.values_list("report__tournament__start__month", "basis__date", "standard_basis__date")
    assert Counter(started) == {(12, DECEMBER, DECEMBER): 3, (1, JANUARY, JANUARY): 3}
    if calls == 1:
        return

    publish_lists(FEBRUARY, by=None, at=NOW)
    assert set(rated.values_list("included_in__date", flat=True)) == {FEBRUARY}
    times = correct_folder(reports)
    assert {what: len(seconds) for what, seconds in times.items()} == {SHOWN: 3, MADE: 3}
    assert standing() == hashes(reports, reports / AGAIN, reports / CORRECTED)
    tournaments = CorrectionLine.objects.values("correction__tournament").distinct()
    assert (tournaments.count(), CorrectionLine.objects.exclude(taken_by=None).count()) == (3, 0)

    publish_lists(MARCH, by=None, at=NOW)
    assert set(CorrectionLine.objects.values_list("taken_by__date", flat=True)) == {MARCH}
    lists = RatingList.objects.filter(origin="published")
    found = {(item.kind, item.date): verify_list(item) for item in lists}
    assert found == {(kind, on): None for kind in ("rapid", "blitz") for on in (FEBRUARY, MARCH)}
