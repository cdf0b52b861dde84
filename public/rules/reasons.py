"""The meaning of every reason key, article and decision."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.systems.registry import all_decisions, all_reasons, articles_by_text
from ratings.systems.words import About

# What a reason is about, and of a game whether it counts.
HEADINGS = {
    (About.GAME, True): _("Rated games"),
    (About.GAME, False): _("Unrated games"),
    (About.K, None): _("K-factor"),
    (About.LIST, None): _("Player results on a list"),
}


@require_safe
def reasons(request: HttpRequest) -> HttpResponse:
    """Show every reason key, article and decision with its meaning."""
    groups = [
        (
            heading,
            [one for one in all_reasons().values() if one.about == about and counts in (None, one.counts)],
        )
        for (about, counts), heading in HEADINGS.items()
    ]
    articles, decisions = articles_by_text(), all_decisions()
    subjects = (
        ("articles", _("Articles"), sum(len(sentences) for _rules, sentences in articles)),
        ("decisions", _("Decisions"), len(decisions)),
        ("reasons", _("Reasons"), sum(len(reasons) for _heading, reasons in groups)),
    )

    def page() -> HttpResponse:
        context = {"subjects": subjects, "groups": groups, "articles": articles, "decisions": decisions}
        return render(request, "public/rules/reasons.html", context)

    return conditionally(request, page, version="reasons")
