"""Many registrations from one CSV: each row through the form of a single one, its findings by row and column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from core.web.sheets import RowFinding, read_table
from tournaments.registration_form import RegistrationForm
from tournaments.services.registration import RegistrationRequest

MOST_ROWS = 500
MOST_BYTES = 1024 * 1024
REQUIRED = ("name", "federation", "kind", "time_control", "start", "end", "chief_arbiter", "is_stated_rated")
OPTIONAL = ("city", "schedule", "organiser", "has_unequal_times", "is_match", "match_waiver", "is_hybrid")
COLUMNS = (*REQUIRED, *OPTIONAL)
YES_OR_NO = ("is_stated_rated", "has_unequal_times", "is_match", "is_hybrid")
WORDS = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False, "": False}


@dataclass(frozen=True, slots=True)
class Row:
    """A line that says a registration."""

    line: int
    request: RegistrationRequest


@dataclass(slots=True)
class Sheet:
    """What a file says, and what is wrong in it."""

    rows: list[Row] = field(default_factory=list)
    findings: list[RowFinding] = field(default_factory=list)


class BulkForm(forms.Form):
    """The file; or, to confirm, the text that was shown."""

    default_renderer = PortalFormRenderer()

    rows_file = forms.FileField(
        label=_l("CSV file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=_l("At most 500 rows and 1 MiB, in UTF-8 or Windows-1252, with commas or semicolons."),
        error_messages={"required": _l("Choose a CSV file."), "empty": _l("The file is empty.")},
    )


def read_sheet(text: str, *, user: Any) -> Sheet:
    """Read the rows of a CSV as registrations of the person, with every finding."""
    table = read_table(text, required=REQUIRED, optional=OPTIONAL, most=MOST_ROWS)
    sheet = Sheet(findings=table.findings)
    for line, values in table.rows.items():
        _read_row(line, values, sheet, user)
    return sheet


def _read_row(line: int, values: Mapping[str, str], sheet: Sheet, user: Any) -> None:
    wrong = [name for name in YES_OR_NO if values.get(name, "").lower() not in WORDS]
    sheet.findings += [RowFinding(line, name, _("Write yes or no.")) for name in wrong]
    data = {
        **values,
        "federation": values.get("federation", "").upper(),
        "kind": values.get("kind", "").lower(),
        "schedule": values.get("schedule", "").replace(";", "\n"),
        **{name: WORDS.get(values.get(name, "").lower(), False) for name in YES_OR_NO},
    }
    form = RegistrationForm(data, user=user)
    if form.is_valid() and not wrong:
        sheet.rows.append(Row(line, form.request()))
        return
    for name, messages in form.errors.items():
        column = name if name in COLUMNS else ""
        sheet.findings += [RowFinding(line, column, str(message)) for message in messages]
