"""Versions of a report, from the bytes of a TRF to participants and games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.bulk import write_rows
from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from core.sql import OctetLength, lock_until_commit
from core.stated import Stated, stated_items
from players.cases import close_overtaken
from players.choices import CaseKind, WebhookEvent
from players.models import Case, LogEntry
from tournaments.awaited_ids import findings_known_since
from tournaments.changed_meanwhile import refuse_unseen
from tournaments.checking import CheckedReport, check_contents
from tournaments.choices import Action, ReportState, Stage
from tournaments.files import safe_file_name
from tournaments.holds import flag_outliers, flag_same_games
from tournaments.limits import refuse_too_many_bytes, refuse_too_many_versions
from tournaments.log import new_entry, record_actions
from tournaments.lookups import Lookups
from tournaments.marked_report import SEVERITIES
from tournaments.marks import Mark, kept_marks, marks_in, write_marks
from tournaments.models import Game, HandedReport, Participant, Report, Tournament
from tournaments.permissions import arbitrated_by
from tournaments.report_barriers import (
    barriers,
    findings_refusals,
    report_refusals,
    standing_errors,
    version_barriers,
)
from tournaments.signals import Dispatch, reports_accepted
from tournaments.trf import Report as TrfReport
from tournaments.trf import read_report
from tournaments.trf.report import game_rows, participant_rows
from tournaments.webhooks import tell_of_tournaments


def versions_of(tournament: Tournament) -> list[Report]:
    """Return the versions of a tournament's report, the oldest first.

    Each with its numbers of problems, its `size` in bytes, and the version before it (`former`, 0 without one).
    """
    # The bytes of all versions would be in memory for a table that only shows their size.
    of_all = tournament.reports.select_related("submitted_by").defer("content", "pgn")
    versions: list[Report] = [*of_all.annotate(size=OctetLength("content")).order_by("version")]
    for former, version in zip([None, *versions], versions, strict=False):
        version.former = former.version if former else 0  # type: ignore[attr-defined]
        version.counts = problem_counts_of(version.findings)  # type: ignore[attr-defined]
    return versions


def problem_counts_of(findings: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many problems of each severity there are: findings of one code are one, as on the page."""
    found = [severity for severity, _code in {(one["severity"], one["code"]) for one in findings}]
    return {severity: found.count(severity) for severity in SEVERITIES}


def problems_in_words(findings: Iterable[Mapping[str, Any]]) -> str:
    """Return how many problems there are of each severity: `1 error, 2 warnings`."""
    errors, warnings, notes = problem_counts_of(findings).values()
    texts = [
        (ngettext("%(number)s error", "%(number)s errors", errors), errors),
        (ngettext("%(number)s warning", "%(number)s warnings", warnings), warnings),
        (ngettext("%(number)s note", "%(number)s notes", notes), notes),
    ]
    return ", ".join(text % {"number": number} for text, number in texts if number) or _("no issues")


def with_same_elsewhere(reports: QuerySet[Report]) -> QuerySet[Report]:
    """Return versions that know in `is_elsewhere` whether another tournament has an accepted report of these bytes."""
    same = Report.objects.filter(sha256=OuterRef("sha256"), state=ReportState.ACCEPTED)
    return reports.annotate(is_elsewhere=Exists(same.exclude(tournament=OuterRef("tournament"))))


def same_accepted_elsewhere(report: Report) -> Report | None:
    """Return an accepted report of another tournament that has the same bytes, None without one.

    No query for a version of `with_same_elsewhere` that has none.
    """
    if not getattr(report, "is_elsewhere", True):
        return None
    same = Report.objects.filter(Q(sha256=report.sha256), state=ReportState.ACCEPTED)
    return (
        same.exclude(tournament=report.tournament_id)
        .select_related("tournament")
        .defer("content", "pgn")
        .first()
    )


