"""What the ledger of corrections tells everybody of a player's data."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from players.queries.minors import Minors, minors_for, shown_birth
from ratings.models import Correction

register = template.Library()


@register.simple_tag(takes_context=True)
def shown_data(context: Context, correction: Correction) -> list[dict[str, Any]]:
    """Return the label of each corrected field with the value before and after; of a minor's birth as ADR 15 says."""
    if correction.player is None:
        return []
    minors, code = minors_for(context["request"]), correction.player.federation_id
    return [
        {
            "label": label,
            "before": _shown(name, before, code, minors),
            "after": _shown(name, after, code, minors),
        }
        for name, label, before, after in correction.named_data
    ]


def _shown(name: str, value: Any, code: str, minors: Minors) -> Any:
    if name != "birth_year" or not str(value).isdecimal():
        return value
    return str(shown_birth(int(value), code, minors))
