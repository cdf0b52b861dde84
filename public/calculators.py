"""Calculators: what games would do to a rating, a first rating, a performance, and every system side by side."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from public.calculator_forms import SCORE_LABELS, Question, question_of
from ratings.queries.adoptions import load_adoptions
from ratings.queries.catalogue import catalogue
from ratings.systems.calculators import Own, by_every_system, first_rating, performance, rating_change
from ratings.systems.registry import Adoptions

TABS = (
    ("change", _("Rating change")),
    ("first-rating", _("First rating")),
    ("performance", _("Performance")),
    ("systems", _("Every system")),
)


@require_safe
def change(request: HttpRequest) -> HttpResponse:
    """Show what games would change over the board, game by game (7.3)."""
    return _page(request, "change", _change)


@require_safe
def first(request: HttpRequest) -> HttpResponse:
    """Show what first rating games would give to an unrated player (7.2)."""
    return _page(request, "first-rating", _first)


@require_safe
def performance_of(request: HttpRequest) -> HttpResponse:
    """Show the rating performance of games (7.1.1)."""
    return _page(
        request, "performance", lambda own, question, on, adoptions: {"result": performance(question.met)}
    )


@require_safe
def systems(request: HttpRequest) -> HttpResponse:
    """Show the same games under every rating system that the portal knows."""
    return _page(request, "systems", _systems)


def _page(
    request: HttpRequest,
    name: str,
    answer: Callable[[Own, Question, date, Adoptions], dict[str, Any]],
) -> HttpResponse:
    question, adoptions, today = (
        question_of(request.GET, lists=catalogue()),
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
    """Return the calculators, each with what was typed so far."""
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


def _change(own: Own, question: Question, on: date, adoptions: Adoptions) -> dict[str, Any]:
    rules = adoptions.text_on(on)
    result = rating_change(rules, own, question.met, on=on)
    event = result.events[0]
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


def _first(own: Own, question: Question, on: date, adoptions: Adoptions) -> dict[str, Any]:
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


def _systems(own: Own, question: Question, on: date, adoptions: Adoptions) -> dict[str, Any]:
    results = by_every_system(own, question.met, kind=question.kind, on=on, adoptions=adoptions)
    by_game = [
        (row, [result.games[number] for result in results]) for number, row in enumerate(question.games)
    ]
    return {"results": results, "by_game": by_game}
