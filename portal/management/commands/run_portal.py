from __future__ import annotations

import os
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.db import connections
from django.utils import timezone

from demo.accounts import accounts_table
from demo.world import is_empty, make_world
from portal.celery import declare_queue
from portal.environment import Environment
from portal.presence import AlreadyThereError, be_the_only_one
from portal.processes import ProcessGroup
from tournaments.towns import import_towns

# A process that ends is noticed at once; this is for a machine that is slow.
START_SECONDS = 180.0


class Command(BaseCommand):
    """Brings the database up to date and runs web, worker and beat until Ctrl-C."""

    help = "Run the portal on this machine: database, static files, web server, worker and scheduler."

    def handle(self, *args: Any, **options: Any) -> None:
        environment = settings.ENVIRONMENT
        try:
            be_the_only_one(settings.VAR_DIR, "portal", note=environment.site_url)
        except AlreadyThereError as error:
            problem = f"The portal in {settings.VAR_DIR} runs already, at {error}/."
            raise CommandError(f"{problem} Stop it, or set another PORTAL_VAR_DIR.") from error
        _refuse_busy_port(environment.host, environment.port)
        if not connections["default"].introspection.table_names():
            self.stdout.write("Creating the tables, about 20 seconds.")
            self.stdout.flush()
        call_command("migrate", verbosity=0, interactive=False)
        is_new = settings.DEMO and is_empty()
        call_command("collectstatic", verbosity=0, interactive=False)
        declare_queue()
        connections.close_all()
        # After the address only warnings are printed, unless LOG_LEVEL is set.
        os.environ.setdefault("LOG_LEVEL", "WARNING")
        # The portal may be run from any folder.
        paths = [str(settings.BASE_DIR), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        commands = _commands(os.environ["LOG_LEVEL"])
        # The first page comes before the demonstration, which is made while nothing else writes.
        with ProcessGroup({"web": commands["web"]} if is_new else commands) as processes:
            has_started = _answers(environment, processes)
            accounts: list[str] = []
            if has_started and is_new:
                self.stdout.write(f"The portal runs at {environment.site_url}/. Its pages fill in a moment.")
                accounts = _make_demonstration(self.stdout, processes)
                connections.close_all()
                for name in ("worker", "beat"):
                    processes.add(name, commands[name])
            # The passwords are always shown: they cannot be read later.
            self.stdout.write(_box(environment.site_url if has_started else "", accounts))
            self.stdout.flush()
            ended = processes.exit_statuses()
            if has_started:
                # The first page does not wait for it.
                processes.add("webhooks", _webhooks(os.environ["LOG_LEVEL"]))
                processes.keep_running()
                ended = {}
        if ended:
            name, status = next(iter(ended.items()))
            raise CommandError(f"The process {name!r} exited with status {status}. See the output above.")


def _make_demonstration(stdout: OutputWrapper, processes: ProcessGroup) -> list[str]:
    """Make the demonstration, and return the lines that say how to sign in; `CommandError` if a stop is requested."""
    stdout.write("Creating demo data, about 30 seconds. Press Ctrl-C to cancel without changes.")

    def tell(text: str) -> None:
        if processes.is_stopping:
            raise CommandError("Cancelled. No demo data was created.")
        stdout.write(f"  {text}")

    now = timezone.now()
    accounts = make_world(today=now.date(), at=now, tell=tell)
    import_towns()
    return accounts_table(accounts)


def _commands(log_level: str) -> dict[str, list[str]]:
    python = [sys.executable, "-m"]
    celery = [*python, "celery", "--app", "portal", "--quiet", "--skip-checks"]
    worker = ["worker", "--concurrency", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    level = ["--loglevel", log_level]
    return {
        "web": [*python, "gunicorn", "--config", "python:portal.gunicorn_conf", "portal.wsgi"],
        "worker": [*celery, *worker, *level],
        # The file of beat's process ID would outlive a kill, and keep it from starting again.
        "beat": [*celery, "beat", "--pidfile", "", *level],
    }


def _webhooks(log_level: str) -> list[str]:
    """Return the command of the worker that sends to the servers of others, which may be slow."""
    command = [sys.executable, "-m", "celery", "--app", "portal", "--quiet", "--skip-checks", "worker"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", log_level]
    return [*command, "--pool", "solo", "--queues", "webhooks", "--hostname", "webhooks@%h", *quiet]


def _refuse_busy_port(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As the web server does: connections of the run before may still be closing.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            message = (
                f"Port {port} of {host} is not available ({error.strerror}). Choose another port: "
                "make run PORT=8001"
            )
            raise CommandError(message) from error


def _answers(environment: Environment, processes: ProcessGroup) -> bool:
    """Wait until the web server answers, who needs no worker yet; asked by a name of its own, wherever it listens."""
    place = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(environment.host, environment.host)  # noqa: S104 - asks
    address = f"http://{f'[{place}]' if ':' in place else place}:{environment.port}"
    live = urllib.request.Request(f"{address}/health/live", headers={"Host": own_name(environment)})  # noqa: S310
    deadline = time.monotonic() + START_SECONDS
    while not processes.wait(0.2):
        try:
            with urllib.request.urlopen(live, timeout=5):  # noqa: S310
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
            if time.monotonic() > deadline:
                raise CommandError(f"No response from the portal at {address}: {error}") from error
    return False


def own_name(environment: Environment) -> str:
    """Return a name of the portal that its check of hosts lets through."""
    return environment.allowed_hosts[0].removeprefix(".")


def _box(address: str, accounts: Sequence[str]) -> str:
    """Return the address and the accounts between two rules; no address, where the portal did not start."""
    reached = (
        [f"  The portal runs at {address}/", f"  Sign in at         {address}/accounts/login/"]
        if address
        else []
    )
    reached.append(f"  Its data is in     {settings.VAR_DIR}")
    lines = [*reached, *([""] if reached and accounts else []), *accounts, "", "  Stop it with Ctrl-C."]
    rule = "-" * max(len(line) + 2 for line in lines)
    return "\n".join(["", rule, *lines, rule])
