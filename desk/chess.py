"""My chess, the pages of an account without a role: claim a player record, see own results, object, hide a year."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import refusals_in_messages, refusals_shown
from core.html.forms import PortalForm
from core.web.typed_forms import form_of
from desk.access import requires
from players.choices import ClaimState
from players.models import HiddenBirthYear
from players.permissions import has_account
from players.player_field import PlayerField
from players.queries.minors import is_minor
from players.services.claims import ask_claim, claimed_player, end_own_claim, newest_closed_claim, open_claim
from players.services.hidden_birth_years import hide_birth_year
from ratings.queries.lists import read_lists
from ratings.queries.own_results import OwnResult, games_of_result, own_result, own_results
from ratings.queries.provisional import so_far_of
from tournaments.models import Objection
from tournaments.services.objections import (
    DAYS_TO_ANSWER,
    MAX_LETTERS,
    is_open_to_objections,
    submit_objection,
    withdraw_objection,
)

MAX_SHOWN = 30


class ClaimForm(PortalForm):
    """A claim of a player record."""

    player = PlayerField(label=_l("Your FIDE ID"))
    reason = forms.CharField(
        label=_l("Reason"),
        max_length=400,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("How the rating officer knows that it is you, for example your club."),
    )
    evidence = forms.CharField(
        label=_l("Evidence"),
        max_length=400,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_l("A document and where it can be seen. Do not copy its numbers here."),
    )


class ObjectionForm(PortalForm):
    """An objection to one of the user's own results."""

    round_number = forms.IntegerField(
        label=_l("Round"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=_l("Leave empty for the result as a whole."),
    )
    statement = forms.CharField(
        label=_l("What is wrong"),
        max_length=MAX_LETTERS,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_l("The rating officer and the chief arbiter see it."),
    )


@require_safe
@requires(has_account)
def mine(request: HttpRequest) -> HttpResponse:
    """Show the user's player record, results and objections."""
    today = timezone.now().date()
    claim = open_claim(request.user)
    context: dict[str, Any] = {"claim": claim, "today": today}
    if claim is None:
        context["closed"] = newest_closed_claim(request.user)
    elif claim.state == ClaimState.CONFIRMED:
        player = claimed_player(request.user)
        if player is not None:
            found = Objection.objects.filter(user=request.user.pk).select_related("tournament")
            context |= {
                "player": player,
                "results": own_results(player),
                "coming": so_far_of([player.pk], read_lists()),
                "objections": found.order_by("-raised_at", "-pk")[:MAX_SHOWN],
                "is_hidden": HiddenBirthYear.objects.filter(player=player).exists(),
                "may_hide": is_minor(player.birth_year, today),
            }
    return render(request, "desk/chess/mine.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(has_account)
def claim(request: HttpRequest) -> HttpResponse:
    """Claim a player record."""
    form = form_of(request, ClaimForm, initial={"player": request.GET.get("player", "")[:10]})
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        with refusals_shown(form):
            ask_claim(values.pop("player"), **values, by=request.user, at=timezone.now())
            messages.success(request, _("The rating officer decides. You get an email."))
            return redirect("chess:mine")
    return render(request, "desk/chess/claim.html", {"form": form})


@require_POST
@requires(has_account)
def end(request: HttpRequest) -> HttpResponse:
    """Cancel a claim, or end a confirmed one."""
    if end_own_claim(request.user, at=timezone.now()):
        messages.info(request, _("Your claim has ended."))
    return redirect("chess:mine")


@require_POST
@requires(has_account)
def hide(request: HttpRequest) -> HttpResponse:
    """Show an age band in place of the year of birth, or the year again."""
    with refusals_in_messages(request):
        hide_birth_year(request.user, is_hidden=request.POST.get("hide") == "yes", at=timezone.now())
        messages.success(request, _("Your choice was saved."))
    return redirect("chess:mine")


@require_http_methods(["GET", "HEAD", "POST"])
@requires(has_account)
def result(request: HttpRequest, event_id: str) -> HttpResponse:
    """Show the user's own games and rating change in a tournament, and submit an objection."""
    found = _own_result_or_404(request, event_id)
    form = form_of(request, ObjectionForm)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            submit_objection(found.participant, **form.cleaned_data, by=request.user, at=timezone.now())
            messages.success(request, _("The objection was sent. You get an email with the reply."))
            return redirect("chess:result", event_id)
    objections = Objection.objects.filter(tournament=found.tournament, user=request.user.pk)
    context = {
        "result": found,
        "games": games_of_result(found),
        "objections": objections.order_by("-raised_at", "-pk"),
        "may_object": is_open_to_objections(found.participant, at=timezone.now()),
        "days_to_answer": DAYS_TO_ANSWER,
        "today": timezone.now().date(),
        "form": form,
    }
    return render(request, "desk/chess/result.html", context)


@require_POST
@requires(has_account)
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel an objection."""
    own = Objection.objects.filter(user=request.user.pk).select_related("tournament", "player")
    found: Objection = get_object_or_404(own, pk=pk)
    if withdraw_objection(found, by=request.user, at=timezone.now()):
        messages.info(request, _("The objection was cancelled."))
    return redirect("chess:result", found.tournament.event_id)


def _own_result_or_404(request: HttpRequest, event_id: str) -> OwnResult:
    player = claimed_player(request.user)
    found = own_result(player, event_id) if player and "\x00" not in event_id else None
    if found is None:
        raise Http404
    return found
