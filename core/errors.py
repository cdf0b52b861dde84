"""What the services refuse, with all the reasons at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason: a stable code, the sentence for a person, and the field of the form that it belongs to."""

    code: str
    message: str
    field: str = ""


class RefusedError(Exception):
    """Something was not done; `refusals` says why, one reason a problem. Nothing was written."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(str(refusal.message) for refusal in refusals))
        self.refusals = tuple(refusals)


def refused(code: str, message: str, field: str = "") -> RefusedError:
    """Return the error of one reason."""
    return RefusedError([Refusal(code, message, field)])
