"""The form by which staff correct or withdraw a published report: first the effect, then the deed (D-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from players.models import Player
from ratings.services.corrections.lines import Line
from tournaments.models import Tournament
from tournaments.trf.limits import MAX_BYTES

SALT = "ratings.correction"
MEBIBYTE = 1024 * 1024


class KeptFileForm(forms.Form):
    """A corrected report; `kept` carries it, signed, from the page that shows the effect to the one that does it."""

    report = forms.FileField(label=_l("Corrected report (TRF)"), required=False)
    kept = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        """Take the file that was sent, or the one that was kept."""
        cleaned = super().clean() or self.cleaned_data
        self.content, self.file_name = self._file(cleaned)
        return cleaned

    def _file(self, cleaned: dict[str, Any]) -> tuple[bytes | None, str]:
        sent = cleaned.get("report")
        if sent and sent.size > MAX_BYTES:
            message = _("The file must be %(size)d MiB or smaller.") % {"size": MAX_BYTES // MEBIBYTE}
            self.add_error("report", message)
        elif sent:
            return bytes(sent.read()), str(sent.name)
        elif cleaned.get("kept"):
            return self._kept(cleaned["kept"])
        return None, ""

    def _kept(self, text: str) -> tuple[bytes | None, str]:
        try:
            name, content = signing.loads(text, salt=SALT)
        except signing.BadSignature:
            self.add_error("report", _("Select the file again."))
            return None, ""
        return content.encode("latin-1"), name

    def to_keep(self) -> str:
        """Return the file of a valid form for the next page, empty without one."""
        if self.content is None:
            return ""
        return signing.dumps([self.file_name, self.content.decode("latin-1")], salt=SALT, compress=True)


class TournamentForm(forms.Form):
    """A tournament, by its event ID."""

    event_id = forms.CharField(label=_l("Event ID"), max_length=40)

    def clean_event_id(self) -> str:
        """Find the tournament."""
        event_id = str(self.cleaned_data["event_id"]).strip()
        tournament = Tournament.objects.filter(event_id=event_id).first()
        if tournament is None:
            raise forms.ValidationError(_("No tournament has this event ID."))
        self.tournament = tournament
        return event_id


class CorrectionForm(TournamentForm, KeptFileForm):
    """Which tournament, the corrected report or its withdrawal, and why."""

    field_order = ("event_id", "report", "is_withdrawn", "reason")
    is_withdrawn = forms.BooleanField(label=_l("Withdraw the report instead"), required=False)
    reason = forms.CharField(label=_l("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=2000)

    def clean(self) -> dict[str, Any]:
        """Ask for a file, which a withdrawal has not."""
        cleaned = super().clean()
        has_file, is_withdrawn = self.content is not None, bool(cleaned.get("is_withdrawn"))
        if has_file == is_withdrawn and not self.errors:
            self.add_error("report", _("Select the corrected report, or withdraw the accepted one."))
        return cleaned


def with_players(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return the lines of an effect, each with its player."""
    players = Player.objects.in_bulk([line.player_id for line in lines])
    return [{"line": line, "player": players[line.player_id]} for line in lines]
