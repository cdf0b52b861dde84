"""The pages on which staff correct the conditions of a tournament (D-82) or decide on one game (4.1, D-11).

They show first the effect, then the deed.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import RefusedError, refusals_shown
from core.web.sessions import restore_form
from players.permissions import is_staff
from ratings.admin.correcting import KeptFileForm, TournamentForm, with_players
from ratings.services.corrections.tournaments import (
    RATED_AGAIN,
    ConditionsEffect,
    Decision,
    GameEffect,
    correct_conditions,
    correct_game,
)
from tournaments.choices import GameMark
from tournaments.models import Tournament
from tournaments.queries.audit_sources import shown_changes
from tournaments.registration_form import STAFF_FIELDS, RegistrationForm, as_typed
from tournaments.services.trail import seen_of
from tournaments.trf import RESULTS

# What the form of a registration asks for, and this correction leaves as it is.
LEFT = ("name", "city", "start", "chief_arbiter", "organiser", "is_stated_rated")


class EventForm(forms.Form):
    """Which tournament's conditions are corrected."""

    event = forms.CharField(label=_l("Event ID"), max_length=40)

    def clean_event(self) -> str:
        """Find the tournament."""
        event_id = str(self.cleaned_data["event"]).strip()
        tournament = Tournament.objects.filter(event_id=event_id).first()
        if tournament is None:
            raise forms.ValidationError(_("No tournament has this event ID."))
        self.tournament = tournament
        return event_id


class ConditionsForm(RegistrationForm, KeptFileForm):
    """The conditions of a tournament as they should have been, why, and a report that fits them where it has to."""

    reason = forms.CharField(
        label=_l("Reason (public)"), widget=forms.Textarea(attrs={"rows": 3}), max_length=2000
    )
    # The newest step when the form was opened: two who correct at once do not write over each other.
    seen = forms.CharField(max_length=20, widget=forms.HiddenInput)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        waiver = {"match_waiver": tournament.match_waiver, "seen": seen_of(tournament)}
        super().__init__(*args, initial=as_typed(tournament) | waiver, **kwargs)
        self.fields["report"].label = _("Corrected report (TRF), if the report also needs the correction")
        self.tournament = tournament
        self.fields["schedule"].required = False
        for name in ("federation", "rounds", "deputies", *LEFT, *STAFF_FIELDS):
            self.fields.pop(name, None)

    def clean(self) -> dict[str, Any]:
        """Hold the schedule against the first day, which stays."""
        self.cleaned_data |= {name: getattr(self.tournament, name) for name in LEFT}
        self.cleaned_data["federation"] = self.tournament.federation_id
        return super().clean()


def conditions_page(page: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Ask for the tournament, show the form, then the effect; correct when it is confirmed. FIDE staff only."""
    if not is_staff(request.user):
        raise PermissionDenied
    which = EventForm(request.GET if "event" in request.GET else None)
    context = {
        **page.admin_site.each_context(request),
        "title": _("Correct the conditions of a tournament"),
        "opts": page.opts,
        "which": which,
    }
    if not which.is_valid():
        return render(request, "admin/ratings/conditions.html", context)
    tournament = which.tournament
    sent = (request.POST or restore_form(request), request.FILES or None)
    form = ConditionsForm(*sent, tournament=tournament, user=request.user)
    effect = None
    if request.method == "POST" and form.is_valid():
        effect = _effect(form, by=request.user, is_dry_run="confirm" not in request.POST)
        if effect and "confirm" in request.POST:
            messages.success(request, _("The conditions are corrected."))
            return redirect("admin:tournaments_tournament_change", tournament.pk)
    context |= {"tournament": tournament, "form": form, **_shown(effect), "typed": _typed(request)}
    return render(request, "admin/ratings/conditions.html", context)


def _typed(request: HttpRequest) -> list[tuple[str, Any]]:
    """Return what was typed, for the page that shows the effect to carry on; the file is kept apart."""
    left = ("csrfmiddlewaretoken", "confirm", "kept")
    return [
        (name, value) for name in request.POST if name not in left for value in request.POST.getlist(name)
    ]


def _effect(form: ConditionsForm, *, by: Any, is_dry_run: bool) -> ConditionsEffect | None:
    now, values = timezone.now(), form.cleaned_data
    told: dict[str, Any] = {"reason": values["reason"], "seen": values["seen"], "is_dry_run": is_dry_run}
    file: dict[str, Any] = {"content": form.content, "file_name": form.file_name}
    with refusals_shown(form):
        return correct_conditions(
            form.tournament, form.request(), by=by, on=now.date(), at=now, **told, **file
        )
    return None


def _shown(effect: ConditionsEffect | None) -> dict[str, Any]:
    if effect is None:
        return {"effect": None}
    changes = list(shown_changes(effect.changes))
    return {"effect": effect, "changes": changes, "rows": with_players(effect.lines)}


HIGHEST_RANK = 9999
VERDICTS = [
    (_l("Not rated"), [(mark.value, mark.label) for mark in GameMark]),
    (_l("Rated"), [(RATED_AGAIN, _l("recalculated"))]),
    (_l("Different result"), [(result, result) for result in RESULTS]),
]


class GameForm(TournamentForm):
    """Which game, what is decided of it, and why."""

    round = forms.IntegerField(label=_l("Round"), min_value=1, max_value=100)
    white = forms.IntegerField(label=_l("Starting rank of White"), min_value=1, max_value=HIGHEST_RANK)
    verdict = forms.ChoiceField(label=_l("Decision"), choices=VERDICTS)
    reference = forms.CharField(label=_l("Reference of the decision"), max_length=100, required=False)
    reason = forms.CharField(label=_l("Reason"), widget=forms.Textarea(attrs={"rows": 3}), max_length=2000)

    def decision(self) -> Decision:
        """Return what a valid form decides."""
        values = self.cleaned_data
        return Decision(values["round"], values["white"], values["verdict"], values["reference"])


def game_page(page: admin.ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Show the form, then the effect; carry the decision out when it is confirmed. FIDE staff only."""
    if not is_staff(request.user):
        raise PermissionDenied
    form = GameForm(request.POST or restore_form(request), initial={"event_id": request.GET.get("event", "")})
    effect = None
    if request.method == "POST" and form.is_valid():
        is_confirmed = "confirm" in request.POST
        effect = _game_effect(form, by=request.user, is_dry_run=not is_confirmed)
        if effect and is_confirmed:
            messages.success(request, _("The decision was applied. Its effect is shown below."))
            return redirect("admin:ratings_correction_changelist")
    context = {
        **page.admin_site.each_context(request),
        "title": _("Decide on one game"),
        "form": form,
        "effect": effect,
        "rows": with_players(effect.lines) if effect else [],
        "opts": page.opts,
    }
    return render(request, "admin/ratings/game.html", context)


def _game_effect(form: GameForm, *, by: Any, is_dry_run: bool) -> GameEffect | None:
    now = timezone.now()
    try:
        return correct_game(
            form.tournament,
            form.decision(),
            reason=form.cleaned_data["reason"],
            by=by,
            on=now.date(),
            at=now,
            seen=form.seen_before(is_dry_run=is_dry_run),
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None
