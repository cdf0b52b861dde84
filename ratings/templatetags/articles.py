"""The template library `articles`: articles and decisions with the address of their meaning."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from core.html.figures import decimal_hundredths, half_points, mixed_decimal, signed_points
from core.templatetags.ui import article_name
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating
from ratings.systems.registry import explaining_text, meaning_of
from ratings.systems.words import FormulaStep, Unit

register = template.Library()


@register.simple_tag
def rule(number: str, rules: PeriodRules | None = None) -> SafeString:
    """Return the reference to an article or decision with a link to its sentence, by a text if given."""
    address = f"{reverse('ratings:reasons')}#{rule_anchor(number, rules)}"
    meaning = gettext(meaning_of(number, rules))
    return format_html(
        '<a class="article" href="{}" title="{}" aria-label="{}">{}</a>',
        address,
        meaning,
        article_name(number),
        number,
    )


@register.simple_tag
def cited(number: str, rules: PeriodRules) -> SafeString:
    """Return the reference to an article or decision at the end of a sentence, with a link to what it says."""
    address = f"{reverse('ratings:reasons')}#{rule_anchor(number, rules)}"
    return format_html('(<a class="nowrap" href="{}">{}</a>)', address, article_name(number))


@register.simple_tag
def rule_anchor(number: str, rules: PeriodRules | None = None) -> str:
    """Return the address on the page of articles: under the text if its sentence differs."""
    own = explaining_text(number, rules)
    return f"rule-{own.slug}-{number}" if own else f"rule-{number}"


@register.simple_tag
def step_words(step: FormulaStep, initial: InitialRating) -> str:
    """Return a step of a first rating in symbols and words, figures as the language writes them."""
    figures = {"score": half_points(initial.half_points), "p": decimal_hundredths(initial.p)}
    words = ", ".join(gettext(text) for text in (step.text, step.limit) if text)
    formula = step.formula % figures
    return f"{formula} {words}".strip()


@register.simple_tag
def step_amount(step: FormulaStep) -> str:
    """Return the figure that comes out of a step."""
    if not isinstance(step.amount, int):
        return mixed_decimal(step.amount)
    if step.unit is Unit.HUNDREDTHS:
        return decimal_hundredths(step.amount)
    return signed_points(step.amount) if step.unit is Unit.CHANGE else str(step.amount)


@register.filter
def translated(text: str) -> str:
    """Return a sentence of the regulations in the reader's language; `translate` loses those with a percent sign."""
    return gettext(text)
