"""The template library `desk`: the state of a tournament as text, shape and colour, and the rail of every page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.states import state_badge
from core.templatetags.ui import breadcrumbs
from desk.access import tournament_url
from desk.rail import Rail, rail_of
from desk.work import forget_counts
from players.permissions import can_use_desk
from ratings.lists import read_lists
from tournaments.choices import ReportState, Stage
from tournaments.models import Report, Tournament
from tournaments.permissions import (
    can_correct_results,
    can_prepare,
    can_report,
    can_see_drafts,
    can_see_handed,
    can_see_objections,
)
from tournaments.progress import shown_state
from tournaments.states import progress_of
from tournaments.steps import Progress

register = template.Library()
# Somebody without a role has My chess in its place.
register.filter("uses_desk", can_use_desk)


@register.simple_tag
def tournament_state(
    tournament: Tournament, progress: Progress | Mapping[int, Progress] | str = ""
) -> SafeString:
    """Return the state of a tournament, with its progress, or that of many by their keys, as the desk says it."""
    own = progress.get(tournament.pk) if isinstance(progress, Mapping) else progress
    return state_badge(shown_state(tournament, own if isinstance(own, Progress) else None))


@register.simple_tag(takes_context=True)
def state_at_head(context: Context, tournament: Tournament) -> SafeString:
    """Return the state of a tournament at its head; what is there of an awaited report is read where no page has it."""
    progress, today = context.get("progress"), timezone.now().date()
    if (
        progress is None
        and tournament.is_open
        and tournament.stage == Stage.PLANNED
        and tournament.end <= today
    ):
        progress = progress_of(tournament, read_lists(), today=today)
    return tournament_state(tournament, progress or "")


@register.simple_tag
def report_state(report: Report, newest: int) -> SafeString:
    """Return the state of a version beside the newest one: a later version replaces one that is not accepted."""
    if report.state == ReportState.CHECKED and newest > report.version:
        return state_badge(ReportState.REPLACED, label=ReportState.REPLACED.label)
    if report.state == ReportState.CHECKED and report.has_errors:
        return state_badge("errors")
    return state_badge(report.state, label=report.get_state_display())


@register.simple_tag
def next_deadline(tournament: Tournament, progress: Mapping[int, Progress]) -> date | None:
    """Return the last day of what a tournament waits for, None where nothing does."""
    own = progress[tournament.pk]
    if own.is_report_due:
        return own.next_deadline
    return None if own.is_ended or own.step.code == "publish" else own.step.deadline


@register.simple_tag(takes_context=True)
def rail(context: Context) -> Rail | None:
    """Return the rail of the user at the page's address, None for somebody without a role."""
    request = context["request"]
    if context.get("counts_anew"):
        forget_counts(request.user)
    return rail_of(request.user, request.path, may_count=bool(context.get("may_count", True)))


def _has_results(user: Any, tournament: Tournament) -> bool:
    """Return whether the user corrects results of a tournament that has begun."""
    return tournament.start <= timezone.now().date() and can_correct_results(user, tournament)


# The pages about a tournament, each with who has it.
PAGES: Sequence[tuple[str, Promise, Callable[[Any, Tournament], bool]]] = (
    ("desk:tournament", _l("Steps"), can_see_drafts),
    ("desk:arbiter", _l("Steps"), lambda user, tournament: not can_see_drafts(user, tournament)),
    ("desk:results", _l("Crosstable"), _has_results),
    ("desk:entries", _l("Entry list"), can_see_handed),
    ("desk:for-players", _l("For players"), can_prepare),
    ("desk:files", _l("Files"), can_see_handed),
    ("desk:fide", _l("Tournament at FIDE"), can_report),
    ("desk:arbiters", _l("Chief arbiters"), can_report),
    ("desk:objections", _l("Objections"), can_see_objections),
    ("tournaments:tournament", _l("Public page"), can_see_handed),
)


@register.inclusion_tag("partials/tabs.html", takes_context=True)
def tournament_pages(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the tabs between the pages about a tournament that the user has."""
    request = context["request"]
    tabs: list[dict[str, Any]] = [
        {"url": reverse(name, args=[tournament.event_id]), "label": label, "count": None}
        for name, label, is_for in PAGES
        if is_for(request.user, tournament)
    ]
    # A form that was sent has an address below its page.
    here = max((tab["url"] for tab in tabs if request.path.startswith(tab["url"])), default="")
    for tab in tabs:
        tab["current"] = tab["url"] == here
    return {"tabs": tabs, "tabs_label": _("Tournament views")}


@register.inclusion_tag("partials/breadcrumbs.html", takes_context=True)
def tournament_way(context: Context, tournament: Tournament) -> dict[str, Any]:
    """Return the way to a page of the tabs of a tournament."""
    request = context["request"]
    urls = [(reverse(name, args=[tournament.event_id]), label) for name, label, _is_for in PAGES]
    _url, label = max(one for one in urls if request.path.startswith(one[0]))
    return way(context, tournament.name, tournament_url(request.user, tournament), label)


@register.inclusion_tag("partials/breadcrumbs.html", takes_context=True)
def way(context: Context, *parts: Any) -> dict[str, Any]:
    """Return the way from the dashboard to the page from tournaments and from labels with addresses or their names.

    The last part is the page's heading, unless a label without an address is given.
    """
    links, left = [(_("Dashboard"), reverse("dashboard"))], list(parts)
    while left:
        part = left.pop(0)
        if isinstance(part, Tournament):
            links.append((part.name, reverse("desk:tournament", args=[part.event_id])))
        elif left:
            url = left.pop(0)
            links.append((part, url if "/" in url else reverse(url)))
        else:
            return breadcrumbs(*chain(*links), part)
    return breadcrumbs(*chain(*links), context["frame_heading"])
