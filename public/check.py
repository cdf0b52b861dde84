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
from core.web.downloads import file_response
from core.web.rates import limited
from core.web.typed_forms import form_of
from core.web.uploads import bounded
from players.choices import Role
from players.minors import Minors, minors_for
from players.permissions import has_role
from ratings.in_force import InForce
from ratings.preview import NO_PREVIEW, Preview, preview_report, shown_preview, tournament_told_by
from tournaments import drafts
from tournaments.checking import CheckedReport, check_in_public
from tournaments.choices import Kind
from tournaments.corrected_versions import corrected_name
from tournaments.files import EMPTY_FILE, MAX_UPLOADS, MEBIBYTE, ONE_REPORT, safe_file_name
from tournaments.line_changes import ChangedLine, merged_changes
from tournaments.lookups import Lookups
from tournaments.marked_report import marked_text
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
        name = form.file_name() or request.POST.get("name", "")
        # Browsers send each line of a text with CRLF: the download has the ends that the file had.
        is_lf = request.POST.get("ends") == "lf" if "ends" in request.POST else b"\r" not in content
        if "download" in request.POST:
            content = content.replace(b"\r\n", b"\n") if is_lf else content
            return file_response(content, name=corrected_name(safe_file_name(name)))
        today, minors = timezone.now().date(), minors_for(request)
        wanted = request.POST.get("fix") or request.POST.get("certain")
        if wanted:
            checked, _tournament = _checked(content, kind, on=today, minors=minors, lookups=Lookups())
            content = fixed(checked, wanted).encode()
            context["form"] = CheckForm(initial={"kind": kind})
        context |= _check(content, kind, on=today, minors=minors)
        context |= {"file_name": name, "is_fixed": bool(wanted), "ends": "lf" if is_lf else "crlf"}
    return render(request, "public/check.html", context)


def fixed(checked: CheckedReport, wanted: str) -> str:
    """Return the text of a report with all certain fixes, those for one code, or the one with this key."""
    changes = merged_changes(
        ChangedLine(fix.line, fix.before, fix.after, "")
        for finding in checked.findings_as_json()
        for fix in drafts.offered_fixes(checked.report, [finding])
        if fix.key == wanted or (drafts.is_meant(finding, wanted) and not drafts.loses_letters(finding, fix))
    )
    lines = {one.line: one.new for one in changes.lines}
    return "".join(f"{lines.get(number, line)}\r\n" for number, line in enumerate(checked.report.lines, 1))


def _checked(
    content: bytes, kind: str, *, on: date, minors: Minors, lookups: Lookups
) -> tuple[CheckedReport, Tournament]:
    read = read_report(content, on=on)
    tournament = tournament_told_by(read, kind=kind or Kind.RAPID, on=on)
    return check_in_public(read, tournament, minors=minors, lookups=lookups), tournament


def _check(content: bytes, kind: str, *, on: date, minors: Minors) -> dict[str, Any]:
    lookups = Lookups()
    checked, tournament = _checked(content, kind, on=on, minors=minors, lookups=lookups)
    shown = marked_text(checked.report, checked.findings_as_json())
    for finding in [one for group in shown.groups for one in group.every]:
        fix = next(drafts.offered_fixes(checked.report, [finding]), None)
        is_certain = fix is not None and drafts.is_meant(finding, drafts.ALL)
        is_certain = is_certain and fix is not None and not drafts.loses_letters(finding, fix)
        finding |= {"key": fix.key if fix else "", "certain": is_certain, "is_chosen": False}
    preview = _preview(checked, tournament, on=on, lookups=lookups) if kind else None
    return {
        "checked": checked,
        "marked": shown,
        # Nothing is stored, so the buttons that use fixes send the text along.
        "text": "\n".join(checked.report.lines),
        "kind": kind,
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
