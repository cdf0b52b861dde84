"""Before publication: the figures of the lists of a month, what would stop them, and their explanations (D-134)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.html.dates import list_month
from core.html.refusals import refusals_in_messages
from core.text_values import read_number
from desk.access import requires
from players.permissions import can_explain, is_staff
from ratings.choices import PUBLISHED_KINDS, ListKind, Work
from ratings.due_runs import make_all_due, names_of_month
from ratings.judgements import figure_rows, points_rows, read_explanations
from ratings.lists import read_lists
from ratings.models import Judgement, NextList
from ratings.publish.checklist import publication_counts
from ratings.publish.figures import figures_so_far
from ratings.publish.judging import bar_to_explain, explain
from ratings.publish.prospect import acts_on_next
from ratings.publish.publish import publication_refusals
from ratings.systems.judgement import LISTS, stops_of
from ratings.systems.otb.rules import months_after
from tournaments.list_dates import closing_date, lists_after

MAX_VALUE = 10**12


@never_cache
@require_safe
@requires(can_explain)
def publication(request: HttpRequest) -> HttpResponse:
    """Lead to the month that is published next."""
    return redirect("desk:before-publication", _next_month(timezone.now().date()))


def _next_month(today: date) -> date:
    return read_lists().due(PUBLISHED_KINDS, today) or next(lists_after(today))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_explain)
def before_publication(request: HttpRequest, day: date) -> HttpResponse:
    """Show the figures of a month's lists from the closing date on; explain one that stops them, or publish them."""
    today, lists = timezone.now().date(), read_lists()
    has_before = any(lists.before(kind, day) for kind in PUBLISHED_KINDS)
    if day.day != 1 or not (has_before or day == _next_month(today)):
        raise Http404(_("There is no list of this month to publish."))
    if request.method == "POST":
        return _act(request, day)
    judged = _judgements(day)
    known = {kind: [row.figures for row in rows if row.date < day] for kind, rows in judged.items()}
    is_closed = today > closing_date(day)
    explanations = read_explanations(day)
    newest = {kind: some[0] for kind, some in known.items() if some}
    coming = figures_so_far(day, newest) if is_closed else {}
    kept = {row.kind: row for row in NextList.objects.defer("taken", "corrected")}
    open_kinds = [kind for kind in PUBLISHED_KINDS if lists.on(kind, day) is None]
    acts = acts_on_next(day, open_kinds) if open_kinds else []
    context = {
        "day": day,
        "closes": closing_date(day),
        "is_closed": is_closed,
        "is_due": day <= today,
        "missing": publication_counts(lists, day, today)["missing"],
        "has_standard": lists.on(ListKind.STANDARD, day) is not None,
        "lists": [
            _list(
                kind,
                lists.on(kind, day),
                judged[kind],
                known[kind],
                coming.get(kind),
                explanations,
                day,
                request.user,
            )
            | {"updated_at": kept[kind].updated_at if kind in kept and kept[kind].date == day else None}
            | {"acts": [act for act in acts if act.kind in ("", kind)] if kind in open_kinds else []}
            for kind in PUBLISHED_KINDS
        ],
        "refusals": publication_refusals(lists, day, today=today) if day <= today else [],
        "may_publish": is_staff(request.user) and day <= today,
    }
    return render(request, "desk/publication.html", context)


def _judgements(day: date) -> dict[str, list[Judgement]]:
    """Return the judgements of the month and of the lists before, the newest first, by kind."""
    found: dict[str, list[Judgement]] = {kind: [] for kind in PUBLISHED_KINDS}
    rows = Judgement.objects.filter(kind__in=found, date__lte=day, date__gte=months_after(day, -LISTS))
    for row in rows.order_by("-date"):
        found[row.kind].append(row)
    return found


def _list(
    kind: str,
    published: Any,
    judged: Any,
    before: Any,
    coming: Any,
    explanations: Any,
    day: date,
    user: Any,
) -> dict[str, Any]:
    row = next((one for one in judged if one.date == day), None)
    if row is not None:
        figures, stops = row.figures, row.stops
    else:
        figures, stops = coming, stops_of(coming, before) if coming else []
    rows = figure_rows(kind, figures, before, stops, explanations) if figures else []
    rows = [replace(one, bar=bar_to_explain(user, one.stop)) if one.stop else one for one in rows]
    return {
        "kind": kind,
        "title": f"{capfirst(ListKind(kind).label)}, {list_month(day)}",
        "published": published,
        "is_stopped": row is not None and row.rating_list_id is None,
        "judged_at": row.judged_at if row else None,
        "rows": rows,
        "waits": sum(one.state == "out" for one in rows),
        "stops": len(stops),
        "differences": row.differences if row else [],
        "points": points_rows(figures) if figures else [],
        "lists": len(before),
        "has_no_games": bool(figures) and not figures.games,
    }


def _act(request: HttpRequest, day: date) -> HttpResponse:
    here = redirect("desk:before-publication", day)
    if "publish" in request.POST:
        if not is_staff(request.user):
            raise PermissionDenied
        if refusals := publication_refusals(read_lists(), day, today=timezone.now().date()):
            for refusal in refusals:
                messages.error(request, refusal.message)
            return here
        make_all_due(Work.PUBLISH, names_of_month(day), at=timezone.now(), by=request.user)
        messages.success(request, _("The lists are being calculated again and published."))
        return here
    kind, code = request.POST.get("kind", ""), request.POST.get("code", "")
    value = request.POST.get("value", "")
    number = read_number(value.removeprefix("-"), most=MAX_VALUE)
    if kind not in PUBLISHED_KINDS or number is None:
        raise Http404
    signed = -number if value.startswith("-") else number
    with refusals_in_messages(request):
        seen = (code, signed, request.POST.get("cause", ""))
        explain(kind, day, seen, request.POST.get("reason", ""), by=request.user, at=timezone.now())
        messages.success(request, _("The explanation is saved. It is published with the list."))
    return here
