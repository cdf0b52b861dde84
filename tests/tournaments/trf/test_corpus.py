"""The runner over folders of reports: agreement with a second reader, and what does not agree."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tournaments.trf.corpus import main
from tests.tournaments.trf.reports import BASE, player_changed

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_all_real_files_agree_with_the_second_reader(
    real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(str(real_data / "trf")) == 0
    assert "10 of 10 files agree" in capsys.readouterr().out


def test_a_file_that_the_second_reader_reads_otherwise_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.trf").write_text(BASE, encoding="utf-8")
    (tmp_path / "half.trf").write_text(player_changed(4, ("3 b =", "3 b ½")), encoding="utf-8")

    assert main(str(tmp_path)) == 1
    good, half, line = capsys.readouterr().out.splitlines()[:3]
    assert re.findall(r" (\d+) ", good) == ["4", "6", "36", "0", "0", "0"]
    assert re.findall(r" (\d+) ", half) == ["4", "6", "35", "0", "0", "1"]
    assert line == "  line 16: (3, 'b', '=') here, (3, 'b', '½') there"


@pytest.mark.program
def test_the_command_of_make_corpus_runs_without_settings(tmp_path: Path) -> None:
    (tmp_path / "good.trf").write_text(BASE, encoding="utf-8")
    command = [sys.executable, "-m", "tests.tournaments.trf.corpus", str(tmp_path)]
    alone = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=alone)
    assert (done.returncode, done.stderr) == (0, "")
    assert "1 of 1 files agree" in done.stdout


def test_a_folder_without_reports_is_no_success(tmp_path: Path) -> None:
    assert main(str(tmp_path)) == 1
