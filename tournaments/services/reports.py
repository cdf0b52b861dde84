"""Submitting a report and accepting it: from the bytes of a TRF to participants and games."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from players.bulk import write_rows
from players.queries.federations import may_register
from tournaments import regulations
from tournaments.choices import Action, Registration, ReportState, Stage
from tournaments.errors import Refusal, RefusedError
from tournaments.models import Game, Participant, Report, Tournament, TrailEntry
from tournaments.services.checking import CheckedReport, check_contents, check_upload
from tournaments.services.questions import question_outliers
from tournaments.services.reading import game_rows, participant_rows
from tournaments.signals import report_accepted
from tournaments.trf import Report as TrfReport
from tournaments.trf import read_report

PARTICIPANT_FIELDS = (
    *("report", "player", "number", "fide_id", "name", "federation_code", "sex", "title", "rating"),
    *("half_points", "rank"),
)
GAME_FIELDS = (
    *("report", "round", "white", "black", "white_code", "black_code", "is_played"),
    *("mark", "mark_reference"),
)
FIRST_VERSION = 1
LONGEST_FILE_NAME = 120


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that is handed in as a tournament's report, by whom, and on which day and at which instant.

    `trf` is the file as it was read, where the caller has read it already.
    """

    content: bytes
    file_name: str
    by: Any
    on: date
    at: datetime
    pgn: bytes | None = None
    trf: TrfReport | None = None


def upload_report(
    tournament: Tournament,
    content: bytes,
    *,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
    pgn: bytes | None = None,
) -> Report:
    """Check a report and keep it, accepted or not, with its bytes and findings; return the kept version.

    The same bytes again return the version that is there. `RefusedError` where no report can be taken at all.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        report, _checked = _uploaded(locked, Upload(content, file_name, by, on, at, pgn))
        _keep(report)
    return report


def accept_report(report: Report, *, acknowledgement: str, by: Any, on: date, at: datetime) -> Report:
    """Accept a checked report: its participants and games become rows, a former version is replaced.

    Warnings need a sentence; errors refuse. Accepting twice changes nothing.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        report.refresh_from_db()
        if report.state == ReportState.ACCEPTED:
            return report
        content, pgn = bytes(report.content), _bytes_of(report.pgn)
        checked = check_upload(content, tournament, on=report.submitted_on, pgn=pgn)
        refusals = [*report_refusals(tournament, on=report.submitted_on)]
        if refusals:
            raise RefusedError([*refusals, *_findings_refusals(tournament, report, checked, acknowledgement)])
        _accept(tournament, report, checked, acknowledgement=acknowledgement, by=by, on=on, at=at)
    return report


