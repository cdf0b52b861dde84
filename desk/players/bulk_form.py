"""Many new players from one CSV, with every finding by row and column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.html.forms import PortalFormRenderer
from core.web.sheets import RowFinding, read_table
from desk.players.forms import born_on, name_of
from players.choices import Sex
from players.models import Federation
from players.permissions import registering_federations
from players.services.registration import NewPlayer

MOST_ROWS = 200
MOST_BYTES = 128 * 1024
REQUIRED = ("name", "sex", "birth_date")
OPTIONAL = ("federation",)
COLUMNS = (*REQUIRED, *OPTIONAL)
LONGEST_NAME = 100
# W is what the German and French of many lists, and TRF, write for F.
SEXES = {"m": Sex.MALE, "f": Sex.FEMALE, "w": Sex.FEMALE}
DAYS = ("%Y-%m-%d", "%d.%m.%Y")


@dataclass(slots=True)
class Sheet:
    """The new players of a file by line, and what is wrong in it."""

    rows: dict[int, NewPlayer] = field(default_factory=dict)
    findings: list[RowFinding] = field(default_factory=list)


class BulkForm(forms.Form):
    """The file; or, to confirm, the text that was shown."""

    default_renderer = PortalFormRenderer()

    rows_file = forms.FileField(
        label=_l("CSV file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=_l("At most 200 rows and 128 KiB, in UTF-8 or Windows-1252, with commas or semicolons."),
        error_messages={"required": _l("Choose a CSV file."), "empty": _l("The file is empty.")},
    )


def read_sheet(text: str, *, user: Any, today: date) -> Sheet:
    """Read the rows of a CSV as new players of the person's federations, with every finding."""
    table = read_table(text, required=REQUIRED, optional=OPTIONAL, most=MOST_ROWS)
    sheet = Sheet(findings=table.findings)
    federations = {federation.code: federation for federation in registering_federations(user)}
    for line, values in table.rows.items():
        _read_row(line, values, sheet, federations, today)
    _same_lines(sheet)
    return sheet


def _read_row(
    line: int, values: Mapping[str, str], sheet: Sheet, federations: Mapping[str, Federation], today: date
) -> None:
    found: dict[str, Any] = {}
    for column, read in (("name", _name), ("sex", _sex), ("birth_date", _birth_date)):
        try:
            found[column] = read(values.get(column, ""), today)
        except forms.ValidationError as error:
            sheet.findings.append(RowFinding(line, column, str(error.message)))
    try:
        found["federation"] = _federation(values.get("federation", ""), federations)
    except forms.ValidationError as error:
        sheet.findings.append(RowFinding(line, "federation", str(error.message)))
    if len(found) == len(COLUMNS):
        sheet.rows[line] = NewPlayer(**found)


def _name(text: str, today: date) -> str:
    name = name_of(text)
    if len(name) > LONGEST_NAME:
        raise forms.ValidationError(_("The name has more than %(most)d letters.") % {"most": LONGEST_NAME})
    if not name.isprintable():
        raise forms.ValidationError(_("The name has characters that cannot be seen."))
    return name


def _sex(text: str, today: date) -> str:
    if text.lower() not in SEXES:
        raise forms.ValidationError(_("Write M or F."))
    return SEXES[text.lower()]


def _birth_date(text: str, today: date) -> date:
    for written in DAYS:
        try:
            day = born_on(datetime.strptime(text, written).date())  # noqa: DTZ007 a day has no zone
        except ValueError:
            continue
        if day > today:
            raise forms.ValidationError(_("This day is still to come."))
        return day
    raise forms.ValidationError(_("Write the birth date as 2011-05-30 or 30.05.2011."))


def _federation(text: str, federations: Mapping[str, Federation]) -> Federation:
    if not text and len(federations) == 1:
        return next(iter(federations.values()))
    if text.upper() not in federations:
        raise forms.ValidationError(_("Write the code of a federation for which you act."))
    return federations[text.upper()]


def _same_lines(sheet: Sheet) -> None:
    """The same name and birth date twice is one person typed twice."""
    first: dict[tuple[str, str, date], int] = {}
    for line, new in [*sheet.rows.items()]:
        before = first.setdefault((new.name.casefold(), new.federation.code, new.birth_date), line)
        if before != line:
            message = _("It is the same person as that of line %(line)d.") % {"line": before}
            sheet.findings.append(RowFinding(line, "name", message))
    sheet.findings.sort(key=lambda finding: finding.line)
