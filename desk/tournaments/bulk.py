"""Many registrations from one CSV: the findings by row and column, what would happen, then all or nothing."""

from __future__ import annotations

import csv
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.web.sheets import RowFinding, text_of
from desk.access import requires
from desk.tournaments.bulk_form import COLUMNS, MOST_BYTES, REQUIRED, BulkForm, Sheet, read_sheet
from desk.tournaments.uploads import bounded_upload, too_large_field
from tournaments.errors import RefusedError
from tournaments.permissions import can_register_any
from tournaments.registration_form import RegistrationForm
from tournaments.services.bulk import prospects, register_all


@require_safe
@requires(can_register_any)
def template(request: HttpRequest) -> HttpResponse:
    """Give the names of the columns as an empty CSV."""
    response = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="tournaments.csv"'},
    )
    csv.writer(response).writerow(COLUMNS)
    return response


@bounded_upload
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_any)
def bulk(request: HttpRequest) -> HttpResponse:
    """Take a file, show what it would lead to, and register all its tournaments when that is confirmed."""
    if request.method != "POST":
        return _page(request, BulkForm())
    if "text" in request.POST:
        return _confirm(request, request.POST["text"])
    form = BulkForm(request.POST, request.FILES)
    too_large = too_large_field(request)
    if not form.is_valid() or too_large:
        if too_large:
            form.errors.pop("rows_file", None)
            form.add_error("rows_file", _("The file is larger than 1 MiB. Split it."))
        return _page(request, form)
    return _show(request, text_of(form.cleaned_data["rows_file"].read()))


def _show(request: HttpRequest, text: str) -> HttpResponse:
    sheet, rows = _checked(request, text)
    return _page(request, BulkForm(), rows=rows, findings=sheet.findings, text=text)


def _confirm(request: HttpRequest, text: str) -> HttpResponse:
    if len(text.encode(errors="replace")) > 2 * MOST_BYTES:
        return _page(request, BulkForm())
    now = timezone.now()
    sheet, _rows = _checked(request, text)
    if sheet.findings:
        return _show(request, text)
    try:
        done = register_all(
            {row.line: row.request for row in sheet.rows}, by=request.user, on=now.date(), at=now
        )
    except RefusedError:
        return _show(request, text)
    message = _("%(new)d registered; %(already)d stood already.")
    messages.success(request, message % {"new": done.registered, "already": done.already})
    return redirect("desk:tournaments")


def _checked(request: HttpRequest, text: str) -> tuple[Sheet, list[dict[str, Any]]]:
    """Return the sheet with all findings, those of the rules too, and what each row would lead to."""
    sheet = read_sheet(text, user=request.user)
    planned = prospects(
        {row.line: row.request for row in sheet.rows}, by=request.user, on=timezone.now().date()
    )
    for line, prospect in planned.items():
        for refusal in prospect.refusals:
            column = refusal.field if refusal.field in COLUMNS else ""
            sheet.findings.append(RowFinding(line, column, str(refusal.message)))
    sheet.findings.sort(key=lambda finding: finding.line)
    return sheet, [{"line": line, "prospect": prospect} for line, prospect in planned.items()]


def _page(request: HttpRequest, form: BulkForm, **shown: Any) -> HttpResponse:
    fields = RegistrationForm(user=request.user).fields
    columns = [
        {
            "name": name,
            "label": fields[name].label,
            "help": fields[name].help_text,
            "required": name in REQUIRED,
        }
        for name in COLUMNS
    ]
    today = timezone.now().date()
    return render(
        request, "desk/tournaments/bulk.html", {"form": form, "columns": columns, "today": today, **shown}
    )
