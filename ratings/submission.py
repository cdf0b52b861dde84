"""One call from a report's bytes to a rated tournament: for moving a federation's past in.

All the rules hold as in the browser; the registration is taken from what the caller and the report say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from core.bulk import analyze_tables, gc_disabled
from core.digests import sha256_of
from core.errors import Refusal, RefusedError, refused
from core.processes import in_processes
from core.sql import lock_until_commit
from players.cases import decide as decide_case
from players.choices import CaseState
from players.models import LogEntry
from ratings.due_runs import leave_due
from ratings.in_force import InForce
from ratings.models import RatingList
from ratings.runs import rate_due
from tournaments.choices import Action, Registration, ReportState, Stage
from tournaments.conditions import SUBMITTED, Conditions
from tournaments.drafts import line_items
from tournaments.lists import Lists
from tournaments.lookups import Lookups
from tournaments.marked_report import finding_refusal
from tournaments.models import Game, Participant, Report, Tournament
from tournaments.other_reports import PlayedGame, stored_games
from tournaments.parts import MAX_PARTS
from tournaments.portal_reasons import SENTENCES
from tournaments.qc import decide
from tournaments.registered_conditions import differing, event_id_for, registered_like
from tournaments.registration import NewRegistration, new_registration, write_registrations
from tournaments.report_barriers import acknowledgement_of
from tournaments.report_people import ids_in
from tournaments.reports import (
    ACCEPTANCES,
    DecidedReport,
    FormerVersions,
    Upload,
    decide_on_report,
    former_versions,
    write_decided,
)
from tournaments.requested_changes import waiting_request
from tournaments.trf import Report as TrfReport
from tournaments.trf import Severity, check_report, read_report
from tournaments.uploaded_files import require_trf


@dataclass(frozen=True, slots=True)
class Terms:
    """What the caller says of a submission: the conditions of its tournament, the days, and the QC's approval.

    `reasons` answer single findings, by code (D-135), `lines` say by line who it is (D-130).

    The report itself says the name, the days, the schedule and the chief arbiter.
    """

    conditions: Conditions
    registered_on: date
    submitted_on: date
    pgn: bytes | None = None
    qc_approved: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submitted file, with the terms of its tournament.

    `followers` are the SHA-256 of files that replace it in the same call: if one of them is already stored, this one
    was submitted before.
    """

    content: bytes
    terms: Terms
    file_name: str
    followers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A file that was read, the registration that it needs, its FIDE IDs, and why it is unreadable, if so."""

    submitted: Submitted
    trf: TrfReport
    request: Conditions
    players: frozenset[int]
    unreadable: tuple[Refusal, ...]

    @property
    def event_id(self) -> str:
        return self.request.event_id or event_id_for(self.request)

    def upload(self, at: datetime) -> Upload:
        terms = self.submitted.terms
        return Upload(
            content=self.submitted.content,
            file_name=self.submitted.file_name,
            by=None,
            on=terms.submitted_on,
            at=at,
            pgn=terms.pgn,
            trf=self.trf,
        )


def read_submitted(submitted: Submitted) -> ReadReport:
    """Read a submitted file."""
    trf = read_report(submitted.content, on=submitted.terms.submitted_on)
    request = _conditions(trf, submitted.terms)
    try:
        require_trf(submitted.content, submitted.file_name)
        unreadable = tuple(_unreadable(trf))
    except RefusedError as error:
        unreadable = error.refusals
    return ReadReport(submitted, trf, request, frozenset(ids_in(trf)), unreadable)


def event_id_of(content: bytes, terms: Terms) -> str:
    """Return the event ID of a report, from its head if the terms have none."""
    if terms.conditions.event_id:
        return terms.conditions.event_id
    # Lines of players are most of a report, and none of them says which event it is.
    head = b"\n".join(line for line in content.splitlines() if not line.startswith(b"001"))
    return event_id_for(_conditions(read_report(head, on=terms.submitted_on), terms))


def _unreadable(trf: TrfReport) -> list[Refusal]:
    """Return why no tournament can be read from the file: what has no players or no days is no report."""
    if not trf.players:
        errors = [item for item in check_report(trf) if item.severity == Severity.ERROR]
        return [finding_refusal(item) for item in errors]
    if trf.start is None or trf.end is None:
        message = _(
            "The report does not give the dates of the tournament. Enter records 042 and 052 as YYYY/MM/DD."
        )
        return [Refusal("event-days-missing", message)]
    return []


def _conditions(trf: TrfReport, terms: Terms) -> Conditions:
    return replace(
        terms.conditions,
        name=trf.name or terms.conditions.event_id,
        start=trf.start or terms.submitted_on,
        end=trf.end or terms.submitted_on,
        city=trf.city[:80],
        # A report without dates of rounds has only their number.
        schedule=[
            day.isoformat() if day else None for day in trf.round_dates or (None,) * max(trf.rounds, 1)
        ],
        chief_arbiter=trf.chief_arbiter[:120],
        # The QC had its reason before it approved.
        late_reason=terms.qc_approved,
    )


logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Submission:
    """Whether the report was accepted, why not, what was warned of, and the list that will take it."""

    tournament: Tournament | None
    refusals: tuple[Refusal, ...]
    warnings: tuple[str, ...] = ()
    list_date: date | None = None
    report_id: int | None = None

    @property
    def is_accepted(self) -> bool:
        return not self.refusals

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as plain values."""
        return {
            "accepted": self.is_accepted,
            "reasons": [str(refusal.message) for refusal in self.refusals],
            "codes": [refusal.code for refusal in self.refusals],
            "warnings": list(self.warnings),
            "tournament": self.tournament.event_id if self.tournament else None,
            "list": self.list_date.isoformat() if self.list_date else None,
        }


