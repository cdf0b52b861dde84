"""Forms of the hand-over: whom to name, the arbiter's remark, the reason of sending back."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer

MOST_LETTERS = 2000


class NameForm(forms.Form):
    """The chief arbiter who is to hand the report over."""

    default_renderer = PortalFormRenderer()

    email = forms.EmailField(
        label=_l("E-mail address of the chief arbiter"),
        max_length=254,
        help_text=_l("Somebody who has no account yet is invited by mail."),
    )


class HandOverForm(forms.Form):
    """What the arbiter says to whoever takes the report."""

    default_renderer = PortalFormRenderer()

    remark = forms.CharField(
        label=_l("Remark"),
        required=False,
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("What is to be known of the report; needed where it has errors."),
    )


class SendBackForm(forms.Form):
    """Why the report is sent back."""

    default_renderer = PortalFormRenderer()

    reason = forms.CharField(
        label=_l("Why it is sent back"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("The chief arbiter reads it, and sees what to correct."),
    )
