"""The template library `calculators`: sentences of steps and reasons, and addresses with one opponent replaced."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from public.templatetags.articles import rule
from ratings.systems.calculators import Line
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import is_explained, reason_of

register = template.Library()


@register.simple_tag
def sentence(line: Line, rules: PeriodRules | None = None) -> SafeString:
    """Return a step's sentence with the rule behind it, linked where the page of articles has it."""
    text = gettext(line.text) % line.figures
    if not line.article:
        return format_html("{}", text)
    if is_explained(line.article):
        return format_html("{} {}", text, rule(line.article, rules))
    return format_html('{} <span class="article">{}</span>', text, line.article)


@register.simple_tag
def reason(key: str, rules: PeriodRules | None = None) -> SafeString:
    """Return what a reason key says, with its article."""
    meant = reason_of(key, rules)
    return format_html("{} {}", gettext(meant.text), rule(meant.article, rules))


@register.simple_tag(takes_context=True)
def instead(context: Context, number: int, fide_id: int) -> str:
    """Return the page's query with the opponent of that row replaced by a FIDE ID."""
    query = context["request"].GET.copy()
    pairs = zip(query.getlist("opponent"), query.getlist("score"), strict=False)
    typed = [(text, score) for text, score in pairs if text.strip()]
    typed[number - 1 : number] = [(str(fide_id), score) for _text, score in typed[number - 1 : number]]
    query.setlist("opponent", [text for text, _score in typed])
    query.setlist("score", [score for _text, score in typed])
    return f"?{query.urlencode()}"
