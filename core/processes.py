"""Work in several processes of the portal, which end with the one that started them."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from django.db import connections as databases


class ProcessFailedError(Exception):
    """A process ended, or what it was to do failed; the message has its traceback."""


def in_processes(function: str, tasks: Sequence[tuple[Any, ...]], *, jobs: int) -> Iterator[tuple[int, Any]]:
    """Call a function, named by its module path, with the arguments of each task; yield task number and result.

    Results come as they are done. `ProcessFailedError` where a call fails. The processes share no connection, and end
    where this one does, however it does.
    """
    # A copy of this process would use the same socket to the database.
    databases.close_all()
    started: list[tuple[BaseProcess, Connection]] = []
    try:
        for _ in range(min(jobs, len(tasks))):
            started.append(_start(function, [connection for _, connection in started]))
        yield from _results([connection for _, connection in started], tasks)
    except BaseException:
        for process, _ in started:
            process.terminate()
        raise
    finally:
        for process, connection in started:
            connection.close()
            process.join()


def _start(function: str, others: Sequence[Connection]) -> tuple[BaseProcess, Connection]:
    # A copy of this process need not import everything again, which takes seconds.
    is_copied = sys.platform == "linux"
    context = multiprocessing.get_context("fork") if is_copied else multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    inherited = [here, *others] if is_copied else []
    process = context.Process(target=_serve, args=(there, function, inherited), daemon=True)
    process.start()
    # The end of the other process: were it open here, neither would see the other end.
    there.close()
    return process, here


def _results(
    connections: Sequence[Connection], tasks: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, Any]]:
    waiting = iter(enumerate(tasks))
    busy: dict[Connection, int] = {}
    for connection, (number, task) in zip(connections, waiting, strict=False):
        connection.send(task)
        busy[connection] = number
    while busy:
        ready = wait(list(busy))
        for connection in [item for item in busy if item in ready]:
            number, result = busy.pop(connection), _receive(connection)
            for following, task in islice(waiting, 1):
                connection.send(task)
                busy[connection] = following
            yield number, result


def _receive(connection: Connection) -> Any:
    try:
        error, result = connection.recv()
    except EOFError as ended:
        raise ProcessFailedError("A process of this command was ended from outside.") from ended
    if error:
        raise ProcessFailedError(error)
    return result


def _serve(connection: Connection, function: str, inherited: Sequence[Connection]) -> None:
    """Do one task after the other until the other process closes the connection or ends."""
    # Ends of the other process: if they were open here, its end would not be noticed.
    for other in inherited:
        other.close()
    # The terminal interrupts both; the other process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import django
    from django.utils.module_loading import import_string

    django.setup()
    call = import_string(function)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            answer = ("", call(*task))
        except Exception:
            answer = (traceback.format_exc(), None)
        try:
            connection.send(answer)
        except BrokenPipeError:
            return
