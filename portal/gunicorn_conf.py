"""Settings of the web server: `gunicorn -c python:portal.gunicorn_conf portal.wsgi`."""

from __future__ import annotations

from portal.environment import read_environment
from portal.logging import logging_config

_environment = read_environment()

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
