"""States as word, shape and colour."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

STATES: dict[str, tuple[str | Promise, str]] = {
    "draft": (_l("draft"), "draft"),
    "registered": (_l("registered"), "ring"),
    "waiting": (_l("waiting for QC decision"), "diamond"),
    "unapproved": (_l("not approved yet"), "diamond"),
    "approved": (_l("approved"), "ring-tick"),
    "upheld": (_l("appeal upheld"), "ring-tick"),
    "refused": (_l("refused"), "cross"),
    "playing": (_l("being played"), "dots"),
    "played": (_l("report to follow"), "ring-half"),
    "checking": (_l("report being checked"), "ring-half"),
    "late": (_l("report late"), "triangle-open"),
    "reported": (_l("report accepted"), "ring-half"),
    "checked": (_l("checked, not accepted"), "ring-half"),
    "errors": (_l("report has errors"), "disc-cross"),
    "handed": (_l("sent by the chief arbiter"), "ring-half"),
    "returned": (_l("returned to the arbiter"), "cross"),
    "missed": (_l("not reported in time"), "cross"),
    "accepted": (_l("accepted"), "ring-tick"),
    "rated": (pgettext_lazy("tournament", "rated"), "ring-dot"),
    "published": (_l("published"), "disc"),
    "withdrawn": (_l("withdrawn"), "ring-struck"),
    "not-rated": (_l("not rated (QC decision)"), "square"),
    "taken-back": (_l("withdrawn after publication"), "ring-struck"),
    "appealed": (_l("appealed"), "triangle-open"),
    "imported": (_l("imported"), "ring"),
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


# Drawn on 16 by 16. A ring that fills as a tournament progresses; other outlines if something blocks it.
_RING = '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="2.5"/>'
_DISC = '<circle cx="8" cy="8" r="8" fill="currentColor"/>'
_CROSS = '<path d="M2.5 2.5l11 11m0-11l-11 11" fill="none" stroke="currentColor" stroke-width="3.5"/>'
_PAPER_TICK = '<path d="M4 8.5l3 3 5.5-6.5" fill="none" stroke="var(--paper)" stroke-width="2.25"/>'
_PAPER_CROSS = '<path d="M5 5l6 6m0-6l-6 6" fill="none" stroke="var(--paper)" stroke-width="2.25"/>'
_TRIANGLE = '<path d="M8 1l8 14H0z" fill="currentColor"/>'
_LINE = '<path d="{}" fill="none" stroke="currentColor" stroke-width="2"/>'
SHAPES: dict[str, str] = {
    "draft": '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="2.5"'
    ' stroke-dasharray="3.5 3.57"/>',
    "ring": _RING,
    "ring-tick": _RING + _LINE.format("M4.5 8.25l2.5 2.5 4.5-5.25"),
    "ring-half": _RING + '<path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>',
    "ring-dot": _RING + '<circle cx="8" cy="8" r="3.25" fill="currentColor"/>',
    "ring-struck": _RING + _LINE.format("M3.5 12.5l9-9"),
    "disc": _DISC,
    "disc-tick": _DISC + _PAPER_TICK,
    "disc-cross": _DISC + _PAPER_CROSS,
    "diamond": '<path d="M8 1.5L14.5 8 8 14.5 1.5 8z" fill="none" stroke="currentColor" stroke-width="2.5"/>',
    "cross": _CROSS,
    "square": '<path d="M1.5 1.5h13v13h-13z" fill="none" stroke="currentColor" stroke-width="2.5"/>'
    + _LINE.format("M4.5 8h7"),
    "triangle": _TRIANGLE
    + '<path d="M8 5.5v4.5m0 1.25v2" fill="none" stroke="var(--paper)" stroke-width="1.75"/>',
    "triangle-open": '<path d="M8 3l5.75 10.5H2.25z" fill="none" stroke="currentColor" stroke-width="2.5"/>',
    "dots": '<circle cx="2.5" cy="8" r="2" fill="currentColor"/><circle cx="8" cy="8" r="2" fill="currentColor"/>'
    '<circle cx="13.5" cy="8" r="2" fill="currentColor"/>',
    "info": _DISC + '<path d="M8 3.25v2m0 2v5.5" fill="none" stroke="var(--paper)" stroke-width="2.25"/>',
    "up": _LINE.format("M3 11l5-6 5 6"),
    "down": _LINE.format("M3 5l5 6 5-6"),
    "left": _LINE.format("M11 3L5 8l6 5"),
    "right": _LINE.format("M5 3l6 5-6 5"),
    "first": _LINE.format("M13 3L7 8l6 5M3 3v10"),
    "last": _LINE.format("M3 3l6 5-6 5M13 3v10"),
    "menu": _LINE.format("M1.5 3.5h13m-13 4.5h13m-13 4.5h13"),
    "calendar": _LINE.format("M2 3.5h12v10.5H2zM2 7h12M5 1.5V4.5M11 1.5V4.5"),
    "exchange": _LINE.format("M3 5.5h9L9.5 3M13 10.5H4L6.5 13"),
    "pulse": _LINE.format("M1.5 8H5l2-4.5 2.5 9L11 8h3.5"),
    "bell": _LINE.format("M3 11.5h10l-1.2-2V6.5a3.8 3.8 0 0 0-7.6 0v3zM6.5 13.8h3"),
    "download": _LINE.format("M8 1.5v8.5m-4-3.5l4 4 4-4M2 14h12"),
    "filter": _LINE.format("M1.5 3.5h13M4 8h8m-5.5 4.5h3"),
    "sortable": _LINE.format("M4.5 6L8 2.5 11.5 6m-7 4L8 13.5 11.5 10"),
    "person": '<circle cx="8" cy="5" r="2.8" fill="none" stroke="currentColor" stroke-width="2"/>'
    + _LINE.format("M2.5 14.5a5.5 5.5 0 0 1 11 0"),
    "pencil": _LINE.format("M3 13l.7-3L11 2.7 13.3 5 6 12.3z"),
    "cup": _LINE.format("M4.5 2.5h7V7a3.5 3.5 0 0 1-7 0zM8 10.5V13M5.5 13.5h5"),
    "copies": _LINE.format("M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"),
    "share": _LINE.format("M5 6H3.5v8h9V6H11M8 10V1.5M5 4l3-2.5L11 4"),
    "search": '<circle cx="6.75" cy="6.75" r="4.75" fill="none" stroke="currentColor" stroke-width="2"/>'
    + _LINE.format("M10.25 10.25L15 15"),
    "pin": _LINE.format("M8 14.5C5 11 3.5 8.8 3.5 6.5a4.5 4.5 0 0 1 9 0C12.5 8.8 11 11 8 14.5z")
    + '<circle cx="8" cy="6.5" r="1.5" fill="currentColor"/>',
    "brand": '<path d="M1 15V9.5h4.5V5H10V1h5v14z" fill="currentColor"/>',
}


def shape(name: str, *, css_class: str = "shape") -> SafeString:
    """Return the shape as inline SVG, silent for screen readers; KeyError for an unknown name."""
    return mark_safe(
        f'<svg class="{css_class}" viewBox="0 0 16 16" aria-hidden="true" focusable="false">{SHAPES[name]}</svg>'
    )
