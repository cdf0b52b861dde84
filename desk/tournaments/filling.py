"""Buttons of the registration form that fill in a part of it."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeVar

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from core.text_values import read_day
from desk.tournaments.rules import is_live
from tournaments.registration_form import RegistrationForm
from tournaments.schedule_field import (
    FIRST_NEW,
    MAX_ROWS,
    ScheduleInput,
    read_lines,
    readable_rounds,
    wanted_rounds,
    with_rounds,
)

Form = TypeVar("Form", bound=RegistrationForm)


def is_fill_button(request: HttpRequest) -> bool:
    """Return whether the pressed button only fills in a part of the form."""
    return any(name in request.POST for name in ("add_rows", "fill_rounds"))


def fill_form(request: HttpRequest, kind: type[Form], **given: Any) -> Form:
    """Return the form as it was typed, with what follows from it and the additions of the pressed button."""
    post = _with_last_day(request.POST, is_typing=is_live(request))
    rows: Any = ScheduleInput().value_from_datadict(post, {}, "schedule")
    rows = [*read_lines(rows)] if isinstance(rows, str) else rows
    has_other_rows = is_fill_button(request)
    # A new registration has its schedule as soon as days and rounds are known.
    is_due = "fill_rounds" in post or ("seen" not in given["initial"] and not any(map(any, rows)))
    if "add_rows" in post:
        given["initial"] = given["initial"] | {FIRST_NEW: min(len(rows), MAX_ROWS) + 1}
    elif is_due and (rounds := wanted_rounds(post)):
        has_other_rows = True
        # A start stays with its round.
        starts = [start for day, start in rows if day or start] + [""] * len(rounds)
        rounds = [(day, start) for (day, _none), start in zip(rounds, starts, strict=False)]
        post = with_rounds(post, rounds, scheduled_for=str(post["start"]))
    form = kind(post, **given)
    form.has_other_rows, form.is_typing = has_other_rows, is_live(request)
    # Where the page gets it by itself.
    form.fields["end"].widget.attrs["data-hx-swap-oob"] = "true"
    if "fill_rounds" in post and not all(post.get(name) for name in ("start", "end", "rounds")):
        message = _("Enter the first day, the last day and the number of rounds first.")
        form.add_error("rounds", forms.ValidationError(message, code="fill"))
    return form


def _with_last_day(post: QueryDict, *, is_typing: bool) -> QueryDict:
    """Return what was typed; the last day moves as far as the first one, like the schedule: an event keeps its length.

    Without a script both days may be new: the last one moves only where the first one has passed it.
    """
    start, end, former = (read_day(post.get(name, "")) for name in ("start", "end", "scheduled_for"))
    if not (start and end and former and former <= end and start <= date.max - (end - former)):
        return post
    # Rounds that begin on the new first day were made for it.
    rounds = readable_rounds(ScheduleInput().value_from_datadict(post, {}, "schedule"))
    is_new = not rounds or min(rounds)[0] != start.isoformat()
    if end < start or (is_typing and is_new):
        post = post.copy()
        post["end"] = (start + (end - former)).isoformat()
    return post
