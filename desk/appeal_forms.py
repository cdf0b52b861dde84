"""The form of an appeal with its files, and that of Council's decision."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.choices import AppealGround, AppealState
from tournaments.services.appeals import MOST_FILE_BYTES, MOST_FILES, AppealRequest

MEBIBYTE = 1024 * 1024


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files; how many and how large, the service says."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files that came, empty without one."""
        files = [one for one in (data if isinstance(data, list | tuple) else [data]) if one]
        return [super(FilesField, self).clean(one, initial) for one in files]


class AppealForm(forms.Form):
    """An appeal: in whose name, on which ground, why, and what proves it (0.4)."""

    default_renderer = PortalFormRenderer()

    organiser = forms.CharField(
        label=_l("Organiser who appeals"),
        max_length=120,
        help_text=_l("The organiser has the right to appeal (0.4); you lodge it in their name."),
    )
    ground = forms.ChoiceField(
        label=_l("Ground"),
        choices=AppealGround.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _l("Choose the ground.")},
    )
    statement = forms.CharField(
        label=_l("Why the tournament should be rated"),
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 8}),
        error_messages={"required": _l("Say why the tournament should be rated.")},
    )
    evidence = FilesField(
        label=_l("Files"),
        required=False,
        error_messages={"empty": _l("A file is empty. Choose it again.")},
        help_text=_l(
            "At most %(number)d files of %(size)d MiB each. FIDE Council alone and your federation read them."
        )
        % {"number": MOST_FILES, "size": MOST_FILE_BYTES // MEBIBYTE},
    )

    def __init__(self, *args: Any, too_large: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.too_large = too_large

    def clean(self) -> dict[str, Any]:
        """Say of a file that was too large just that: the request ended with it. What was typed came before it."""
        cleaned = super().clean() or self.cleaned_data
        if self.too_large:
            self.errors.clear()
            message = _("A file is larger than %(size)d MiB. Choose smaller ones.")
            self.add_error("evidence", message % {"size": MOST_FILE_BYTES // MEBIBYTE})
        return cleaned

    def request(self) -> AppealRequest:
        """Return what a valid form asks for."""
        values = self.cleaned_data
        files = [(file.name, file.read()) for file in values["evidence"]]
        return AppealRequest(values["ground"], values["statement"], values["organiser"], files)


class OutcomeForm(forms.Form):
    """What Council decides, with its reasons."""

    default_renderer = PortalFormRenderer()

    outcome = forms.ChoiceField(
        label=_l("Decision of FIDE Council"),
        choices=[
            (AppealState.UPHELD, _l("Uphold: it is rated on the next list that can take it")),
            (AppealState.DISMISSED, _l("Dismiss: it is not rated")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _l("Choose a decision.")},
    )
    reason = forms.CharField(
        label=_l("Reasons"),
        max_length=8000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_l("Everybody can read them."),
        error_messages={"required": _l("Give Council's reasons; everybody can read them.")},
    )
