"""What the services refuse, with all the reasons at once, and how a form or a page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason: a stable code, the sentence for a person, and the field of the form that it belongs to."""

    code: str
    message: str
    field: str = ""


class RefusedError(Exception):
    """An action was refused; `refusals` has one reason for each problem. Nothing was written."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__("; ".join(str(refusal.message) for refusal in refusals))
        self.refusals = tuple(refusals)


class BusyError(Exception):
    """The portal does as much of a heavy kind of work as it can: the same request succeeds a little later."""


def refused(code: str, message: str, field: str = "") -> RefusedError:
    """Return the error of one reason."""
    return RefusedError([Refusal(code, message, field)])


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


def add_refusals(form: forms.BaseForm, refusals: Iterable[Refusal]) -> None:
    """Put each reason of a refusal, with its code, beside its field, or above the form where the form has none."""
    for refusal in refusals:
        reason = ValidationError(refusal.message, code=refusal.code)
        form.add_error(refusal.field if refusal.field in form.fields else None, reason)


@contextmanager
def refusals_shown(form: forms.BaseForm) -> Iterator[None]:
    """Show the reasons of a `RefusedError` in the form. The code after the block then runs."""
    try:
        yield
    except RefusedError as error:
        add_refusals(form, error.refusals)


@contextmanager
def refusals_in_messages(request: HttpRequest) -> Iterator[None]:
    """Show the reasons of a `RefusedError` as a message of the next page."""
    try:
        yield
    except RefusedError as error:
        show_refused(request, error)


def show_refused(request: HttpRequest, error: RefusedError) -> None:
    """Show the reasons of a refusal as a message of the next page; its tags are their codes."""
    messages.error(request, str(error), extra_tags=" ".join(one.code for one in error.refusals))