def submit(submitted: Submitted, *, at: datetime) -> Submission:
    """Register the tournament if it is new, submit and accept the report, and rate it.

    A report that cannot be read registers nothing. Otherwise the registration stays, as on the web, where the report
    is refused: it may be sent again. The same report again changes nothing.
    """
    report, lookups = read_submitted(submitted), Lookups()
    try:
        with transaction.atomic():
            # The tournament first, as on the web.
            list(Tournament.objects.select_for_update().filter(event_id=report.event_id).values_list("pk"))
            lock_until_commit(ACCEPTANCES)
            submission = _submit([report], lookups, at=at)[0]
    except RefusedError as error:
        submission = Submission(None, error.refusals)
    _rate([submission], lookups, at=at)
    return submission


def submit_group(group: Sequence[Submitted], *, at: datetime) -> list[Submission]:
    """Submit some reports as `submit` does one, in one transaction, and rate them together.

    A group that fails as a whole is submitted one by one; what went in before a failure stays in. So is one of
    which another process accepts games meanwhile: each report is compared with all others.
    """
    lookups = Lookups()
    try:
        reports = [read_submitted(submitted) for submitted in group]
        lookups.of(InForce).announce(
            (item.request.kind, item.request.start, item.players) for item in reports
        )
        with transaction.atomic():
            before = _acceptances(since=at)
            # All players of the group by one query.
            lookups.players.by_id({fide_id for item in reports for fide_id in item.players})
            submissions = [
                submission
                for events in _different_events(reports)
                for submission in _submit(events, lookups, at=at)
            ]
            _refuse_not_compared(reports, submissions, before, since=at)
    except _NotComparedError:
        return [submit(item, at=at) for item in group]
    except Exception:
        # One of them may fail all: each for itself, the others go in.
        logger.exception("reports failed together", reports=len(group))
        return [submit(item, at=at) for item in group]
    _rate(submissions, lookups, at=at)
    return submissions


class _NotComparedError(Exception):
    """Another process has accepted what the reports of a group were not compared with."""


# Longer than an acceptance takes: one that began before a call may end after it.
LONGEST_ACCEPTANCE = timedelta(hours=1)


def _acceptances(*, since: datetime) -> dict[int, int]:
    """Return the tournaments of the acceptances that are committed, by log entry."""
    accepted = LogEntry.objects.filter(action=Action.ACCEPT, at__gte=since - LONGEST_ACCEPTANCE)
    return dict(accepted.exclude(tournament=None).order_by().values_list("pk", "tournament"))


def _refuse_not_compared(
    reports: Iterable[ReadReport],
    submissions: Iterable[Submission],
    before: Mapping[int, int],
    *,
    since: datetime,
) -> None:
    """Let no other acceptance come before the commit; raise where one came that was not compared.

    It was not where it has games of a report (D-117, D-129), or a like event of one without an event ID (D-135).
    """
    lock_until_commit(ACCEPTANCES)
    own = {item.report_id: item.tournament.pk for item in submissions if item.tournament and item.report_id}
    later = _acceptances(since=since)
    others = {later[key] for key in later.keys() - before.keys()} - set(own.values())
    if not others:
        return
    theirs = Report.objects.filter(tournament__in=others, state=ReportState.ACCEPTED)
    events = [*Tournament.objects.filter(pk__in=others).order_by("pk")]
    is_like = any(registered_like(one.request, among=events) for one in reports if not one.request.event_id)
    accepted = _games_of(theirs.values_list("pk", flat=True))
    # One game alone is none of a report played again, unless the report has no other.
    is_again = any(len(some & one) >= min(2, len(some)) for some in _games_of(own) for one in accepted)
    if is_like or is_again:
        raise _NotComparedError


