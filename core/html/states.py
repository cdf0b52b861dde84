"""States of tournaments, reports, decisions and tasks: each a word, a shape and a colour."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.html.shapes import shape

STATES: dict[str, tuple[str | Promise, str]] = {
    "draft": (_("draft"), "draft"),
    "registered": (_("registered"), "ring"),
    "waiting": (_("waiting for the QC"), "diamond"),
    "approved": (_("approved"), "ring-tick"),
    "refused": (_("refused"), "cross"),
    "reported": (_("reported"), "ring-half"),
    "checked": (_("checked"), "ring-half"),
    "accepted": (_("accepted"), "ring-tick"),
    "rated": (pgettext_lazy("tournament", "rated"), "ring-dot"),
    "published": (_("published"), "disc"),
    "withdrawn": (_("withdrawn"), "ring-struck"),
    "not-rated": (_("not rated"), "square"),
    "appealed": (_("appealed"), "triangle-open"),
    "running": (_("running"), "dots"),
    "failed": (_("failed"), "triangle"),
}

SEVERITIES: dict[str, tuple[str | Promise, str]] = {
    "error": (_("Error"), "disc-cross"),
    "warning": (_("Warning"), "triangle"),
    "notice": (_("Notice"), "info"),
}

NOTES: dict[str, str] = {
    "success": "disc-tick",
    "error": "disc-cross",
    "warning": "triangle",
    "info": "info",
    "debug": "info",
}


def state_badge(state: str, *, label: str | Promise = "") -> SafeString:
    """Return a state as word, shape and colour; an unknown state keeps its own word and a plain ring."""
    name = state.replace("_", "-")
    word, outline = STATES.get(name, (state, "ring"))
    return format_html('<span class="state state-{}">{}{}</span>', name, shape(outline), label or word)
