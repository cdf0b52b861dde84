"""States as word, shape and colour."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.html.shapes import shape

STATES: dict[str, tuple[str | Promise, str]] = {
    "draft": (_l("draft"), "draft"),
    "registered": (_l("registered"), "ring"),
    "waiting": (_l("waiting for QC decision"), "diamond"),
    "approved": (_l("approved"), "ring-tick"),
    "refused": (_l("refused"), "cross"),
    "reported": (_l("reported"), "ring-half"),
    "checked": (_l("checked"), "ring-half"),
    "accepted": (_l("accepted"), "ring-tick"),
    "rated": (pgettext_lazy("tournament", "rated"), "ring-dot"),
    "published": (_l("published"), "disc"),
    "withdrawn": (_l("withdrawn"), "ring-struck"),
    "not-rated": (_l("not rated (QC decision)"), "square"),
    "appealed": (_l("appealed"), "triangle-open"),
    "imported": (_l("imported"), "ring-tick"),
    "verified": (pgettext_lazy("list", "verified"), "ring-tick"),
    "unverified": (_l("not verified yet"), "ring"),
    "different": (_l("differences found"), "disc-cross"),
    "running": (_l("running"), "dots"),
    "failed": (_l("failed"), "triangle"),
}
SEVERITIES: dict[str, tuple[str | Promise, str]] = {
    "error": (_l("Error"), "disc-cross"),
    "warning": (_l("Warning"), "triangle"),
    "notice": (_l("Note"), "info"),
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
