"""Every program of the API's first page runs as it stands there, against a portal that serves."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from api.documentation import START, programs
from players.webhooks import signature
from tests.api.conftest import Month
from tests.processes import PATIENCE, wait_until

pytestmark = pytest.mark.program
SECRET = "secret of a webhook"
COMMANDS = {"sh": ("curl", "sh"), "py": (sys.executable, sys.executable), "mjs": ("node", "node")}
PRINTED = {"rating": "Müller, José", "list": "Adams, Eva", "check": "check digit"}
Run = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


@pytest.fixture
def start(tmp_path: Path, port: int) -> Iterator[Run]:
    """Return a function that starts a program of the page in a folder; it ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(name: str, portal: str = "", secret: str = SECRET) -> subprocess.Popen[str]:
        needed, command = COMMANDS[name.rpartition(".")[2]]
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed")
        [text] = [one[2] for task in programs(portal, "1001").values() for one in task if one[0] == name]
        (tmp_path / name).write_text(text.replace("8001", str(port)), encoding="utf-8")
        process = subprocess.Popen(
            [command, name], cwd=tmp_path, env={**os.environ, "WEBHOOK_SECRET": secret}, text=True,
            stdout=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


@pytest.mark.parametrize("ending", COMMANDS)
def test_programs_print_what_they_ask_for(
    live_server: LiveServer, month_alone: Month, tmp_path: Path, start: Run, ending: str
) -> None:
    shutil.copy(START / "open.trf", tmp_path)
    for task, wanted in PRINTED.items():
        process = start(f"{task}.{ending}", live_server.url)
        printed, _ = process.communicate(timeout=PATIENCE)
        # One of them writes a file.
        printed += "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("*.csv"))
        assert (process.returncode, wanted in printed) == (0, True), (task, printed)


def deliver(port: int, secret: str, at: int) -> int:
    """Send what the portal sends; return the answer's status."""
    body, timestamp = b'{"event": "list.published", "data": {"kind": "rapid"}}', str(at)
    headers = {"X-Portal-Timestamp": timestamp, "X-Portal-Signature": signature(secret, timestamp, body)}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("POST", "/", body, headers)
        return connection.getresponse().status


def is_open(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("name", ["webhook.py", "webhook.mjs"])
def test_receiver_takes_deliveries_of_the_portal_alone(start: Run, port: int, name: str) -> None:
    receiver, now = start(name), int(time.time())
    wait_until(lambda: is_open(port), what="the receiver")
    answers = [deliver(port, SECRET, now), deliver(port, "another", now), deliver(port, SECRET, now - 301)]
    # Anybody may call it: without the headers it refuses, and goes on.
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("POST", "/", b"{}")
        answers.append(connection.getresponse().status)
    sent, _ = start("webhook.sh").communicate(timeout=PATIENCE)
    receiver.kill()
    printed, _ = receiver.communicate()
    assert (answers, sent) == ([204, 403, 403, 403], "204\n")
    assert [line.split()[0] for line in printed.splitlines()] == ["list.published", "test"]
