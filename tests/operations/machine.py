"""A machine of its own for the units of deploy/: systemd runs there as process 1."""

from __future__ import annotations

import contextlib
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from tests.processes import PATIENCE, kill_at_once, wait_until
from tests.servers import free_port

SYSTEMD = Path("/usr/lib/systemd/systemd")
PROGRAMS = ("unshare", "nsenter", "setpriv", "systemctl", "ps")
BOOT = Path(__file__).with_name("machine.sh")
START_SECONDS = 180.0
SECRET = "k9vJ2mQx7Rt4Wz8Yb3Nc6Pd1" * 3


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine that runs: its process 1 as this one numbers it, and where its portal answers."""

    process: int
    address: str

    def run(self, *command: str, fails: bool = False, seconds: float = PATIENCE) -> str:
        """Run a command there as root and return what it prints; AssertionError where it fails, or does not."""
        inside = [
            "nsenter",
            f"--target={self.process}",
            "--pid",
            "--mount",
            "--cgroup",
            "--ipc",
            "--uts",
            "--net",
        ]
        inside += ["--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *command]
        done = subprocess.run(inside, capture_output=True, text=True, timeout=seconds, check=False)
        assert (done.returncode != 0) == fails, f"{command}: {done.stdout}{done.stderr}"
        return (done.stdout + done.stderr).strip()

    def manage(self, *arguments: str, release: str = "current") -> str:
        """Run the command of a release there by root, as docs/operations.md says."""
        command = f"/srv/portal/{release}/.venv/bin/rating-portal"
        return self.run("env", "LD_LIBRARY_PATH=/opt/python/lib", command, *arguments)

    def property_of(self, unit: str, name: str) -> str:
        """Return what systemd says of a unit, as `MainPID`."""
        return self.run("systemctl", "show", "--value", f"--property={name}", unit)

    def log(self) -> str:
        """Return what the units have written to their log."""
        return self.run("cat", "/var/log/portal.log")


@contextlib.contextmanager
def machine(folder: Path, *, is_bare: bool = False) -> Iterator[Machine]:
    """Start a machine with the portal of this checkout, an empty database and units that are not started yet.

    A bare one has the code, nothing installed, and a network of its own.

    Skips the test where this machine lets none be started: that takes Linux, root, systemd, and an interpreter that
    others may read.
    """
    if os.geteuid() != 0:
        pytest.skip("another machine is started by root alone")
    if not SYSTEMD.exists() or [name for name in PROGRAMS if shutil.which(name) is None]:
        pytest.skip("systemd, util-linux or procps is not installed")
    if not all(parent.stat().st_mode & 0o001 for parent in Path(sys.base_prefix).resolve().parents):
        pytest.skip("other users than this one cannot read the interpreter's libraries")
    port = free_port()
    # Its name is that of a control group of this machine too.
    folder = folder / f"machine-{os.getpid()}-{port}"
    folder.mkdir()
    for unit in (settings.BASE_DIR / "deploy" / "systemd").iterdir():
        shutil.copy(unit, folder)
    (folder / "portal.env").write_text(
        f"SITE_URL=http://127.0.0.1:{port}\nWEB_WORKERS=2\nLOG_LEVEL=INFO\nSECRET_KEY={SECRET}\n"
        "PORTAL_VAR_DIR=/srv/portal/var\n"
    )
    socket = folder / "portal-web.socket"
    socket.write_text(socket.read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
    arguments = [str(folder), str(settings.BASE_DIR), sys.base_prefix, site.getsitepackages()[0]]
    arguments += ["bare"] if is_bare else []
    with (folder / "log").open("wb") as log:
        boot = subprocess.Popen(
            ["bash", str(BOOT), *arguments], stdout=log, stderr=log, start_new_session=True
        )
    try:
        wait_until(
            lambda: boot.poll() is not None or _first(boot.pid) > 0, seconds=START_SECONDS, what="a start"
        )
        if boot.poll() is not None:
            pytest.skip(f"no other machine starts here: {(folder / 'log').read_text().strip()[-300:]}")
        started = Machine(_first(boot.pid), f"http://127.0.0.1:{port}")
        wait_until(lambda: _is_running(started), seconds=START_SECONDS, what="the machine's start")
        try:
            if is_bare:
                started.run("env", "LD_LIBRARY_PATH=/opt/python/lib", "/opt/python/bin/python3", "--version")
            else:
                started.manage("version")
        except AssertionError as error:
            reason = str(error).strip().splitlines()[-1]
            pytest.skip(f"this environment's interpreter does not run on another machine: {reason[-200:]}")
        yield started
    finally:
        kill_at_once(boot)
        _remove_groups(_groups(folder.name))


def _first(parent: int) -> int:
    """Return process 1 of the machine that a process has started, 0 before systemd runs."""
    done = subprocess.run(
        ["ps", "-o", "pid=,comm=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    pid, _, name = done.stdout.strip().partition(" ")
    return int(pid) if name.strip() == "systemd" else 0


def _is_running(started: Machine) -> bool:
    with contextlib.suppress(AssertionError):
        return started.run("systemctl", "is-system-running") == "running"
    return False


def _groups(name: str) -> Path:
    """Return the folder of a machine's control groups."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    return next(Path(place) for _, place, kind, *_ in mounts if kind == "cgroup2") / name


def _remove_groups(root: Path) -> None:
    """Remove the control groups of a machine once its last process has ended."""

    def is_gone() -> bool:
        for group, _, _ in sorted(os.walk(root), reverse=True):
            with contextlib.suppress(OSError):
                Path(group).rmdir()
        return not root.exists()

    wait_until(is_gone, seconds=START_SECONDS, what="the end of the machine")
