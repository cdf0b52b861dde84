"""Processes that can be killed at any point: copies of this one, each with connections of its own."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
import traceback
from collections.abc import Callable

from django.db import connections

# How often each fault is tried; `make faults` asks for more. The seed repeats a run that went wrong.
ROUNDS = int(os.environ.get("FAULT_ROUNDS", "2"))
CHANCE = random.Random(int(os.environ.get("FAULT_SEED", "20260201")))


def start(work: Callable[[], object]) -> int:
    """Do the work in a process of its own and return its id; the process ends with 1 where the work raises."""
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
    except BaseException:
        # Seen where the test fails, and past the buffers that were copied along.
        os.write(2, traceback.format_exc().encode())
    finally:
        # Nothing of the test that was copied along may run on here.
        os._exit(status)


def end(process: int) -> int:
    """Wait for a process and return its exit status, negative where a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def kill_after(seconds: float, work: Callable[[], object]) -> int:
    """Start the work, kill it by SIGKILL after the seconds unless it has ended, and return its exit status."""
    process = start(work)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    return end(process)
