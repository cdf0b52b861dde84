"""Rating rules: reason keys, articles, decisions, the regulations by date."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from public.glossary import GROUPS
from ratings.queries.in_force import load_adoptions
from ratings.systems.otb.rules import PeriodRules, Topic
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
    """Show the regulations by effective date, and their differences."""
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


def _differences(texts: Sequence[PeriodRules]) -> list[tuple[str, list[tuple[PeriodRules, Topic | None]]]]:
    """Return the matters on which texts differ, each with the point of every text."""
    matters = dict.fromkeys(point.matter for rules in texts for point in rules.points)
    by_text = [(rules, {point.matter: point for point in rules.points}) for rules in texts]
    return [(matter, [(rules, points.get(matter)) for rules, points in by_text]) for matter in matters]


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Show every term with its explanation."""
    return conditionally(
        request, lambda: render(request, "public/rules/terms.html", {"groups": GROUPS}), version="terms"
    )
