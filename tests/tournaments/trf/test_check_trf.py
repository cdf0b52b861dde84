"""`check_trf`: files, folders and standard input, text and JSON, without a database."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.trf.reports import BASE, player_changed
from tournaments.management.commands.check_trf import Command

BOTH_WHITE = player_changed(4, ("3 b =", "3 w ="))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of a good report, a bad one deeper in it, and a file that is no report."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "good.trf").write_text(BASE)
    (tmp_path / "deep" / "bad.TXT").write_text(BOTH_WHITE)
    (tmp_path / "table.csv").write_text("a,b")
    return tmp_path


def checked(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of the command."""
    output = io.StringIO()
    try:
        call_command("check_trf", *arguments, stdout=output)
    except SystemExit as ended:
        return int(ended.code or 0), output.getvalue()
    return 0, output.getvalue()


def test_a_good_report_ends_with_0(folder: Path) -> None:
    name = str(folder / "good.trf")
    code, line = checked(name)
    assert (code, re.findall(r" (\d+) ", line.removeprefix(name))) == (0, ["4", "6", "0", "0", "0"])


def test_json_has_the_documented_shape(folder: Path) -> None:
    code, output = checked("--json", str(folder / "deep" / "bad.TXT"))
    document = json.loads(output)
    (file,) = document["files"]
    assert (code, list(document), list(file)) == (1, ["files"], ["file", "players", "games", "findings"])
    assert (file["players"], file["games"]) == (4, 5)
    assert file["findings"] == [
        {
            "code": "colours-same",
            "severity": "error",
            "line": line,
            "column": 97,
            "message": found["message"],
            "fix": None,
        }
        for line, found in zip((15, 16), file["findings"], strict=True)
    ]


def test_a_folder_is_read_with_all_below_it(folder: Path) -> None:
    code, output = checked("--json", str(folder))
    names = [file["file"] for file in json.loads(output)["files"]]
    assert (code, names) == (1, [str(folder / "deep" / "bad.TXT"), str(folder / "good.trf")])


def test_text_marks_the_column(folder: Path) -> None:
    name = str(folder / "deep" / "bad.TXT")
    lines = checked(name)[1].splitlines()
    shown = BOTH_WHITE.splitlines()[14]
    assert lines[1].startswith(f"{name}:15:97: error colours-same: ")
    assert lines[2:4] == [f"  | {shown}", f"  | {' ' * 96}^"]


@pytest.mark.parametrize("name", ["missing.trf", "empty"])
def test_what_is_not_there_is_wrong_use(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError) as refused:
        checked(str(tmp_path / name))
    assert refused.value.returncode == 2


def test_a_crosstable_among_reports_is_a_finding_of_its_own(folder: Path) -> None:
    rows = "No.;Name;Rtg;1.Rd;2.Rd;Pts.\n1;Zarnik, Olvo;1900;2w1;3b1;2\n2;Tor, Mira;1800;1b0;;0\n"
    (folder / "table.csv").write_text(rows)
    (folder / "event.papi").write_bytes(b"\x00\x01\x00\x00Standard Jet DB\x00")

    names = [str(folder / name) for name in ("good.trf", "table.csv", "event.papi")]
    code, output = checked("--json", *names)

    codes = [[found["code"] for found in file["findings"]] for file in json.loads(output)["files"]]
    assert (code, codes) == (1, [[], ["table-file"], ["program-database"]])


@pytest.mark.program
@pytest.mark.slow
def test_standard_input_is_checked_without_a_database() -> None:
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    command = [sys.executable, "manage.py", "check_trf", "--json", "-"]
    root = Path(__file__).parents[3]
    ended = subprocess.run(
        command, input=BASE.encode(), capture_output=True, cwd=root, env=environment, check=False
    )
    assert (ended.returncode, json.loads(ended.stdout)["files"][0]["games"]) == (0, 6)


def test_no_file_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "check_trf"])
    assert (ended.value.code, "FILE" in capsys.readouterr().err) == (2, True)
