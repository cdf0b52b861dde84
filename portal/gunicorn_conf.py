"""Settings of the web server: `gunicorn -c python:portal.gunicorn_conf portal.wsgi`."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from importlib import import_module
from pathlib import Path
from typing import Any

from gunicorn.http import message  # type: ignore[import-untyped]

from portal.environment import read_environment
from portal.logging import logging_config

_environment = read_environment()
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own in it


def _figures_folder() -> Path:
    """Return where each web process keeps its figures: in memory, since a full disk kills who writes to its files."""
    name = f"portal-{os.getuid()}-{hashlib.sha256(str(_environment.var_dir).encode()).hexdigest()[:12]}"
    root = _MEMORY / name if os.access(_MEMORY, os.W_OK) else _environment.var_dir / "metrics"
    return root / str(_environment.port)


# Whichever process is asked adds the figures up. The library looks for the variable when it is first imported.
_figures = _figures_folder()
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_figures)


def _forget_figures() -> None:
    """Remove the figures of processes that have ended: another server may run on the same address (portal-web@2)."""
    for path in _figures.glob("*.db"):
        try:
            os.kill(int(path.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)


_figures.mkdir(parents=True, mode=0o700, exist_ok=True)
_forget_figures()

bind = f"{_environment.host}:{_environment.port}"
workers = _environment.web_workers
worker_class = "gthread"
# Once it says that it is ready, it is: the other server of this machine may then restart. Processes share what is read.
preload_app = True
# Each has a connection to the database. None waits for a slow caller, whom the proxy serves (ADR 20).
threads = 4
# Further callers wait in the queue of the system: a thousand files may be open, and each connection is one.
worker_connections = 500
timeout = 120
# Shorter than the 8 s after which `portal.processes` kills what is left.
graceful_timeout = 4
# A new process costs seconds of processor time, and a busy one answers 500 requests a second, most from the cache.
max_requests = 100_000
# Processes that started together shall not end together.
max_requests_jitter = 20_000
# A look-up of 1,000 players by FIDE ID; gunicorn's own bound is half of that.
message.MAX_REQUEST_LINE = limit_request_line = 16_384
control_socket_disable = True
# As the log of the proxy, so that a line of one is found in the other.
access_log_format = '%(h)s "%(r)s" %(s)s %(B)s %(M)sms "%(a)s" request_id=%({x-request-id}o)s'
logconfig_dict = logging_config(level=_environment.log_level, as_json=_environment.log_format == "json")


def post_worker_init(worker: Any) -> None:
    """Start serving, and keep SQLite's shared memory file: on a full disk no reader could create it again."""
    import_module("portal.wsgi").start_serving()
    if _environment.database["ENGINE"].endswith("sqlite3"):
        worker.kept_open = sqlite3.connect(_environment.database["NAME"], check_same_thread=False)
        with contextlib.suppress(sqlite3.Error):
            # SQLite opens its files at the first read, not when it connects.
            worker.kept_open.execute("SELECT 1 FROM sqlite_master").fetchall()


def on_exit(server: Any) -> None:
    """Leave nothing in memory."""
    for path in _figures.glob(f"*_{os.getpid()}.db"):
        path.unlink()
    _forget_figures()


def child_exit(server: Any, worker: Any) -> None:
    """Delete the metrics that only a running process can report."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
