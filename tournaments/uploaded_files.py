"""A file that somebody uploads as a report: TRF as it is, or a crosstable as TRF with the file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from pathlib import PurePath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.digests import sha256_of
from core.errors import refused
from core.web.sheet_reader import is_spreadsheet
from tournaments.crosstables import trf_of_table
from tournaments.limits import refuse_too_many_bytes
from tournaments.marked_report import finding_text
from tournaments.models import OriginalFile, Report, Tournament
from tournaments.reports import upload_report
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, read_report

TABLE_ENDINGS = (".csv", ".xlsx", ".xls", ".ods")
# What only the program itself reads, by the ending of the file: the program, and how it gives a report.
PROGRAMS = {
    (".tun", ".tunx", ".tut", ".tutx", ".tum", ".tumx"): _l(
        "This is a tournament file of Swiss-Manager. Upload the file of its FIDE export "
        "(FIDE_Export_….TXT) instead."
    ),
    (".trn", ".ini", ".sco", ".dbf"): _l(
        "This is a tournament file of SwissPerfect. Upload its rating report in the FIDE format instead."
    ),
    (".papi", ".mdb"): _l(
        "This is a tournament file of Papi. Import it into Sharly Chess and upload the TRF that Sharly Chess "
        "exports, or upload the crosstable as CSV."
    ),
    (".veg", ".vegx", ".vegz", ".bakz"): _l(
        "This is a tournament file of Vega. Choose Rating Report, FIDE, Rating Report to FIDE in Vega and upload the "
        "file that it saves."
    ),
}


def is_table(content: bytes, file_name: str) -> bool:
    """Return whether a file is a spreadsheet or CSV, by its name and first bytes; a TRF never is."""
    # CSV has no first bytes of its own, so that the name decides.
    return is_spreadsheet(content) or PurePath(file_name.lower()).suffix in TABLE_ENDINGS


def refuse_other_programs(file_name: str) -> None:
    """Raise `RefusedError` for a file that only its own program reads, with how that one exports a report."""
    ending = PurePath(file_name.lower()).suffix
    for endings, message in PROGRAMS.items():
        if ending in endings:
            raise refused("other-program", str(message), "report")


def require_trf(content: bytes, file_name: str) -> None:
    """Raise `RefusedError` for a file that is read only together with its registered tournament, or not at all."""
    refuse_other_programs(file_name)
    if is_table(content, file_name):
        message = _(
            "This is a crosstable (CSV or a spreadsheet), which has no dates and no time control. Register the "
            "tournament, then upload the file on the page of its report, or send it to "
            "/api/v1/tournaments/{event_id}/reports."
        )
        raise refused("table-without-tournament", message, "report")


def read_trf(content: bytes, file_name: str, *, on: date | None = None) -> TrfReport:
    """Read a file that is uploaded as a report; `RefusedError` for another file, with what to upload instead."""
    refuse_other_programs(file_name)
    read = read_report(content, on=on)
    if not read.players:
        error = next(one for one in read.findings if one.severity == Severity.ERROR)
        message = finding_text({"code": error.code, "params": error.params})
        raise refused(error.code, message, "report")
    return read


@dataclass(frozen=True, slots=True)
class TrfFile:
    """An uploaded file as TRF, `trf` as it was read; `original` is the file itself where it was a crosstable."""

    content: bytes
    file_name: str
    trf: TrfReport | None = None
    original: bytes | None = None
    original_name: str = ""


def as_trf(tournament: Tournament, content: bytes, file_name: str) -> TrfFile:
    """Return a file as the TRF to check: unchanged, or converted from a crosstable.

    `RefusedError` with every unreadable cell, or for a file that is no report.
    """
    if not is_table(content, file_name):
        return TrfFile(content, file_name, read_trf(content, file_name))
    text = trf_of_table(tournament, content)
    name = PurePath(file_name).with_suffix(".trf").name
    # The end of a long name, with its ending; the column takes 200 characters.
    return TrfFile(text.encode(), name, original=content, original_name=file_name[-200:])


def keep_file(
    tournament: Tournament,
    file: TrfFile,
    *,
    by: Any,
    on: date,
    at: datetime,
    pgn: bytes | None = None,
) -> Report:
    """Check a file and keep it as a version of the report, with the crosstable from which it was made.

    `RefusedError` where no report can be uploaded.
    """
    with transaction.atomic():
        name, trf = file.file_name, file.trf
        report = upload_report(
            tournament, file.content, file_name=name, by=by, on=on, at=at, pgn=pgn, trf=trf
        )
        if file.original is not None and not OriginalFile.objects.filter(report=report).exists():
            # A small crosstable may contain a large text below the table, which its TRF does not have.
            refuse_too_many_bytes(by, [file.original], at=at)
            hashed = sha256_of(file.original)
            kept = {"file_name": file.original_name, "content": file.original, "sha256": hashed}
            OriginalFile.objects.create(report=report, **kept)
    return report
