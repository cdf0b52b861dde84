"""The birth of a person as everybody may see it."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from players.queries.federations import Birth, birth_of, minors_for

register = template.Library()


@register.simple_tag(takes_context=True)
def shown_birth(context: Context, person: Any) -> Birth:
    """Return the year of birth of a player or an entry, or the age band in its place; as text whichever there is."""
    # An include with `only` has no variables of the page around it.
    request = getattr(context, "request", None) or context["request"]
    return birth_of(person, minors_for(request))
