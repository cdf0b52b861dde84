"""What the domain refuses, with all the reasons at once, and second clicks, which change nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from core.stated import Sentences, join_stated


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason: a stable code, the sentence for a person, and the field of the form that it belongs to."""

    code: str
    message: str
    field: str = ""


class RefusedError(Exception):
    """An action was refused; `refusals` has one reason for each problem. Nothing was written."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(join_stated((refusal.message for refusal in refusals), "; "))
        self.refusals = tuple(refusals)


class BusyError(Exception):
    """The portal does as much of a heavy kind of work as it can: the same request succeeds a little later."""


def refused(code: str, message: str, field: str = "") -> RefusedError:
    """Return the error of one reason."""
    return RefusedError([Refusal(code, message, field)])


def stated_refusal(sentences: Sentences, code: str, field: str = "", **values: Any) -> Refusal:
    """Return the refusal of a code whose sentence has the same code, so that it can be stored."""
    return Refusal(code, sentences.say(code, **values), field)


@contextmanager
def refusing_second(refusal: Refusal) -> Iterator[None]:
    """Run the block in a transaction; refuse it where it breaks a unique constraint of the database.

    Of two who do the same at once neither sees the other's row: the constraint decides, not a look before.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise RefusedError([refusal]) from error


# The same thing by the same person so soon is the second click of one, or a form sent again by the back button.
SAME_CLICK = timedelta(seconds=30)


def just_now(at: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which a person's second click falls, for `at__range`."""
    return at - SAME_CLICK, at + SAME_CLICK