def _games_of(reports: Iterable[int]) -> list[set[PlayedGame]]:
    """Return the games of each report that has any."""
    return [
        {game for games in played.values() for game in games} for played in stored_games([*reports]).values()
    ]


def _rate(submissions: Iterable[Submission], lookups: Lookups, *, at: datetime) -> None:
    """Rate what was accepted, and what was accepted before and is not rated yet."""
    accepted = [str(item.report_id) for item in submissions if item.report_id is not None]
    if accepted:
        rate_due(accepted, lookups, at=at)


def _different_events(reports: Iterable[ReadReport]) -> Iterator[list[ReadReport]]:
    """Yield the reports in order, each event once in a list: a version or part waits for the one before it."""
    some: dict[str, ReadReport] = {}
    for report in reports:
        if report.event_id in some or report.request.continues in some:
            yield list(some.values())
            some = {}
        some[report.event_id] = report
    if some:
        yield list(some.values())


def _submit(reports: Sequence[ReadReport], lookups: Lookups, *, at: datetime) -> list[Submission]:
    """Submit reports of different events and return what became of each; `RefusedError` for a late registration."""
    found = {item.event_id: Submission(None, item.unreadable) for item in reports if item.unreadable}
    registered = _register([item for item in reports if not item.unreadable], found, lookups, at=at)
    if registered:
        decided = _decide(registered, found, lookups, at=at)
        write_decided(decided, by=None, at=at, lookups=lookups, dispatch=leave_due)
        for item in decided:
            report, tournament = item.report, item.report.tournament
            found[tournament.event_id] = (
                Submission(tournament, item.refusals, report.warnings)
                if item.refusals
                else _accepted(tournament, report, lookups)
            )
    return [found[item.event_id] for item in reports]


def _accepted(tournament: Tournament, report: Report, lookups: Lookups) -> Submission:
    return Submission(
        tournament,
        refusals=(),
        warnings=report.warnings,
        list_date=_expected_list(tournament, report, lookups.of(InForce).lists),
        report_id=report.pk,
    )


def _decide(
    registered: Sequence[tuple[Tournament, ReadReport]],
    found: dict[str, Submission],
    lookups: Lookups,
    *,
    at: datetime,
) -> list[DecidedReport]:
    """Return what becomes of the reports of registered tournaments, and put into `found` what is not taken at all."""
    tournaments = [tournament for tournament, _ in registered]
    former = former_versions(tournaments)
    lookups.announce_reports([(tournament, item.trf) for tournament, item in registered])
    decided: list[DecidedReport] = []
    for tournament, item in registered:
        versions = former[tournament.pk]
        # A call that was broken off is repeated: an earlier version must not replace the later one.
        if (known := _find_successor(tournament, item.submitted, versions)) is not None:
            former_version, newer = known
            accepted = _accepted(tournament, newer, lookups)
            found[item.event_id] = replace(accepted, warnings=former_version.warnings)
            continue
        try:
            decided.append(
                decide_on_report(
                    tournament,
                    item.upload(at),
                    versions,
                    acknowledge=partial(_acknowledge, item.submitted.terms),
                    lookups=lookups,
                )
            )
        except RefusedError as error:
            # Nothing of the report is written; the registration stays.
            found[item.event_id] = Submission(tournament, error.refusals)
    return decided


def _acknowledge(terms: Terms, report: Report) -> str:
    """Return the reasons and answers of the caller, and that the warnings were printed."""
    lines = line_items(report.findings, terms.lines)
    return acknowledgement_of(
        terms.reasons, SENTENCES.state("acknowledged") if report.warnings else "", lines=lines
    )


def _find_successor(
    tournament: Tournament, submitted: Submitted, former: FormerVersions
) -> tuple[Report, Report] | None:
    """Return the version with these bytes and the accepted one that took its place in a former call, if one did."""
    if former.accepted not in submitted.followers:
        return None
    versions = tournament.reports.defer("content", "pgn")
    known = versions.filter(sha256=sha256_of(submitted.content)).first()
    if known is None:
        return None
    return known, versions.get(state=ReportState.ACCEPTED, sha256=former.accepted)


