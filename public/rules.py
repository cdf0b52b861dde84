"""What the figures rest on: the reasons by their keys, articles, decisions, and which text was in force when."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from ratings.systems.articles import ARTICLES, DECISIONS
from ratings.systems.reasons import REASONS, About
from ratings.systems.registry import ENGINE_VERSION, VERSIONS

HEADINGS = {
    About.GAME: _("One game"),
    About.K: _("K"),
    About.LIST: _("What a list made of a player"),
}


@require_safe
def reasons(request: HttpRequest) -> HttpResponse:
    """Show every reason key, article and decision with its meaning."""
    groups = [
        (heading, [reason for reason in REASONS.values() if reason.about == about])
        for about, heading in HEADINGS.items()
    ]

    def page() -> HttpResponse:
        context = {"groups": groups, "articles": ARTICLES, "decisions": DECISIONS}
        return render(request, "public/rules/reasons.html", context)

    return conditionally(request, page, version="reasons")


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show which rules are in force when, and in what they differ."""

    def page() -> HttpResponse:
        context = {"versions": VERSIONS, "engine": ENGINE_VERSION}
        return render(request, "public/rules/rules.html", context)

    return conditionally(request, page, version="rules")
