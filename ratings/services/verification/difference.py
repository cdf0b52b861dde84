"""What a verification found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as it was published: where, what stands there, what ought to."""

    what: str
    where: str
    stored: str
    expected: str

    def __str__(self) -> str:
        return f"{self.what}, {self.where}: stored {self.stored}, expected {self.expected}"
