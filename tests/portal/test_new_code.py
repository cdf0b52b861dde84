"""A web server whose code is exchanged on the disk, as where a release is unpacked over the former one."""

from __future__ import annotations

import shutil
import signal
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache

from portal.celery import PULSE
from tests.processes import environment_of_processes, wait_until, web_server

pytestmark = pytest.mark.program
PACKAGES = ("api", "arenas", "core", "demo", "desk", "locale", "players", "portal", "public", "ratings")
MORE = ("static", "templates", "tournaments", "manage.py", "pyproject.toml")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a copy of the code."""
    folder = tmp_path / "release"
    folder.mkdir()
    for name in (*PACKAGES, *MORE):
        source = settings.BASE_DIR / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        else:
            shutil.copy(source, folder / name)
    return folder


def write_release_two(release: Path) -> None:
    """Add to a module that the web server reads for itself what another one of the same release needs.

    Old and new modules in one process would not start.
    """
    for path, old, new in (
        ("portal/environment.py", "def read_environment", 'RELEASE = "two"\n\n\ndef read_environment'),
        (
            "portal/gunicorn_conf.py",
            "_environment = read",
            "from portal.environment import RELEASE\n\n_environment = read",
        ),
        (
            "portal/health.py",
            "from __future__ import annotations\n",
            "from __future__ import annotations\n\nfrom portal.environment import RELEASE\n",
        ),
        ("portal/health.py", 'else "ok" for name in CHECKS', 'else f"ok in {RELEASE}" for name in CHECKS'),
    ):
        file = release / path
        text = file.read_text()
        assert old in text, path
        file.write_text(text.replace(old, new, 1))


@pytest.mark.django_db(transaction=True)
def test_a_reload_takes_all_of_the_new_code_and_refuses_nobody(release: Path, tmp_path: Path) -> None:
    environment = environment_of_processes() | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(release)}
    found: list[tuple[int, bytes]] = []
    is_over = threading.Event()
    cache.set(PULSE, "a worker", None)

    def read(base: str) -> None:
        while not is_over.is_set():
            with urllib.request.urlopen(f"{base}/health/ready", timeout=60) as answer:  # noqa: S310
                found.append((answer.status, answer.read()))
            time.sleep(0.05)

    with (
        # A second process may still be starting when the first one answers, and would read half of each release.
        web_server(environment, log=tmp_path / "web.log", workers=1, folder=release) as (base, server),
        ThreadPoolExecutor(2) as readers,
    ):
        running = [readers.submit(read, base) for _ in range(2)]
        try:
            wait_until(lambda: len(found) > 2, what="the readers")
            write_release_two(release)
            server.send_signal(signal.SIGHUP)
            wait_until(lambda: b"ok in two" in found[-1][1], what="the new code", log=tmp_path / "web.log")
        finally:
            is_over.set()
        for one in running:
            one.result()

    assert {status for status, _ in found} == {200}
    assert b"ok in two" not in found[0][1]
