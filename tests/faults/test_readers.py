"""Readers on every page while a list is published: each has the old list or the new one, whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.world import fide_id
from ratings.publish.publish import publish_list
from tests.faults.conftest import NOW
from tests.faults.processes import ROUNDS, end, start
from tests.faults.readers import READERS, Reading, addresses_of, watch
from tests.faults.world import MONTH, SMALL
from tests.processes import environment_of_processes, wait_until, web_server

PREVIOUS, FEW = "2026-01-01", 8
PLAYERS = [fide_id(index) for index in (0, SMALL.players // 2)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("played")
def test_every_reader_has_the_old_list_or_the_new_one(tmp_path: Path) -> None:
    environment = environment_of_processes() | {
        "PORTAL_VAR_DIR": os.environ["PORTAL_VAR_DIR"],
        "BEHIND_PROXY": "1",
    }
    addresses = addresses_of("rapid", PREVIOUS, MONTH.isoformat(), PLAYERS)
    waiting, told = os.pipe()

    def publish_when_told() -> None:
        os.read(waiting, 1)
        publish_list("rapid", MONTH, by=None, at=NOW)

    # Copied before there are threads.
    publisher = start(publish_when_told)

    def publishes(readings: Sequence[Reading]) -> None:
        read_by_all(readings)
        os.write(told, b"1")
        assert end(publisher) == 0
        read_by_all(readings)

    def read_by_all(readings: Sequence[Reading]) -> None:
        """Wait until so many more have been read that most addresses have been."""
        wanted = len(readings) + 2 * len(addresses)
        wait_until(lambda: len(readings) >= wanted, what="the readers' answers")

    with web_server(environment, log=tmp_path / "web.log") as (base, _):
        watched = watch(base, publishes, addresses=addresses, readers=READERS if ROUNDS else FEW)

    assert (watched.failed(), watched.halves(), watched.late()) == ([], [], [])
    # The test shows nothing unless readers saw both sides of the switch.
    seen = {(item.address, item.answer) for item in watched.readings if item.address in watched.changed}
    assert len(seen) > len(watched.changed) > len(addresses) // 2
