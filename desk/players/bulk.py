"""Registering many players from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.forms import PortalForm
from core.web.csv import csv_response
from core.web.csv_reader import CsvTable, RowFinding, read_table, with_cells
from core.web.uploads import bounded
from desk.access import requires
from desk.csv_rows import CsvPage, RowsField, Sheet, not_allowed
from desk.players.fields import check_year
from players.choices import Sex
from players.models import Federation
from players.name_doubts import doubt_about, name_of_fields
from players.name_fields import name_of
from players.permissions import can_register, registering_federations
from players.person_names import PersonName, split_name
from players.services.bulk_registration import prospects, register_all
from players.services.registration import NewPlayer

MAX_ROWS = 200
MAX_BYTES = 128 * 1024
REQUIRED = ("sex", "birth_date")
# The name stands in two columns, or in one with a comma.
IN_TWO, IN_ONE = ("surname", "given_names"), "name"
COLUMNS = (*IN_TWO, *REQUIRED, "federation")
# What federations' own registers call the columns.
OTHER_NAMES = {
    **dict.fromkeys(
        ("date of birth", "birthday", "born", "geburtsdatum", "geb.", "fecha de nacimiento"), "birth_date"
    ),
    **dict.fromkeys(("date de naissance", "birthdate"), "birth_date"),
    **dict.fromkeys(("gender", "geschlecht", "sexe", "sexo"), "sex"),
    "fed": "federation",
}
# TRF files, and many lists in German or French, write W for F.
SEXES = {"m": Sex.MALE, "f": Sex.FEMALE, "w": Sex.FEMALE}
DAYS = ("%Y-%m-%d", "%d.%m.%Y")
EXAMPLES = (("Musterfrau", "Petra", "F", date(2011, 5, 30)), ("Exempel", "Karl", "M", date(2009, 11, 2)))


class BulkForm(PortalForm):
    """The uploaded file, or the previewed text to confirm."""

    rows_file = RowsField(
        help_text=_l("Up to 200 rows and 128 KiB, UTF-8 or Windows-1252, separated by commas or semicolons.")
    )


def read_sheet(text: str, *, user: Any, today: date) -> Sheet[NewPlayer]:
    """Read new players of the user's federations from a CSV text, with all issues."""
    table = read_table(
        text, required=REQUIRED, optional=(*IN_TWO, IN_ONE, "federation"), most=MAX_ROWS, others=OTHER_NAMES
    )
    sheet: Sheet[NewPlayer] = Sheet(findings=table.findings, table=table)
    if table.names and (wrong := _name_column_finding(table.names)):
        sheet.findings.append(wrong)
        return sheet
    federations = {federation.code: federation for federation in registering_federations(user)}
    for line, values in table.rows.items():
        _read_row(line, values, sheet, federations, today)
    _same_lines(sheet)
    return sheet


def _name_column_finding(names: Sequence[str]) -> RowFinding | None:
    """Return what is wrong with the columns of the name: none, one without the other, or both ways."""
    if missing := [] if IN_ONE in names else [name for name in IN_TWO if name not in names]:
        message = _("This column is missing. Copy the column names from the template.")
        return RowFinding(1, missing[0], message, code="column-missing")
    if IN_ONE in names and set(IN_TWO) & set(names):
        message = _("Use either the columns surname and given_names, or the column name.")
        return RowFinding(1, IN_ONE, message, code="column-twice")
    return None


def _name_of_row(values: Mapping[str, str]) -> str:
    """Return the name of a row as it would be listed."""
    if IN_ONE in values:
        return split_name(values[IN_ONE]).listed
    return name_of_fields(values.get("surname", ""), values.get("given_names", "")).listed


def _name_cells(names: Sequence[str], name: PersonName) -> dict[str, str]:
    """Return the cells in which a file writes a name."""
    return {IN_ONE: name.listed} if IN_ONE in names else dict(zip(IN_TWO, asdict(name).values(), strict=True))


def _read_row(
    line: int,
    values: Mapping[str, str],
    sheet: Sheet[NewPlayer],
    federations: Mapping[str, Federation],
    today: date,
) -> None:
    found: dict[str, Any] = {}
    try:
        found["name"] = name_of(_name_of_row(values))
    except forms.ValidationError as error:
        sheet.findings.append(_finding(line, name_column(sheet.table), error))
    for column, read in (("sex", _sex), ("birth_date", _birth_date)):
        try:
            found[column] = read(values.get(column, ""), today)
        except forms.ValidationError as error:
            sheet.findings.append(_finding(line, column, error))
    try:
        found["federation"] = _federation(values.get("federation", ""), federations)
    except forms.ValidationError as error:
        sheet.findings.append(_finding(line, "federation", error))
    if len(found) == len(("name", "sex", "birth_date", "federation")):
        sheet.rows[line] = NewPlayer(**found)


def _finding(line: int, column: str, error: forms.ValidationError) -> RowFinding:
    codes = " ".join(one.code or "" for one in error.error_list)
    return RowFinding(line, column, " ".join(error.messages), code=codes)


def name_column(table: CsvTable) -> str:
    """Return the column that names a row of a file."""
    return IN_ONE if IN_ONE in table.names else IN_TWO[0]