def acceptance_of(report: Report) -> LogEntry | None:
    """Return the step in which a version was accepted, its warnings acknowledged: who, when; None where it was not."""
    if report.state != ReportState.ACCEPTED and not report.acknowledgement:
        return None
    steps = LogEntry.objects.filter(
        tournament=report.tournament_id, action=Action.ACCEPT, reason=report.acknowledgement
    )
    return steps.select_related("by").order_by("at", "pk").last()


MAX_ARBITRATED = 25


def tournaments_of_arbiter(user: Any) -> list[Tournament]:
    """Return the tournaments of a chief arbiter, the newest first, each with state and answer of its newest report."""
    handed = Case.objects.filter(kind=CaseKind.HANDED, tournament=OuterRef("pk")).order_by("-asked_at", "-pk")
    newest = {f"handed_{name}": Subquery(handed.values(name)[:1]) for name in ("state", "answer")}
    rows = arbitrated_by(user).select_related("federation").annotate(**newest)
    return [*rows.order_by("-end", "event_id")[:MAX_ARBITRATED]]


def handed_of(rows: QuerySet[HandedReport]) -> list[HandedReport]:
    """Return arbiters' reports without their bytes, the newest first, with numbers of problems and `size`."""
    light = rows.select_related("checked_by", "handover__asked_by").defer("content", "original", "pgn")
    found: list[HandedReport] = [*light.annotate(size=OctetLength("content")).order_by("-number")]
    for handed in found:
        handed.counts = problem_counts_of(handed.findings)  # type: ignore[attr-defined]
    return found


@dataclass(frozen=True, slots=True)
class FormerVersions:
    """The number of the newest version of a report, and by SHA-256 the accepted one and the newest if only checked.

    `accepted` is the SHA-256 of the one that is accepted, empty where none is.
    One that was replaced, or that a newer one followed, stays what it was: its bytes again are a new version.
    """

    newest: int = 0
    open: Mapping[str, int] = field(default_factory=dict)
    accepted: str = ""

    def followed_by(self, version: int, digest: str, state: str) -> FormerVersions:
        """Return them with one more."""
        kept = {one: number for one, number in self.open.items() if one == self.accepted}
        if state in (ReportState.ACCEPTED, ReportState.CHECKED):
            kept[digest] = version
        accepted = digest if state == ReportState.ACCEPTED else self.accepted
        return FormerVersions(newest=version, open=kept, accepted=accepted)


def former_versions(tournaments: Collection[Tournament]) -> dict[int, FormerVersions]:
    """Return the versions of tournaments' reports that came before, by tournament."""
    former = {tournament.pk: FormerVersions() for tournament in tournaments}
    rows = Report.objects.filter(tournament__in=list(former)).order_by("version")
    for tournament, digest, version, state in rows.values_list("tournament_id", "sha256", "version", "state"):
        former[tournament] = former[tournament].followed_by(version, digest, state)
    return former


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
        sha256=sha256_of(content),
        # What a small integer of PostgreSQL holds.
        rounds=min(checked.report.rounds, 32_767),
        findings=checked.findings_as_json(),
        has_errors=bool(standing_errors(checked, tournament)),
        submitted_on=on,
        submitted_at=at,
        submitted_by=by,
    )


# After report and player in the order of `participant_rows`, which are written as they come.
PARTICIPANT_FIELDS = (
    "report", "player", "number", "fide_id", "name", "federation_code", "sex", "title", "rating",
    "half_points", "rank",
)  # fmt: skip
GAME_FIELDS = (
    "report", "round", "white", "black", "white_code", "black_code", "is_played", "mark",
    "mark_reference",
)  # fmt: skip
# Bytes, version and uploader of a version never change.
CHECKED_FIELDS = (
    "state",
    "findings",
    "has_errors",
    "submitted_on",
    "pgn",
    "pgn_sha256",
    "acknowledgement",
    "acknowledgement_stated",
    "accepted_on",
)
FIRST_VERSION = 1
# The letters GAME, so that no other lock has the number.
ACCEPTANCES = 0x47414D45


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


