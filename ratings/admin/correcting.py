"""The forms with which staff correct published reports, games, conditions and players (D-11, D-82)."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.fields import TextField
from core.html.forms import PortalForm
from players.choices import Sex
from players.models import Federation, Player
from players.name_doubts import NameDoubt
from players.name_fields import PersonNameFields
from players.player_field import PlayerField
from ratings.queries.tournament_search import find_tournaments
from tournaments.models import Tournament
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm, as_typed
from tournaments.services.changed_meanwhile import seen_of

SALT = "ratings.correction"
# What the form of a registration asks for, and this correction leaves as it is.
LEFT = ("name", "city", "start", "chief_arbiter", "organiser", "is_stated_rated")


def kept_file(name: str, content: bytes) -> str:
    """Return a signed file for a form that carries it."""
    # Latin-1 gives every byte a character: JSON, which is signed, has no bytes.
    return signing.dumps([name, content.decode("latin-1")], salt=SALT, compress=True)


class KeptFileForm(forms.Form):
    """A corrected report; `kept` carries it, signed, to the page that corrects it and past errors of other fields."""

    content: bytes | None = None
    file_name = ""
    report = forms.FileField(label=_l("Corrected report (TRF)"), required=False)
    kept = forms.CharField(widget=forms.HiddenInput, required=False)

    def clean(self) -> dict[str, Any]:
        """Take the file that was sent, or the one that was kept."""
        cleaned = super().clean() or self.cleaned_data
        self.content, self.file_name = self._file(cleaned)
        return cleaned

    def _file(self, cleaned: dict[str, Any]) -> tuple[bytes | None, str]:
        sent = cleaned.get("report")
        if sent:
            return bytes(sent.read()), str(sent.name)
        if cleaned.get("kept") and not cleaned.get("is_withdrawn"):
            return self._read_kept_file(cleaned["kept"])
        return None, ""

    def _read_kept_file(self, text: str) -> tuple[bytes | None, str]:
        try:
            name, content = signing.loads(text, salt=SALT)
        except signing.BadSignature:
            self.add_error("report", forms.ValidationError(_("Select the file again."), code="forged"))
            return None, ""
        return content.encode("latin-1"), name

    def to_keep(self) -> str:
        """Return the file of a valid form for the next page, empty without one."""
        return "" if self.content is None else kept_file(self.file_name, self.content)

    def to_show_again(self) -> str:
        """Return the file of a form that is shown again, empty if the file must be replaced."""
        return "" if self.has_error("report") else self.to_keep()


class TournamentInput(forms.TextInput):
    """A text field with the tournaments of the portal's search; a chosen one fills in its event ID."""

    template_name = "partials/tournament_input.html"


def _tournament_with(words: str) -> Tournament:
    """Return the tournament that has this event ID, or alone this name."""
    wanted = words.casefold().split()
    found = [
        one
        for one in find_tournaments(words, shown=2)
        if one.event_id == words.strip() or all(word in one.name.casefold() for word in wanted)
    ]
    if not found:
        raise forms.ValidationError(_("No tournament has this name or event ID."), code="unknown")
    if len(found) > 1:
        message = _("Several tournaments have this name. Select one, or enter the event ID.")
        raise forms.ValidationError(message, code="several")
    return found[0]


def _tournament_field() -> forms.CharField:
    return forms.CharField(
        label=_l("Name or event ID of the tournament"), max_length=100, widget=TournamentInput
    )


class TournamentForm(PortalForm):
    """A tournament, by its name or event ID."""

    event_id = _tournament_field()
    # The newest step when the effect was shown: it detects a decision of a colleague since then.
    seen = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def clean_event_id(self) -> str:
        """Find the tournament."""
        self.tournament = _tournament_with(self.cleaned_data["event_id"])
        return str(self.tournament.event_id)

    def seen_before(self, *, is_dry_run: bool) -> str | None:
        """Return the step that must be the newest; a dry run notes it for the page that shows the effect."""
        if is_dry_run:
            self.cleaned_data["seen"] = seen_of(self.tournament)
            return None
        return str(self.cleaned_data["seen"])


