"""Readers on every page while a list is published: each has the old list or the new one, whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.readers import KINDS_OF_PAGE, OTHER, READERS, addresses_of, kind_of_page, watch
from benchmarks.world import fide_id
from tests.faults.world import MONTH, SMALL
from tests.processes import environment_of_processes, web_server

PREVIOUS = "2026-01-01"
PLAYERS = [fide_id(index) for index in range(0, SMALL.players, SMALL.players // 6)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("played")
def test_every_reader_has_the_old_list_or_the_new_one(tmp_path: Path) -> None:
    folder = os.environ["PORTAL_VAR_DIR"]
    environment = environment_of_processes() | {"PORTAL_VAR_DIR": folder, "BEHIND_PROXY": "1"}
    addresses = addresses_of("rapid", PREVIOUS, MONTH.isoformat(), PLAYERS)

    with web_server(environment, log=tmp_path / "web.log") as (base, _):
        watched = watch(base, environment, kind="rapid", day=MONTH.isoformat(), addresses=addresses)

    assert (watched.failed(), watched.halves(), watched.late()) == ([], [], [])
    # The test shows nothing unless readers saw both sides of the switch.
    seen = {(item.address, item.answer) for item in watched.readings if item.address in watched.changed}
    assert len(seen) > len(watched.changed) > len(addresses) // 2
    assert len(watched.readings) >= READERS


def test_every_kind_of_page_is_among_what_readers_ask_for() -> None:
    addresses = [*addresses_of("rapid", PREVIOUS, MONTH.isoformat(), PLAYERS), "/tournaments/26SUI00001/"]
    assert {kind_of_page(address) for address in addresses} == {*KINDS_OF_PAGE, OTHER}
