"""The units of deploy/ under a real systemd: started, shut off, reloaded, killed and stopped."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.operations.machine import Machine, machine
from tests.processes import PATIENCE, wait_until

UNITS = ("portal-web@1", "portal-web@2", "portal-worker@1", "portal-webhooks", "portal-beat")
LIST_DUE = """
from datetime import date, timedelta
from pathlib import Path
from django.core.management import call_command
from django.utils import timezone
from benchmarks.world import Size, write_list
from ratings.choices import Work
from ratings.models import Run
write_list(Path("/srv/portal/var/list.txt"), Size(0.0005))
call_command("import_fide_list", "/srv/portal/var/list.txt", date=date(2026, 1, 1), verbosity=0)
before = timezone.now() - timedelta(minutes=5)
for kind in ("rapid", "blitz"):
    Run.objects.create(work=Work.PUBLISH, subject=f"{kind} 2026-02-01", created_at=before, due_at=before)
"""
pytestmark = pytest.mark.machine


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Return a machine on which the portal was installed as docs/operations.md says, and runs."""
    with machine(tmp_path_factory.mktemp("machine")) as started:
        started.manage("migrate", "--verbosity=0")
        started.manage("collectstatic", "--no-input", "--verbosity=0")
        started.run("systemctl", "start", *UNITS)
        wait_until(lambda: status(started) == 200, what="the portal's answer")
        yield started


def status(portal: Machine, path: str = "/health/ready") -> int:
    """Return the status of an answer, 0 where there is none."""
    try:
        with urllib.request.urlopen(portal.address + path, timeout=PATIENCE) as answer:  # noqa: S310
            return int(answer.status)
    except OSError as error:
        return int(getattr(error, "code", 0))


def test_a_worker_does_what_beat_finds_due(portal: Machine) -> None:
    portal.manage("shell", "--command", LIST_DUE)

    wait_until(lambda: status(portal, "/lists/rapid/2026-02-01/") == 200, what="the publication")

    assert [line for line in portal.log().splitlines() if "level=error" in line] == []


def test_the_page_comes_with_its_styles(portal: Machine) -> None:
    with urllib.request.urlopen(portal.address) as answer:  # noqa: S310
        page = answer.read().decode()
    styles = [part.split('"')[0] for part in page.split('href="')[1:] if ".css" in part.split('"')[0]]

    assert {status(portal, style) for style in styles} == {200}


@pytest.mark.parametrize("unit", UNITS)
def test_processes_are_shut_off(portal: Machine, unit: str) -> None:
    process = portal.property_of(unit, "MainPID")
    facts = dict(line.split(":\t", 1) for line in portal.run("cat", f"/proc/{process}/status").splitlines())
    as_seen_by_it = ["nsenter", f"--target={process}", "--mount"]

    assert (facts["Uid"].split()[0], int(facts["CapEff"], 16)) == ("2999", 0)
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
    for place in ("/srv/portal/current/manage.py", "/etc/portal.env", "/usr/bin/env"):
        assert "Read-only file system" in portal.run(*as_seen_by_it, "touch", place, fails=True)
    portal.run(*as_seen_by_it, "touch", "/srv/portal/var/writable")
    assert portal.run(*as_seen_by_it, "ls", "-A", "/root", "/home").split() == ["/home:", "/root:"]


def test_an_upgrade_and_the_way_back_refuse_nobody(portal: Machine) -> None:
    """Two releases in folders of their own, under readers, as docs/operations.md says."""
    health = "/srv/portal/releases/2/portal/health.py"
    portal.run("sed", "-i", 's/parts.name. = "ok"/parts[name] = "ok in release 2"/', health)
    portal.run("grep", "-q", "ok in release 2", health)
    is_over = threading.Event()

    def read(_: int) -> list[tuple[int, float]]:
        found = []
        while not is_over.is_set():
            began = time.monotonic()
            found.append((status(portal, "/robots.txt"), time.monotonic() - began))
        return found

    def release() -> str:
        with urllib.request.urlopen(portal.address + "/health/ready", timeout=PATIENCE) as answer:  # noqa: S310
            return str(json.loads(answer.read())["checks"]["database"])

    def switch(number: int) -> None:
        portal.manage("migrate", "--verbosity=0", release=f"releases/{number}")
        portal.manage("collectstatic", "--no-input", "--verbosity=0", release=f"releases/{number}")
        portal.run(
            "ln", "--symbolic", "--force", "--no-dereference", f"releases/{number}", "/srv/portal/current"
        )
        for unit in UNITS[:2]:
            began = time.monotonic()
            portal.run("systemctl", "restart", unit)
            restarts.append(time.monotonic() - began)
        portal.run("systemctl", "restart", "portal-worker@1", "portal-webhooks", "portal-beat")

    restarts: list[float] = []
    seen = [release()]
    with ThreadPoolExecutor(4) as readers:
        answers = readers.map(read, range(4))
        for number in (2, 1):
            switch(number)
            seen.append(release())
        is_over.set()
        found = [one for of_a_reader in answers for one in of_a_reader]

    assert seen == ["ok", "ok in release 2", "ok"]
    assert (len(found) > 20, {status for status, _ in found}) == (True, {200})
    # Whoever waits for the one server to come back waits as long as that takes, on a busy machine too.
    longest = max(waited for _, waited in found)
    assert longest < min(restarts), (longest, restarts)


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_killed_comes_back(portal: Machine, unit: str) -> None:
    before = portal.property_of(unit, "MainPID")

    portal.run("systemctl", "kill", "--kill-who=main", "--signal=SIGKILL", unit)

    wait_until(lambda: portal.property_of(unit, "MainPID") not in ("0", before), what="a new start")
    wait_until(lambda: portal.property_of(unit, "ActiveState") == "active", what="a new start")
    wait_until(lambda: status(portal) == 200, what="the portal's answer")


def test_all_stop_when_told_and_leave_nothing_behind(portal: Machine) -> None:
    began = time.monotonic()
    portal.run("systemctl", "stop", *UNITS)
    took = time.monotonic() - began

    assert [portal.property_of(unit, "Result") for unit in UNITS] == ["success"] * len(UNITS)
    assert portal.run("ps", "-o", "pid=", "-U", "2999", fails=True) == ""
    assert took < 30
    portal.run("systemctl", "start", *UNITS)
    wait_until(lambda: status(portal) == 200, what="the portal's answer")
