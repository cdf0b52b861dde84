"""FIDE's own files (REAL_DATA_DIR): every record comes in, none is changed on the way."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from players.models import Player
from ratings.models import ListEntry, RatingList
from tests import make
from tests.ratings.alphaville import publish
from tests.tools import verifier

pytestmark = pytest.mark.django_db


def test_combined_list_of_2018_comes_in(real_data: Path) -> None:
    path = real_data / "lists" / "players_list_foa_2018-12_first1000.txt"
    result = make.run("import_fide_list", str(path), "--date", "2018-12-01")
    assert (result["players"]["read"], result["problem_count"]) == (999, 0)
    assert Player.objects.count() == 999
    assert [item["listed"] for item in result["lists"]] == [
        ListEntry.objects.filter(rating_list__kind=item["kind"]).count() for item in result["lists"]
    ]
    assert set(RatingList.objects.values_list("rules", flat=True)) == {""}


def test_federation_download_is_refused(real_data: Path) -> None:
    path = real_data / "lists" / "icu_federation_player_file_sample.xml"
    with pytest.raises(make.RefusedCommandError) as refused:
        make.run("import_fide_list", str(path), "--date", "2026-01-01")
    assert refused.value.args[0]["codes"] == ["federation-download"]
    assert Player.objects.count() == 0


def test_one_kind_of_a_list_of_2012_comes_in(real_data: Path) -> None:
    path = real_data / "lists" / "icu_players_list_sample_2012.xml"
    result = make.run("import_fide_list", str(path), "--date", "2012-11-01", "--kind", "standard")
    assert result["problem_count"] == 0
    assert result["players"]["created"] == Player.objects.count() == result["players"]["read"]


@pytest.mark.slow
def test_list_after_a_real_report_follows_from_its_evidence(
    real_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rapid event of 129 players of November 2024, by the ratings that FIDE's list has of them."""
    report = real_data / "trf" / "crete_friendship_cup_2024_rapid_team.trf"
    ids = {
        line[57:68].strip() for line in report.read_text(encoding="utf-8").splitlines() if line[:3] == "001"
    }
    with gzip.open(real_data / "lists" / "players_list_foa_2025-01.txt.gz", "rt", encoding="utf-8") as source:
        lines = [line for line in source if line[:15].strip() in ids or line.startswith("ID Number")]
    combined = tmp_path / "players_list_foa.txt"
    combined.write_text("".join(lines), encoding="utf-8")
    make.run("import_fide_list", str(combined), "--date", "2024-11-01")

    answer = make.run(
        "submit_report", str(report), "--kind", "rapid", "--time-control", "15+10", "--federation", "GRE",
        "--registered-on", "2024-10-01", "--submitted-on", "2024-11-25",
    )  # fmt: skip
    publish("2024-12-01")

    published = RatingList.objects.get(kind="rapid", date=answer["list"])
    assert published.entries.filter(games__gt=0).count() > 50
    codes = [
        verifier.run(verifier.download(published, tmp_path, before="txt", new=new)) for new in ("txt", "xml")
    ]
    assert (codes, capsys.readouterr().err) == ([0, 0], "")
