"""Processes that can be killed at any statement: copies of this one, each with connections of its own."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection, connections

# How often each fault is tried at a random statement besides the chosen ones: `make faults` does. The seed repeats
# a run that went wrong.
ROUNDS = int(os.environ.get("FAULT_ROUNDS", "0"))
long_run = pytest.mark.skipif(not ROUNDS, reason="`make faults` tries random statements")
CHANCE = random.Random(int(os.environ.get("FAULT_SEED", "20260201")))


def start(work: Callable[[], object]) -> int:
    """Do the work in a process of its own and return its id; the process ends with 1 where the work raises.

    A `SystemExit` of the work ends it with its own code.
    """
    connections.close_all()
    child = os.fork()
    if child:
        return child
    status = 1
    # Where the event loop of a browser runs, Django keeps connections by its context; a copy has no loop, and would
    # find those of the thread, which are older and open.
    for alias in connections:
        with contextlib.suppress(AttributeError):
            del connections[alias]
    try:
        work()
        status = 0
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    except BaseException:
        # Seen where the test fails, and past the buffers that were copied along.
        os.write(2, traceback.format_exc().encode())
    finally:
        # Nothing of the test that was copied along may run on here.
        os._exit(status)


def end(process: int) -> int:
    """Wait for a process and return its exit status, negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def statements_of(work: Callable[[], object]) -> list[str]:
    """Do the work here and return the statements that it executes, in their order."""
    found: list[str] = []

    def note(execute: Any, sql: str, *arguments: Any) -> Any:
        found.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        work()
    return found


def do_until(statement: int | str, work: Callable[[], object], happens: Callable[[], object]) -> None:
    """Do the work, and once, before the statement of this number or the first that begins so, let something happen.

    AssertionError where that statement is not executed.
    """
    number = 0
    has_happened = False

    def watch(execute: Any, sql: str, *arguments: Any) -> Any:
        nonlocal number, has_happened
        is_it = number == statement if isinstance(statement, int) else sql.startswith(statement)
        number += 1
        if is_it and not has_happened:
            has_happened = True
            happens()
        return execute(sql, *arguments)

    with connection.execute_wrapper(watch):
        try:
            work()
        finally:
            assert has_happened, f"{statement!r} is none of {number} statements"


def kill_before(statement: int | str, work: Callable[[], object]) -> None:
    """Do the work in a process that SIGKILL ends at a statement, given as for `do_until`."""

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    assert end(start(lambda: do_until(statement, work, die))) == -signal.SIGKILL


def random_statements(statements: Sequence[str]) -> list[int]:
    """Return numbers of some of the statements, as many as FAULT_ROUNDS says."""
    return [CHANCE.randrange(len(statements)) for _ in range(ROUNDS)]
