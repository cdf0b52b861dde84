"""A tournament report: upload, check results, acceptance, preview, and the file as uploaded."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import refusals_shown
from core.html.forms import PortalForm
from core.web.files import bounded, file_response, too_large_field
from core.web.typed import restore_form
from desk.access import requires_for_tournament
from players.queries.federations import Federations
from ratings.queries.list_calendar import list_calendars
from ratings.services.preview import preview_report, shown_row
from tournaments.choices import ReportState
from tournaments.files import EMPTY_FILE, MEBIBYTE, MOST_BYTES
from tournaments.models import Report, Tournament
from tournaments.permissions import can_report, can_see_drafts
from tournaments.queries.line_changes import number_of_certain
from tournaments.queries.lookups import Lookups
from tournaments.queries.report_versions import (
    SHORT,
    Wanted,
    acknowledged_by,
    marked_text,
    same_accepted_elsewhere,
)
from tournaments.services.checking import CheckedReport, check_contents, report_refusals
from tournaments.services.fixes import with_fixes
from tournaments.services.reports import accept_report, upload_report
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report, write_trf26

NO_FILE = _l("Select the report file.")


class ReportForm(PortalForm):
    """The TRF of a tournament and, for a hybrid one, the PGN of its games."""

    report = forms.FileField(
        label=_l("Report (TRF)"),
        error_messages={"empty": EMPTY_FILE, "required": NO_FILE},
        help_text=_l("The text file that the pairing program exports, up to %(size)d MiB.")
        % {"size": MOST_BYTES["report"] // MEBIBYTE},
    )
    pgn = forms.FileField(
        label=_l("Games (PGN)"),
        required=False,
        error_messages={"empty": _l("The file is empty.")},
        help_text=_l(
            "All games of the tournament, up to %(size)d MiB. Required for hybrid tournaments (article 8.4)."
        )
        % {"size": MOST_BYTES["pgn"] // MEBIBYTE},
    )

    def __init__(self, *args: Any, is_hybrid: bool, too_large: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.too_large = too_large
        if not is_hybrid:
            del self.fields["pgn"]

    def clean(self) -> dict[str, Any]:
        """Report only the size of a file that was too large: the fields after it were not read."""
        cleaned = super().clean() or self.cleaned_data
        if self.too_large in self.fields:
            self.errors.clear()
            message = _(
                "The file must be %(size)d MiB or smaller. Upload only the report of this tournament."
            )
            self.add_error(self.too_large, message % {"size": MOST_BYTES[self.too_large] // MEBIBYTE})
        return cleaned

    def content(self) -> bytes:
        """Return the bytes of the report."""
        return bytes(self.cleaned_data["report"].read())

    def file_name(self) -> str:
        """Return the name of the file as it was uploaded."""
        return str(self.cleaned_data["report"].name)

    def pgn_content(self) -> bytes | None:
        """Return the bytes of the PGN, None where there is none."""
        pgn: UploadedFile[Any] | None = self.cleaned_data.get("pgn")
        return pgn.read() if pgn else None


class AcceptForm(PortalForm):
    """The acceptance of a report; warnings need a written reason."""

    acknowledgement = forms.CharField(
        label=_l("Reason for acknowledging the warnings"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_l("One sentence. It is saved with the report."),
        error_messages={
            "required": _l("Enter a reason for acknowledging the warnings. It is saved with the report.")
        },
    )

    def __init__(self, *args: Any, has_warnings: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_warnings:
            del self.fields["acknowledgement"]

    def sentence(self) -> str:
        """Return the reason, empty if none is needed."""
        return str(self.cleaned_data.get("acknowledgement", ""))


def uploaded_form(request: HttpRequest, tournament: Tournament) -> ReportForm:
    """Return the form of a tournament's report, with the uploaded files of a POST."""
    if request.method != "POST":
        return ReportForm(is_hybrid=tournament.is_hybrid)
    data, files = request.POST, request.FILES
    # Known once the body has been read.
    large = too_large_field(request)
    return ReportForm(data, files, is_hybrid=tournament.is_hybrid, too_large=large)


