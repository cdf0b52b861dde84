"""The monthly lists of an arena and their files."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from arenas.queries.monthly import rows_of, to_json
from arenas.queries.ranking import as_csv
from arenas.views.access import arena_or_404, list_or_404
from ratings.views.conditional import conditionally

MEDIA_TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


@require_safe
def file(request: HttpRequest, slug: str, day: date, ending: str) -> HttpResponseBase:
    """Send a monthly list as JSON or CSV, the same bytes for ever."""
    chosen = list_or_404(arena_or_404(slug), day)

    def content() -> HttpResponse:
        rows = rows_of(chosen)
        text = to_json(rows) if ending == "json" else as_csv(rows)
        response = HttpResponse(text, content_type=MEDIA_TYPES[ending])
        response["Content-Disposition"] = f'attachment; filename="{slug}-{day.isoformat()}.{ending}"'
        return response

    version = (chosen.pk, chosen.sha256, ending)
    return conditionally(request, content, version=version, changed_at=chosen.published_at)
