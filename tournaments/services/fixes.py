"""A corrected version of a report: lines put right in the portal, beside the bytes that came."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.errors import Refusal, RefusedError
from tournaments.choices import Action
from tournaments.models import Report, Tournament
from tournaments.queries.line_changes import ChangedLine, certain_changes
from tournaments.queries.lookups import KnownPlayers
from tournaments.queries.report_versions import MarkedReport
from tournaments.services.checking import CheckedReport
from tournaments.services.checks.people import people_of
from tournaments.services.reports import upload_report
from tournaments.services.suggestions import Candidate, suggestions
from tournaments.services.trail import record_step
from tournaments.trf import Report as ReadReport
from tournaments.trf.writer import as_written, with_lines

# The findings of a line without the right player.
ABOUT_PEOPLE = {"id-missing", "id-unknown", "id-of-another"}
LINES_NAMED = 20


def offered_changes(report: Report, read: ReadReport) -> list[ChangedLine]:
    """Return every change that is offered for a version: what findings are certain of, and players found by name."""
    changes = [*certain_changes(read, report.findings)]
    for line, candidates in people_found(report, read).items():
        changes += [change_of(read, line, item) for item in candidates if item.fix is not None]
    return changes


def with_fixes(marked: MarkedReport, report: Report, read: ReadReport) -> MarkedReport:
    """Return a shown report whose findings know the keys of their changes, and who their players may be."""
    found = people_found(report, read)
    for group in marked.groups:
        for finding in group.findings:
            change = next(certain_changes(read, [finding]), None)
            finding["key"] = change.key if change else ""
            if finding["code"] in ABOUT_PEOPLE:
                finding["people"] = [
                    _person(read, item, finding["line"]) for item in found.get(finding["line"], ())
                ]
    return marked


def _person(read: ReadReport, candidate: Candidate, line: int) -> dict[str, Any]:
    key = change_of(read, line, candidate).key if candidate.fix is not None else ""
    return {"player": candidate.player, "key": key}


def people_found(report: Report, read: ReadReport) -> Mapping[int, Sequence[Candidate]]:
    """Return who the players without an own FIDE ID may be, best first, by line; no query where there are none."""
    if not any(finding["code"] in ABOUT_PEOPLE for finding in report.findings):
        return {}
    lines = {record.number: record.line for record in read.players}
    found = suggestions(CheckedReport(read, (), people_of(read, KnownPlayers()).players))
    return {lines[number]: candidates for number, candidates in found.items()}


def change_of(read: ReadReport, line: int, candidate: Candidate) -> ChangedLine:
    """Return the change of a line that gives it the FIDE ID of a player found by name."""
    player = candidate.player
    who = {"fide_id": player.fide_id, "name": player.name, "federation": player.federation_id}
    why = _("The player is %(name)s (%(federation)s), FIDE ID %(fide_id)d.") % who
    return ChangedLine(line, read.lines[line - 1], str(candidate.fix), why, is_certain=False)


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
        made.save(update_fields=["corrected_from"])
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
