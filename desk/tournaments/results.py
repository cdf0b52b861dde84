"""Correcting a result on the crosstable of a tournament."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.acts import Act
from core.html.refusals import refusals_shown
from core.text_values import read_number
from core.web.heavy_work import heavy_if_large, heavy_work
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament
from desk.tournaments.shown_effect import ShownEffect, shown_effect
from players.choices import CaseState
from players.permissions import is_staff
from ratings.amend.amend import amend
from ratings.amend.effect import Effect
from ratings.amend.records import ids_of
from ratings.amend.standing import Standing, Way, standing_for
from ratings.lists import read_lists
from ratings.player_field import FormWithPlayer, PlayerField
from tournaments.amended import result_of
from tournaments.amendment_texts import amendment_text
from tournaments.amendments import Amendment, Colours, NotRated, Opponent, Person, Result, Seat
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import GameMark
from tournaments.crosstable import CrosstableBoard, boards_of, crosstable_of
from tournaments.list_dates import lists_after
from tournaments.models import ResultCorrection, Tournament
from tournaments.objections import accepted_objections
from tournaments.permissions import can_correct_results, for_arbiter_or_user
from tournaments.trf import RESULTS, read_report
from tournaments.trf import Report as TrfReport
from tournaments.trf.checks.pairings import HALF_POINTS
from tournaments.trf.limits import MAX_PLAYERS

# The six results as they are shown: figures and words.
CHOICES = {
    "1-0": ("1–0", _l("White won")),
    "1/2-1/2": ("½–½", _l("Draw")),
    "0-1": ("0–1", _l("Black won")),
    "+/-": ("+ : −", _l("Black absent")),
    "-/+": ("− : +", _l("White absent")),
    "-/-": ("− : −", _l("Not played")),
}
# The other mistakes of a game, as the buttons name them.
COLOURS, RATED_AGAIN = "colours", "rated"
PLAYERS: dict[str, Seat] = {"white-player": "w", "black-player": "b"}
SWAPS: dict[str, Seat] = {"swap-white": "w", "swap-black": "b"}
MARKS = [(mark.value, mark.label) for mark in GameMark] + [(RATED_AGAIN, _l("Rated again"))]
VERDICTS = {*CHOICES, COLOURS, *PLAYERS, *SWAPS, *dict(MARKS)}
MAX_LETTERS = 2000


class EditorForm(FormWithPlayer):
    """What is chosen and typed in the editor of one game."""

    verdict = forms.CharField(required=False, max_length=13, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    player = PlayerField(label=_l("Right player"), required=False)
    other = forms.IntegerField(label=_l("Right opponent"), required=False, min_value=1, max_value=99_999)
    mark = forms.ChoiceField(label=_l("Decision"), required=False, choices=[("", "–"), *MARKS])
    reference = forms.CharField(label=_l("Reference of the decision"), required=False, max_length=100)
    reason = forms.CharField(label=_l("Reason"), required=False, max_length=MAX_LETTERS)


@dataclass(frozen=True, slots=True)
class _Selection:
    """The game that is corrected, and what is typed of it."""

    board: CrosstableBoard
    verdict: str
    form: EditorForm
    amendment: Amendment | None = None
    effect: ShownEffect | None = None


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_correct_results, visible=for_arbiter_or_user)
def results(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the crosstable of the report, and the editor of a selected game; correct its result, or request it."""
    source = standing_for(request.user, tournament)
    if source is None or source.report is None:
        return render(request, "desk/tournaments/no_results.html", {"tournament": tournament})
    content = bytes(source.report.content)
    with heavy_if_large(request, content):
        read = read_report(content)
    board = _board(read, request.GET.get("game", ""))
    game = None
    if board is not None:
        game = _read_selection(request, source, read, board)
        if request.method == "POST" and "correct" in request.POST and game.form.is_valid() and game.amendment:
            typed, act = game.form.cleaned_data, Act(request.user, timezone.now())
            with refusals_shown(game.form):
                act = act._replace(reason=typed["reason"])
                effect = amend(tournament, [game.amendment], act, seen=typed["seen"], shown=source)
                messages.success(request, _result_message(source, effect), extra_tags=f"result-{source.way}")
                return redirect(_next_page(source, effect))
    with heavy_if_large(request, content):
        return _page(request, source, read, game)


def _board(read: TrfReport, name: str) -> CrosstableBoard | None:
    """Return the game that the query names, None without one. Raise Http404 for one that there is not."""
    if not name:
        return None
    number, _dash, white = name.partition("-")
    round_number, rank = (read_number(part, most=MAX_PLAYERS) for part in (number, white))
    if round_number is None or rank is None:
        raise Http404
    found = next((one for one in boards_of(read, round_number) if one.pairing.white == rank), None)
    if found is None:
        raise Http404(_("The report does not have this game."))
    return found


def _read_selection(
    request: HttpRequest, source: Standing, read: TrfReport, board: CrosstableBoard
) -> _Selection:
    """Return the game with what is chosen of it and the effect of that, where it can be calculated."""
    typed = request.POST if request.method == "POST" else restore_form(request)
    verdict = request.GET.get("verdict", "")
    if typed is not None:
        verdict = typed.get("look") or typed.get("verdict", "")
        verdict = typed.get("mark", "") if verdict == "mark" else verdict
    data: dict[str, Any] = {"verdict": verdict}
    if typed is not None:
        data = typed.dict() | data
    # A form that was sent keeps the step that its author saw.
    data.setdefault("seen", seen_of(source.tournament))
    form = EditorForm(data, user=request.user)
    known = verdict in VERDICTS
    # The result that the game has is no correction.
    if not form.is_valid() or not known or verdict == result_of(board.pairing):
        return _Selection(board, verdict if known else "", form)
    amendment = _amendment_of(board, verdict, form.cleaned_data)
    act = Act(request.user, timezone.now(), form.cleaned_data["reason"])
    effect = None
    # Each choice rates the tournament again to show its effect.
    with refusals_shown(form), heavy_work(request):
        effect = shown_effect(amend(source.tournament, [amendment], act, is_dry_run=True), source)
    return _Selection(board, verdict, form, amendment if effect else None, effect)