class CorrectionForm(TournamentForm, KeptFileForm):
    """Which tournament, the corrected report or its withdrawal, and why."""

    field_order = ("event_id", "report", "is_withdrawn", "reason")
    is_withdrawn = forms.BooleanField(label=_l("Withdraw the report instead"), required=False)
    reason = TextField(label=_l("Reason"), max_length=2000)

    def clean(self) -> dict[str, Any]:
        """Ask for a file, which a withdrawal has not."""
        cleaned = super().clean()
        has_file, is_withdrawn = self.content is not None, bool(cleaned.get("is_withdrawn"))
        if has_file == is_withdrawn and not self.errors:
            message = _("Select the corrected report, or withdraw the accepted one.")
            self.add_error("report", forms.ValidationError(message, code="report-missing"))
        return cleaned


LABELS = {
    "name": _l("Name"),
    "federation_id": _l("Federation"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "died_on": _l("Date of death"),
    "birth_date": _l("Date of birth (private)"),
}


class PlayerForm(PersonNameFields):
    """What is recorded of a player, and why it is corrected. The name that is recorded is not asked about."""

    recorded_name = ""
    federation_id = forms.CharField(label=LABELS["federation_id"], max_length=3)
    sex = forms.ChoiceField(label=LABELS["sex"], choices=Sex.choices, required=False)
    birth_year = forms.IntegerField(
        label=LABELS["birth_year"], min_value=1850, max_value=2200, required=False
    )
    birth_date = forms.DateField(label=LABELS["birth_date"], required=False)
    died_on = forms.DateField(label=LABELS["died_on"], required=False)
    reason = TextField(label=_l("Reason (public)"), max_length=2000)

    field_order = ("surname", "given_names")
    # The data as they were when the form was opened.
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    @property
    def doubt(self) -> NameDoubt | None:
        """Why the name looks wrong, if it is another one than before."""
        return None if self.listed_name == self.recorded_name else super().doubt

    def clean_federation_id(self) -> str:
        code = str(self.cleaned_data["federation_id"]).strip().upper()
        if not Federation.objects.filter(pk=code).exists():
            raise forms.ValidationError(_("No federation has this code."), code="unknown")
        return code

    def clean(self) -> dict[str, Any]:
        """Compare the dates of birth; the service checks the date of death (D-74)."""
        cleaned = super().clean()
        born, year = cleaned.get("birth_date"), cleaned.get("birth_year")
        if born and born.year != year:
            message = _("The date of birth is in a different year.")
            self.add_error("birth_year", forms.ValidationError(message, code="other-year"))
        if year and year > timezone.now().year:
            message = _("This year has not started yet.")
            self.add_error("birth_year", forms.ValidationError(message, code="future-year"))
        return cleaned


class WhoForm(PortalForm):
    """Whose data are corrected."""

    fide_id = PlayerField(label=_l("Name or FIDE ID of the player"))

    def clean_fide_id(self) -> int:
        """Note the player."""
        self.player: Player = self.cleaned_data["fide_id"]
        return int(self.player.pk)


class EventForm(PortalForm):
    """Which tournament is corrected: its conditions, or one of its games."""

    event = _tournament_field()

    def clean_event(self) -> str:
        """Find the tournament."""
        self.tournament = _tournament_with(self.cleaned_data["event"])
        return str(self.tournament.event_id)


class ConditionsForm(RegistrationForm, KeptFileForm):
    """The conditions of a tournament as they should have been, why, and a report that fits them where it has to."""

    reason = TextField(label=_l("Reason (public)"), max_length=2000)
    # The newest step when the form was opened: two who correct at once do not write over each other.
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        waiver = {"match_waiver": tournament.match_waiver, "seen": seen_of(tournament)}
        super().__init__(*args, initial=as_typed(tournament) | waiver, **kwargs)
        self.fields["report"].label = _("Corrected report (TRF), if the report also needs the correction")
        self.tournament = tournament
        self.fields["schedule"].required = False
        for name in ("federation", "rounds", "deputies", "continues", *LEFT, *STAFF_FIELDS):
            self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        """Check the schedule with the first day, which does not change."""
        self.cleaned_data |= {name: getattr(self.tournament, name) for name in LEFT}
        self.cleaned_data["federation"] = self.tournament.federation_id
        return super().clean()
