"""A report to be checked by somebody unknown: a file or its text, and the kind for a preview."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.choices import Kind
from tournaments.files import EMPTY_FILE, MEBIBYTE, MOST_BYTES


class CheckForm(forms.Form):
    """The report as a file or pasted; with a kind its ratings are previewed."""

    default_renderer = PortalFormRenderer()

    report = forms.FileField(
        label=_l("Report (TRF)"),
        required=False,
        error_messages={"empty": EMPTY_FILE},
        help_text=_l("The text file that the pairing program exports; at most %(size)d MiB.")
        % {"size": MOST_BYTES["report"] // MEBIBYTE},
    )
    text = forms.CharField(
        label=_l("Or its text"),
        required=False,
        strip=False,
        max_length=MOST_BYTES["report"],
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "mono", "wrap": "off"}),
    )
    kind = forms.ChoiceField(
        label=_l("Preview the ratings as"),
        required=False,
        choices=[("", _l("no preview")), *Kind.choices],
    )

    def __init__(self, *args: Any, too_large: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.too_large = too_large

    def clean(self) -> dict[str, Any]:
        """Take one of file and text."""
        cleaned = super().clean() or self.cleaned_data
        if self.too_large:
            self.errors.clear()
            message = _("The file is larger than %(size)d MiB. Upload the tournament's own file alone.")
            self.add_error("report", message % {"size": MOST_BYTES["report"] // MEBIBYTE})
        elif not self.errors and not cleaned.get("report") and not cleaned.get("text", "").strip():
            self.add_error("report", _("Choose the file of the report, or paste its text."))
        return cleaned

    def content(self) -> bytes:
        """Return the bytes of the report."""
        sent = self.cleaned_data.get("report")
        return bytes(sent.read()) if sent else str(self.cleaned_data["text"]).encode()

    def file_name(self) -> str:
        """Return the name of the file, empty for a pasted text."""
        sent = self.cleaned_data.get("report")
        return str(sent.name) if sent else ""
