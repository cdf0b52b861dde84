"""The meaning of every reason key, article and decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.in_force import load_adoptions
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.wording import CHAPTERS, TITLES
from ratings.systems.registry import all_decisions, all_reasons, articles_by_text, known_texts
from ratings.systems.words import About
from ratings.templatetags.articles import rule_anchor

# What a reason is about, and of a game whether it counts.
HEADINGS = {
    (About.GAME, True): _("Rated games"),
    (About.GAME, False): _("Unrated games"),
    (About.K, None): _("K-factor"),
    (About.LIST, None): _("Player results on a list"),
}


class Clause(NamedTuple):
    """An article or decision as the page shows it."""

    anchor: str
    title: str
    number: str
    text: str


class Chapter(NamedTuple):
    """Clauses under a heading, and the text that they are of if another one is explained first."""

    heading: str | Promise
    clauses: list[Clause]
    rules: PeriodRules | None = None


@require_safe
def reasons(request: HttpRequest) -> HttpResponse:
    """Show every reason key, article and decision with its meaning."""
    adoptions = load_adoptions()
    groups = [
        (
            heading,
            [one for one in all_reasons().values() if one.about == about and counts in (None, one.counts)],
        )
        for (about, counts), heading in HEADINGS.items()
    ]

    def page() -> HttpResponse:
        context = {
            "chapters": list(_chapters()),
            "groups": groups,
            "newest": known_texts()[0],
            "adoptions": adoptions,
        }
        return render(request, "public/rules/reasons.html", context)

    return conditionally(
        request, page, version=("reasons", *((row.rules.slug, row.first_day) for row in adoptions.rows))
    )


def _chapters() -> Iterator[Chapter]:
    """Yield the parts of the newest text, the decisions, and what other texts say otherwise."""
    (newest, sentences), *others = articles_by_text()
    for chapters, heading in CHAPTERS.items():
        found = {one: sentences[one] for one in sentences if one[0] in chapters}
        yield Chapter(gettext(heading), _clauses(found, newest))
    yield Chapter(_("Decisions"), _clauses(all_decisions()))
    rest = {one: text for one, text in sentences.items() if one[0] not in "".join(CHAPTERS)}
    for rules, own in ((newest, rest), *others):
        if own:
            yield Chapter(format_html('<span lang="en">{}</span>', rules.title), _clauses(own, rules), rules)


def _clauses(sentences: Mapping[str, str], rules: PeriodRules | None = None) -> list[Clause]:
    return [
        # An article of a new text has its number alone until it is given a title.
        Clause(
            rule_anchor(number, rules),
            gettext(TITLES[number]) if number in TITLES else number,
            number if number in TITLES else "",
            gettext(text),
        )
        for number, text in sentences.items()
    ]