@dataclass(frozen=True, slots=True)
class DecidedReport:
    """A version of a report as it is to be kept, what was read of it, and why it is not accepted, empty where it is.

    `checked` is None for a version that is accepted already.
    """

    report: Report
    checked: CheckedReport | None
    refusals: tuple[Refusal, ...] = ()

    @property
    def is_taken(self) -> bool:
        """Whether the report is to be accepted now."""
        return self.checked is not None and not self.refusals


def upload_report(
    tournament: Tournament,
    content: bytes,
    *,
    file_name: str,
    by: Any,
    on: date,
    at: datetime,
    pgn: bytes | None = None,
    trf: TrfReport | None = None,
) -> Report:
    """Check a report and keep it, accepted or not, with its bytes and findings; return the kept version.

    The bytes of the newest or the accepted version again return that one. `trf` is the report if the caller has read
    it. `RefusedError` where no report can be taken at all.
    """
    with transaction.atomic():
        # Versions are numbered in a row: of two uploads at once the second counts the first.
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        upload = Upload(content, file_name, by, on, at, pgn, trf)
        report, checked = _build_version(locked, upload, former_versions([locked])[locked.pk], Lookups())
        if checked is not None:
            if report.pk is None:
                refuse_too_many_versions(locked, at=at)
            refuse_too_many_bytes(by, [None if report.pk else content, pgn], at=at)
            _keep([report])
    return report


