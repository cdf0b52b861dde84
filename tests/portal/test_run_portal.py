from __future__ import annotations

import io
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, OutputWrapper

from demo.world import is_empty
from portal.environment import read_environment
from portal.management.commands.run_portal import _box, _make_demonstration, own_name
from portal.presence import be_the_only_one
from portal.processes import ProcessGroup
from tests.processes import PATIENCE, kill_at_once, wait_until
from tests.servers import free_port

# Which database the processes have changes nothing in how they start and end.
pytestmark = pytest.mark.program
ACCOUNT = "  officer@demo.example  secret  officer"


@pytest.fixture(autouse=True)
def no_collected_files() -> Iterator[None]:
    """Delete the static files that the portal collects: pages of later tests would name them by their hashes."""
    yield
    shutil.rmtree(settings.STATIC_ROOT)
    settings.STATIC_ROOT.mkdir()


def of_image(instruction: str) -> list[str]:
    """Return the command of an instruction of the Containerfile."""
    text = (settings.BASE_DIR / "Containerfile").read_text()
    [command] = re.findall(rf"^{instruction} [^\[]*(\[.*\])$", text, re.MULTILINE)
    found: list[str] = json.loads(command)
    return found


def run_portal(
    environment: dict[str, str], *, port: int, log: Path, start: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    manage = [str(settings.BASE_DIR / "manage.py"), "run_portal"]
    command = [sys.executable, *(start[1:] or manage)]
    changed = {"PYTHONPATH": str(settings.BASE_DIR)} if start else {}
    changed |= {"PORT": str(port), "PORTAL_DEMO": "0", "LOG_LEVEL": "INFO", "WEB_WORKERS": "1"}
    with log.open("wb") as output:
        return subprocess.Popen(
            command,
            # A folder in which the portal is not.
            cwd=log.parent,
            env=environment | changed,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def status_of(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310 - our own server
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def processes_with(setting: str) -> set[str]:
    """Return the ids of the processes that have this in their environment."""
    found = set()
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = environ.read_bytes().split(b"\0")
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue
        if setting.encode() in variables:
            found.add(environ.parent.name)
    return found


def test_command_of_the_image_starts_answers_and_leaves_no_process_behind(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    """As docs/containers.md says, without a container; the image itself is tested where containers run."""
    log, port = tmp_path / "log", free_port()
    guide = (settings.BASE_DIR / "docs" / "containers.md").read_text()
    [command] = re.findall(r"`podman run (.*) rating-portal`", guide)
    variables = dict(variable.split("=", 1) for variable in re.findall(r"--env (\S+)", command))
    assert variables.keys() == {"HOST", "SITE_URL"}
    portal = run_portal(process_environment | variables, port=port, log=log, start=of_image("CMD"))
    try:
        wait_until(lambda: "Stop it with Ctrl-C" in log.read_text(), what="the start")
        wait_until(lambda: " ready." in log.read_text(), what="the worker's start")
        _python, option, code = of_image("HEALTHCHECK")
        check = [
            sys.executable,
            option,
            code.replace(":8000/", f":{port}/").replace("=5", f"={PATIENCE}"),
        ]
        assert subprocess.run(check, check=False).returncode == 0
        ready = f"http://127.0.0.1:{port}/health/ready"
        # Once the worker has done its first task.
        wait_until(lambda: status_of(ready) == 200, what="readiness", log=log)
        # This process, a web process with its master, a worker with its pool, beat.
        assert len(processes_with(f"PORT={port}")) >= 6

        portal.send_signal(signal.SIGINT)

        assert portal.wait(PATIENCE) == 0
        assert processes_with(f"PORT={port}") == set()
    finally:
        kill_at_once(portal)


def test_busy_port_is_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, port=port))
        named = rf"Port {port} of 127\.0\.0\.1 .* make run PORT=8001"
        with pytest.raises(CommandError, match=named):
            call_command("run_portal")


def test_a_second_portal_on_the_same_folder_is_told_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    be_the_only_one(tmp_path, "portal", note="http://127.0.0.1:8123")
    with pytest.raises(CommandError, match=r" at http://127\.0\.0\.1:8123/"):
        call_command("run_portal")


def test_last_thing_printed_is_the_address_and_the_accounts() -> None:
    lines = _box("http://127.0.0.1:8000", [ACCOUNT]).splitlines()
    assert lines[1] == lines[-1] == "-" * len(lines[1])
    assert [line.rpartition(" ")[2] for line in lines[2:4]] == [
        "http://127.0.0.1:8000/",
        "http://127.0.0.1:8000/accounts/login/",
    ]
    assert lines[4].endswith(f" {settings.VAR_DIR}")
    assert (lines[5:8], "Ctrl-C" in lines[8]) == (["", ACCOUNT, ""], True)


def test_accounts_are_printed_where_the_portal_does_not_start() -> None:
    assert ACCOUNT in _box("", [ACCOUNT])


@pytest.mark.parametrize(
    ("variables", "name"),
    [
        ({"HOST": "0.0.0.0", "SITE_URL": "http://localhost:8000"}, "localhost"),  # noqa: S104
        ({"ALLOWED_HOSTS": ".example.org,www.example.net"}, "example.org"),
    ],
)
def test_the_portal_is_asked_by_a_name_that_it_answers_to(
    variables: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)

    assert own_name(read_environment()) == name


@pytest.mark.django_db
@pytest.mark.slow
def test_a_stop_cancels_the_demonstration_without_changes() -> None:
    processes = ProcessGroup({})
    processes._request_stop(signal.SIGINT, None)
    with pytest.raises(CommandError, match="Cancelled"):
        _make_demonstration(OutputWrapper(io.StringIO()), processes)
    assert is_empty()
