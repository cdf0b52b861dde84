"""The whole file system of `PORTAL_VAR_DIR` is full: pages are read, what would write is told why it cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from portal.health import CHECKS, NotReadyError
from tests.faults.disks import mount_in_own_space, require_mounts
from tests.faults.processes import end, start

pytestmark = pytest.mark.machine
PAGES = ["/", "/lists/", "/search?q=alder", "/federations/", "/rules/", "/health/live"]
EXERCISE = """
import contextlib, http.client, json, os, pathlib, socket, subprocess, sys, time
from tests.faults.disks import mount_in_own_space
folder, pages = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2])
mount_in_own_space(folder, size=64 << 20)
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
environment = os.environ | {"PORTAL_VAR_DIR": str(folder), "PORT": str(port), "WEB_WORKERS": "2"}
manage = [sys.executable, "manage.py"]
subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
web = subprocess.Popen(
    [sys.executable, "-m", "gunicorn", "--config", "python:portal.gunicorn_conf", "portal.wsgi"],
    env=environment, stderr=open(sys.argv[3], "w"))

def asked(page, method="GET", body=None):
    call = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        call.request(method, page, body, {"Content-Type": "application/x-www-form-urlencoded"} if body else {})
        answer = call.getresponse()
        answer.read()
        return answer.status
    except OSError as error:
        return type(error).__name__
    finally:
        call.close()

try:
    deadline = time.monotonic() + 60
    while asked("/health/live") != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    with contextlib.suppress(OSError), open(folder / "filler", "wb", buffering=0) as filler:
        while True:
            filler.write(b"x" * (1 << 16))
    with contextlib.suppress(OSError), open(folder / "filler2", "wb", buffering=0) as filler:
        while True:
            filler.write(b"x")
    read = [asked(page) for _ in range(10) for page in pages]
    words = ["mark_federation", "SUI", "--excluded-from", "2027-01-01"]
    command = subprocess.run([*manage, *words], env=environment, capture_output=True, text=True)
    print(json.dumps({"read": read, "code": command.returncode, "said": command.stdout + command.stderr}))
finally:
    web.terminate()
    web.wait()
"""


def test_pages_are_read_while_the_folder_is_full(tmp_path: Path) -> None:
    require_mounts(tmp_path)
    folder = tmp_path / "var"
    folder.mkdir()
    left_out = ("DATABASE_URL", "REDIS_URL", "DJANGO_ALLOW_ASYNC_UNSAFE", "PROMETHEUS_MULTIPROC_DIR")
    done = subprocess.run(
        [sys.executable, "-c", EXERCISE, str(folder), json.dumps(PAGES), str(tmp_path / "log")],
        cwd=settings.BASE_DIR,
        env={name: value for name, value in os.environ.items() if name not in left_out},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + (tmp_path / "log").read_text()[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])

    assert found["read"] == [200] * 60
    assert found["code"] == 1
    (sentence,) = found["said"].strip().splitlines()
    assert "The disk is full" in sentence


def test_a_full_folder_is_not_ready(tmp_path: Path) -> None:
    """A file of no bytes has a place on a full disk: what is written meets its end."""
    require_mounts(tmp_path)

    def exercise() -> None:
        mount_in_own_space(tmp_path, size=1 << 20)
        with override_settings(VAR_DIR=tmp_path):
            CHECKS["var"]()
            with suppress(OSError), (tmp_path / "filler").open("wb", buffering=0) as filler:
                while True:
                    filler.write(b"x" * 512)
            with pytest.raises(NotReadyError, match="the disk is full"):
                CHECKS["var"]()

    assert end(start(exercise)) == 0
