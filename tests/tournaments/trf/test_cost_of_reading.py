"""The work to read a report, per round of a player: ratios that are valid on any machine, not seconds."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from benchmarks.reading import ROUNDS, bare_read, read_and_check, report_bytes
from tournaments.trf import read_report

FEW, MANY = 50, 200


def calls_of(read: Callable[[bytes], Any], data: bytes) -> int:
    """Return the number of function calls, compiled functions included."""
    called = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    read(data)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read(data)
    finally:
        sys.setprofile(before)
    return called


def peak_bytes(read: Callable[[bytes], Any], data: bytes) -> int:
    """Return the lowest peak of several runs, because tables of the process may grow during one of them."""
    return min(_peak_of_one(read, data) for _ in range(3))


def _peak_of_one(read: Callable[[bytes], Any], data: bytes) -> int:
    tracemalloc.start()
    try:
        read(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [read_report, read_and_check])
def test_work_and_memory_grow_no_faster_than_the_players(read: Callable[[bytes], Any]) -> None:
    few, many = report_bytes(FEW), report_bytes(MANY)
    assert calls_of(read, many) <= 1.1 * MANY / FEW * calls_of(read, few)
    assert peak_bytes(read, many) <= 1.1 * MANY / FEW * peak_bytes(read, few)


def test_round_needs_few_calls_and_little_extra_memory() -> None:
    data = report_bytes(MANY)
    rounds, bare = MANY * ROUNDS, peak_bytes(bare_read, data)
    assert calls_of(read_report, data) <= 7 * rounds
    assert calls_of(read_and_check, data) <= 14 * rounds
    assert peak_bytes(read_report, data) <= 1.25 * bare
    assert peak_bytes(read_and_check, data) <= 1.25 * bare