def _amendment_of(board: CrosstableBoard, verdict: str, typed: dict[str, Any]) -> Amendment:
    """Return what a button says of a game; who is not chosen yet is refused when it is made."""
    game: dict[str, Any] = {"round": board.pairing.round, "white": board.pairing.white}
    if verdict in RESULTS:
        return Result(**game, result=verdict)
    if verdict == COLOURS:
        return Colours(**game)
    if verdict in SWAPS:
        return Opponent(**game, seat=SWAPS[verdict], other=typed["other"] or 0)
    if verdict in PLAYERS:
        player = typed["player"]
        return Person(**game, seat=PLAYERS[verdict], fide_id=player.fide_id if player else 0)
    why = "" if verdict == RATED_AGAIN else verdict
    return NotRated(**game, why=why, reference=typed["reference"])


def _page(request: HttpRequest, source: Standing, read: TrfReport, game: _Selection | None) -> HttpResponse:
    tournament = source.tournament
    corrections = ResultCorrection.objects.filter(tournament=tournament)
    corrected = set(corrections.filter(state=CaseState.APPROVED).values_list("round", "white"))
    waiting = corrections.filter(state=CaseState.WAITING).select_related("asked_by")
    requested = {f"{one.round}-{one.white}": one for one in waiting}
    open_request = requested.get(game.board.game) if game else None
    number = _chosen_round(request, read, game)
    numbers = (game.board.pairing.white, game.board.pairing.black) if game else ()
    words = request.GET.get("q", "")[:100]
    view = "rounds" if request.GET.get("view") == "rounds" else "crosstable"
    context = {
        "tournament": tournament,
        "here": request.path,
        "today": timezone.now().date(),
        "source": source,
        "view": view,
        "words": words,
        "corrected": corrected,
        "table": crosstable_of(
            read, corrected=corrected, words=words, is_whole="all" in request.GET, always=numbers
        ),
        "number": number,
        "rounds": range(1, read.rounds + 1),
        "boards": list(boards_of(read, number, corrected=corrected)),
        "game": game,
        "numbers": numbers,
        "choices": CHOICES,
        "then_points": _half_points(game.verdict) if game else None,
        "requested": requested,
        "open_request": open_request,
        # A second request would be refused; who corrects at once may do so.
        "is_barred": bool(open_request) and source.way == Way.REQUEST,
        "is_marking": source.way in (Way.ACCEPT, Way.PUBLISHED) and is_staff(request.user),
        **lists_taking(source, timezone.now().date()),
    }
    if game is not None:
        opponents = [one for one in read.players if one.number not in numbers]
        opponents.sort(key=lambda one: (one.name.casefold(), one.number))
        context |= {
            "other": game.verdict not in {*CHOICES, *dict(MARKS)} and game.verdict,
            "now": result_of(game.board.pairing),
            "asked_from": CHOICES.get(open_request.result_before, ("–", ""))[0] if open_request else "",
            "asked": [amendment_text(one) for one in open_request.amendments] if open_request else [],
            "opponents": opponents,
            "objections": accepted_objections(
                tournament, ids_of(source.report, read, numbers), round_number=number
            ).filter(settled_at=None),
        }
    return render(request, "desk/tournaments/results.html", context)


def _half_points(verdict: str) -> tuple[int, int] | None:
    """Return the half points of White and Black for a result, None for another verdict."""
    codes = RESULTS.get(verdict)
    return (HALF_POINTS.get(codes[0], 0), HALF_POINTS.get(codes[1], 0)) if codes else None


def _chosen_round(request: HttpRequest, read: TrfReport, game: _Selection | None) -> int:
    """Return the round whose pairings are shown: that of the game, the one in the query, or the last one."""
    if game is not None:
        return game.board.pairing.round
    text = request.GET.get("round", "")
    return read_number(text, most=read.rounds) or read.rounds_played


def lists_taking(source: Standing, today: date) -> dict[str, Any]:
    """Return the list that takes a correction that is made today, and the deadline for that."""
    coming = read_lists().coming(source.tournament.kind, today)
    later = next(lists_after(coming))
    newest = source.tournament.reports.aggregate(newest=Max("version"))["newest"] or 0
    decide_by = coming - timedelta(days=1)
    return {"coming": coming, "later": later, "decide_by": decide_by, "next_version": newest + 1}


def _result_message(source: Standing, effect: Effect) -> str:
    """Return the sentence that says what came of a correction."""
    match source.way:
        case Way.SAVE:
            return _("Version %(version)d was created and checked.") % {"version": effect.made.version}
        case Way.SEND:
            return _("The corrected file was saved and checked. Send it to the rating officer.")
        case Way.ACCEPT:
            return _("The result was corrected. The tournament is recalculated.")
        case Way.PUBLISHED:
            return _("The result was corrected. The next list includes the adjustments.")
    if source.decides == "staff":
        return _("The correction was requested. FIDE staff decide.")
    return _("The correction was requested. The rating officer decides.")


def _next_page(source: Standing, effect: Effect) -> str:
    """Return the page that a correction leads to."""
    event_id = source.tournament.event_id
    if source.way == Way.SAVE:
        return reverse("desk:report", args=[event_id, effect.made.version])
    if source.way == Way.SEND:
        return reverse("desk:handed", args=[event_id, effect.made.number])
    return reverse("desk:case", args=[effect.records[0].number])
