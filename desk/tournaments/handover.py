"""The hand-over: the chief arbiter's page, one report of an arbiter, and what both sides do with it."""

from __future__ import annotations

from datetime import date, timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk.access import requires_for_tournament
from desk.tournaments.handover_forms import HandOverForm, SendBackForm
from desk.tournaments.report_forms import ReportForm
from desk.tournaments.uploads import bounded_upload, to_the_findings, too_large_field
from players.queries.federations import Federations
from tournaments import regulations
from tournaments.choices import HandedState
from tournaments.errors import RefusedError
from tournaments.models import HandedReport, Tournament
from tournaments.permissions import (
    arbitrated_by,
    can_hand_over,
    can_see_handed,
    can_take_over,
    for_arbiter_or_user,
    handed_for,
)
from tournaments.queries.handover import counts_of, handed_of
from tournaments.queries.reports import Wanted, marked_text
from tournaments.registration_form import add_refusals
from tournaments.services.handover import hand_over, keep_checked, send_back, take_over
from tournaments.services.reports import Upload, report_refusals
from tournaments.trf import read_report


@bounded_upload
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_hand_over, among=arbitrated_by)
def arbiter(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a chief arbiter the tournament with all that was handed over, and check a report for it."""
    form = ReportForm(is_hybrid=tournament.is_hybrid)
    if request.method == "POST":
        large = too_large_field(request)
        form = ReportForm(request.POST, request.FILES, is_hybrid=tournament.is_hybrid, too_large=large)
        if form.is_valid():
            try:
                handed = keep_checked(tournament, _upload(request, form))
            except RefusedError as error:
                add_refusals(form, error.refusals)
            else:
                return to_the_findings(request, _address(tournament, handed))
    return _arbiter_page(request, tournament, form)


@require_safe
@requires_for_tournament(can_see_handed, among=for_arbiter_or_user)
def handed(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show an arbiter's report with its findings, and what the person may do with it."""
    return _handed_page(request, tournament, _numbered(request, tournament, number))


@require_safe
@requires_for_tournament(can_see_handed, among=for_arbiter_or_user)
def file(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Give the bytes of an arbiter's report as they came."""
    found = _numbered(request, tournament, number)
    disposition = content_disposition_header(as_attachment=True, filename=found.file_name)
    return HttpResponse(
        bytes(found.content),
        content_type="application/octet-stream",
        headers={"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"},
    )


@require_POST
@requires_for_tournament(can_hand_over, among=arbitrated_by)
def over(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Hand a checked report over."""
    found = _numbered(request, tournament, number)
    form = HandOverForm(request.POST)
    if form.is_valid():
        try:
            hand_over(found, remark=form.cleaned_data["remark"], by=request.user, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("The report is handed over; you hear what becomes of it."))
            return redirect("desk:arbiter", tournament.event_id)
    return _handed_page(request, tournament, found, over_form=form)


@require_POST
@requires_for_tournament(can_take_over)
def take(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Make an arbiter's report a version of one's own."""
    found = _numbered(request, tournament, number)
    now = timezone.now()
    try:
        report = take_over(found, by=request.user, on=now.date(), at=now)
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect(_address(tournament, found))
    message = _("It is version %(version)d of the report now. Read the findings and accept it.")
    messages.success(request, message % {"version": report.version})
    return redirect("desk:report", tournament.event_id, report.version)


@require_POST
@requires_for_tournament(can_take_over)
def back(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Send an arbiter's report back with a reason."""
    found = _numbered(request, tournament, number)
    form = SendBackForm(request.POST)
    if not form.is_valid():
        return _handed_page(request, tournament, found, back_form=form)
    done = send_back(found, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now())
    text = _("The report is sent back.") if done else _("Somebody took it or sent it back before.")
    messages.info(request, text)
    return redirect("desk:tournament", tournament.event_id)


def _upload(request: HttpRequest, form: ReportForm) -> Upload:
    now = timezone.now()
    return Upload(form.content(), form.file_name(), request.user, now.date(), now, pgn=form.pgn_content())


def _address(tournament: Tournament, found: HandedReport) -> str:
    return reverse("desk:handed", args=[tournament.event_id, found.number])


def _numbered(request: HttpRequest, tournament: Tournament, number: int) -> HandedReport:
    related = handed_for(request.user, tournament).select_related("handed_by", "checked_by", "decided_by")
    light = related.select_related("report").defer(
        "pgn", "report__content", "report__pgn", "report__findings"
    )
    return get_object_or_404(light, number=min(number, 32_767))


def _arbiter_page(request: HttpRequest, tournament: Tournament, form: ReportForm) -> HttpResponse:
    today = timezone.now().date()
    context = {
        "tournament": tournament,
        "form": form,
        "today": today,
        "rows": handed_of(handed_for(request.user, tournament)),
        "refusals": [*report_refusals(tournament, on=today, federations=Federations())],
        "is_over": tournament.end <= today,
        **_deadlines(tournament),
    }
    return render(request, "desk/tournaments/arbiter.html", context)


def _deadlines(tournament: Tournament) -> dict[str, date]:
    due_list = regulations.due_list(tournament.end)
    last_day = regulations.last_day_to_report(tournament.end, tournament.upheld_on)
    return {"due_list": due_list, "due_by": due_list - timedelta(days=1), "last_day": last_day}


def _handed_page(
    request: HttpRequest, tournament: Tournament, found: HandedReport, **bound: forms.Form
) -> HttpResponse:
    wanted = Wanted(whole="all" in request.GET, code=request.GET.get("code", ""))
    is_arbiter = can_hand_over(request.user, tournament)
    is_waiting = found.state == HandedState.WAITING
    counts = counts_of(found)
    context = {
        "tournament": tournament,
        "handed": found,
        "marked": marked_text(read_report(bytes(found.content)).lines, found.findings, wanted),
        "counts": counts,
        "has_errors": bool(counts["error"]),
        "is_arbiter": is_arbiter,
        "over_form": bound.get("over_form") or HandOverForm(),
        "back_form": bound.get("back_form") or SendBackForm(),
        "bound": next(iter(bound.values()), None),
        "may_hand_over": is_arbiter and found.state == HandedState.CHECKED,
        "may_take": is_waiting and can_take_over(request.user, tournament),
    }
    return render(request, "desk/tournaments/handed.html", context)
