"""The monthly lists of an arena."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arenas.standings import as_csv, row_of, rows_of, to_json
from core.html.paging import Keyset
from core.web.etags import conditionally, public_page
from public.arenas.addresses import arena_or_404, category_label, category_tabs, chosen_category, list_or_404
from public.arenas.arena import SIZE

BY_PLACE = Keyset(("place",))
MEDIA_TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


@require_safe
def file(request: HttpRequest, slug: str, day: date, ending: str) -> HttpResponseBase:
    """Send a monthly list as JSON or CSV. Its bytes never change."""
    chosen = list_or_404(arena_or_404(slug), day)

    def content() -> HttpResponse:
        rows = rows_of(chosen)
        text = to_json(rows) if ending == "json" else as_csv(rows)
        response = HttpResponse(text, content_type=MEDIA_TYPES[ending])
        response["Content-Disposition"] = f'attachment; filename="{slug}-{day.isoformat()}.{ending}"'
        return response

    version = (chosen.pk, chosen.sha256, ending)
    return conditionally(request, content, version=version, changed_at=chosen.published_at)


@require_safe
@public_page
def lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the monthly lists of an arena."""
    arena = arena_or_404(slug)
    return render(
        request, "public/arenas/lists.html", {"arena": arena, "lists": arena.lists.order_by("-date")}
    )


@require_safe
def monthly(request: HttpRequest, slug: str, day: date) -> HttpResponse:
    """Show a monthly list by category, 100 members per page."""
    chosen = list_or_404(arena_or_404(slug), day)
    category = chosen_category(request, chosen.arena)
    page = BY_PLACE.page(chosen.entries.filter(category=category), request.GET, size=SIZE)
    context = {
        "arena": chosen.arena,
        "list": chosen,
        "category_label": category_label(category),
        "tabs": category_tabs(request, chosen.arena, category),
        "page": page,
        "rows": [
            (entry, row_of(chosen.arena, entry.handle, category, (entry.hundredths, entry.games)))
            for entry in page.rows
        ],
    }
    version = ("arena-list", chosen.pk, chosen.sha256, request.GET.urlencode())
    return conditionally(
        request, lambda: render(request, "public/arenas/monthly.html", context), version=version
    )
