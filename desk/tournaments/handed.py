"""A report of the chief arbiter: send it, and add it as a version or return it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_POST, require_safe

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.downloads import file_response
from core.web.heavy_work import heavy_if_large
from core.web.typed_forms import restore_form
from desk.access import requires_for_tournament
from desk.tournaments.line import LineForm, line_form, line_search, place_of, show_fields
from ratings.lists import read_lists
from tournaments.changed_meanwhile import seen_of
from tournaments.handover import can_be_taken, check_handed_again, hand_over, send_back, take_over
from tournaments.lookups import Lookups
from tournaments.marked_report import ShownPart, marked_text
from tournaments.models import HandedReport, Tournament
from tournaments.models.handed_report import CHECKED
from tournaments.permissions import (
    arbitrated_by,
    can_hand_over,
    can_report,
    can_see_handed,
    for_arbiter_or_user,
    handed_for,
)
from tournaments.reports import problem_counts_of
from tournaments.states import progress_of
from tournaments.trf import read_report
from tournaments.worksheet import with_choices

MAX_LETTERS = 2000
# What is kept of a remark in the session.
REMARK = "remark"


class HandOverForm(PortalForm):
    """The arbiter's remark to the officer."""

    remark = TextField(
        label=_l("Remark"),
        required=False,
        max_length=MAX_LETTERS,
        help_text=_l("What the rating officer should know about the report. Required if it has errors."),
    )


class SendBackForm(PortalForm):
    """The reason for returning a report."""

    reason = TextField(
        label=_l("Reason for the return"),
        max_length=MAX_LETTERS,
        help_text=_l("Enter what to correct. The chief arbiter sees this reason."),
    )


@require_safe
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def handed(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show an arbiter's report with its issues and the possible actions."""
    return show_handed(request, tournament, handed_or_404(request, tournament, number))


@require_safe
@requires_for_tournament(can_see_handed, visible=for_arbiter_or_user)
def file(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return an arbiter's report, or with `as=original` the crosstable from which it was made."""
    found = handed_or_404(request, tournament, number)
    if request.GET.get("as") == "original":
        if found.original is None:
            raise Http404
        return file_response(bytes(found.original), name=found.original_name)
    return file_response(bytes(found.content), name=found.file_name)


@require_POST
@requires_for_tournament(can_hand_over, visible=arbitrated_by)
def send_report(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Send a checked report to the rating officer."""
    found = handed_or_404(request, tournament, number)
    form = HandOverForm(request.POST)
    if form.is_valid():
        with refusals_shown(form):
            hand_over(found, remark=form.cleaned_data["remark"], by=request.user, at=timezone.now())
            request.session.pop(REMARK, None)
            messages.success(
                request, _("The report was sent. You get an email when it is added or returned.")
            )
            return redirect("desk:arbiter", tournament.event_id)
    return show_handed(request, tournament, found, over_form=form)


@require_POST
@requires_for_tournament(can_report)
def take_report(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Add an arbiter's report as a new version of the tournament report."""
    found = handed_or_404(request, tournament, number)
    with refusals_in_messages(request):
        seen = request.POST.get("seen", "")
        report = take_over(found, by=request.user, at=timezone.now(), seen=seen)
        message = _("The report was added as version %(version)d. Review the check results and accept it.")
        messages.success(request, message % {"version": report.version})
        return redirect("desk:report", tournament.event_id, report.version)
    return redirect(handed_address(tournament, found))


@require_POST
@requires_for_tournament(can_report)
def return_report(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return a report to the arbiter with a reason."""
    found = handed_or_404(request, tournament, number)
    form = SendBackForm(request.POST)
    if form.is_valid():
        with refusals_shown(form):
            values = {"reason": form.cleaned_data["reason"], "seen": request.POST.get("seen", "")}
            done = send_back(found, **values, by=request.user, at=timezone.now())
            again = _("This report has already been added or returned.")
            messages.info(request, _("The report was returned.") if done else again)
            return redirect("desk:tournament", tournament.event_id)
    return show_handed(request, tournament, found, back_form=form)


def handed_address(tournament: Tournament, found: HandedReport) -> str:
    """Return the address of an arbiter's report."""
    return reverse("desk:handed", args=[tournament.event_id, found.number])


def keep_remark(request: HttpRequest, tournament: Tournament, text: str) -> None:
    """Keep a remark that was typed while fixes are chosen, also for the file that they make."""
    request.session[REMARK] = {"of": tournament.event_id, "text": text[:MAX_LETTERS]}


def handed_or_404(request: HttpRequest, tournament: Tournament, number: int) -> HandedReport:
    """Return an arbiter's report that the user may read, or raise Http404."""
    own = ("handover__asked_by", "handover__decided_by", "handover__report")
    related = handed_for(request.user, tournament).select_related("checked_by", *own)
    # A version and its PGN may have megabytes, of which the page needs only the number.
    version = [f"handover__report__{name}" for name in ("content", "pgn", "findings")]
    light = related.defer("pgn", *version)
    return get_object_or_404(light, number=number)


def show_handed(
    request: HttpRequest,
    tournament: Tournament,
    found: HandedReport,
    *,
    fields: LineForm | None = None,
    **bound: forms.Form,
) -> HttpResponse:
    """Show an arbiter's report, with a form or the fields of a line that are refused."""
    with heavy_if_large(request, found.content):
        return _handed_page(request, tournament, found, fields, bound)


def _handed_page(
    request: HttpRequest,
    tournament: Tournament,
    found: HandedReport,
    fields: LineForm | None,
    bound: dict[str, forms.Form],
) -> HttpResponse:
    wanted = ShownPart("all" in request.GET, request.GET.get("code", ""), request.GET.get("severity", ""))
    is_arbiter = can_hand_over(request.user, tournament)
    today = timezone.now().date()
    may_work = is_arbiter and found.state == CHECKED
    progress = None
    if may_work or can_report(request.user, tournament):
        progress = progress_of(tournament, read_lists(), today=today)
    may_take = progress is not None and can_be_taken(found, progress)
    check_handed_again(found, on=today)
    read = read_report(bytes(found.content))
    marked = marked_text(read, found.findings, wanted)
    editing = ""
    if may_work:
        asked = request.GET if request.method == "GET" else request.POST
        place = place_of(asked)
        marked = with_choices(marked, found, read, line_search(asked), on=today, lookups=Lookups())
        editing = show_fields(marked, place, fields or line_form(found, read, place[0], None))
    counts = problem_counts_of(found.findings)
    event = [tournament.event_id, found.number]
    kept = request.session.get(REMARK, {})
    remark = kept["text"] if kept.get("of") == tournament.event_id else ""
    over = restore_form(request, to=reverse("desk:hand-over", args=event))
    forms_shown = {
        "over_form": HandOverForm(over, initial={"remark": remark}),
        "back_form": SendBackForm(restore_form(request, to=reverse("desk:send-back", args=event))),
    }
    context = {
        **forms_shown,
        **bound,
        "tournament": tournament,
        "handed": found,
        "handed_url": handed_address(tournament, found),
        "marked": marked,
        "counts": counts,
        "has_errors": bool(counts["error"]),
        "is_arbiter": is_arbiter,
        "bound": next(iter(bound.values()), None),
        "may_work": may_work,
        "editing": editing,
        "choices": len(found.amendments) if may_work else 0,
        "seen": seen_of(tournament) if may_take else "",
        "may_take": may_take,
        "progress": progress,
        "today": today,
    }
    return render(request, "desk/tournaments/handed.html", context)