def redirect_to_findings(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to the check results; the upload script follows the address itself, so that messages show once."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=204, headers={"X-Location": address})
    return redirect(address)


@bounded(MOST_BYTES)
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form, and save and check an uploaded report."""
    form = uploaded_form(request, tournament)
    if form.is_valid():
        now, by = timezone.now(), request.user
        with refusals_shown(form):
            content, name, pgn = form.content(), form.file_name(), form.pgn_content()
            report = upload_report(tournament, content, file_name=name, pgn=pgn, by=by, on=now.date(), at=now)
            if report.submitted_at != now:
                text = _("This file was already uploaded as version %(version)d.")
                messages.info(request, text % {"version": report.version})
            address = reverse("desk:report", args=[tournament.event_id, report.version])
            return redirect_to_findings(request, address)
    return _upload_page(request, tournament, form)


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
    """Show a version of the report with its check results."""
    report = _version(tournament, version)
    wanted = Wanted(whole="all" in request.GET, code=request.GET.get("code", ""))
    trf = read_report(bytes(report.content))
    before = restore_form(request, to=reverse("desk:accept", args=[tournament.event_id, version]))
    form = AcceptForm(before, has_warnings=_has_warnings(report))
    return _report_page(request, tournament, report, trf, form, wanted)


@require_http_methods(["POST"])
@requires_for_tournament(can_report)
def accept(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Accept a version of the report, or show on its page why not."""
    report = _version(tournament, version)
    trf = read_report(bytes(report.content))
    form = AcceptForm(request.POST, has_warnings=_has_warnings(report))
    if form.is_valid():
        now = timezone.now()
        with refusals_shown(form):
            accept_report(
                report, acknowledgement=form.sentence(), by=request.user, on=now.date(), at=now, trf=trf
            )
            messages.success(
                request,
                _("The report was accepted. The rating calculation has started. You can leave this page."),
            )
            return redirect("desk:tournament", tournament.event_id)
    return _report_page(request, tournament, report, trf, form)


@require_safe
@requires_for_tournament(can_see_drafts)
def download(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Return the file of a version as uploaded, or with `as=trf26` written anew as TRF26."""
    report = _version(tournament, version)
    content, name = bytes(report.content), report.file_name
    if request.GET.get("as") == "trf26":
        content, name = write_trf26(read_report(content)).encode(), f"{PurePath(name).stem}-trf26.trf"
    return file_response(content, name=name)


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
        "expected_list": list_calendars(today)
        .of(tournament.kind)
        .list_for(tournament.end, is_official=tournament.is_official, accepted_on=max(today, tournament.end)),
        "elsewhere": same_accepted_elsewhere(report),
        "fix_url": reverse("desk:fix", args=[tournament.event_id, report.version]) if is_open else "",
        "certain": number_of_certain(report.findings) if is_open else 0,
        "acknowledged": acknowledged_by(report),
    }
    return render(request, "desk/tournaments/report.html", context)


@require_safe
@requires_for_tournament(can_see_drafts)
def preview(request: HttpRequest, tournament: Tournament, version: int) -> HttpResponse:
    """Preview every player's rating change and the unrated games without saving anything."""
    report = get_object_or_404(tournament.reports, version=version)
    pgn = bytes(report.pgn) if report.pgn else None
    trf, lookups = read_report(bytes(report.content)), Lookups()
    checked = check_contents(trf, tournament, on=report.submitted_on, lookups=lookups, pgn=pgn)
    context = {
        "report_url": reverse("desk:report", args=[tournament.event_id, version]),
        "here": _("Version %(version)d") % {"version": version},
        "tournament_url": reverse("desk:tournament", args=[tournament.event_id]),
    }
    return preview_page(request, tournament, checked, context, lookups)


def preview_page(
    request: HttpRequest,
    tournament: Tournament,
    checked: CheckedReport,
    context: dict[str, str],
    lookups: Lookups,
) -> HttpResponse:
    can_rate = bool(checked.report.players) and not checked.errors
    today = timezone.now().date()
    found = preview_report(checked, tournament, on=today, lookups=lookups) if can_rate else None
    rows = [shown_row(row, found.rules) for row in found.rows] if found else []
    shown = {"tournament": tournament, "preview": found, "rows": rows, **context}
    return render(request, "desk/tournaments/preview.html", shown)
