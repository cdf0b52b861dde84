"""systemd's own checks of the units in deploy/."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.operations.test_deploy import DEPLOY, UNITS

pytestmark = pytest.mark.machine


@pytest.fixture
def program() -> str:
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd-analyze is not installed")
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_accepts_the_unit(unit: str, program: str, tmp_path: Path) -> None:
    text = (DEPLOY / "systemd" / unit).read_text().replace("/srv/portal", str(tmp_path))
    command = text.split("ExecStart=")[1].split()[0]
    Path(command).parent.mkdir(parents=True, exist_ok=True)
    Path(command).write_text("#!/bin/sh\n")
    Path(command).chmod(0o755)
    name = tmp_path / unit.replace("@", "@one")
    name.write_text(text)
    # A service names its socket.
    for other in (DEPLOY / "systemd").glob("*.socket"):
        shutil.copy(other, tmp_path)

    done = subprocess.run(
        [program, "verify", "--man=no", str(name)], capture_output=True, text=True, check=False
    )

    assert [line for line in done.stderr.splitlines() if unit.split(".")[0].rstrip("@") in line] == []


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_the_unit_shut_off(unit: str, program: str) -> None:
    # The scale goes from 0 to 100; a unit without any of these settings is at 92.
    command = [program, "security", "--offline=true", "--threshold=20", str(DEPLOY / "systemd" / unit)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze looks at no unit that is not loaded")
    assert done.returncode == 0, done.stdout.splitlines()[-1]
