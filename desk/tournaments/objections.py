"""Objections of players to their results, answered by the rating officer or the chief arbiter."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_POST, require_safe

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.typed_forms import restore_row_forms
from desk.access import requires_for_tournament, tournament_url
from desk.decisions import show_decided
from players.cases import decide
from players.choices import CaseState
from ratings.amend.standing import current_report, standing_for
from tournaments.models import Game, Objection, Participant, Tournament
from tournaments.models.objection import owed
from tournaments.objections import MAX_LETTERS, settle_objection
from tournaments.permissions import (
    can_answer_objections,
    can_see_objections,
    for_arbiter_or_user,
)

MAX_SHOWN = 100


class ReplyForm(PortalForm):
    """The reply to an objection, with its reason."""

    decision = forms.ChoiceField(
        label=_l("Decision"),
        choices=[("agree", _l("Accept: the report will be corrected")), ("decline", _l("Decline"))],
        widget=forms.RadioSelect,
    )
    answer = TextField(
        label=_l("Reason"),
        max_length=MAX_LETTERS,
        help_text=_l("The player sees it."),
    )


@require_safe
@requires_for_tournament(can_see_objections, visible=for_arbiter_or_user)
def objections(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the objections to the results of a tournament, open ones first."""
    return _page(request, tournament)


@require_POST
@requires_for_tournament(can_answer_objections, visible=for_arbiter_or_user)
def answer(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Reply to an objection."""
    found = _objection_or_404(tournament, pk)
    # A page has a form for each objection: without a prefix their fields would have the same names.
    form = ReplyForm(request.POST, prefix=str(found.pk))
    if form.is_valid():
        with refusals_shown(form):
            is_agreed = form.cleaned_data["decision"] == "agree"
            state = CaseState.APPROVED if is_agreed else CaseState.REFUSED
            text = form.cleaned_data["answer"]
            done = decide(found, state, answer=text, by=request.user, at=timezone.now())
            show_decided(request, _("The reply was sent to the player."), done=done)
            # An accepted objection promises a correction, so the editor of that game opens next.
            if done and is_agreed and standing_for(request.user, tournament):
                return redirect(_editors(tournament, [found])[found.pk])
            return redirect("desk:objections", tournament.event_id)
    return _page(request, tournament, {found.pk: form})


@require_POST
@requires_for_tournament(can_answer_objections, visible=for_arbiter_or_user)
def settle(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note that an accepted objection was settled by a corrected file."""
    found = _objection_or_404(tournament, pk)
    with refusals_in_messages(request):
        if settle_objection(found, by=request.user, at=timezone.now()):
            messages.info(request, _("The objection is settled."))
    return redirect("desk:objections", tournament.event_id)


def _objection_or_404(tournament: Tournament, pk: int) -> Objection:
    rows = Objection.objects.filter(tournament=tournament)
    found: Objection = get_object_or_404(rows.select_related("tournament", "player"), pk=pk)
    return found


def _editors(tournament: Tournament, objections: Sequence[Objection]) -> dict[int, str]:
    """Return for each objection the crosstable with its game selected, or the player found; by its key."""
    page = reverse("desk:results", args=[tournament.event_id])
    report = current_report(tournament) if objections else None
    people = Participant.objects.filter(report=report).exclude(player=None) if report else ()
    numbers = {row.player_id: row.number for row in people}
    rounds = {one.round for one in objections if one.round}
    games = (
        Game.objects.filter(report=report, round__in=rounds).exclude(black=None) if report and rounds else ()
    )
    white_of = {(game.round, number): game.white for game in games for number in (game.white, game.black)}
    found = {}
    for one in objections:
        # The report may have the former or the present ID of a merged player.
        ids = (one.player_id, one.player.merged_into_id)
        number = next((numbers[key] for key in ids if key in numbers), None)
        white = white_of.get((one.round or 0, number))
        query = {"game": f"{one.round}-{white}"} if white else {"q": one.player.name}
        found[one.pk] = f"{page}?{urlencode(query)}"
    return found


def _page(
    request: HttpRequest, tournament: Tournament, forms_by_pk: dict[int, ReplyForm] | None = None
) -> HttpResponse:
    found = Objection.objects.filter(tournament=tournament).select_related("player", "decided_by")
    rows = list(found.order_by("-asked_at")[:MAX_SHOWN])
    promised = {*tournament.cases.filter(owed()).values_list("number", flat=True)}
    may_answer = can_answer_objections(request.user, tournament)
    here, event = reverse("desk:objections", args=[tournament.event_id]), [tournament.event_id]
    typed = restore_row_forms(request, "desk:answer-objection", [row.pk for row in rows], before=event)
    bound = forms_by_pk or {}
    waiting = [
        (row, (bound.get(row.pk) or ReplyForm(typed.get(row.pk), prefix=str(row.pk))) if may_answer else None)
        for row in reversed(rows)
        if row.state == CaseState.WAITING
    ]
    is_open = (CaseState.WAITING, CaseState.APPROVED)
    editors = _editors(tournament, [row for row in rows if row.state in is_open])
    context = {
        "tournament": tournament,
        "here": here,
        "tournament_url": tournament_url(request.user, tournament),
        "today": timezone.now().date(),
        "waiting": [(row, form, editors[row.pk]) for row, form in waiting],
        "owed": [(row, editors[row.pk]) for row in rows if row.number in promised],
        "may_correct": may_answer and standing_for(request.user, tournament) is not None,
        "closed": [row for row in rows if row.state != CaseState.WAITING and row.number not in promised],
    }
    return render(request, "desk/tournaments/objections.html", context)
