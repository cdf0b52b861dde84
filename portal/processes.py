"""Runs the portal's processes together: they start together and none is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from types import FrameType, TracebackType

import structlog

STOP_SECONDS = 8.0
POLL_SECONDS = 0.1
# How long a child that has ended is away: it may have ended because of what it needs.
FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 1.0, 60.0, 120.0
log = structlog.get_logger(__name__)


class ProcessGroup:
    """Child processes by name; leaving the context stops all of them.

    Each child has its own session, so that Ctrl-C in the terminal reaches only this process and
    the children of a child can be stopped with it.
    """

    def __init__(self, commands: Mapping[str, Sequence[str]]) -> None:
        self._commands = commands
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._started_at: dict[str, float] = {}
        self._stop_requested = False

    def __enter__(self) -> ProcessGroup:
        # A terminal that is closed sends SIGHUP.
        for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signal_number, self._request_stop)
        for name in self._commands:
            self._start(name)
        return self

    @property
    def is_stopping(self) -> bool:
        """Whether a stop was requested."""
        return self._stop_requested

    def add(self, name: str, command: Sequence[str]) -> None:
        """Start one more process of the group."""
        self._commands = {**self._commands, name: command}
        self._start(name)

    def _start(self, name: str) -> None:
        self._started_at[name] = time.monotonic()
        self._children[name] = subprocess.Popen(  # noqa: S603 - the commands are the portal's own
            self._commands[name],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            # Killed with SIGKILL, this process stops nobody: the children would keep port and database.
            preexec_fn=partial(end_with_parent, signal.SIGTERM),
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for child in self._children.values():
            # Only to the child: it can end its children without interrupting their work.
            child.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while self._running() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        for child in self._children.values():
            _kill_session(child)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until a stop is requested or a child ends; return whether that happened within the seconds."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._stop_requested and not self.exit_statuses():
            if deadline is not None and time.monotonic() >= deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def keep_running(self, *, first_pause: float = FIRST_PAUSE) -> None:
        """Start each child that ends again, until a stop is requested: after a pause that doubles if it ended soon."""
        pauses: dict[str, float] = {}
        due: dict[str, float] = {}
        while not self._stop_requested:
            now = time.monotonic()
            for name, status in self.exit_statuses().items():
                if name not in due:
                    has_run = now - self._started_at[name] >= STEADY_SECONDS
                    again = (
                        min(2 * pauses[name], LONGEST_PAUSE)
                        if name in pauses and not has_run
                        else first_pause
                    )
                    pauses[name], due[name] = again, now + again
                    log.error("process_ended", process=name, status=status, starts_again_in=again)
                    # What it has started would do the same work beside its successor.
                    _kill_session(self._children[name])
                elif now >= due[name]:
                    del due[name]
                    self._start(name)
            time.sleep(POLL_SECONDS)

    def exit_statuses(self) -> dict[str, int]:
        """Return the exit status of each child that has ended."""
        return {name: child.returncode for name, child in self._children.items() if child.poll() is not None}

    def _running(self) -> bool:
        return len(self.exit_statuses()) < len(self._children)

    def _request_stop(self, signal_number: int, frame: FrameType | None) -> None:
        self._stop_requested = True


def end_with_parent(signal_number: int) -> None:
    """Ask Linux to send this process the signal when its parent ends for any reason; for `preexec_fn`.

    The parent is the thread that starts the process: it must not end before.
    """
    if sys.platform == "linux":
        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal_number)


def _kill_session(leader: subprocess.Popen[bytes]) -> None:
    # Also where the leader has ended: what it has started may still run.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()
