"""Forms for a report: its files, and the sentence that acknowledges its warnings."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from tournaments.files import EMPTY_FILE, MEBIBYTE, MOST_BYTES

NO_FILE = _l("Choose the file of the report.")


class ReportForm(forms.Form):
    """The TRF of a tournament and, for a hybrid one, the PGN of its games."""

    default_renderer = PortalFormRenderer()

    report = forms.FileField(
        label=_l("Report (TRF)"),
        error_messages={"empty": EMPTY_FILE, "required": NO_FILE},
        help_text=_l("The text file that the pairing program exports; at most %(size)d MiB.")
        % {"size": MOST_BYTES["report"] // MEBIBYTE},
    )
    pgn = forms.FileField(
        label=_l("Games (PGN)"),
        required=False,
        error_messages={"empty": _l("The file is empty.")},
        help_text=_l(
            "All games of the tournament, at most %(size)d MiB; a hybrid one is not taken without them (8.4)."
        )
        % {"size": MOST_BYTES["pgn"] // MEBIBYTE},
    )

    def __init__(self, *args: Any, is_hybrid: bool, too_large: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.too_large = too_large
        if not is_hybrid:
            del self.fields["pgn"]

    def clean(self) -> dict[str, Any]:
        """Say of a file that was too large just that."""
        cleaned = super().clean() or self.cleaned_data
        if self.too_large in self.fields:
            self.errors.clear()
            message = _("The file is larger than %(size)d MiB. Upload the tournament's own file alone.")
            self.add_error(self.too_large, message % {"size": MOST_BYTES[self.too_large] // MEBIBYTE})
        return cleaned

    def content(self) -> bytes:
        """Return the bytes of the report."""
        return bytes(self.cleaned_data["report"].read())

    def file_name(self) -> str:
        """Return the name of the file as it was uploaded."""
        return str(self.cleaned_data["report"].name)

    def pgn_content(self) -> bytes | None:
        """Return the bytes of the PGN, None where there is none."""
        pgn: UploadedFile[Any] | None = self.cleaned_data.get("pgn")
        return pgn.read() if pgn else None


class AcceptForm(forms.Form):
    """Accepting a report; warnings need a sentence."""

    default_renderer = PortalFormRenderer()

    acknowledgement = forms.CharField(
        label=_l("Why the warnings may stand"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("One sentence; it is kept with the report."),
        error_messages={
            "required": _l("Acknowledge the warnings with a sentence; it is kept with the report.")
        },
    )

    def __init__(self, *args: Any, has_warnings: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_warnings:
            del self.fields["acknowledgement"]

    def sentence(self) -> str:
        """Return the sentence, empty where none is needed."""
        return str(self.cleaned_data.get("acknowledgement", ""))
