"""Buttons of the registration form that fill in a part of it."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from tournaments.registration_form import RegistrationForm
from tournaments.schedule_field import (
    FIRST_NEW,
    MAX_ROWS,
    ScheduleInput,
    read_lines,
    wanted_rounds,
    with_rounds,
)

Form = TypeVar("Form", bound=RegistrationForm)


def is_fill_button(request: HttpRequest) -> bool:
    """Return whether the pressed button only fills in a part of the form."""
    return any(name in request.POST for name in ("add_rows", "fill_rounds"))


def fill_form(request: HttpRequest, kind: type[Form], **given: Any) -> Form:
    """Return the form as it was typed, with the additions of the pressed button."""
    post: QueryDict = request.POST
    rows: Any = ScheduleInput().value_from_datadict(post, {}, "schedule")
    rows = [*read_lines(rows)] if isinstance(rows, str) else rows
    if "add_rows" in post:
        given["initial"] = given["initial"] | {FIRST_NEW: min(len(rows), MAX_ROWS) + 1}
    elif rounds := wanted_rounds(post):
        # A start stays with its round.
        starts = [start for day, start in rows if day or start] + [""] * len(rounds)
        rounds = [(day, start) for (day, _none), start in zip(rounds, starts, strict=False)]
        post = with_rounds(post, rounds, scheduled_for=str(post["start"]))
    elif not all(post.get(name) for name in ("start", "end", "rounds")):
        messages.info(request, _("Enter the first day, the last day and the number of rounds first."))
    return kind(post, **given)