def _sex(text: str, today: date) -> str:
    if text.lower() not in SEXES:
        raise forms.ValidationError(_("Enter M or F."), code="sex")
    return SEXES[text.lower()]


def _birth_date(text: str, today: date) -> date:
    for written in DAYS:
        try:
            day = datetime.strptime(text, written).date()  # noqa: DTZ007 a day has no zone
        except ValueError:
            continue
        check_year(day)
        if day > today:
            raise forms.ValidationError(_("The date must be today or earlier."), code="date-future")
        return day
    raise forms.ValidationError(
        _("Enter the date of birth as YYYY-MM-DD or DD.MM.YYYY, for example 2011-05-30."), code="date"
    )


def _federation(text: str, federations: Mapping[str, Federation]) -> Federation:
    # Most officers act for one federation and need no column for it.
    if not text and len(federations) == 1:
        return next(iter(federations.values()))
    if text.upper() not in federations:
        # Without a word on whether the federation exists: nobody registers players for another one.
        raise not_allowed(sorted(federations))
    return federations[text.upper()]


def _same_lines(sheet: Sheet[NewPlayer]) -> None:
    """Add an issue for each line that repeats the name, federation and date of birth of an earlier line."""
    first: dict[tuple[str, str, date], int] = {}
    for line, new in [*sheet.rows.items()]:
        before = first.setdefault((new.name.casefold(), new.federation.code, new.birth_date), line)
        if before != line:
            message = _("Same person as in line %(line)d.") % {"line": before}
            sheet.findings.append(RowFinding(line, name_column(sheet.table), message, code="same-person"))
    # Line by line: duplicates are found after all lines were read.
    sheet.findings.sort(key=lambda finding: finding.line)


@require_safe
@requires(can_register)
def template(request: HttpRequest) -> HttpResponse:
    """Return a CSV with the column names and two example rows."""
    own = registering_federations(request.user).order_by("code").values_list("code", flat=True).first()
    return csv_response("players.csv", [COLUMNS, *((*example, own or "") for example in EXAMPLES)])


class PlayersPage(CsvPage[NewPlayer]):
    """New players from a file."""

    template = "desk/players/bulk.html"
    form = BulkForm
    max_bytes = MAX_BYTES

    def read(self, text: str) -> Sheet[NewPlayer]:
        return read_sheet(text, user=self.request.user, today=timezone.now().date())

    def text_after_button(self) -> str | None:
        """Return the text of the file with the names that were meant: one, by its line, or the likeliest of all."""
        if "take" not in self.request.POST:
            return None
        text, (line, _of, listed) = (
            self.request.POST.get("text", ""),
            self.request.POST["take"].partition(":"),
        )
        table = self.read(text).table
        if line == "all":
            doubts = {number: doubt_about(_name_of_row(values)) for number, values in table.rows.items()}
            names = {
                number: doubt.proposals[0] for number, doubt in doubts.items() if doubt and doubt.proposals
            }
        else:
            names = {number: split_name(listed) for number in table.rows if str(number) == line}
        cells = {
            (number, column): cell
            for number, name in names.items()
            for column, cell in _name_cells(table.names, name).items()
        }
        return with_cells(text, cells)

    def preview(self, sheet: Sheet[NewPlayer]) -> dict[str, Any]:
        planned = prospects(sheet.rows, by=self.request.user, on=timezone.now().date())
        sure = sum(one.is_sure for one in planned.values())
        doubtful = sum(one.is_doubtful for one in planned.values())
        doubts = [doubt for one in planned.values() if (doubt := one.doubt)]
        return {
            "rows": planned,
            "meant": sum(bool(doubt.proposals) for doubt in doubts),
            "sure": sure,
            "doubtful": doubtful,
            "is_ready": bool(sure + doubtful),
            "confirmed": self._confirmed_lines(sheet),
        }

    def _confirmed_lines(self, sheet: Sheet[NewPlayer]) -> set[int]:
        """Return the lines of which the name was confirmed."""
        return {line for line in sheet.rows if str(line) in self.request.POST.getlist("right")}

    def carry_out(self, sheet: Sheet[NewPlayer]) -> HttpResponse:
        confirmed = self._confirmed_lines(sheet)
        rows = {line: replace(new, is_name_confirmed=line in confirmed) for line, new in sheet.rows.items()}
        done = register_all(rows, by=self.request.user, at=timezone.now())
        # No redirect, because this page shows the new IDs. Sending the form again registers nobody twice.
        return self.page(done=done, names={line: new.name for line, new in sheet.rows.items()})

    def columns(self) -> list[dict[str, Any]]:
        help_of = {
            "surname": _("As in the passport, for example Klein."),
            "given_names": _("For example Paul. Empty if the person has one name only."),
            "sex": _("M or F."),
            "birth_date": _("YYYY-MM-DD or DD.MM.YYYY, for example 2011-05-30."),
            "federation": _("Federation code. Optional if you act for one federation."),
        }
        return [
            {"name": name, "help": help_of[name], "required": name in (IN_TWO[0], *REQUIRED)}
            for name in COLUMNS
        ]


@bounded({"rows_file": MAX_BYTES})
@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def bulk(request: HttpRequest) -> HttpResponse:
    """Preview an uploaded file, and register its players once confirmed."""
    return PlayersPage(request).answer()
