"""List files in an object store (a real server that speaks S3), shared by two web machines."""

from __future__ import annotations

import hashlib
import http.client
import os
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as of_the_portal
from django.core.files.storage import storages

from portal.environment import read_environment
from ratings.models import ListFile, RatingList
from tests import make
from tests.processes import PATIENCE, environment_of_processes, kill_at_once, wait_until, web_server
from tests.servers import object_store

pytestmark = pytest.mark.process

BUCKET = "ratings"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Run the store with an empty bucket; yield the variables that name it."""
    with object_store(BUCKET) as variables:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        yield variables


@pytest.fixture
def published(store: dict[str, str], transactional_db: None, settings: Any) -> RatingList:
    """Publish a list whose files are in the store."""
    environment = read_environment()
    in_store = {"BACKEND": environment.list_storage, "OPTIONS": environment.list_storage_options}
    settings.STORAGES = {**settings.STORAGES, "lists": in_store}
    published = make.play_month().published
    assert published is not None
    return published


def address_of(stored: ListFile) -> str:
    return f"/lists/rapid/2026-02-01/files/{stored.path.rpartition('/')[2]}"


@pytest.mark.program
def test_list_in_the_object_store_is_read_on_another_machine(published: RatingList, tmp_path: Path) -> None:
    stored = ListFile.objects.get(rating_list=published, path__endswith=".csv")

    with storages["lists"].open(stored.path) as file:
        content = file.read()
    variables = environment_of_processes() | {"PORTAL_VAR_DIR": str(tmp_path / "another")}
    with (
        web_server(variables, log=tmp_path / "web.log", workers=1) as (base, _),
        urllib.request.urlopen(base + address_of(stored), timeout=PATIENCE) as answer,  # noqa: S310
    ):
        read = answer.read()

    assert (hashlib.sha256(content).hexdigest(), read) == (stored.sha256, content)


READERS = 4
# More than there are addresses.
READINGS = 15
# A machine that is killed refuses at once; a busy one is no fault.
MAX_SECONDS = 60.0


@dataclass
class Follower:
    """A reader who knows both machines and asks the other one where one gives no whole answer."""

    bases: Sequence[str]
    cookie: str
    read: list[tuple[str, str, int, str]] = field(default_factory=list)  # machine, address, status, SHA-256
    failures: int = 0
    longest: float = 0.0

    def ask(self, address: str) -> None:
        began = time.monotonic()
        while not self._asked(address):
            assert time.monotonic() - began < MAX_SECONDS, f"{address}: neither machine answers"
            self.failures += 1
            self.bases = [*self.bases[1:], self.bases[0]]
        self.longest = max(self.longest, time.monotonic() - began)

    def _asked(self, address: str) -> bool:
        host = self.bases[0].removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=MAX_SECONDS)
        try:
            connection.request("GET", address, headers={"Cookie": self.cookie})
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        self.read.append((self.bases[0], address, answer.status, hashlib.sha256(content).hexdigest()))
        return True

    def go_round(self, addresses: Sequence[str], is_killed: threading.Event) -> None:
        """Read some answers, and as many after one of the machines is killed."""
        number = after = 0
        while after < READINGS:
            after += is_killed.is_set()
            self.ask(addresses[number % len(addresses)])
            number += 1


@pytest.mark.skipif(
    os.environ.get("TEST_ON") != "postgresql", reason="machines share PostgreSQL, Redis and a store"
)
def test_readers_of_two_machines_miss_nothing_when_one_is_killed(
    published: RatingList, tmp_path: Path
) -> None:
    files = {address_of(stored): stored.sha256 for stored in ListFile.objects.filter(rating_list=published)}
    addresses = [*files, "/lists/rapid/2026-02-01/", "/api/v1/lists/rapid/2026-02-01", "/desk/"]
    browser = make.browser("officer")
    assert len(addresses) < READINGS
    cookie = f"sessionid={browser.cookies['sessionid'].value}"
    is_killed = threading.Event()

    with ExitStack() as machines, ThreadPoolExecutor(READERS) as pool:
        bases, masters = zip(
            *(machines.enter_context(_machine(tmp_path, name)) for name in "ab"), strict=True
        )
        readers = [Follower(bases[place % 2 :] + bases[: place % 2], cookie) for place in range(READERS)]
        rounds = [pool.submit(reader.go_round, addresses, is_killed) for reader in readers]
        try:
            wait_until(
                lambda: all(len(reader.read) >= READINGS for reader in readers), what="readings of all"
            )
            kill_at_once(masters[0])
        finally:
            is_killed.set()
        for done in rounds:
            done.result()

    readings = [reading for reader in readers for reading in reader.read]
    assert {status for _, _, status, _ in readings} == {200}
    assert {(address, digest) for _, address, _, digest in readings if address in files} == set(files.items())
    assert {machine for machine, *_ in readings} == set(bases)
    assert {reader.read[-1][0] for reader in readers} == {bases[1]}
    # Those of the killed machine went to the other one, once.
    assert [reader.failures for reader in readers] == [1, 0] * (READERS // 2)


def _machine(folder: Path, name: str) -> Any:
    """Run a web process with a folder of its own that shares database, Redis, store and secret key."""
    variables = environment_of_processes() | {
        "PORTAL_VAR_DIR": str(folder / name),
        "SECRET_KEY": of_the_portal.SECRET_KEY,
    }
    return web_server(variables, log=folder / f"{name}.log", workers=1)
