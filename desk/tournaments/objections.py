"""Objections of players to their results, answered by the rating officer or the chief arbiter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
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
from ratings.amend.standing import Standing, Way, current_report, standing_for
from tournaments.amended import result_of
from tournaments.amendment_texts import SHOWN_RESULTS
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

    def __init__(self, *args: Any, source: Standing | None, **kwargs: Any) -> None:
        """`source` is the report that whoever replies corrects, or asks others to correct."""
        super().__init__(*args, **kwargs)
        if source and source.way == Way.REQUEST:
            label = (
                _("Accept: you then request the correction from FIDE staff")
                if source.decides == "staff"
                else _("Accept: you then request the correction from the rating officer")
            )
            self.fields["decision"].choices = [("agree", label), ("decline", _("Decline"))]  # type: ignore[attr-defined]


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
    source = standing_for(request.user, tournament)
    form = ReplyForm(request.POST, prefix=str(found.pk), source=source)
    if form.is_valid():
        with refusals_shown(form):
            is_agreed = form.cleaned_data["decision"] == "agree"
            state = CaseState.APPROVED if is_agreed else CaseState.REFUSED
            text = form.cleaned_data["answer"]
            done = decide(found, state, answer=text, by=request.user, at=timezone.now())
            show_decided(request, found, _("The reply was sent to the player."), done=done, text=text)
            # An accepted objection promises a correction, so the editor of that game opens next.
            if done and is_agreed and source:
                return redirect(_reported_games(tournament, [found])[found.pk].address)
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


@dataclass(frozen=True, slots=True)
class _ReportedGame:
    """The game that an objection is about, as the report has it, and the crosstable with it selected.

    Without a `result` it is unknown, and the crosstable has the player found.
    """

    address: str
    white: str = ""
    black: str = ""
    result: str = ""


def _reported_games(tournament: Tournament, objections: Sequence[Objection]) -> dict[int, _ReportedGame]:
    """Return the game of each objection, by its key."""
    page = reverse("desk:results", args=[tournament.event_id])
    report = current_report(tournament) if objections else None
    people = {row.number: row for row in Participant.objects.filter(report=report)} if report else {}
    numbers = {row.player_id: number for number, row in people.items() if row.player_id}
    rounds = {one.round for one in objections if one.round}
    games = (
        Game.objects.filter(report=report, round__in=rounds).exclude(black=None) if report and rounds else ()
    )
    games_of = {(game.round, number): game for game in games for number in (game.white, game.black)}
    found = {}
    for one in objections:
        # The report may have the former or the present ID of a merged player.
        ids = (one.player_id, one.player.merged_into_id)
        number = next((numbers[key] for key in ids if key in numbers), None)
        game = games_of.get((one.round or 0, number))
        if game is None or game.black is None:
            found[one.pk] = _ReportedGame(f"{page}?{urlencode({'q': one.player.name})}")
            continue
        found[one.pk] = _ReportedGame(
            f"{page}?{urlencode({'game': f'{one.round}-{game.white}'})}",
            people[game.white].name,
            people[game.black].name,
            SHOWN_RESULTS.get(result_of(game), "–"),
        )
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
    source = standing_for(request.user, tournament) if may_answer else None

    def form_of(key: int) -> ReplyForm:
        return bound.get(key) or ReplyForm(typed.get(key), prefix=str(key), source=source)

    waiting = [
        (row, form_of(row.pk) if may_answer else None)
        for row in reversed(rows)
        if row.state == CaseState.WAITING
    ]
    games = _reported_games(tournament, rows)
    context = {
        "tournament": tournament,
        "here": here,
        "tournament_url": tournament_url(request.user, tournament),
        "today": timezone.now().date(),
        "waiting": [(row, form, games[row.pk]) for row, form in waiting],
        "owed": [(row, games[row.pk]) for row in rows if row.number in promised],
        "source": source,
        "closed": [
            (row, games[row.pk])
            for row in rows
            if row.state != CaseState.WAITING and row.number not in promised
        ],
    }
    return render(request, "desk/tournaments/objections.html", context)
