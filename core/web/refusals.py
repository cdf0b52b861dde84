"""What a service refused, shown in the form that asked for it."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms

from core.errors import Refusal


def add_refusals(form: forms.BaseForm, refusals: Iterable[Refusal]) -> None:
    """Put each reason of a refusal beside its field, or above the form where the form has none."""
    for refusal in refusals:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
