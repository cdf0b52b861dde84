"""The page on which staff decide on one game: first the effect, then the deed (4.1, D-11)."""

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

from core.errors import RefusedError
from players.permissions import is_staff
from ratings.admin.correcting import TournamentForm, with_players
from ratings.services.corrections.tournaments import RATED_AGAIN, Decision, GameEffect, correct_game
from tournaments.choices import GameMark
from tournaments.trf import RESULTS

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
    form = GameForm(request.POST or None, initial={"event_id": request.GET.get("event", "")})
    effect = None
    if request.method == "POST" and form.is_valid():
        is_confirmed = "confirm" in request.POST
        effect = _effect(form, by=request.user, is_dry_run=not is_confirmed)
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


def _effect(form: GameForm, *, by: Any, is_dry_run: bool) -> GameEffect | None:
    now = timezone.now()
    try:
        return correct_game(
            form.tournament,
            form.decision(),
            reason=form.cleaned_data["reason"],
            by=by,
            on=now.date(),
            at=now,
            is_dry_run=is_dry_run,
        )
    except RefusedError as error:
        for refusal in error.refusals:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None
