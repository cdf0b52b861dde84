"""Registering many tournaments from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.forms import PortalForm
from core.web.csv import csv_response
from core.web.csv_reader import RowFinding, read_table
from core.web.uploads import bounded
from desk.access import requires
from desk.csv_rows import CsvPage, RowsField, Sheet, allowed_of
from players.permissions import can_register
from tournaments.conditions import Conditions
from tournaments.lookups import Lookups
from tournaments.registration import day_refusals, prospects, register_all
from tournaments.registration_form import RegisterForm, federation_choices

MAX_ROWS = 500
MAX_BYTES = 1024 * 1024
REQUIRED = (
    "name",
    "federation",
    "time_control",
    "start",
    "end",
    "schedule",
    "chief_arbiter",
    "is_stated_rated",
)
OPTIONAL = (
    "kind", "city", "organiser", "has_unequal_times", "is_match", "games_per_match", "match_waiver",
    "match_waiver_on", "is_hybrid", "continues", "late_reason",
)  # fmt: skip
COLUMNS = (*REQUIRED, *OPTIONAL)
YES_OR_NO = tuple(name for name in COLUMNS if isinstance(RegisterForm.base_fields[name], forms.BooleanField))
WORDS = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False, "": False}


class BulkForm(PortalForm):
    """The uploaded file, or the previewed text to confirm."""

    rows_file = RowsField(
        help_text=_l("Up to 500 rows and 1 MiB, UTF-8 or Windows-1252, separated by commas or semicolons.")
    )


def read_sheet(text: str, *, user: Any) -> Sheet[Conditions]:
    """Read registrations by the user from a CSV text, with all issues."""
    table = read_table(text, required=REQUIRED, optional=OPTIONAL, most=MAX_ROWS)
    sheet: Sheet[Conditions] = Sheet(findings=table.findings, table=table)
    federations, lookups = federation_choices(user), Lookups()
    for line, values in table.rows.items():
        _read_row(line, values, sheet, user, federations, lookups)
    return sheet


def _read_row(
    line: int,
    values: Mapping[str, str],
    sheet: Sheet[Conditions],
    user: Any,
    federations: Sequence[tuple[str, str]],
    lookups: Lookups,
) -> None:
    wrong = [name for name in YES_OR_NO if values.get(name, "").lower() not in WORDS]
    sheet.findings += [RowFinding(line, name, _("Enter yes or no."), code="yes-or-no") for name in wrong]
    data = {
        **values,
        "federation": values.get("federation", "").upper(),
        "kind": values.get("kind", "").lower(),
        # A cell of a table has one line; the field of the form has one for each day.
        "schedule": values.get("schedule", "").replace(";", "\n"),
        **{name: WORDS.get(values.get(name, "").lower(), False) for name in YES_OR_NO},
    }
    # The form of the page, so that a file is held to the same rules. The federations are read once for all rows.
    form = RegisterForm(data, user=user, federations=federations)
    if form.is_valid() and not wrong:
        sheet.rows[line] = form.request()
        return
    for name, errors in form.errors.as_data().items():
        if name in wrong:
            continue
        column = name if name in COLUMNS else ""
        if name in form.fields:
            errors = allowed_of(form.fields[name], errors, values.get(name, ""))
        sheet.findings += [
            RowFinding(line, column, " ".join(error.messages), code=error.code or "") for error in errors
        ]
    if "start" not in form.errors:
        # The days are judged whatever else is wrong.
        refusals = day_refusals(form.request(), timezone.now().date(), lookups.first_rated_day)
        sheet.findings += [
            RowFinding(line, one.field, str(one.message), code=one.code)
            for one in refusals
            if one.field not in form.errors
        ]


@require_safe
@requires(can_register)
def template(request: HttpRequest) -> HttpResponse:
    """Return a CSV with the column names and an example row of one of the user's federations."""
    return csv_response("tournaments.csv", [COLUMNS, _example(federation_choices(request.user))])


def _example(federations: Sequence[tuple[str, str]]) -> list[str]:
    """Return a row without issues: a tournament of two days in four weeks, of the first of some federations."""
    federation = next((code for code, _name in federations), "")
    first, last = (str(timezone.now().date() + timedelta(days=days)) for days in (28, 29))
    values = {
        "name": "Spring Rapid",
        "federation": federation,
        "kind": "rapid",
        "time_control": "15+10",
        "start": first,
        "end": last,
        "schedule": f"{first} 5; {last} 4",
        "chief_arbiter": "Family name, Given name",
        "is_stated_rated": "yes",
    }
    return [values.get(name, "no" if name in YES_OR_NO else "") for name in COLUMNS]


class TournamentsPage(CsvPage[Conditions]):
    """Tournaments from a file; all are registered, or none."""

    template = "desk/tournaments/bulk.html"
    form = BulkForm
    max_bytes = MAX_BYTES
    together = frozenset({"start", "end", "schedule"})

    def read(self, text: str) -> Sheet[Conditions]:
        """Return the sheet with all issues, including refusals by the regulations."""
        sheet = read_sheet(text, user=self.request.user)
        self.planned = prospects(sheet.rows, by=self.request.user, on=timezone.now().date())
        for line, prospect in self.planned.items():
            for refusal in prospect.refusals:
                column = refusal.field if refusal.field in COLUMNS else ""
                sheet.findings.append(RowFinding(line, column, str(refusal.message), code=refusal.code))
        sheet.findings.sort(key=lambda finding: finding.line)
        return sheet

    def preview(self, sheet: Sheet[Conditions]) -> dict[str, Any]:
        rows = [{"line": line, "prospect": prospect} for line, prospect in self.planned.items()]
        return {"rows": rows, "is_ready": bool(rows)}

    def carry_out(self, sheet: Sheet[Conditions]) -> HttpResponse:
        now = timezone.now()
        new = register_all(sheet.rows, by=self.request.user, on=now.date(), at=now)
        message = _("%(new)d registered, %(already)d already registered.")
        messages.success(self.request, message % {"new": new, "already": len(sheet.rows) - new})
        return redirect("desk:tournaments")

    def columns(self) -> list[dict[str, Any]]:
        fields: Any = RegisterForm(user=self.request.user).fields
        return [
            {
                "name": name,
                "label": fields[name].label,
                "help": fields[name].help_text,
                "required": name in REQUIRED,
                "example": example,
            }
            for name, example in zip(COLUMNS, _example(fields["federation"].choices), strict=True)
        ]


@bounded({"rows_file": MAX_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def bulk(request: HttpRequest) -> HttpResponse:
    """Preview an uploaded file, and register its tournaments once confirmed."""
    return TournamentsPage(request).answer()
