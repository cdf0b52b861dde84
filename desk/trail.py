"""The trail of the whole portal, for FIDE staff and auditors: to read, and to take along."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.cells import guarded
from desk.access import requires
from desk.trail_form import TrailForm
from tournaments.permissions import can_see_trail
from tournaments.queries.trail import TrailPage, TrailRow, all_rows, page_of

COLUMNS = ("at", "kind", "object", "what", "who", "before", "after", "why")
TYPES = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}


@require_safe
@requires(can_see_trail)
def trail(request: HttpRequest) -> HttpResponse:
    """Show who did what, the newest first, filtered and in pages."""
    form = TrailForm(request.GET)
    wanted = form.wanted()
    page = page_of(wanted, after=request.GET.get("after", "")) if wanted else TrailPage([], "")
    query = request.GET.copy()
    query.pop("after", None)
    context = {"form": form, "page": page, "query": query.urlencode(), "is_later": "after" in request.GET}
    return render(request, "desk/trail.html", context)


@require_safe
@requires(can_see_trail)
def export(request: HttpRequest, form: str) -> HttpResponseBase:
    """Give all that the filter leaves as CSV or NDJSON, row by row."""
    wanted = TrailForm(request.GET).wanted()
    if wanted is None:
        raise Http404(_("The filter makes no sense."))
    lines = {"csv": csv_lines, "ndjson": json_lines}[form](all_rows(wanted))
    return StreamingHttpResponse(
        lines,
        content_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="trail.{form}"'},
    )


class _Line:
    """What a writer of CSV writes to: it gives each line back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterator[TrailRow]) -> Iterator[str]:
    """Yield the lines of a CSV; a cell that a spreadsheet would take as a formula begins with an apostrophe."""
    writer: Any = csv.writer(_Line())
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow([guarded(value) for value in _values(row).values()])


def json_lines(rows: Iterator[TrailRow]) -> Iterator[str]:
    """Yield one JSON object a line."""
    for row in rows:
        yield json.dumps(_values(row) | {"changes": list(row.changes)}, ensure_ascii=False) + "\n"


def _values(row: TrailRow) -> dict[str, str]:
    return {name: str(getattr(row, name)) for name in COLUMNS} | {"at": row.at.isoformat()}
