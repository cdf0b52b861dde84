"""Forms of the QC's case and of the officer's answer: notes, questions, requests for information."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer

MOST_LETTERS = 4000


class NoteForm(forms.Form):
    """A note that the QC and FIDE staff alone read."""

    default_renderer = PortalFormRenderer()
    prefix = "note"

    text = forms.CharField(
        label=_l("Note"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("The QC and FIDE staff alone read it. It is kept for ever."),
    )


class AskForm(forms.Form):
    """What the officer is asked, and by when."""

    default_renderer = PortalFormRenderer()
    prefix = "ask"

    text = forms.CharField(
        label=_l("What the officer is asked"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    due_on = forms.DateField(
        label=_l("Answer by"),
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_l("Until the end of that UTC day."),
    )


class QuestionForm(forms.Form):
    """Why a report is put under question."""

    default_renderer = PortalFormRenderer()
    prefix = "question"

    reason = forms.CharField(
        label=_l("What is in question"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("The officer reads it. No list takes the tournament until the question is closed."),
    )


class ClearForm(forms.Form):
    """Why a question is closed."""

    default_renderer = PortalFormRenderer()
    prefix = "clear"

    reason = forms.CharField(
        label=_l("Why the question is closed"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("The officer reads it. The next list that can take the tournament does."),
    )


class AnswerForm(forms.Form):
    """The officer's answer."""

    default_renderer = PortalFormRenderer()

    answer = forms.CharField(
        label=_l("Answer"),
        max_length=MOST_LETTERS,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_l("The QC reads it; it is kept for ever and cannot be changed."),
    )
