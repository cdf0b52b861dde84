"""The generated month is the same on any machine, and resembles a month of FIDE."""

from __future__ import annotations

import csv
import hashlib
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.reports import AGAIN, CORRECTED, MANIFEST, write_reports
from benchmarks.world import Size, fide_id, index_of, write_list
from tournaments.trf import Report, check_report, read_report

SMALL, FULL = Size(0.01), Size(1)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("month") / "reports"
    write_reports(folder, SMALL, year=2026, month=1)
    return folder


def digest(folder: Path) -> str:
    """Return the SHA-256 of all files in a folder, in order of path."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.t*")):
        whole.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def read(path: Path) -> Report:
    return read_report(path.read_bytes())


def test_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    """The digest is the same on every platform and Python, so results of two machines are comparable."""
    tiny = Size(0.001, late=0.5, again=0.5, corrected=0.5)
    write_list(tmp_path / "list.txt", tiny)
    write_reports(tmp_path / "reports", tiny, year=2026, month=1)
    assert digest(tmp_path) == "0834f60ce90547e3af99a4e66b18e9db5a0718b2789240b16d499c58bdaf211a"


def test_list_is_sorted_by_name_like_fides_list(tmp_path: Path) -> None:
    write_list(tmp_path / "list.txt", Size(0.01))
    lines = (tmp_path / "list.txt").read_text().splitlines()[1:]
    names, ids = [line[15:76] for line in lines], [int(line[:15]) for line in lines]
    assert (len(set(ids)), names) == (19_000, sorted(names))
    assert ids != sorted(ids)


def test_late_second_and_corrected_reports_are_shares_of_the_month(reports: Path) -> None:
    found = [len(list(folder.glob("*.trf"))) for folder in (reports, reports / AGAIN, reports / CORRECTED)]
    assert found == [60, 1, 1]
    months = Counter(str(read(path).end)[:7] for path in reports.glob("*.trf"))
    assert months == {"2026-01": 58, "2025-12": 2}


def test_full_month_is_of_fides_size() -> None:
    assert (FULL.players, FULL.reports, FULL.games) == (1_900_000, 6_000, 1_512_000)


def test_every_file_is_a_report_without_issues(reports: Path) -> None:
    """Real reports usually have no issues. Issues of every line would be stored with every report."""
    findings = [finding for path in reports.rglob("*.trf") for finding in check_report(read(path))]
    assert findings == []


def test_fide_ids_lead_back_to_their_players() -> None:
    indexes = [*range(100), FULL.players - 1]
    assert [index_of(fide_id(index)) for index in indexes] == indexes


@pytest.mark.parametrize("kind", [AGAIN, CORRECTED])
def test_second_version_differs_in_one_game(reports: Path, kind: str) -> None:
    for path in (reports / kind).glob("*.trf"):
        former, later = read(reports / path.name), read(path)
        assert (former.name, former.end, former.round_dates) == (later.name, later.end, later.round_dates)
        changed = set(former.games()) ^ set(later.games())
        assert len(changed) == 2
        assert len({(game.round, game.white, game.black) for game in changed}) == 1
    assert list((reports / kind).glob("*.trf")) != []


def test_manifest_has_every_report_and_second_versions_a_day_later(reports: Path) -> None:
    with (reports / MANIFEST).open(encoding="utf-8", newline="") as file:
        rows = {reports / row["file"]: row["submitted_on"] for row in csv.DictReader(file)}
    firsts, seconds = set(reports.glob("*.trf")), set((reports / AGAIN).glob("*.trf"))
    assert rows == {**dict.fromkeys(firsts, "2026-01-26"), **dict.fromkeys(seconds, "2026-01-27")}
    assert seconds != set()
