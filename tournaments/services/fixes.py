"""A corrected version of a report: lines put right in the portal, beside the bytes that came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.choices import Action
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Report, TrailEntry
from tournaments.queries.fixes import ChangedLine
from tournaments.services.reports import upload_report
from tournaments.trf import read_report
from tournaments.trf.editing import with_lines


def apply_fixes(report: Report, lines: Sequence[ChangedLine], *, by: Any, on: date, at: datetime) -> Report:
    """Keep the report with other lines as a version of its own, checked again, and return it.

    The same fixes again return the version that is there. `RefusedError` where a line is not what it was, or no
    report can be taken.
    """
    read = read_report(bytes(report.content))
    if not lines or any(read.lines[item.line - 1 : item.line] != (item.old,) for item in lines):
        raise RefusedError(
            [Refusal("fix-does-not-fit", _("Nothing of this can be put right here any more."))]
        )
    content = with_lines(read, {item.line: item.new for item in lines}).encode()
    with transaction.atomic():
        made = upload_report(
            report.tournament,
            content,
            file_name=_file_name(report.file_name),
            by=by,
            on=on,
            at=at,
            pgn=None if report.pgn is None else bytes(report.pgn),
        )
        if made.corrected_from_id is None and made.version > report.version:
            made.corrected_from = report
            made.save(update_fields=["corrected_from"])
            _note(made, report, len(lines), by=by, at=at)
    return made


def _note(made: Report, former: Report, lines: int, *, by: Any, at: datetime) -> None:
    text = ngettext(
        "Version %(new)d: %(lines)d line of version %(old)d put right.",
        "Version %(new)d: %(lines)d lines of version %(old)d put right.",
        lines,
    )
    TrailEntry.objects.create(
        tournament=made.tournament,
        action=Action.REPORT,
        registration=made.tournament.registration,
        reason=text % {"new": made.version, "old": former.version, "lines": lines},
        by=by,
        at=at,
    )


def _file_name(name: str) -> str:
    """Return the name of the corrected file: `open.trf` becomes `open-corrected.trf`."""
    path = PurePosixPath(name)
    return name if path.stem.endswith("-corrected") else f"{path.stem}-corrected{path.suffix}"
