"""The next version of a report: that before, with the fixes that its officer chose."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.digests import sha256_of
from core.errors import refused
from tournaments.choices import Action
from tournaments.drafts import Draft, answers_by, line_items
from tournaments.line_changes import ChangedLine
from tournaments.log import record_action
from tournaments.models import Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.reports import stored_bytes, upload_report
from tournaments.trf import Report as ReadReport
from tournaments.trf.changed_lines import as_written, with_lines

LINES_NAMED = 20


def apply_changes(
    report: Report,
    read: ReadReport,
    changes: Sequence[ChangedLine],
    *,
    by: Any,
    on: date,
    at: datetime,
    reason: str = "",
) -> tuple[Report, bool]:
    """Store the report with changed lines as a new version, checked again; return it and whether it is new.

    The history has the reason that somebody gives, without one the numbers of the lines.
    The bytes of the newest version again return that one. `RefusedError` if a line has changed, if another user has
    corrected the version, or if the tournament accepts no report. The former content stays.
    """
    content = changed_content(report, read, changes)
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        # Before the refusal below: a second click finds the version that the first one made.
        newest = tournament.reports.latest("version")
        if newest.sha256 == sha256_of(content):
            return newest, False
        _refuse_where_put_right(report)
        pgn = stored_bytes(report.pgn)
        name = corrected_name(report.file_name)
        made = upload_report(tournament, content, file_name=name, by=by, on=on, at=at, pgn=pgn)
        made.corrected_from = report
        # Reasons for the warnings that remain need not be typed again; the choices are in the lines now.
        made.reasons = report.reasons
        made.save(update_fields=["corrected_from", "reasons"])
        _note(made, report, changes, reason=reason, by=by, at=at)
    return made, True


def changed_content(report: Draft, read: ReadReport, changes: Sequence[ChangedLine]) -> bytes:
    """Return the bytes of a report with changed lines; `RefusedError` if one of them has changed."""
    # A slice, so that a line beyond the end of the report is no match instead of an IndexError.
    if not changes or any(read.lines[item.line - 1 : item.line] != (item.old,) for item in changes):
        raise refused("fix-does-not-fit", _("This fix no longer matches the report."))
    # In the encoding and with the line ends of the file, so that nothing but the fixed lines differs.
    return as_written(with_lines(read, {item.line: item.new for item in changes}), bytes(report.content))


def _refuse_where_put_right(report: Report) -> None:
    """Refuse a second correction of a version: it would lose the first officer's changes."""
    other = report.corrected_versions.order_by("version").last()
    if other is not None:
        message = _("Version %(version)d was created from this version meanwhile. Continue there.")
        raise refused("put-right-meanwhile", message % {"version": other.version})


def _note(
    made: Report, former: Report, changes: Sequence[ChangedLine], *, reason: str, by: Any, at: datetime
) -> None:
    named = ", ".join(str(item.line) for item in changes[:LINES_NAMED])
    lines = named if len(changes) <= LINES_NAMED else f"{named} …"
    fixed = SENTENCES.state("lines-fixed", new=made.version, old=former.version, lines=lines)
    # What was said of each line stays in the log, for the QC too (D-130).
    answers = line_items(former.findings, answers_by(former.amendments))
    why = SENTENCES.join([*fixed.items, *answers], reason) if answers or not reason else reason
    record_action(made.tournament, Action.REPORT, reason=why, by=by, at=at)


def corrected_name(name: str) -> str:
    """Return the name of the corrected file: `open.trf` becomes `open-corrected.trf`."""
    path = PurePosixPath(name)
    # A third correction would else be called `open-corrected-corrected-corrected.trf`.
    return name if path.stem.endswith("-corrected") else f"{path.stem}-corrected{path.suffix}"