def submit_report(
    tournament: Tournament, upload: Upload, *, acknowledge: Callable[[Report], str]
) -> tuple[Report, tuple[Refusal, ...]]:
    """Keep a report and accept it at once, checked only once; return it and why it was not accepted.

    `acknowledge` gives the sentence for the kept report's warnings. `RefusedError` where no report can be taken.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        return submit_locked(locked, upload, acknowledge=acknowledge)


def submit_locked(
    tournament: Tournament, upload: Upload, *, acknowledge: Callable[[Report], str]
) -> tuple[Report, tuple[Refusal, ...]]:
    """Do as `submit_report` for a tournament that the caller has locked, or made, in this transaction.

    `RefusedError` before anything is written.
    """
    report, checked = _uploaded(tournament, upload)
    if checked is None:
        return report, ()
    sentence = acknowledge(report)
    try:
        _accept(
            tournament,
            report,
            checked,
            acknowledgement=sentence,
            by=upload.by,
            on=upload.on,
            at=upload.at,
        )
    except RefusedError as error:
        _keep(report)
        return report, error.refusals
    return report, ()


def _uploaded(tournament: Tournament, upload: Upload) -> tuple[Report, CheckedReport | None]:
    """Return the version, a new one not saved yet, and what was read; None where it is accepted already."""
    content, on = upload.content, upload.on
    digest = hashlib.sha256(content).hexdigest()
    versions = dict(tournament.reports.order_by("version").values_list("sha256", "version"))
    same = tournament.reports.get(version=versions[digest]) if digest in versions else None
    if same is not None and same.state == ReportState.ACCEPTED:
        return same, None
    refusals = [*report_refusals(tournament, on=on)]
    if refusals:
        raise RefusedError(refusals)
    games = upload.pgn if upload.pgn is not None or same is None else _bytes_of(same.pgn)
    checked = check_contents(upload.trf or read_report(content), tournament, on=on, pgn=games)
    if same is not None:
        return _checked_again(same, checked, upload.pgn, on=on), checked
    report = kept_report(
        tournament,
        content,
        checked,
        version=max(versions.values(), default=0) + 1,
        file_name=upload.file_name,
        by=upload.by,
        on=on,
        at=upload.at,
    )
    _add_games(report, upload.pgn)
    return report, checked


def _keep(report: Report) -> None:
    """Save a version that is new; one that came before is saved as it was checked again."""
    if report.pk is None:
        report.save(force_insert=True)


def _accept(
    tournament: Tournament,
    report: Report,
    checked: CheckedReport,
    *,
    acknowledgement: str,
    by: Any,
    on: date,
    at: datetime,
) -> None:
    """Accept a report of a locked tournament as it was checked; `RefusedError` before anything is written."""
    refusals = [*_findings_refusals(tournament, report, checked, acknowledgement)]
    if refusals:
        raise RefusedError(refusals)
    if report.version > FIRST_VERSION:
        _replace_former(tournament)
    report.state = ReportState.ACCEPTED
    report.acknowledgement = acknowledgement.strip()
    report.accepted_on = on
    if report.pk is None:
        report.save(force_insert=True)
    else:
        report.save(update_fields=["state", "acknowledgement", "accepted_on"])
        _clear_contents(report)
    write_contents(report, checked)
    Tournament.objects.filter(pk=tournament.pk).update(stage=Stage.REPORTED)
    TrailEntry.objects.create(
        tournament=tournament,
        action=Action.ACCEPT,
        registration=tournament.registration,
        reason=acknowledgement.strip(),
        by=by,
        at=at,
    )
    question_outliers(report, at=at)
    report_accepted.send(Report, report=report, at=at)


def report_refusals(tournament: Tournament, *, on: date) -> Iterator[Refusal]:
    """Yield why no report of a tournament can be taken on a day, whatever it says."""
    state = Registration(tournament.registration)
    if state == Registration.WAITING:
        message = _(
            "The registration waits for the QC; the report can be submitted once it is approved (0.2)."
        )
        yield Refusal("waiting-for-qc-0.2", message)
    elif not tournament.is_open:
        message = _("The registration is “%(state)s”: no report of this tournament is taken.")
        yield Refusal(f"registration-{state}", message % {"state": state.label})
    if tournament.stage == Stage.PUBLISHED:
        message = _("The tournament is on a published list; staff can correct it (D-11).")
        yield Refusal("published-D-11", message)
    if regulations.is_submitted_too_late(tournament.end, on, tournament.upheld_on):
        message = _(
            "The third list after the last day, %(third)s, is published: it is never rated (8.1, D-18)."
        )
        third = regulations.last_day_to_report(tournament.end, tournament.upheld_on).isoformat()
        yield Refusal("third-list-8.1", message % {"third": third})
    is_federations = not tournament.is_official and not tournament.decided_by
    if is_federations and not may_register(tournament.federation, on):
        message = _("%(name)s is no member of FIDE or is excluded: it reports no tournaments (9.1, D-15).")
        yield Refusal("federation-excluded-9.1", message % {"name": tournament.federation.name})


def _findings_refusals(
    tournament: Tournament, report: Report, checked: CheckedReport, acknowledgement: str
) -> Iterator[Refusal]:
    for finding in checked.errors:
        yield Refusal(finding.code, finding.message)
    if tournament.is_hybrid and not report.pgn:
        message = _("The PGN of the games is missing; a hybrid tournament's report comes with it (8.4).")
        yield Refusal("hybrid-pgn-8.4", message, "pgn")
    if checked.warnings and not acknowledgement.strip():
        message = _("Acknowledge the warnings with a sentence; it is kept with the report.")
        yield Refusal("acknowledgement-missing", message, "acknowledgement")


def kept_report(
    tournament: Tournament,
    content: bytes,
    checked: CheckedReport,
    *,
    version: int,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
) -> Report:
    """Return a version of a tournament's report with its bytes and findings, not saved yet."""
    return Report(
        tournament=tournament,
        version=version,
        state=ReportState.CHECKED,
        file_name=safe_file_name(file_name),
        content=content,
        sha256=hashlib.sha256(content).hexdigest(),
        rounds=min(checked.report.rounds, 32_767),
        findings=checked.findings_as_json(),
        submitted_on=on,
        submitted_at=at,
        submitted_by=by,
    )


def next_version(tournament: Tournament) -> int:
    """Return the number of the next version of a tournament's report."""
    return (tournament.reports.aggregate(newest=Max("version"))["newest"] or 0) + 1


def _bytes_of(content: Any) -> bytes | None:
    """Return stored bytes, which PostgreSQL gives as a view of memory."""
    return None if content is None else bytes(content)


def _add_games(report: Report, pgn: bytes | None) -> None:
    """Put the PGN beside the report (8.4); without one, that of a former upload stays."""
    if pgn is not None:
        report.pgn, report.pgn_sha256 = pgn, hashlib.sha256(pgn).hexdigest()


def _checked_again(report: Report, checked: CheckedReport, pgn: bytes | None, *, on: date) -> Report:
    """A version that came before and was not accepted: what is found in it today is what counts."""
    _add_games(report, pgn)
    report.state = ReportState.CHECKED
    report.findings = checked.findings_as_json()
    report.submitted_on = on
    report.save(update_fields=["state", "findings", "submitted_on", "pgn", "pgn_sha256"])
    return report


def safe_file_name(name: str) -> str:
    """Return the last part of a file name without control characters, cut to a sensible length."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    clean = "".join(letter for letter in last if letter.isprintable())
    return clean[-LONGEST_FILE_NAME:] or "report.trf"


def _replace_former(tournament: Tournament) -> None:
    for former in tournament.reports.filter(state=ReportState.ACCEPTED):
        former.state = ReportState.REPLACED
        former.save(update_fields=["state"])


def _clear_contents(report: Report) -> None:
    """Delete the participants and games that a former attempt left."""
    report.games.all().delete()
    report.participants.all().delete()


def write_contents(report: Report, checked: CheckedReport) -> None:
    """Write the participants and games of a report that has none yet."""
    participants = participant_rows(checked.report)
    write_rows(
        Participant,
        PARTICIPANT_FIELDS,
        ((report.pk, _player_id(checked, row[0]), *row) for row in participants),
    )
    write_rows(Game, GAME_FIELDS, ((report.pk, *row, "", "") for row in game_rows(checked.report)))


def _player_id(checked: CheckedReport, number: int) -> int | None:
    player = checked.players.get(number)
    return player.fide_id if player else None
