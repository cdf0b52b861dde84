"""What a service refused, shown in the form that asked for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from core.errors import Refusal, RefusedError


def add_refusals(form: forms.BaseForm, refusals: Iterable[Refusal]) -> None:
    """Put each reason of a refusal beside its field, or above the form where the form has none."""
    for refusal in refusals:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)


@contextmanager
def refusals_shown(form: forms.BaseForm) -> Iterator[None]:
    """Show the reasons of a `RefusedError` in the form; a block that ends with a return goes on after it then."""
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
        messages.error(request, str(error))
