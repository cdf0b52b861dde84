"""The template library `articles`: articles and decisions with the address of their meaning."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratings.systems.articles import meaning_of

register = template.Library()


@register.simple_tag
def rule(number: str) -> SafeString:
    """Return the reference to an article or decision, linked to what it says."""
    address = f"{reverse('ratings:reasons')}#rule-{number}"
    meaning = gettext(meaning_of(number))
    return format_html('<a class="article" href="{}" title="{}">{}</a>', address, meaning, number)
