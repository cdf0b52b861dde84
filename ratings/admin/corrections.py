"""Corrections in the admin, and the form by which staff correct or withdraw a report: first the effect (D-11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from core.errors import RefusedError
from players.admin import EvidenceAdmin, EvidenceInline
from players.models import Player
from players.permissions import is_staff
from ratings.admin.correcting_conditions import conditions_page
from ratings.admin.correcting_games import game_page
from ratings.admin.correcting_players import player_page
from ratings.models import Correction, CorrectionLine
from ratings.services.corrections.correct import Effect, correct_report
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


class CorrectionLineInline(EvidenceInline):
    model = CorrectionLine
    fields = ["player", "corrected_list", "kind", "difference_hundredths", "games_difference", "taken_by"]


@admin.register(Correction)
class CorrectionAdmin(EvidenceAdmin[Correction]):
    """Reports and players' data that were corrected, with the lines that the next list takes (D-11)."""

    list_display = ["at", "tournament", "player", "reason", "by"]
    list_select_related = ["tournament", "player", "by"]
    search_fields = ["tournament__event_id__istartswith"]
    inlines = [CorrectionLineInline]
    change_list_template = "admin/ratings/corrections.html"

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(f"{name}/", self.admin_site.admin_view(page), name=f"ratings_correction_{name}")
            for name, page in (
                ("correct", self.correct),
                ("game", self.game),
                ("player", self.player),
                ("conditions", self.conditions),
            )
        ]
        return [*own, *super().get_urls()]

    def game(self, request: HttpRequest) -> HttpResponse:
        """Show what a decision on one game would do; when confirmed, carry it out (4.1, D-11)."""
        return game_page(self, request)

    def player(self, request: HttpRequest) -> HttpResponse:
        """Show what correcting a player's data would do; when confirmed, do it (D-11)."""
        return player_page(self, request)

    def conditions(self, request: HttpRequest) -> HttpResponse:
        """Show what other conditions of a tournament would do; when confirmed, correct them (D-82)."""
        return conditions_page(self, request)

    def correct(self, request: HttpRequest) -> HttpResponse:
        """Show what a correction would do; when confirmed, do it."""
        if not is_staff(request.user):
            raise PermissionDenied
        form = CorrectionForm(
            request.POST or None, request.FILES or None, initial={"event_id": request.GET.get("event", "")}
        )
        effect = None
        if request.method == "POST" and form.is_valid():
            is_confirmed = "confirm" in request.POST
            effect = _effect(form, by=request.user, is_dry_run=not is_confirmed)
            if effect and is_confirmed:
                messages.success(request, _done(effect))
                return redirect("admin:ratings_correction_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Correct a published report"),
            "form": form,
            "effect": effect,
            "rows": with_players(effect.lines) if effect else [],
            "opts": self.opts,
        }
        return render(request, "admin/ratings/correct.html", context)


def _effect(form: CorrectionForm, *, by: Any, is_dry_run: bool) -> Effect | None:
    now = timezone.now()
    try:
        return correct_report(
            form.tournament,
            form.content,
            file_name=form.file_name,
            reason=form.cleaned_data["reason"],
            by=by,
            on=now.date(),
            at=now,
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(None, refusal.message)
        return None


def _done(effect: Effect) -> str:
    done = ngettext(
        "The report was corrected. The next list includes %(number)d adjustment.",
        "The report was corrected. The next list includes %(number)d adjustments.",
        len(effect.lines),
    )
    return done % {"number": len(effect.lines)}
