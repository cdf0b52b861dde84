"""Forms for what is decided with a reason: by the QC, and an officer's withdrawal."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.services.decisions import possible_actions

QC_VERBS = {
    Action.ALLOW: _l("Allow: the tournament may be played and reported as registered"),
    Action.REFUSE: _l("Refuse: no report of it is taken"),
    Action.NOT_RATE: _l("Decide not to rate it (0.4): the organiser may appeal within 7 days"),
}


class ReasonForm(forms.Form):
    """A reason, without which nothing is decided."""

    default_renderer = PortalFormRenderer()

    reason = forms.CharField(
        label=_l("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_l("It is kept for ever and shown to the rating officer."),
        error_messages={"required": _l("Give the reason; it is kept and shown to the officer.")},
    )


class DecisionForm(ReasonForm):
    """A decision of the QC: what the state of the tournament allows, with its reason."""

    decision = forms.ChoiceField(
        label=_l("Decision"), widget=forms.RadioSelect, error_messages={"required": _l("Choose a decision.")}
    )
    is_public = forms.BooleanField(
        label=_l("Show the reason on the public page too"),
        required=False,
        help_text=_l("Name nobody in a reason that everybody reads."),
    )
    field_order = ["decision", "reason", "is_public"]

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        possible = possible_actions(tournament)
        self.fields["decision"].choices = [  # type: ignore[attr-defined]
            (action, verb) for action, verb in QC_VERBS.items() if action in possible
        ]

    def action(self) -> Action:
        """Return the decision of a valid form."""
        return Action(self.cleaned_data["decision"])
