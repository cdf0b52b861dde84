"""Real processes of the portal, for tests: they share the database, queue and folder of the test."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tests.servers import free_port

# Only what fails waits so long: a busy machine is no fault.
PATIENCE = 180.0


def environment_of_processes() -> dict[str, str]:
    """Return the environment in which a process uses the test's database, not the installation's."""
    from django.db import connection

    name = str(connection.settings_dict["NAME"])
    given = os.environ.get("DATABASE_URL")
    url = urlunsplit(urlsplit(given)._replace(path=f"/{name}")) if given else f"sqlite:///{name}"
    return os.environ | {"DATABASE_URL": url}


def wait_until(
    holds: Callable[[], bool], *, seconds: float = PATIENCE, what: str = "it", log: Path | None = None
) -> None:
    """Wait until the condition holds; AssertionError, with the end of the log, when it does not within the seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() >= deadline:
            told = log.read_text(errors="replace")[-4000:] if log else ""
            raise AssertionError(f"{what} has not happened within {seconds} s\n{told}")
        time.sleep(0.05)


@contextlib.contextmanager
def celery_worker(
    environment: Mapping[str, str], *, log: Path, include: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a Celery worker until the block ends; yields its process when it takes tasks.

    It leads a session of its own: `kill_at_once` ends it and its children as a power cut would.
    """
    command = [sys.executable, "-m", "celery", "--app", "portal", "--quiet", "--skip-checks", "worker"]
    command += ["--concurrency", "1", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    command += ["--hostname", f"test-{os.getpid()}-{time.monotonic_ns()}@localhost"]
    if include:
        command += ["--include", include]
    with log.open("wb") as output:
        worker = subprocess.Popen(
            command,
            env={**environment, "LOG_LEVEL": "INFO"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        wait_until(lambda: _is_ready(worker, log), what="the worker's start")
        yield worker
    finally:
        worker.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            worker.wait(15)
        kill_at_once(worker)


@contextlib.contextmanager
def web_server(
    environment: Mapping[str, str],
    *,
    log: Path,
    workers: int = 2,
    serves: str = "portal.wsgi",
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run gunicorn until the block ends; yields its address and process when it answers."""
    port = str(free_port())
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "python:portal.gunicorn_conf", serves],
            env={"LOG_LEVEL": "INFO", **environment, "PORT": port, "WEB_WORKERS": str(workers)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: _answers(address, server, log), what="the web server's start", log=log)
        yield address, server
    finally:
        server.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(15)
        kill_at_once(server)


def kill_at_once(leader: subprocess.Popen[bytes]) -> None:
    """End the process and all it has started, without a chance to tidy up."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()


def _answers(address: str, server: subprocess.Popen[bytes], log: Path) -> bool:
    assert server.poll() is None, f"the web server ended:\n{log.read_text(errors='replace')}"
    try:
        urllib.request.urlopen(f"{address}/health/live", timeout=10).close()  # noqa: S310
    except OSError:
        return False
    return True


def _is_ready(worker: subprocess.Popen[bytes], log: Path) -> bool:
    text = log.read_text(errors="replace")
    assert worker.poll() is None, f"the worker ended:\n{text}"
    return " ready." in text
