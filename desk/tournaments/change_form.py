"""A registration that stands as a form, to change it or to register the next edition of the event."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from tournaments.models import Tournament
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm
from tournaments.services.registration import RegistrationRequest


class ChangeForm(RegistrationForm):
    """A registration that stands, with the reason for changing it. Federation and decisions of others stay."""

    reason = forms.CharField(
        label=_l("Reason for the change"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("It is kept with what was and what is now."),
        error_messages={"required": _l("Give the reason; it is kept with the change.")},
    )

    # The last step of the trail when the form was opened: two who change at once do not write over each other.
    seen = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)

    def __init__(self, *args: Any, user: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, user=user, **kwargs)
        self.tournament = tournament
        for name in ("federation", *STAFF_FIELDS):
            self.fields.pop(name, None)

    def look_again(self, seen: str) -> None:
        """Let the form that is shown again know of what was done meanwhile."""
        data: Any = self.data
        self.data = data = data.copy()
        data["seen"] = seen

    def request(self) -> RegistrationRequest:
        """Return what a valid form says, with all that it does not ask as it was."""
        kept = ("is_official", "decided_by", "decision_reference", "event_id")
        self.cleaned_data["federation"] = self.tournament.federation_id
        return replace(super().request(), **{name: getattr(self.tournament, name) for name in kept})


def as_typed(tournament: Tournament) -> dict[str, Any]:
    """Return what one would type to register a tournament as it is registered."""
    names = (
        *("name", "city", "kind", "time_control", "has_unequal_times", "start", "end", "chief_arbiter"),
        *("organiser", "is_match", "match_waiver", "is_hybrid", "is_stated_rated", "is_official"),
        *("decided_by", "decision_reference"),
    )
    days = [day for day in tournament.schedule if day]
    typed = {name: getattr(tournament, name) for name in names}
    lines = [f"{day} {days.count(day)}" for day in dict.fromkeys(days)]
    return typed | {"federation": tournament.federation_id, "schedule": "\n".join(lines)}


def as_template(tournament: Tournament, *, today: date) -> dict[str, Any]:
    """Return what one would type for the next edition of an event: the same weekdays, a year or more on."""
    weeks = 52
    while tournament.start + timedelta(weeks=weeks) < today:
        weeks += 52
    shift = timedelta(weeks=weeks)
    days = [day for day in tournament.schedule if day]
    lines = [f"{date.fromisoformat(day) + shift} {days.count(day)}" for day in dict.fromkeys(days)]
    moved = {
        "start": tournament.start + shift,
        "end": tournament.end + shift,
        "schedule": "\n".join(lines),
        "match_waiver": "",
        "decided_by": "",
        "decision_reference": "",
    }
    return as_typed(tournament) | moved