def accept_report(
    report: Report,
    *,
    acknowledgement: str,
    by: Any,
    on: date,
    at: datetime,
    trf: TrfReport | None = None,
    dispatch: Dispatch | None = None,
    seen: str | None = None,
) -> Report:
    """Accept a checked report: store its participants and games, and replace a former version.

    Warnings need a reason; `RefusedError` for errors, and if a step follows the last one that the author has `seen`
    (None to skip this check). A second call changes nothing. `trf` is the report if the caller has read it; its
    rating goes to `dispatch`, else to a worker.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update().get(pk=report.tournament_id)
        # Read again under the lock: another click may have accepted it meanwhile.
        report.refresh_from_db()
        if report.state == ReportState.ACCEPTED:
            return report
        refuse_unseen(tournament, seen)
        # The games of two events that are accepted at once: the second is compared with the first (D-117, D-129).
        lock_until_commit(ACCEPTANCES)
        lookups, pgn = Lookups(), stored_bytes(report.pgn)
        trf = trf or read_report(bytes(report.content))
        # Checked again: players, lists and other events may have changed since the upload.
        checked = check_contents(trf, tournament, on=on, lookups=lookups, pgn=pgn)
        refusals = [
            *barriers(tournament, report, trf, on=on, lookups=lookups),
            *_draft_refusals(report),
            *findings_refusals(checked, acknowledgement, tournament),
        ]
        if refusals:
            raise RefusedError(refusals)
        # The locked row, which the ratings read from the report.
        report.tournament = tournament
        _accept(report, acknowledgement, on=on)
        write_decided([DecidedReport(report, checked)], by=by, at=at, lookups=lookups, dispatch=dispatch)
    return report


def check_again(report: Report, trf: TrfReport, *, on: date, lookups: Lookups) -> None:
    """Judge a version, which was read, by what is known on the day on which it is opened (D-139)."""
    if report.state != ReportState.CHECKED:
        report.findings = findings_known_since(report)
        return
    pgn = stored_bytes(report.pgn) if report.pgn_sha256 else None
    checked = check_contents(trf, report.tournament, on=on, lookups=lookups, pgn=pgn)
    if (found := checked.findings_as_json()) != report.findings:
        has_errors = bool(standing_errors(checked, report.tournament))
        report.findings, report.has_errors = found, has_errors
        # Not of one that was accepted meanwhile.
        Report.objects.filter(pk=report.pk, state=ReportState.CHECKED).update(
            findings=report.findings, has_errors=report.has_errors
        )


def _draft_refusals(report: Report) -> Iterator[Refusal]:
    """Yield why a version with chosen fixes is not accepted: it does not have them yet."""
    if report.amendments:
        message = _("Fixes are chosen for this version. Save them as a new version, or undo them.")
        yield Refusal("fixes-not-saved", message)


def decide_on_report(
    tournament: Tournament,
    upload: Upload,
    former: FormerVersions,
    *,
    acknowledge: Callable[[Report], str],
    lookups: Lookups,
) -> DecidedReport:
    """Evaluate an upload without saving it. The tournament must be locked.

    `RefusedError` if the tournament accepts no report.
    """
    report, checked = _build_version(tournament, upload, former, lookups)
    if checked is None:
        return DecidedReport(report, None)
    sentence = acknowledge(report)
    missing = version_barriers(tournament, report, checked.report, lookups=lookups)
    if refusals := (*missing, *findings_refusals(checked, sentence, tournament)):
        return DecidedReport(report, checked, refusals)
    _accept(report, sentence, on=upload.on)
    # The reports of a group are checked against those before them, which are not written yet.
    lookups.add_accepted(tournament, checked.report, checked.players)
    return DecidedReport(report, checked)


def write_decided(
    decided: Sequence[DecidedReport], *, by: Any, at: datetime, lookups: Lookups, dispatch: Dispatch | None
) -> None:
    """Write what was decided on reports of different, locked tournaments; what was accepted before stays as it is."""
    taken = [item for item in decided if item.is_taken]
    # Read while the former version is still the accepted one.
    marks = _marks_kept(taken)
    # Before the new ones are stored: the database holds one accepted version a tournament.
    _replace_former([item.report for item in taken])
    _keep([item.report for item in decided if item.checked is not None])
    if taken:
        write_contents(((item.report, item.checked) for item in taken if item.checked), lookups)
        # After the games, which new versions write without marks.
        for report, of_report in marks:
            write_marks(report, of_report)
        _finish_acceptance([item.report for item in taken], by=by, at=at, dispatch=dispatch)


def _marks_kept(decided: Iterable[DecidedReport]) -> list[tuple[Report, list[Mark]]]:
    """Return the marks that games of new versions keep from the versions that they replace (D-100)."""
    return [
        (
            item.report,
            [mark for _kept, mark in marks_in(item.checked.report, item.checked.players, kept) if mark],
        )
        for item in decided
        if item.checked
        and item.report.version > FIRST_VERSION
        and (kept := kept_marks(item.report.tournament))
    ]


def _finish_acceptance(
    reports: Sequence[Report], *, by: Any, at: datetime, dispatch: Dispatch | None
) -> None:
    """Note what follows from the acceptance of reports."""
    tournaments = [report.tournament_id for report in reports]
    Tournament.objects.filter(pk__in=tournaments).update(stage=Stage.REPORTED)
    record_actions(
        new_entry(report.tournament, Action.ACCEPT, reason=_given(report), by=by, at=at) for report in reports
    )
    for report in reports:
        flag_outliers(report, at=at)
    # Nothing can come of a report that an arbiter sent.
    handed = Case.objects.filter(kind=CaseKind.HANDED, tournament__in=tournaments)
    close_overtaken(handed, by=by, at=at)
    accepted = [(report.tournament, str(report.version)) for report in reports]
    tell_of_tournaments(WebhookEvent.ACCEPTED, accepted, at=at)
    reports_accepted.send(Report, reports=reports, at=at, dispatch=dispatch)


def _build_version(
    tournament: Tournament, upload: Upload, former: FormerVersions, lookups: Lookups
) -> tuple[Report, CheckedReport | None]:
    """Return the version as it is to be kept, and what was read of it; None where it is accepted already."""
    content, on = upload.content, upload.on
    digest = sha256_of(content)
    same = tournament.reports.get(version=former.open[digest]) if digest in former.open else None
    if same is not None and same.state == ReportState.ACCEPTED:
        if upload.pgn not in (None, stored_bytes(same.pgn)):
            message = _("This report is accepted with another PGN file. Submit a new version with the games.")
            raise refused("other-games-8.4", message, "pgn")
        same.findings = findings_known_since(same)
        return same, None
    refusals = [*report_refusals(tournament, on=on, federations=lookups.federations)]
    if refusals:
        raise RefusedError(refusals)
    # The games need not be uploaded again with a report that has them.
    games = upload.pgn if upload.pgn is not None or same is None else stored_bytes(same.pgn)
    trf = upload.trf or read_report(content)
    checked = check_contents(trf, tournament, on=on, lookups=lookups, pgn=games)
    if same is None:
        version, name = former.newest + 1, upload.file_name
        report = kept_report(
            tournament, content, checked, version=version, file_name=name, by=upload.by, on=on, at=upload.at
        )
    else:
        report = same
        report.state, report.submitted_on = ReportState.CHECKED, on
        report.findings = checked.findings_as_json()
        report.has_errors = bool(standing_errors(checked, tournament))
    # Without games (8.4) those of a former upload stay.
    if upload.pgn is not None:
        report.pgn, report.pgn_sha256 = upload.pgn, sha256_of(upload.pgn)
    return report, checked


def _given(report: Report) -> str:
    stated = report.acknowledgement_stated
    return Stated(report.acknowledgement, stated) if stated else report.acknowledgement


def _accept(report: Report, acknowledgement: str, *, on: date) -> None:
    report.state = ReportState.ACCEPTED
    report.acknowledgement = acknowledgement.strip()
    report.acknowledgement_stated = stated_items(acknowledgement)
    report.accepted_on = on
    # The valid reasons are in the acknowledgement.
    report.amendments, report.reasons = [], {}


def _keep(reports: Iterable[Report]) -> None:
    """Save versions: new ones together, and those that came before as they were checked again."""
    reports = list(reports)
    for report in reports:
        if report.pk is not None:
            draft = ("amendments", "reasons") if report.state == ReportState.ACCEPTED else ()
            report.save(update_fields=(*CHECKED_FIELDS, *draft))
    Report.objects.bulk_create([report for report in reports if report.pk is None])
    for report in reports:
        flag_same_games(report, at=report.submitted_at)


def stored_bytes(content: Any) -> bytes | None:
    """Return stored bytes, which PostgreSQL gives as a view of memory."""
    return None if content is None else bytes(content)


def _replace_former(reports: Iterable[Report]) -> None:
    """Replace earlier accepted reports by accepted reports that are not saved yet, which keep their day.

    What is put right chooses no later list (D-128): by that day a late one takes its tournament (D-76).
    """
    later = {report.tournament_id: report for report in reports if report.version > FIRST_VERSION}
    if later:
        former = Report.objects.filter(tournament__in=later, state=ReportState.ACCEPTED)
        for tournament, day in former.values_list("tournament_id", "accepted_on"):
            later[tournament].accepted_on = day
        former.update(state=ReportState.REPLACED)


def write_contents(reports: Iterable[tuple[Report, CheckedReport]], lookups: Lookups) -> None:
    """Write the participants and games of reports that have none yet."""
    reports = list(reports)
    write_rows(
        Participant,
        PARTICIPANT_FIELDS,
        (
            (report.pk, player.fide_id if (player := checked.players.get(row[0])) else None, *row)
            for report, checked in reports
            for row in participant_rows(checked.report)
        ),
    )
    # The marks of former versions are written afterwards.
    games = [(report.pk, [(*row, "") for row in game_rows(checked.report)]) for report, checked in reports]
    write_rows(Game, GAME_FIELDS, ((key, *row, "") for key, rows in games for row in rows))
    for key, rows in games:
        lookups.add_games(key, rows)
