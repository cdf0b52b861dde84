"""What the figures rest on: the reasons by their keys, articles, decisions, and which text was in force when."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from ratings.queries.in_force import load_adoptions
from ratings.systems.otb.rules import PeriodRules, Point
from ratings.systems.registry import ENGINE_VERSION, all_decisions, all_reasons, articles_by_text
from ratings.systems.words import About

HEADINGS = {
    About.GAME: _("One game"),
    About.K: _("K"),
    About.LIST: _("Player results on a list"),
}


@require_safe
def reasons(request: HttpRequest) -> HttpResponse:
    """Show every reason key, article and decision with its meaning."""
    groups = [
        (heading, [reason for reason in all_reasons().values() if reason.about == about])
        for about, heading in HEADINGS.items()
    ]

    def page() -> HttpResponse:
        context = {"groups": groups, "articles": articles_by_text(), "decisions": all_decisions()}
        return render(request, "public/rules/reasons.html", context)

    return conditionally(request, page, version="reasons")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show which rules are in force when, and in what they differ."""
    adoptions = load_adoptions()

    def page() -> HttpResponse:
        texts = list(dict.fromkeys(row.rules for row in adoptions.rows))
        context = {
            "adoptions": adoptions,
            "texts": texts,
            "rows": _differences(texts),
            "newest": texts[-1],
            "engine": ENGINE_VERSION,
        }
        return render(request, "public/rules/rules.html", context)

    version = ("rules", *((row.rules.slug, row.first_day) for row in adoptions.rows))
    return conditionally(request, page, version=version)


def _differences(texts: Sequence[PeriodRules]) -> list[tuple[str, list[tuple[PeriodRules, Point | None]]]]:
    """Return the matters on which texts differ, each with what every text says of it."""
    matters = dict.fromkeys(point.matter for rules in texts for point in rules.points)
    by_text = [(rules, {point.matter: point for point in rules.points}) for rules in texts]
    return [(matter, [(rules, points.get(matter)) for rules, points in by_text]) for matter in matters]
