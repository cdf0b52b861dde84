"""Uploading a report, reading it with its findings, accepting it, and its bytes as they came."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.web.typed import typed
from desk.access import requires_for_tournament
from desk.tournaments.report_forms import AcceptForm, ReportForm
from desk.tournaments.uploads import bounded_upload, to_the_findings, too_large_field
from players.queries.federations import Federations
from tournaments.choices import ReportState
from tournaments.errors import RefusedError
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report, can_see_drafts
from tournaments.queries.fixes import number_of_certain
from tournaments.queries.reports import SHORT, Wanted, acknowledged_by, marked_text, same_accepted_elsewhere
from tournaments.queries.steps import expected_list
from tournaments.registration_form import add_refusals
from tournaments.services.fixes import with_fixes
from tournaments.services.reports import accept_report, report_refusals, upload_report
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report


@bounded_upload
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask for the file and keep what comes, with its findings."""
    now = timezone.now()
    if request.method != "POST":
        form = ReportForm(is_hybrid=tournament.is_hybrid)
        return _upload_page(request, tournament, form)
    form = ReportForm(
        request.POST, request.FILES, is_hybrid=tournament.is_hybrid, too_large=too_large_field(request)
    )
    if not form.is_valid():
        return _upload_page(request, tournament, form)
    try:
        report = upload_report(
            tournament,
            form.content(),
            file_name=form.file_name(),
            by=request.user,
            on=now.date(),
            at=now,
            pgn=form.pgn_content(),
        )
    except RefusedError as error:
        add_refusals(form, error.refusals)
        return _upload_page(request, tournament, form)
    if report.submitted_at != now:
        messages.info(
            request, _("This file was uploaded before, as version %(version)d.") % {"version": report.version}
        )
    return to_the_findings(request, reverse("desk:report", args=[tournament.event_id, report.version]))


def _upload_page(request: HttpRequest, tournament: Tournament, form: ReportForm) -> HttpResponse:
    today = timezone.now().date()
    context = {
        "tournament": tournament,
        "form": form,
        "today": today,
        "refusals": [*report_refusals(tournament, on=today, federations=Federations())],
        "is_over": tournament.end <= today,
    }
    return render(request, "desk/tournaments/upload.html", context)


@require_safe
@requires_for_tournament(can_see_drafts)
def detail(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Show a version of the report with its findings."""
    report = _version(tournament, version)
    wanted = Wanted(whole="all" in request.GET, code=request.GET.get("code", ""))
    trf = read_report(bytes(report.content))
    before = typed(request, to=reverse("desk:accept", args=[tournament.event_id, version]))
    form = AcceptForm(before, has_warnings=_has_warnings(report))
    return _report_page(request, tournament, report, trf, form, wanted)


@require_http_methods(["POST"])
@requires_for_tournament(can_report)
def accept(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Accept a version of the report; what stands against it is said on its page."""
    report = _version(tournament, version)
    trf = read_report(bytes(report.content))
    form = AcceptForm(request.POST, has_warnings=_has_warnings(report))
    if not form.is_valid():
        return _report_page(request, tournament, report, trf, form)
    now = timezone.now()
    try:
        accept_report(
            report, acknowledgement=form.sentence(), by=request.user, on=now.date(), at=now, trf=trf
        )
    except RefusedError as error:
        add_refusals(form, error.refusals)
        return _report_page(request, tournament, report, trf, form)
    messages.success(request, _("The report is accepted. The portal rates it now; you may leave this page."))
    return redirect("desk:tournament", tournament.event_id)


@require_safe
@requires_for_tournament(can_see_drafts)
def download(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Give the bytes of a version as they were uploaded."""
    report = _version(tournament, version)
    disposition = content_disposition_header(as_attachment=True, filename=report.file_name)
    return HttpResponse(
        bytes(report.content),
        content_type="application/octet-stream",
        headers={"Content-Disposition": disposition},
    )


def _version(tournament: Tournament, version: int) -> Report:
    reports = tournament.reports.select_related("submitted_by", "corrected_from").defer(
        "pgn", "corrected_from__content", "corrected_from__pgn"
    )
    return get_object_or_404(reports, version=version)


def _has_warnings(report: Report) -> bool:
    return any(finding["severity"] == Severity.WARNING for finding in report.findings)


def _report_page(
    request: HttpRequest,
    tournament: Tournament,
    report: Report,
    trf: TrfReport,
    form: AcceptForm,
    wanted: Wanted = SHORT,
) -> HttpResponse:
    today = timezone.now().date()
    marked = with_fixes(marked_text(trf.lines, report.findings, wanted), report, trf)
    is_open = report.state == ReportState.CHECKED and can_report(request.user, tournament)
    context = {
        "tournament": tournament,
        "report": report,
        "marked": marked,
        "counts": {severity: marked.count(severity) for severity in ("error", "warning", "notice")},
        "form": form,
        "may_accept": is_open and not marked.count("error"),
        "may_upload": is_open,
        "expected_list": expected_list(tournament, today),
        "elsewhere": same_accepted_elsewhere(report),
        "fix_url": reverse("desk:fix", args=[tournament.event_id, report.version]) if is_open else "",
        "certain": number_of_certain(report.findings) if is_open else 0,
        "acknowledged": acknowledged_by(report),
    }
    return render(request, "desk/tournaments/report.html", context)
