"""The check of a report with a rating preview, without an account. Nothing is stored."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.html.forms import PortalFormRenderer, fill_text
from core.html.refusals import refusals_shown
from core.web.rates import limited
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from players.choices import Role
from players.minors import Minors, minors_for
from players.permissions import has_role
from ratings.in_force import InForce
from ratings.preview import NO_PREVIEW, Preview, preview_report, shown_preview, tournament_told_by
from tournaments.checking import CheckedReport, check_in_public
from tournaments.choices import Kind
from tournaments.files import EMPTY_FILE, MAX_UPLOADS, MEBIBYTE, ONE_REPORT
from tournaments.lookups import Lookups
from tournaments.marked_report import SHIFTED, marked_text
from tournaments.models import Tournament
from tournaments.reports import tournaments_of_arbiter
from tournaments.trf import read_report
from tournaments.uploaded_files import require_trf


class CheckForm(forms.Form):
    """The report as a file or as text. With a rating type, its ratings are previewed."""

    default_renderer = PortalFormRenderer()

    report = forms.FileField(
        label=_l("Report (TRF)"),
        required=False,
        error_messages={"empty": EMPTY_FILE, "too-large": ONE_REPORT},
        help_text=fill_text(
            _l("The text file that the pairing program exports, up to %(size)d MiB."),
            size=MAX_UPLOADS["report"] // MEBIBYTE,
        ),
    )
    text = forms.CharField(
        label=_l("Or paste the text"),
        required=False,
        # The columns of a line begin with its first character.
        strip=False,
        max_length=MAX_UPLOADS["report"],
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "class": "mono"}),
    )
    kind = forms.ChoiceField(
        label=_l("Rating type for the preview"),
        required=False,
        choices=[("", _l("no preview")), *Kind.choices],
    )

    def clean(self) -> dict[str, Any]:
        """Require exactly one of file and text."""
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned.get("report") and not cleaned.get("text", "").strip():
            message = _("Select the report file, or paste its text.")
            self.add_error("report", forms.ValidationError(message, code="required"))
        elif not self.errors and cleaned.get("report"):
            with refusals_shown(self):
                require_trf(self.content(), self.file_name())
        return cleaned

    def content(self) -> bytes:
        sent = self.cleaned_data.get("report")
        if sent:
            # `clean` has read it already.
            sent.seek(0)
        return bytes(sent.read()) if sent else str(self.cleaned_data["text"]).encode()

    def file_name(self) -> str:
        """Return the name of the file, "" for a pasted text."""
        sent = self.cleaned_data.get("report")
        return str(sent.name) if sent else ""


@never_cache
@bounded(MAX_UPLOADS)
@require_http_methods(["GET", "HEAD", "POST"])
@limited("open")
def check(request: HttpRequest) -> HttpResponse:
    """Show the form, and the issues of a report. With a rating type, preview the ratings."""
    context: dict[str, Any] = {
        "form": CheckForm(),
        "arbitrated": tournaments_of_arbiter(request.user) if has_role(request.user, Role.ARBITER) else [],
        "checked": None,
    }
    if request.method != "POST":
        return render(request, "public/check.html", context)
    form = form_of(request, CheckForm)
    context["form"] = form
    if form.is_valid():
        content, kind = form.content(), form.cleaned_data["kind"]
        if "realign" in request.POST:
            content = realign(content, request.POST["realign"]).encode()
            # A browser cannot be given a file: the realigned text is shown in the field to copy.
            context["form"] = CheckForm(initial={"text": content.decode(), "kind": kind})
        context |= _check(content, kind, on=timezone.now().date(), minors=minors_for(request))
        context["file_name"] = form.file_name()
    return render(request, "public/check.html", context)


def realign(content: bytes, wanted: str) -> str:
    """Return the text of a report with its shifted lines put right: `all`, or the one of this number."""
    read = read_report(content)
    fixes = {
        finding.line: finding.fix
        for finding in read.findings
        if finding.code == SHIFTED and finding.fix and wanted in ("all", str(finding.line))
    }
    return "".join(f"{fixes.get(number, line)}\n" for number, line in enumerate(read.lines, 1))


def _check(content: bytes, kind: str, *, on: date, minors: Minors) -> dict[str, Any]:
    read = read_report(content, on=on)
    tournament = tournament_told_by(read, kind=kind or Kind.RAPID, on=on)
    lookups = Lookups()
    checked = check_in_public(read, tournament, minors=minors, lookups=lookups)
    shown = marked_text(checked.report, checked.findings_as_json())
    preview = _preview(checked, tournament, on=on, lookups=lookups) if kind else None
    return {
        "checked": checked,
        "marked": shown,
        "counts": shown.counts,
        # Nothing is stored, so the buttons that realign lines send the text along.
        "text": "\n".join(read.lines) if any(group.layout == "shifts" for group in shown.groups) else "",
        "kind": kind,
        "wants_preview": bool(kind),
        "preview": preview,
        "shown": shown_preview(preview) if preview else NO_PREVIEW,
        "first_day": lookups.of(InForce).adoptions.first_day,
    }


def _preview(checked: CheckedReport, tournament: Tournament, *, on: date, lookups: Lookups) -> Preview | None:
    """Return the preview, or None if there are errors, no players, or no regulations yet on that date (D-13)."""
    is_rated = lookups.of(InForce).adoptions.has_text_on(tournament.start)
    if checked.errors or not checked.report.players or not is_rated:
        return None
    return preview_report(checked, tournament, on=on, lookups=lookups)
