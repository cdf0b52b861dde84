"""A corrected version of a report: lines put right in the portal, beside the bytes that came."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal, RefusedError
from tournaments.choices import Action
from tournaments.models import Report, Tournament
from tournaments.queries.line_changes import ChangedLine
from tournaments.services.drafts import REASONS
from tournaments.services.reports import upload_report
from tournaments.services.trail import record_step
from tournaments.trf import Report as ReadReport
from tournaments.trf.writer import as_written, with_lines

LINES_NAMED = 20


def apply_changes(
    report: Report, read: ReadReport, changes: Sequence[ChangedLine], *, by: Any, on: date, at: datetime
) -> tuple[Report, bool]:
    """Keep the report with other lines as a version of its own, checked again; return it and whether it is new.

    The same changes again return the version that is there. `RefusedError` where a line is not what it was, where
    somebody else has put the version right meanwhile, or no report can be taken. The former bytes stay.
    """
    if not changes or any(read.lines[item.line - 1 : item.line] != (item.old,) for item in changes):
        raise RefusedError([Refusal("fix-does-not-fit", _("This fix no longer matches the report."))])
    content = as_written(with_lines(read, {item.line: item.new for item in changes}), bytes(report.content))
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        same = tournament.reports.filter(sha256=hashlib.sha256(content).hexdigest()).last()
        if same is not None:
            return same, False
        _refuse_where_put_right(report)
        pgn = None if report.pgn is None else bytes(report.pgn)
        name = _file_name(report.file_name)
        made = upload_report(tournament, content, file_name=name, by=by, on=on, at=at, pgn=pgn)
        made.corrected_from = report
        made.draft = {REASONS: report.draft.get(REASONS, {})}
        made.save(update_fields=["corrected_from", "draft"])
        _note(made, report, changes, by=by, at=at)
    return made, True


def _refuse_where_put_right(report: Report) -> None:
    """Two officers at once: the second would lose what the first has put right."""
    other = report.corrected_versions.order_by("version").last()
    if other is not None:
        message = _("Version %(version)d was created from this version meanwhile. Continue there.")
        raise RefusedError([Refusal("put-right-meanwhile", message % {"version": other.version})])


def _note(made: Report, former: Report, changes: Sequence[ChangedLine], *, by: Any, at: datetime) -> None:
    text = ngettext(
        "Version %(new)d: %(count)d line of version %(old)d fixed (line %(lines)s).",
        "Version %(new)d: %(count)d lines of version %(old)d fixed (lines %(lines)s).",
        len(changes),
    )
    named = ", ".join(str(item.line) for item in changes[:LINES_NAMED])
    lines = named if len(changes) <= LINES_NAMED else f"{named} …"
    told = {"new": made.version, "old": former.version, "count": len(changes), "lines": lines}
    record_step(made.tournament, Action.REPORT, reason=text % told, by=by, at=at)


def _file_name(name: str) -> str:
    """Return the name of the corrected file: `open.trf` becomes `open-corrected.trf`."""
    path = PurePosixPath(name)
    return name if path.stem.endswith("-corrected") else f"{path.stem}-corrected{path.suffix}"
