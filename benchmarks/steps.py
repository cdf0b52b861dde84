"""Running a step as processes of its own, with its seconds and the memory of the largest of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.server import processor_seconds

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Measured:
    """A step: its wall-clock and processor seconds, and the peak memory of its largest process in bytes.

    `database` are the processor seconds of the PostgreSQL server meanwhile.
    """

    name: str
    seconds: float
    processor: float
    memory: int
    database: float = 0.0

    def row(self) -> str:
        processor = f"{self.processor:.1f} s" + (f" + {self.database:.1f} s" if self.database else "")
        return f"| {self.name} | {self.seconds:.1f} s | {processor} | {self.memory // MEBIBYTE} MiB |"


def measure(name: str, commands: Sequence[Sequence[str]], environment: Mapping[str, str]) -> Measured:
    """Run commands side by side and return what they took; `SystemExit` where one fails."""
    began, served = time.monotonic(), processor_seconds(environment)
    processes = [
        subprocess.Popen(  # noqa: S603 our own commands
            [sys.executable, *command], env=dict(environment), stdout=subprocess.DEVNULL
        )
        for command in commands
    ]
    ended = [os.wait4(process.pid, 0) for process in processes]
    if any(status for _, status, _ in ended):
        raise SystemExit(f"{name} failed")
    return Measured(
        name,
        time.monotonic() - began,
        sum(usage.ru_utime + usage.ru_stime for _, _, usage in ended),
        max(usage.ru_maxrss for _, _, usage in ended) * 1024,
        processor_seconds(environment) - served,
    )