def _register(
    reports: Sequence[ReadReport], found: dict[str, Submission], lookups: Lookups, *, at: datetime
) -> list[tuple[Tournament, ReadReport]]:
    """Return the tournaments of reports, locked or new, and put into `found` which cannot be registered."""
    # In the order of keys: groups of two processes must not each hold what the other waits for.
    there = Tournament.objects.select_for_update().filter(event_id__in=[item.event_id for item in reports])
    tournaments = {tournament.event_id: tournament for tournament in there.order_by("pk")}
    new: list[NewRegistration] = []
    for item in reports:
        try:
            tournament = tournaments.get(item.event_id)
            _refuse_unnamed(item, tournament, [one.tournament for one in new])
            if tournament is not None:
                _same_event(tournament, item.request)
            else:
                on = item.submitted.terms.registered_on
                new.append(new_registration(item.request, by=None, on=on, lookups=lookups))
        except RefusedError as error:
            found[item.event_id] = Submission(None, tuple(map(_as_option, error.refusals)))
    write_registrations(new, by=None, at=at)
    tournaments |= {item.tournament.event_id: item.tournament for item in new}
    registered = [(tournaments[item.event_id], item) for item in reports if item.event_id not in found]
    for tournament, item in registered:
        _allow(tournament, item.submitted.terms, at=at)
    return registered


def _as_option(refusal: Refusal) -> Refusal:
    """Return a refusal with the option that helps in place of a field that a form has."""
    if refusal.code != "late-reason-0.2":
        return refusal
    message = _(
        "The registration is late (article 0.2). Enter the reason of the QC for its approval: --qc-approved, in a "
        "manifest the column qc_approved."
    )
    return replace(refusal, message=message)


def _allow(tournament: Tournament, terms: Terms, *, at: datetime) -> None:
    """Note what the QC has decided on a registration that waits for it, and on a waiver (D-80)."""
    if not terms.qc_approved.strip():
        return
    if tournament.registration in (Registration.WAITING, Registration.REFUSED):
        decide(tournament, Action.ALLOW, reason=terms.qc_approved, by=None, at=at)
    if (waiting := waiting_request(tournament)) is not None:
        decide_case(waiting, CaseState.APPROVED, answer=terms.qc_approved, by=None, at=at)
        tournament.refresh_from_db()


def _refuse_unnamed(item: ReadReport, found: Tournament | None, new: Sequence[Tournament]) -> None:
    """Refuse a report without an event ID where a like event is registered, unless it has this very file (D-135).

    `new` are about to be registered with it.
    """
    if item.request.event_id:
        return
    like = found or registered_like(item.request) or registered_like(item.request, among=new)
    if like is not None and not (found and like.reports.filter(sha256=item.trf.sha256).exists()):
        message = _(
            "Registered already as %(event)s. Submit the report with this event ID, or with a new event ID if it is "
            "another event (decision D-135)."
        )
        raise refused("already-registered", message % {"event": f"{like.name} ({like.event_id})"}, "event_id")


def _same_event(tournament: Tournament, request: Conditions) -> None:
    """Refuse a report handed in with other conditions than those that are registered, and say which differ (D-82)."""
    found = [*differing(tournament, request, SUBMITTED)]
    if not found:
        return
    message = _(
        "Event %(event)s is registered with different conditions (decision D-82). %(differences)s. "
        "Submit the report with the registered conditions, or ask for a correction of the registration "
        "first."
    )
    values = {"event": tournament.event_id, "differences": " · ".join(found)}
    raise refused("other-conditions-D-82", message % values)


def _expected_list(tournament: Tournament, report: Report, lists: Lists[RatingList]) -> date | None:
    """Return the list that has taken an accepted report, or the next that will; None for one not accepted."""
    if report.accepted_on is None:
        return None
    if tournament.stage == Stage.PUBLISHED:
        taken = RatingList.objects.filter(tournament_ratings__report=report).values_list("date", flat=True)
        if (on := taken.first()) is not None:
            return on
    return lists.expected(tournament, accepted_on=report.accepted_on, today=report.accepted_on)


