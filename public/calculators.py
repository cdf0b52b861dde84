"""Calculators for rating changes, initial ratings, performance ratings, and a comparison of all systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from ratings.models import RatingList
from ratings.queries.calculators import HIGHEST_RATING, Typed, own_of, understand, with_games_so_far
from ratings.queries.in_force import load_adoptions
from ratings.queries.lists import read_lists
from ratings.systems.calculators import (
    Met,
    OwnPlayer,
    by_every_system,
    first_rating,
    performance,
    rating_change,
)
from ratings.systems.registry import Adoptions
from tournaments.choices import Kind
from tournaments.lists import Lists

TABS = (
    ("change", _l("Rating change")),
    ("first-rating", _l("Initial rating")),
    ("performance", _l("Performance rating")),
    ("systems", _l("Comparison")),
)
MAX_GAMES = 100
MAX_EARLIER = 1000
ROWS = 9
LONGEST = 100
SCORES = {"1": 2, "0.5": 1, "0": 0}
SCORE_LABELS = (("1", "1"), ("0.5", "½"), ("0", "0"))


K_FACTORS = [("20", "20"), ("40", "40"), ("10", "10")]


class PlayerForm(forms.Form):
    """The calculating player: a player of the lists, or typed values."""

    use_required_attribute = False

    kind = forms.ChoiceField(label=_l("Rating type"), choices=Kind.choices)
    player = forms.CharField(
        label=_l("Your name or FIDE ID"),
        max_length=LONGEST,
    )
    rating = forms.IntegerField(
        label=_l("Or your rating"),
        min_value=1,
        max_value=HIGHEST_RATING,
    )
    k = forms.ChoiceField(
        label="K",
        choices=K_FACTORS,
    )

    games = forms.IntegerField(
        label=_l("Rated games since the current list (n)"),
        min_value=0,
        max_value=MAX_EARLIER,
    )

    def __init__(self, data: QueryDict) -> None:
        super().__init__(_with_defaults(data), label_suffix="", auto_id="calculator-%s")
        for field in self.fields.values():
            field.required = False


@dataclass(frozen=True, slots=True)
class CalculatorRow:
    """One game as typed: the player or rating that the opponent's text means, the score, and the error."""

    number: int
    text: str = ""
    score: str = "1"
    typed: Typed | None = None
    error: str = ""

    @property
    def met(self) -> Met:
        return Met(self.typed.counted if self.typed else None, SCORES[self.score])


@dataclass(frozen=True, slots=True)
class CalculatorQuestion:
    """All that was typed, parsed as far as possible. `own` is None until the player is known."""

    form: PlayerForm
    kind: str
    rows: Sequence[CalculatorRow]
    own: OwnPlayer | None = None
    player: Typed | None = None
    error: str = ""
    is_cut: bool = False

    @property
    def games(self) -> list[CalculatorRow]:
        return [row for row in self.rows if row.typed and row.typed.is_understood]

    @property
    def met(self) -> list[Met]:
        return [row.met for row in self.games]

    @property
    def is_faulty(self) -> bool:
        return bool(self.error or self.form.errors or any(row.error for row in self.rows))

    @property
    def can_answer(self) -> bool:
        """Return whether there are games to calculate, without errors."""
        return bool(self.games) and self.own is not None and not self.is_faulty


def question_of(data: QueryDict, *, lists: Lists[RatingList]) -> CalculatorQuestion:
    """Return the question that a query string asks a calculator."""
    form = PlayerForm(data)
    form.is_valid()
    kind = form.cleaned_data.get("kind") or Kind.RAPID
    name = str(form.cleaned_data.get("player") or "").strip()
    pairs = _pairs(data)
    meanings = understand([name, *(text for text, _score in pairs[:MAX_GAMES])], kind=kind, lists=lists)
    rows = [
        _row(number, text, score, meaning)
        for number, ((text, score), meaning) in enumerate(zip(pairs, meanings[1:], strict=False), start=1)
    ]
    wanted = max(ROWS, len(rows) + (ROWS if "more" in data else 0))
    rows += [CalculatorRow(number) for number in range(len(rows) + 1, min(wanted, MAX_GAMES) + 1)]
    player = meanings[0] if name else None
    own, error = _own(form, player, kind=kind, lists=lists)
    if own and player and player.known and not form.errors:
        form = PlayerForm(_filled_in(data, own))
    return CalculatorQuestion(form, kind, rows, own, player, error, is_cut=len(pairs) > MAX_GAMES)


def _with_defaults(data: QueryDict) -> QueryDict:
    filled = data.copy()
    filled.setdefault("kind", Kind.RAPID)
    filled.setdefault("k", "20")
    return filled


def _filled_in(data: QueryDict, own: OwnPlayer) -> QueryDict:
    """Return the query with the values of its player, which replace any typed values."""
    filled = data.copy()
    filled["rating"], filled["games"] = str(own.rating or ""), str(own.games or "")
    if (str(own.k), str(own.k)) in K_FACTORS:
        filled["k"] = str(own.k)
    return filled


