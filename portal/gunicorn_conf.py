"""Settings of the web server: `gunicorn -c python:portal.gunicorn_conf portal.wsgi`."""

from __future__ import annotations

import os
import shutil
from typing import Any

from portal.environment import read_environment
from portal.logging import logging_config

_environment = read_environment()
# Each web process keeps its figures in files of this folder; whichever is asked adds them up. The library looks
# for the variable when it is first imported.
_figures = _environment.var_dir / "metrics" / str(_environment.port)
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(_figures)

bind = f"{_environment.host}:{_environment.port}"
workers = _environment.web_workers
worker_class = "gthread"
threads = 4
timeout = 120
graceful_timeout = 4
max_requests = 10_000
max_requests_jitter = 1_000
control_socket_disable = True
logconfig_dict = logging_config(level=_environment.log_level, as_json=_environment.log_format == "json")


def on_starting(server: Any) -> None:
    """Start without the figures of the processes before."""
    shutil.rmtree(_figures, ignore_errors=True)
    _figures.mkdir(parents=True)


def child_exit(server: Any, worker: Any) -> None:
    """Forget what only a living process can say."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
