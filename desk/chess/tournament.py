"""The objections of a player to the own result in a tournament."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import TextField
from core.html.figures import colon
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.chess.claim import player_with
from players.choices import CaseState
from players.claims import claimed_player, open_claim
from players.permissions import has_account
from ratings.records import former_ids
from tournaments.choices import ReportState
from tournaments.models import Game, Objection, Participant
from tournaments.objections import (
    DAYS_TO_ANSWER,
    MAX_LETTERS,
    is_open_to_objections,
    last_day_to_object,
    submit_objection,
)
from tournaments.officers import officer_of_tournament

SCORES = {"1": "1", "W": "1", "+": "1", "=": "½", "D": "½", "0": "0", "L": "0", "-": "0"}
LARGE = ("report__content", "report__pgn", "report__findings", "report__amendments")


class ObjectionForm(PortalForm):
    """An objection to one of the user's own results."""

    round_number = forms.TypedChoiceField(label=_l("Game"), required=False, coerce=int, empty_value=None)
    statement = TextField(
        label=_l("What is wrong"),
        max_length=MAX_LETTERS,
        rows=4,
        error_messages={"required": _l("Enter what is wrong.")},
        help_text=_l("The rating officer and the chief arbiter see it."),
    )

    def __init__(self, *args: Any, games: Collection[tuple[int, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        of_round: Any = self.fields["round_number"]
        of_round.choices = [("", _("The result as a whole")), *games]


@require_http_methods(["GET", "HEAD", "POST"])
@requires(has_account)
def result(request: HttpRequest, event_id: str) -> HttpResponse:
    """Show the user's objections to their own result in a tournament, and submit one."""
    claim = open_claim(request.user)
    if claim is None:
        messages.info(
            request, _("To object, claim your player record first. The rating officer confirms it.")
        )
        named = player_with(request.GET.get("player", ""))
        return redirect(reverse("chess:claim", query={"player": named.pk} if named else None))
    if claim.state == CaseState.WAITING:
        text = _(
            "Your claim waits for the rating officer of %(federation)s. You can object once it is confirmed."
        )
        messages.info(request, text % {"federation": claim.player.federation.shown_name})
        return redirect("tournaments:tournament", event_id)
    lines = _own_lines_or_404(request, event_id)
    if not lines:
        messages.info(
            request, _("You did not play in this tournament. You can object to your own results only.")
        )
        return redirect("tournaments:tournament", event_id)
    participant = lines[0]
    games = _games_of(lines)
    choices = [(number, f"{text}, {score}".removesuffix(", ")) for number, text, score in games]
    form = form_of(request, ObjectionForm, games=choices)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            submit_objection(participant, **form.cleaned_data, by=request.user, at=timezone.now())
            messages.success(request, _("The objection was sent. You get an email with the reply."))
            return redirect("chess:result", event_id)
    tournament, accepted_on = participant.report.tournament, participant.report.accepted_on
    own = Objection.objects.filter(tournament=tournament, asked_by=request.user.pk)
    texts: dict[int | None, str] = {None: _("The result as a whole"), **dict(choices)}
    objections = [(one, texts.get(one.round, "")) for one in own.order_by("-asked_at", "-pk")]
    context = {
        "participant": participant,
        "tournament": tournament,
        "objections": objections,
        "games": games,
        "waits": any(one.state == CaseState.WAITING for one, _game in objections),
        "may_object": is_open_to_objections(participant, at=timezone.now()),
        "last_day": last_day_to_object(accepted_on) if accepted_on else None,
        "officer": officer_of_tournament(tournament),
        "days_to_answer": DAYS_TO_ANSWER,
        "form": form,
    }
    return render(request, "desk/chess/tournament.html", context)


def _own_lines_or_404(request: HttpRequest, event_id: str) -> list[Participant]:
    """Return the user's line of the accepted report, none if they did not play; who played under two IDs has two."""
    player = claimed_player(request.user)
    # PostgreSQL refuses the character in a query.
    if player is None or "\x00" in event_id:
        raise Http404
    # Reports keep the ID under which somebody played (ADR 14).
    rows = Participant.objects.filter(player__in=(player.pk, *former_ids(player.pk)))
    rows = rows.filter(report__state=ReportState.ACCEPTED, report__tournament__event_id=event_id)
    rows = rows.select_related("player", "report__tournament__federation").defer(*LARGE)
    # An objection names the round, not the line.
    return list(rows.order_by("number"))


def _games_of(lines: Collection[Participant]) -> list[tuple[int, str, str]]:
    """Return the rounds of the user's lines, each with colour and opponent, and the score."""
    report, own = next(iter(lines)).report_id, {line.number for line in lines}
    games = Game.objects.filter(Q(white__in=own) | Q(black__in=own), report=report).order_by("round", "white")
    names = dict(Participant.objects.filter(report=report).values_list("number", "name"))
    return [(game.round, *_game_text(game, names, is_white=game.white in own)) for game in games]


def _game_text(game: Game, names: Mapping[int, str], *, is_white: bool) -> tuple[str, str]:
    text, alone = _("Round %(round)s") % {"round": game.round}, _("no opponent")
    if game.black is None:
        return f"{text}{colon()} {alone}", ""
    against = _("White against") if is_white else _("Black against")
    opponent = names.get(game.black if is_white else game.white, "")
    score = SCORES.get(game.white_code if is_white else game.black_code, "")
    return f"{text}{colon()} {against} {opponent}", score
