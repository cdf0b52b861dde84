from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from portal.presence import AlreadyThereError, be_the_only_one, present, show_presence
from tests.faults.processes import start

ADDRESS = "http://127.0.0.1:8000"


def test_a_second_one_is_told_where_the_first_is_and_a_killed_one_leaves_the_place(tmp_path: Path) -> None:
    read, write = os.pipe()

    def hold() -> None:
        be_the_only_one(tmp_path, "portal", note=ADDRESS)
        show_presence(tmp_path, "worker")
        os.write(write, b"x")
        signal.pause()

    first = start(hold)
    os.read(read, 1)
    with pytest.raises(AlreadyThereError, match=ADDRESS):
        be_the_only_one(tmp_path, "portal", note="another")
    assert present(tmp_path) == ["portal", "worker"]

    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)

    assert present(tmp_path) == []
    be_the_only_one(tmp_path, "portal", note="another")
    assert present(tmp_path) == ["portal"]


def test_several_of_a_kind_run_on_a_folder(tmp_path: Path) -> None:
    show_presence(tmp_path, "web")
    show_presence(tmp_path, "web")

    assert present(tmp_path) == ["web"]
