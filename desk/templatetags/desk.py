"""The template library `desk`: the state of a tournament as text, shape and colour."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from core.html.shapes import state_badge
from tournaments.choices import Registration, Stage
from tournaments.models import Tournament
from tournaments.progress import state_of

register = template.Library()


@register.simple_tag
def tournament_state(tournament: Tournament) -> SafeString:
    state = state_of(tournament)
    labels = {**dict(Registration.choices), **dict(Stage.choices)}
    return state_badge(state, label=labels[state])
