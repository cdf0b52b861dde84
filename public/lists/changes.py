"""The rating changes of a list."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.text_values import read_day
from core.web.downloads import streamed_file
from core.web.etags import conditionally
from players.minors import minors_for
from public.lists.addresses import list_or_404
from public.lists.head import head_of
from ratings.lists import is_published, read_lists
from ratings.models import adjustment_on
from ratings.movements import as_csv, as_json, deltas, movements_of, taken_in


@require_safe
def changes(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show the gains, losses, initial ratings and removals of a list, with the reasons."""
    lists = read_lists()
    chosen = list_or_404(lists, kind, day)
    before = lists.previous(chosen)

    def page() -> HttpResponse:
        context = {
            "list": chosen,
            "adjustment": adjustment_on(chosen),
            "head": head_of(lists, chosen, request.GET, page="movements"),
            "before": before,
            "moved": movements_of(chosen, before=before),
            "taken": taken_in(chosen) if is_published(chosen) else None,
            "explains": is_published(chosen),
        }
        return render(request, "public/lists/changes.html", context)

    version = ("movements", chosen.pk, lists.version)
    return conditionally(request, page, version=version, changed_at=lists.changed_at)


@require_safe
def delta(request: HttpRequest, kind: str, day: date, ending: str) -> HttpResponseBase:
    """Stream the players added, removed and changed since the previous list, or since one of another date."""
    lists, text = read_lists(), request.GET.get("since", "")
    chosen = list_or_404(lists, kind, day)
    since = list_or_404(lists, kind, _day(text)) if text else lists.previous(chosen)
    if since is None:
        raise Http404(
            _("This is the first list of this rating type, so there is no list to compare it with.")
        )
    minors, earlier = minors_for(request), since
    name = f"{kind}-{earlier.date.isoformat()}-to-{chosen.date.isoformat()}.{ending}"

    def content() -> Any:
        rows = deltas(earlier, chosen, minors)
        parts = as_csv(rows) if ending == "csv" else as_json(rows, since=earlier, until=chosen)
        return streamed_file(parts, name=name)

    return conditionally(request, content, version=("delta", ending, earlier.pk, chosen.pk, minors))


def _day(text: str) -> date:
    day = read_day(text)
    if day is None:
        raise Http404(_("Enter the date of a list, for example 2026-01-01."))
    return day
