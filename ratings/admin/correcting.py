"""The forms by which staff correct a published report or a player: first the effect, then the deed (D-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import RefusedError
from core.web.sessions import restore_form
from players.choices import Sex
from players.models import Federation, Player
from players.permissions import is_staff
from players.queries.names import LARGEST_ID
from ratings.services.corrections.lines import Line
from ratings.services.corrections.players import FIELDS, PlayerEffect, correct_player, player_seen
from tournaments.models import Tournament
from tournaments.services.trail import seen_of
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
    # The newest step when the effect was shown: nobody decides over what a colleague decided meanwhile.
    seen = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def clean_event_id(self) -> str:
        """Find the tournament."""
        event_id = str(self.cleaned_data["event_id"]).strip()
        tournament = Tournament.objects.filter(event_id=event_id).first()
        if tournament is None:
            raise forms.ValidationError(_("No tournament has this event ID."))
        self.tournament = tournament
        return event_id

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


LABELS = {
    "name": _l("Name"),
    "federation_id": _l("Federation"),
    "sex": _l("Sex"),
    "birth_year": _l("Year of birth"),
    "died_on": _l("Date of death"),
    "birth_date": _l("Date of birth (private)"),
}


class PlayerForm(forms.Form):
    """What is recorded of a player, and why it is corrected."""

    name = forms.CharField(label=LABELS["name"], max_length=100)
    federation_id = forms.CharField(label=LABELS["federation_id"], max_length=3)
    sex = forms.ChoiceField(label=LABELS["sex"], choices=Sex.choices, required=False)
    birth_year = forms.IntegerField(
        label=LABELS["birth_year"], min_value=1850, max_value=2200, required=False
    )
    birth_date = forms.DateField(label=LABELS["birth_date"], required=False)
    died_on = forms.DateField(label=LABELS["died_on"], required=False)
    reason = forms.CharField(
        label=_l("Reason (public)"), widget=forms.Textarea(attrs={"rows": 3}), max_length=2000
    )

    # The data as they were when the form was opened.
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)

    def clean_federation_id(self) -> str:
        """Find the federation."""
        code = str(self.cleaned_data["federation_id"]).strip().upper()
        if not Federation.objects.filter(pk=code).exists():
            raise forms.ValidationError(_("No federation has this code."))
        return code

    def clean(self) -> dict[str, Any]:
        """Hold the dates of birth against each other; the day of death is the service's (D-74)."""
        cleaned = super().clean() or self.cleaned_data
        born, year = cleaned.get("birth_date"), cleaned.get("birth_year")
        if born and born.year != year:
            self.add_error("birth_year", _("The date of birth is in a different year."))
        if year and year > timezone.now().year:
            self.add_error("birth_year", _("This year has not started yet."))
        return cleaned


class WhoForm(forms.Form):
    """Whose data are corrected."""

    fide_id = forms.IntegerField(label=_l("FIDE ID"), min_value=1, max_value=LARGEST_ID)

    def clean_fide_id(self) -> int:
        """Find the player."""
        fide_id = int(self.cleaned_data["fide_id"])
        player = Player.objects.filter(pk=fide_id).first()
        if player is None:
            raise forms.ValidationError(_("No player has this FIDE ID. Check the number."))
        self.player = player
        return fide_id


def player_page(page: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Ask for the player, show the form, then the effect; correct when it is confirmed. FIDE staff only."""
    if not is_staff(request.user):
        raise PermissionDenied
    who = WhoForm(request.GET if "fide_id" in request.GET else None)
    context = {
        **page.admin_site.each_context(request),
        "title": _("Correct player data"),
        "opts": page.opts,
    }
    if not who.is_valid():
        return render(request, "admin/ratings/player.html", {**context, "who": who})
    shown = {name: getattr(who.player, name) for name in FIELDS} | {"seen": player_seen(who.player)}
    form = PlayerForm(request.POST or restore_form(request), initial=shown)
    effect = None
    if request.method == "POST" and form.is_valid():
        is_confirmed = "confirm" in request.POST
        effect = _effect(who.player, form, by=request.user, is_dry_run=not is_confirmed)
        if effect and is_confirmed:
            messages.success(request, _("%(player)s was corrected.") % {"player": who.player})
            return redirect("admin:players_player_change", who.player.pk)
    context |= {"who": who, "form": form, "player": who.player, **_shown(effect)}
    return render(request, "admin/ratings/player.html", context)


def _effect(player: Player, form: PlayerForm, *, by: Any, is_dry_run: bool) -> PlayerEffect | None:
    data = {name: form.cleaned_data[name] for name in FIELDS}
    try:
        return correct_player(
            player,
            data,
            reason=form.cleaned_data["reason"],
            by=by,
            at=timezone.now(),
            seen=form.cleaned_data["seen"],
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None


def _shown(effect: PlayerEffect | None) -> dict[str, Any]:
    if effect is None:
        return {"effect": None}
    changes = [(LABELS[name], *pair) for name, pair in effect.changes.items()]
    return {"effect": effect, "changes": changes, "rows": with_players(effect.lines)}