# Many reports at once, from files: in the same order whatever the order in which they are named, on several cores.
GROUP = 50
# What is read of a report takes some thirty times its bytes.
GROUP_BYTES = 1_500_000
# So often is a group tried where others keep the database busy; each time waits as long as the database does.
MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report's file, and that of its games, with the terms of its tournament.

    `followers` are the SHA-256 of the files that take its place in the same call, `parts_before` the number of parts
    of its event in the same call that come before it (D-117).
    """

    path: Path
    terms: Terms
    pgn: Path | None = None
    followers: frozenset[str] = frozenset()
    parts_before: int = 0

    def read(self) -> Submitted:
        """Return the file with its contents."""
        pgn = self.pgn.read_bytes() if self.pgn else None
        terms = replace(self.terms, pgn=pgn)
        return Submitted(self.path.read_bytes(), terms, self.path.name, self.followers)


def submit_files(files: Sequence[ReportFile], *, at: datetime, jobs: int = 1) -> Iterator[dict[str, Any]]:
    """Submit files as `submit` does one, in transactions of some fifty, and yield a result for each, in their order.

    Of several files of one event the one submitted last stands, of one day the last by name: the order of the files
    changes no list. What is in already is left as it is, and rated where it was not: the same call again ends what
    was broken off. What went in before a failure stays in.
    """
    groups = list(_groups(files))
    tasks = [([file for _, file in group], number, at) for number, group in enumerate(groups, 1)]
    if jobs == 1 or len(tasks) == 1:
        done: Iterator[tuple[int, list[dict[str, Any]]]] = (
            (number, submit_file_group(*task)) for number, task in enumerate(tasks)
        )
    else:
        function = f"{submit_file_group.__module__}.{submit_file_group.__name__}"
        done = in_processes(function, tasks, jobs=jobs)
    results: dict[int, dict[str, Any]] = {}
    following = 0
    for number, some in done:
        results |= zip((place for place, _ in groups[number]), some, strict=True)
        while following in results:
            yield results.pop(following)
            following += 1


def submit_file_group(files: Sequence[ReportFile], number: int, at: datetime) -> list[dict[str, Any]]:
    """Submit some files together and return their results as plain values; `number` counts the groups from 1."""
    submitted = [file.read() for file in files]
    with gc_disabled():
        submissions = _submit_patiently(submitted, at=at)
    if number.bit_count() == 1:
        # After the first, second, fourth, eighth group: in empty tables each has doubled what there was.
        analyze_tables(Tournament, Report, Participant, Game)
    return [submission.as_json() for submission in submissions]


def _submit_patiently(submitted: Sequence[Submitted], *, at: datetime) -> list[Any]:
    """Submit a group, again where the database was busy with others for too long: what is in stays in."""
    for attempt in range(1, MAX_ATTEMPTS):
        try:
            return submit_group(submitted, at=at)
        except OperationalError:
            logger.warning("database busy, reports are tried again", reports=len(submitted), attempt=attempt)
    return submit_group(submitted, at=at)


def _groups(files: Sequence[ReportFile]) -> Iterator[list[tuple[int, ReportFile]]]:
    """Yield so many files together as are held in memory at once, with their places.

    Those of an event are together, with all its parts.
    """
    group: list[tuple[int, ReportFile]] = []
    size = 0
    for bytes_more, event in _events(files):
        if group and (len(group) + len(event) > GROUP or size + bytes_more > GROUP_BYTES):
            yield _first_versions_first(group)
            group, size = [], 0
        group += event
        size += bytes_more
    if group:
        yield _first_versions_first(group)


def _events(files: Sequence[ReportFile]) -> Iterator[tuple[int, list[tuple[int, ReportFile]]]]:
    """Yield the files of each event with their places, and how many bytes they have together.

    The version to stand comes last; monthly parts are one event.
    """
    events: dict[str, list[tuple[int, ReportFile, str]]] = defaultdict(list)
    sizes: dict[str, int] = defaultdict(int)
    for place in sorted(range(len(files)), key=lambda place: _order(files[place])):
        file = files[place]
        content = file.path.read_bytes()
        event_id = event_id_of(content, file.terms)
        events[event_id].append((place, file, sha256_of(content)))
        sizes[event_id] += len(content)
    before = {event_id: some[0][1].terms.conditions.continues for event_id, some in events.items()}
    whole: dict[str, list[tuple[int, ReportFile]]] = defaultdict(list)
    whole_sizes: dict[str, int] = defaultdict(int)
    for event_id, some in events.items():
        first, parts_before = event_id, 0
        # Bounded: a list of files may name parts that continue each other in a circle.
        while before[first] in events and parts_before < MAX_PARTS:
            first, parts_before = before[first], parts_before + 1
        digests = [digest for _, _, digest in some]
        whole_sizes[first] += sizes[event_id]
        for number, (place, file, digest) in enumerate(some):
            followers = frozenset(digests[number + 1 :]) - {digest}
            whole[first].append((place, replace(file, followers=followers, parts_before=parts_before)))
    for first, parts in whole.items():
        yield whole_sizes[first], parts


def _order(file: ReportFile) -> tuple[Any, ...]:
    return file.terms.submitted_on, str(file.path)


def _first_versions_first(group: list[tuple[int, ReportFile]]) -> list[tuple[int, ReportFile]]:
    """Return a group so that few files wait for another: first parts, then those with most followers first."""
    return sorted(group, key=lambda item: (item[1].parts_before, -len(item[1].followers), _order(item[1])))
