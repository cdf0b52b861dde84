"""Which mails a person wants."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.choices import OPTIONAL_NOTICES


class NotificationsForm(forms.Form):
    """A box for each kind of mail that can be turned off."""

    wanted = forms.MultipleChoiceField(
        label=_("Mails you get about"),
        choices=[(kind.value, kind.label) for kind in OPTIONAL_NOTICES],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
