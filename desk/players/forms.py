"""Forms for players: a new one, a transfer, a merge."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from players.choices import Sex, Title
from players.models import Federation, Player
from players.permissions import registering_federations
from players.queries.names import LARGEST_ID
from players.text import words_of

OLDEST_YEAR = 1900


def name_of(text: str) -> str:
    """Return a name with single spaces; ValidationError where it has no letters."""
    name = " ".join(text.split())
    if not words_of(name):
        raise forms.ValidationError(_("Write the name in letters."))
    return name


def born_on(day: date) -> date:
    """Return a birth date; ValidationError for a year in which nobody who plays was born."""
    if day.year < OLDEST_YEAR:
        raise forms.ValidationError(_("Check the year."))
    return day


class NewPlayerForm(forms.Form):
    """What is needed for a FIDE ID."""

    default_renderer = PortalFormRenderer()

    name = forms.CharField(
        label=_l("Name"), max_length=100, help_text=_l("Family name, given name, as in the passport.")
    )
    federation = forms.ModelChoiceField(Federation.objects.none(), label=_l("Federation"), empty_label=None)
    sex = forms.ChoiceField(label=_l("Sex"), choices=Sex, widget=forms.RadioSelect)
    birth_date = forms.DateField(
        label=_l("Birth date"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text=_l("Seen by your federation and FIDE staff alone; everybody else sees the year."),
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        federations = registering_federations(user).order_by("name")
        self.fields["federation"].queryset = federations  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        return name_of(self.cleaned_data["name"])

    def clean_birth_date(self) -> date:
        return born_on(self.cleaned_data["birth_date"])


class FideIdField(forms.IntegerField):
    """The FIDE ID of a player whom the portal knows; gives the player."""

    def __init__(self, **kwargs: Any) -> None:
        # An ID is told apart by its last digit: all of it is seen, and no wheel changes it.
        widget = forms.TextInput(attrs={"inputmode": "numeric", "size": len(str(LARGEST_ID))})
        super().__init__(min_value=1, max_value=LARGEST_ID, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        number = super().clean(value)
        player = Player.objects.filter(pk=number).first() if number is not None else None
        if number is not None and player is None:
            raise forms.ValidationError(_("There is no player with this FIDE ID."))
        return player


class DayInput(forms.DateInput):
    """A day as the browser's own control, always written 2026-01-31."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class ChangeForm(forms.Form):
    """What is to be changed in a player's data, and by which evidence; what is left empty stays."""

    default_renderer = PortalFormRenderer()

    player = FideIdField(label=_l("FIDE ID of the player"))
    name = forms.CharField(
        label=_l("New name"),
        max_length=100,
        required=False,
        help_text=_l("Family name, given name, as in the passport."),
    )
    sex = forms.ChoiceField(label=_l("New sex"), choices=[("", "–"), *Sex.choices], required=False)
    birth_date = forms.DateField(
        label=_l("New birth date"),
        widget=DayInput,
        required=False,
        help_text=_l("Seen by your federation and FIDE staff alone; everybody else sees the year."),
    )
    died_on = forms.DateField(
        label=_l("Died on"),
        widget=DayInput,
        required=False,
        help_text=_l("The day of a death; the lists after it no longer show the player (9.2)."),
    )
    reason = forms.CharField(
        label=_l("Why"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_l("One sentence."),
    )
    evidence = forms.CharField(
        label=_l("Evidence"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_l("The document that shows it, and where it is kept. Do not copy its numbers here."),
    )

    def clean_name(self) -> str:
        return name_of(self.cleaned_data["name"]) if self.cleaned_data["name"] else ""

    def clean_birth_date(self) -> date | None:
        day: date | None = self.cleaned_data["birth_date"]
        return born_on(day) if day else None

    def clean_died_on(self) -> date | None:
        day: date | None = self.cleaned_data["died_on"]
        return born_on(day) if day else None


class TitleForm(forms.Form):
    """A title with the day from which lists show it."""

    default_renderer = PortalFormRenderer()

    player = FideIdField(label=_l("FIDE ID of the player"))
    title = forms.ChoiceField(label=_l("Title"), choices=Title)
    granted_on = forms.DateField(label=_l("From"), widget=DayInput)
    reference = forms.CharField(
        label=_l("Decision"), max_length=200, help_text=_l("Of which meeting, by which document.")
    )


class TransferForm(forms.Form):
    """Who goes where."""

    default_renderer = PortalFormRenderer()

    player = FideIdField(label=_l("FIDE ID of the player"))
    to = forms.ModelChoiceField(Federation.objects.order_by("name"), label=_l("New federation"))


class MergeForm(forms.Form):
    """Two FIDE IDs of one person."""

    default_renderer = PortalFormRenderer()

    player = FideIdField(label=_l("FIDE ID that goes"), help_text=_l("It leads on to the other for ever."))
    into = FideIdField(label=_l("FIDE ID that stays"))
    reason = forms.CharField(
        label=_l("Reason"),
        max_length=400,
        help_text=_l("It is kept and published in the ledger of corrections."),
    )


class ReasonForm(forms.Form):
    """The reason of a refusal."""

    default_renderer = PortalFormRenderer()

    reason = forms.CharField(label=_l("Reason"), max_length=400)
