"""The meaning of every reason key, article and decision."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.systems.registry import all_decisions, all_reasons, articles_by_text
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