def _pairs(data: QueryDict) -> list[tuple[str, str]]:
    texts = [text.strip()[:LONGEST].replace("\x00", "") for text in data.getlist("opponent")]
    scores = data.getlist("score")
    scores += ["1"] * (len(texts) - len(scores))
    return [(text, score) for text, score in zip(texts, scores, strict=False) if text]


def _row(number: int, text: str, score: str, typed: Typed) -> CalculatorRow:
    if score not in SCORES:
        return CalculatorRow(number, text, "1", typed, _("Select 1, ½ or 0."))
    if typed.is_understood:
        return CalculatorRow(number, text, score, typed)
    return CalculatorRow(number, text, score, typed, why_unclear(typed))


def why_unclear(typed: Typed) -> str:
    """Return why a typed opponent or player is not understood, and what to enter instead."""
    if typed.candidates:
        return _("Several players have this name. Select one.")
    if typed.text.isdecimal():
        return _("No player has this FIDE ID. If you meant a rating, the highest is %(highest)d.") % {
            "highest": HIGHEST_RATING
        }
    return _("No player has this name. Enter a rating, a FIDE ID or a listed name.")


def _own(
    form: PlayerForm, player: Typed | None, *, kind: str, lists: Lists[RatingList]
) -> tuple[OwnPlayer | None, str]:
    k, games = int(form.cleaned_data.get("k") or 20), form.cleaned_data.get("games") or 0
    if player is None:
        return OwnPlayer(form.cleaned_data.get("rating"), k, games=games), ""
    if player.known:
        own = own_of(player.known, kind=kind, lists=lists)
        return with_games_so_far(own, player.known, kind=kind, lists=lists), ""
    if player.rating is not None:
        return OwnPlayer(player.rating, k, games=games), ""
    return None, why_unclear(player)


@require_safe
@public_page
def change(request: HttpRequest) -> HttpResponse:
    """Show the over-the-board rating changes of games, game by game (7.3)."""
    return _page(request, "change", _change)


@require_safe
@public_page
def first_rating_page(request: HttpRequest) -> HttpResponse:
    """Show the initial rating of an unrated player from games (7.2)."""
    return _page(request, "first-rating", _first)


@require_safe
@public_page
def performance_page(request: HttpRequest) -> HttpResponse:
    """Show the performance rating of games (7.1.1)."""
    return _page(
        request, "performance", lambda own, question, on, adoptions: {"result": performance(question.met)}
    )


@require_safe
@public_page
def systems(request: HttpRequest) -> HttpResponse:
    """Show the same games under every rating system of the portal."""
    return _page(request, "systems", _systems)


def _page(
    request: HttpRequest,
    name: str,
    answer: Callable[[OwnPlayer, CalculatorQuestion, date, Adoptions], dict[str, Any]],
) -> HttpResponse:
    question, adoptions, today = (
        question_of(request.GET, lists=read_lists()),
        load_adoptions(),
        timezone.now().date(),
    )
    context = {
        "question": question,
        "name": name,
        "scores": SCORE_LABELS,
        "tabs": _tabs(request, name),
        "rules": adoptions.text_on(today),
    }
    if question.own is not None and question.can_answer:
        context |= answer(question.own, question, today, adoptions)
    return render(request, f"public/calculators/{name}.html", context)


def _tabs(request: HttpRequest, current: str) -> list[dict[str, Any]]:
    """Return a tab for each calculator, with the values typed so far."""
    query = request.GET.urlencode()
    return [
        {
            "label": label,
            "url": reverse(f"ratings:calculator-{name}") + (f"?{query}" if query else ""),
            "current": name == current,
            "count": None,
        }
        for name, label in TABS
    ]


def _change(own: OwnPlayer, question: CalculatorQuestion, on: date, adoptions: Adoptions) -> dict[str, Any]:
    rules = adoptions.text_on(on)
    result = rating_change(rules, own, question.met, on=on)
    event = result.events[-1]
    outcomes = [
        (row, outcome, [key for key in outcome.reasons if key != rules.keys.counted])
        for row, outcome in zip(question.games, event.participation.outcomes, strict=True)
    ]
    return {
        "result": result,
        "event": event,
        "outcomes": outcomes,
        "missing": rules.pool_games - sum(share.games for share in result.pool),
    }


def _first(own: OwnPlayer, question: CalculatorQuestion, on: date, adoptions: Adoptions) -> dict[str, Any]:
    rules = adoptions.text_on(on)
    initial = first_rating(rules, own, question.met)
    pooled = sum(share.games for share in own.pool)
    met = sum(game.rating for game in question.met if game.rating is not None)
    opponents_sum = met + sum(share.opponents_sum for share in own.pool)
    return {
        "initial": initial,
        "steps": rules.initial_steps(initial, opponents_sum) if initial else [],
        "pooled": pooled,
        "missing": rules.pool_games - (initial.games if initial else 0),
    }


def _systems(own: OwnPlayer, question: CalculatorQuestion, on: date, adoptions: Adoptions) -> dict[str, Any]:
    # Earlier games have meaning in one system only.
    own = replace(own, games=0, change=0)
    results = by_every_system(own, question.met, kind=question.kind, on=on, adoptions=adoptions)
    return {"results": results}
