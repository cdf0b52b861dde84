"""Buttons of the registration form that fill in a part of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.arbiter_fields import DeputiesInput
from tournaments.registration_form import RegistrationForm
from tournaments.schedule_field import (
    FIRST_NEW,
    MAX_ROWS,
    MORE_ROWS,
    ScheduleInput,
    readable_rounds,
    wanted_rounds,
)


def is_fill_button(request: HttpRequest) -> bool:
    """Return whether the pressed button only fills in a part of the form."""
    return any(name in request.POST for name in ("add_rows", "fill_rounds"))


def fill_form(request: HttpRequest) -> dict[str, Any]:
    """Return the typed values as initial values, with the additions of the pressed button."""
    post = request.POST
    fields = RegistrationForm.base_fields.items()
    # A browser does not send a box that is not ticked, and the initial value of one is ticked.
    unchecked = {name: False for name, field in fields if isinstance(field, forms.BooleanField)}
    rows: Any = ScheduleInput().value_from_datadict(post, {}, "schedule")
    added: dict[str, Any] = {}
    if "add_rows" in post:
        rows = [*readable_rounds(rows)] if isinstance(rows, str) else rows
        added = {FIRST_NEW: len(rows) + 1}
        rows = [*rows, *[("", "")] * MORE_ROWS][:MAX_ROWS]
    elif "fill_rounds" in post:
        rows = wanted_rounds(post) or rows
        added = {"scheduled_for": post.get("start", "")}
        if not wanted_rounds(post):
            messages.info(request, _("Enter the first day, the last day and the number of rounds first."))
    deputies = DeputiesInput().value_from_datadict(post, {}, "deputies")
    return unchecked | post.dict() | {"schedule": rows, "deputies": deputies} | added
