"""How a form or a page shows a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from core.errors import Refusal, RefusedError


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
