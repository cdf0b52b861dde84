from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from portal.processes import ProcessGroup
from tests.processes import PATIENCE, wait_until

pytestmark = pytest.mark.program


@pytest.fixture(autouse=True)
def own_signals() -> Iterator[None]:
    """Put the handlers back that a group has replaced."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


SLEEP = python("import time; time.sleep(60)")


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[1]
    except FileNotFoundError:
        return False


def test_end_of_one_child_ends_the_wait_with_its_status() -> None:
    with ProcessGroup({"web": SLEEP, "worker": python("raise SystemExit(7)")}) as group:
        assert group.wait(PATIENCE)
        assert group.exit_statuses() == {"worker": 7}

    assert group.exit_statuses() == {"worker": 7, "web": -signal.SIGTERM}


def test_signal_ends_the_wait_while_children_run() -> None:
    with ProcessGroup({"web": SLEEP}) as group:
        assert not group.wait(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        assert group.wait(PATIENCE)
        assert group.exit_statuses() == {}


def test_child_of_a_child_is_not_left_behind(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    started = f"pathlib.Path({str(note)!r}).write_text(str(subprocess.Popen({SLEEP!r}).pid))"
    parent = python(f"import pathlib, subprocess, time; {started}; time.sleep(60)")

    with ProcessGroup({"worker": parent}):
        wait_until(lambda: note.exists() and note.read_text() != "")
        grandchild = int(note.read_text())
        assert is_alive(grandchild)

    wait_until(lambda: not is_alive(grandchild))


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells a child that its parent is gone")
def test_children_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    writes = f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()))"
    child = python(f"import os, pathlib, time; {writes}; time.sleep(60)")
    code = f"from portal.processes import ProcessGroup\nwith ProcessGroup({{'web': {child!r}}}) as group: group.wait()"
    parent = subprocess.Popen(python(code))
    wait_until(lambda: note.exists() and note.read_text() != "")

    parent.kill()
    parent.wait()

    wait_until(lambda: not is_alive(int(note.read_text())))


def test_a_child_that_ends_is_started_again_after_a_growing_pause(tmp_path: Path) -> None:
    note = tmp_path / "starts"
    code = f"""
import os, pathlib, signal, time
note = pathlib.Path({str(note)!r})
with note.open("a") as file:
    file.write(f"{{time.monotonic()}}\\n")
if len(note.read_text().splitlines()) == 4:
    os.kill(os.getppid(), signal.SIGTERM)
    time.sleep(60)
raise SystemExit(7)
"""
    with ProcessGroup({"web": SLEEP, "worker": python(code)}) as group:
        group.keep_running(first_pause=0.2)

    starts = [float(line) for line in note.read_text().splitlines()]
    pauses = [later - before for before, later in pairwise(starts)]
    assert all(pause >= least for pause, least in zip(pauses, (0.2, 0.4, 0.8), strict=True))
    assert group.exit_statuses() == {"web": -signal.SIGTERM, "worker": -signal.SIGTERM}
