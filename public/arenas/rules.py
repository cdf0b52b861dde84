"""The rules of an arena."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arenas.systems import clauses_of, parts_of, series_window
from core.web.etags import public_page
from public.arenas.addresses import SYSTEM_WORDS, arena_or_404, category_label
from public.arenas.arena import HOUR


@require_safe
@public_page
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of an arena, with its parameters."""
    chosen = arena_or_404(slug)
    context = {
        "arena": chosen,
        "words": SYSTEM_WORDS[chosen.system],
        "parts": parts_of(clauses_of(chosen.system, chosen.parameters)),
        "controls": [(category_label(name), listed) for name, listed in chosen.time_controls.items()],
        "hours": series_window(chosen.parameters) // HOUR if chosen.system == "flyordie" else None,
    }
    return render(request, "public/arenas/rules.html", context)
