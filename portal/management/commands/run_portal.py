from __future__ import annotations

import socket
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from portal.celery import declare_queue
from portal.processes import ProcessGroup

START_SECONDS = 60.0


class Command(BaseCommand):
    """Brings the database up to date and runs web, worker and beat until Ctrl-C."""

    help = "Run the whole portal on this machine: database, static files, web, a worker and beat."

    def handle(self, *args: Any, **options: Any) -> None:
        environment = settings.ENVIRONMENT
        address = f"http://{environment.host}:{environment.port}"
        _refuse_busy_port(environment.host, environment.port)
        call_command("migrate", verbosity=0, interactive=False)
        if settings.DEMO:
            call_command("demo", if_empty=True, stdout=self.stdout)
        call_command("collectstatic", verbosity=0, interactive=False)
        declare_queue()
        connections.close_all()
        with ProcessGroup(_commands()) as processes:
            if _answers(address, processes):
                self.stdout.write(_welcome(address))
                self.stdout.flush()
                processes.wait()
            ended = processes.ended()
        if ended:
            name, status = next(iter(ended.items()))
            raise CommandError(f"The process {name!r} ended with status {status}; its reason stands above.")


def _commands() -> dict[str, list[str]]:
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "--app", "portal", "--quiet", "--skip-checks"]
    worker = ["worker", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    level = ["--loglevel", settings.ENVIRONMENT.log_level]
    return {
        "web": [*python, "gunicorn", "--config", "python:portal.gunicorn_conf", "portal.wsgi"],
        "worker": [*celery, *worker, *level],
        "beat": [*celery, "beat", "--pidfile", "", *level],
    }


def _refuse_busy_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            message = (
                f"Port {port} of {host} cannot be used ({error.strerror}). Name another: make run PORT=8001"
            )
            raise CommandError(message) from error


def _answers(address: str, processes: ProcessGroup) -> bool:
    deadline = time.monotonic() + START_SECONDS
    while not processes.wait(0.2):
        try:
            with urllib.request.urlopen(f"{address}/health/ready", timeout=5):  # noqa: S310
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            if time.monotonic() > deadline:
                raise CommandError(f"The portal does not answer at {address}: {error}") from error
    return False


def _welcome(address: str) -> str:
    return (
        f"\n  The portal runs at {address}/\n"
        f"  Sign in at        {address}/accounts/login/\n"
        "  Stop it with Ctrl-C.\n"
    )
