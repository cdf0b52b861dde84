"""Categories as people read them, and as tabs."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arenas.models import Arena

LABELS: dict[str, str | Promise] = {
    "rapid": gettext_lazy("Rapid"),
    "blitz": gettext_lazy("Blitz"),
    "bullet": gettext_lazy("Bullet"),
    "all": gettext_lazy("All games"),
}
# The classes that colour a line of a chart.
KINDS = {"rapid": "rapid", "blitz": "blitz", "bullet": "standard"}


def category_label(category: str) -> str:
    """Return a category's name."""
    return str(LABELS.get(category, category))


def category_kind(category: str) -> str:
    """Return the class of a category's line in a chart."""
    return KINDS.get(category, "rapid")


def chosen_category(request: HttpRequest, arena: Arena) -> str:
    """Return the category of the address, the arena's first one without; a 404 for another."""
    category = request.GET.get("category") or arena.categories[0]
    if category not in arena.categories:
        raise Http404(_("The arena has no such category."))
    return category


def category_tabs(request: HttpRequest, arena: Arena, current: str) -> list[dict[str, Any]]:
    """Return a tab for each category; positions on a page are not carried over."""
    if len(arena.categories) == 1:
        return []
    query = request.GET.copy()
    for name in ("after", "before", "last", "page", "category"):
        query.pop(name, None)
    tabs = []
    for category in arena.categories:
        query["category"] = category
        address = f"?{query.urlencode()}"
        tabs.append({"label": category_label(category), "url": address, "current": category == current})
    return tabs
