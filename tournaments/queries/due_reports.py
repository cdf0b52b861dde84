"""Reports that are due, and the tasks with them (8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from core.pages import Page
from tournaments.choices import ReportState
from tournaments.models import Report, Tournament
from tournaments.queries.desk_tasks import DeskTask, played_on
from tournaments.queries.report_versions import problem_counts_of
from tournaments.steps import Progress


@dataclass(frozen=True, slots=True)
class DueReport:
    """A tournament that is over and awaits its report, and the newest version that is not accepted.

    `errors` and `warnings` are problems, however many lines have them.
    """

    tournament: Tournament
    progress: Progress
    report: Report | None
    errors: int
    warnings: int


def load_due_reports(over: Iterable[Tournament], progress: Mapping[int, Progress]) -> list[DueReport]:
    """Return the tournaments that await their reports, fewest days left first (8.1)."""
    # In the step `upload` there is no version to look up.
    keys = [row.pk for row in over if progress[row.pk].step.code != "upload"]
    checked = Report.objects.filter(tournament__in=keys, state=ReportState.CHECKED)
    light = checked.defer("content", "pgn").order_by("version") if keys else []
    newest = {report.tournament_id: report for report in light}
    found = [_due_report(row, progress[row.pk], newest.get(row.pk)) for row in over]
    return sorted(found, key=lambda row: (row.progress.report_deadline, row.tournament.end))


def due_tasks(rows: Iterable[DueReport]) -> Iterator[DeskTask]:
    """Yield the reports that are due as tasks; those that an arbiter sent are tasks of their own."""
    for row in rows:
        if row.progress.step.code == "take":
            continue
        what, action = _step_of(row)
        yield DeskTask(
            what,
            action,
            about=row.tournament.name,
            page=_page_of(row),
            why=played_on(row.tournament),
            deadline=row.progress.report_deadline,
            last_day=row.progress.days.last_day,
            list_date=row.progress.expected_list,
            is_final=row.progress.is_last_list,
            sort="reports",
            code=row.progress.step.code,
        )


def _step_of(row: DueReport) -> tuple[str, str]:
    """Return what is to be done with a report that is due, and the verb of its button."""
    if row.progress.step.code == "upload":
        return _("Upload report"), pgettext("report", "Upload")
    if row.progress.step.code == "correct":
        message = ngettext("Correct %(number)d error", "Correct %(number)d errors", row.errors)
        return message % {"number": row.errors}, pgettext("report", "Correct")
    accept = pgettext("report", "Accept")
    if row.warnings:
        message = ngettext("Accept with %(number)d warning", "Accept with %(number)d warnings", row.warnings)
        return message % {"number": row.warnings}, accept
    return _("Accept report"), accept


def _page_of(row: DueReport) -> Page:
    event_id = row.tournament.event_id
    if row.report is None:
        return Page("desk:upload", event_id)
    return Page("desk:report", event_id, row.report.version)


def _due_report(tournament: Tournament, progress: Progress, report: Report | None) -> DueReport:
    counts = problem_counts_of(report.findings if report else ())
    return DueReport(
        tournament=tournament,
        progress=progress,
        report=report,
        errors=counts["error"],
        warnings=counts["warning"],
    )
