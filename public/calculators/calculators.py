"""The calculators: rating change, initial rating and performance rating."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from public.calculators.question import SCORE_LABELS, CalculatorQuestion, question_of
from ratings.in_force import load_adoptions
from ratings.lists import read_lists
from ratings.systems.calculators import (
    OwnPlayer,
    first_rating,
    performance,
    rating_change,
)
from ratings.systems.otb.values import Outcome

TABS = (
    ("change", _l("Rating change")),
    ("first-rating", _l("Initial rating")),
    ("performance", _l("Performance rating")),
)
# What each asks of the player: an unrated one has games of before, and a performance is that of the games alone.
ASKED = {
    "change": ("kind", "player", "rating", "k", "games", "rules", "on"),
    "first-rating": ("kind", "player", "rules", "on"),
    "performance": ("kind",),
}


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
    return _page(request, "performance", lambda own, question: {"result": performance(question.met)})


def _page(
    request: HttpRequest,
    name: str,
    answer: Callable[[OwnPlayer, CalculatorQuestion], dict[str, Any]],
) -> HttpResponse:
    today = timezone.now().date()
    lists, adoptions = read_lists(), load_adoptions()
    question = question_of(request.GET, asked=ASKED[name], lists=lists, adoptions=adoptions, today=today)
    context = {
        "question": question,
        "name": name,
        "scores": SCORE_LABELS,
        "tabs": _tabs(request, name),
        "rules": question.rules,
    }
    if question.own is not None and question.can_answer:
        context |= answer(question.own, question)
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


def _change(own: OwnPlayer, question: CalculatorQuestion) -> dict[str, Any]:
    rules = question.rules
    result = rating_change(rules, own, question.met, on=timezone.now().date())
    event = result.events[-1]
    outcomes = [
        # Of a game that does not count the first reason says why, and the others what it would have been.
        (row, outcome, [key for key in _reasons(outcome) if key != rules.keys["counted"]])
        for row, outcome in zip(question.games, event.participation.outcomes, strict=True)
    ]
    return {
        "result": result,
        "event": event,
        "outcomes": outcomes,
        "missing": rules.pool_games - sum(share.games for share in result.pool),
    }


def _reasons(outcome: Outcome) -> Sequence[str]:
    return outcome.reasons if outcome.counts else outcome.reasons[:1]


def _first(own: OwnPlayer, question: CalculatorQuestion) -> dict[str, Any]:
    rules = question.rules
    initial = first_rating(rules, own, question.met)
    pooled = sum(share.games for share in own.pool)
    met = sum(game.rating for game in question.met if game.rating is not None)
    opponents_sum = met + sum(share.opponents_sum for share in own.pool)
    return {
        "initial": initial,
        "is_disregarded": initial is None and bool(met),
        "steps": rules.initial_steps(initial, opponents_sum) if initial else [],
        "pooled": pooled,
        "missing": rules.pool_games - (initial.games if initial else 0),
    }
