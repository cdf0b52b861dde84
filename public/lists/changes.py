"""What a list changed."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.conditional import conditionally
from public.lists.files import list_or_404
from ratings.queries.catalogue import catalogue, is_published
from ratings.queries.movements import movements_of, taken_in


@require_safe
def changes(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show gains, losses, newcomers of a list, and who left and why."""
    lists = catalogue()
    chosen = list_or_404(lists, kind, day)
    before = lists.before(chosen)

    def page() -> HttpResponse:
        context = {
            "list": chosen,
            "before": before,
            "moved": movements_of(chosen, before=before),
            "taken": taken_in(chosen) if is_published(chosen) else None,
            "explains": is_published(chosen),
        }
        return render(request, "public/lists/changes.html", context)

    version = ("movements", chosen.pk, lists.version)
    return conditionally(request, page, version=version, changed_at=lists.changed_at)
