"""A text of the regulations that was adopted from a past day, with its effect on each published list (D-132)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from ratings.models import LateAdoption


@require_safe
def adoption(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an adoption from a past date: text, decision, and players, games and points by list."""
    found = get_object_or_404(LateAdoption, pk=pk, confirmed_at__isnull=False)

    def page() -> HttpResponse:
        context = {"it": found, "rules": found.rules, "lists": found.lists}
        return render(request, "public/rules/adoption.html", context)

    return conditionally(request, page, version=("adoption", found.pk, found.cancelled_at))
