"""The upload of a tournament's report."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import FilesField
from core.html.forms import PortalForm, fill_text
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from desk.access import requires_for_tournament
from players.federations import Federations
from tournaments.files import EMPTY_FILE, MAX_UPLOADS, MEBIBYTE, ONE_REPORT
from tournaments.models import Tournament
from tournaments.permissions import can_report
from tournaments.report_barriers import report_refusals
from tournaments.uploaded_files import as_trf, keep_file

NO_FILE = _l("Select the report file.")


class ReportForm(PortalForm):
    """The TRF of a tournament and, for a hybrid one, the PGN of its games."""

    report = forms.FileField(
        label=_l("Report (TRF)"),
        error_messages={"empty": EMPTY_FILE, "required": NO_FILE, "too-large": ONE_REPORT},
        help_text=fill_text(
            _l(
                "The TRF that the pairing program exports, or a crosstable as CSV, XLSX, XLS or ODS, up to "
                "%(size)d MiB."
            ),
            size=MAX_UPLOADS["report"] // MEBIBYTE,
        ),
    )
    pgn = FilesField(
        label=_l("Games (PGN)"),
        required=False,
        error_messages={"empty": _l("The file is empty.")},
        help_text=fill_text(
            _l(
                "All games of the tournament in one file or several, up to %(size)d MiB. Required for hybrid "
                "tournaments (article 8.4)."
            ),
            size=MAX_UPLOADS["pgn"] // MEBIBYTE,
        ),
    )

    def __init__(self, *args: Any, is_hybrid: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_hybrid:
            del self.fields["pgn"]

    def clean_pgn(self) -> list[UploadedFile[Any]]:
        """Return the files of the games, which together are as large as one may be."""
        files: list[UploadedFile[Any]] = self.cleaned_data["pgn"]
        if sum(one.size or 0 for one in files) > MAX_UPLOADS["pgn"]:
            message = _("The file must be %(size)d MiB or smaller.")
            raise forms.ValidationError(message % {"size": MAX_UPLOADS["pgn"] // MEBIBYTE}, code="too-large")
        return files

    def content(self) -> bytes:
        return bytes(self.cleaned_data["report"].read())

    def file_name(self) -> str:
        """Return the name of the file as it was uploaded."""
        return str(self.cleaned_data["report"].name)

    def pgn_content(self) -> bytes | None:
        """Return the games of all PGN files in their order, None where there is none."""
        files: list[UploadedFile[Any]] = self.cleaned_data.get("pgn") or []
        return b"\n\n".join(one.read().removeprefix(BOM_UTF8) for one in files) or None


def redirect_to_findings(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to the check results. The upload script gets the URL in a header, so that messages show only once."""
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        # A script would follow a redirect by itself, and the page that it threw away would have shown the messages.
        return HttpResponse(status=204, headers={"X-Location": address})
    return redirect(address)


@bounded(MAX_UPLOADS)
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def upload(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form, and save and check an uploaded report."""
    form = form_of(request, ReportForm, is_hybrid=tournament.is_hybrid)
    if form.is_valid():
        now, by = timezone.now(), request.user
        with refusals_shown(form):
            draft = as_trf(tournament, form.content(), form.file_name())
            report = keep_file(tournament, draft, pgn=form.pgn_content(), by=by, on=now.date(), at=now)
            # The same bytes are the version that they were, and are not checked again.
            if report.submitted_at != now:
                text = _("This file was already uploaded as version %(version)d.")
                messages.info(request, text % {"version": report.version}, extra_tags="same-file")
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
