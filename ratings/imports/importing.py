"""Importing one file: read once as a stream, in one transaction that leaves the state before or the state after."""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, TypeVar

import structlog
from django.core.files import File
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from core.bulk import analyze_tables, batched, gc_disabled, loading
from core.errors import Refusal, RefusedError, stated_refusal
from players.choices import Area, Deed
from players.fide_list import (
    ExportRow,
    FideListError,
    LineProblem,
    ListedRating,
    ListItem,
    ListReading,
    ListRecord,
    ListStream,
    Repair,
    kind_from_name,
    open_list,
    read_list,
    write_list,
)
from players.models import NameWord, Player
from players.models.log import record_act
from ratings.amend.anew import correct_standard_ratings
from ratings.amend.imported import CorrectedList
from ratings.choices import PUBLISHED_KINDS, SENTENCES, ImportStep, ListKind, Origin
from ratings.imports.lists import (
    Entries,
    begin_list,
    complete,
    differing_ratings,
    missing_refusals,
    rate_again,
)
from ratings.imports.outcome import Import, ImportedFile, ImportedList, Repairs, ReportProgress
from ratings.imports.people import FederationImport, PeopleImport, Successors
from ratings.imports.plans import Plan, plan_for, sign_refusals, waiting_notices
from ratings.in_force import load_adoptions
from ratings.lists import date_refusals, lock_lists
from ratings.models import FideList, ListEntry, RatingList, TournamentRating
from ratings.publish.due_reports import lock_due_reports, ratings_of, set_published
from ratings.publish.files import put
from ratings.ranking import count_rankings, keep
from ratings.systems.registry import Adoptions
from tournaments.known_ids import link_known_ids
from tournaments.models import Report
from tournaments.signals import Dispatch

MAX_PROBLEMS = 1_000
# So many lines may be unreadable before they must be fewer than those that are read.
MAX_UNREADABLE = 20_000
# A list from which more than one record in so many was skipped needs a reason (D-119).
ONE_IN = 1_000


class Records:
    """Yields the records; the first problems are kept, and examples of the repairs of each field; all are counted.

    `FideListError` as soon as too many lines cannot be read, so that a file of such lines does not block a
    machine for hours.
    """

    def __init__(self, items: Iterable[ListItem]) -> None:
        self.read = 0
        self.problems: list[LineProblem] = []
        self.problem_count = 0
        self.lost = 0
        self.end: int | None = None
        self.repairs: dict[str, Repairs] = {}
        self._items = items

    def __iter__(self) -> Iterator[ListRecord]:
        for item in self._items:
            if isinstance(item, LineProblem):
                self._note(item)
                continue
            if isinstance(item, Repair):
                self.repairs.setdefault(item.field, Repairs(item.field)).add(item)
                continue
            self.read += 1
            yield item

    def _note(self, problem: LineProblem) -> None:
        self.problem_count += 1
        # A player who stands in the file twice is read once: nobody is lost by the second record.
        self.lost += not problem.is_again
        self.end = problem.line if problem.is_end else self.end
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        if self.problem_count > max(MAX_UNREADABLE, self.read):
            first = self.problems[0]
            said = SENTENCES.say("most-unreadable", line=first.line, reason=first.message)
            raise FideListError(said, code="most-unreadable")

    def refusals(self) -> list[Refusal]:
        """Return why the list is not taken: it ends early (D-137), or one record in a thousand was skipped (D-119)."""
        everybody = self.read + self.lost
        if self.read and self.end is not None:
            return [stated_refusal(SENTENCES, "ends-early-D-137", "file", line=self.end)]
        if not self.read or self.lost * ONE_IN <= everybody:
            return []
        first = next(problem for problem in self.problems if not problem.is_again)
        values = {"skipped": self.lost, "all": everybody, "line": first.line, "reason": first.message}
        return [stated_refusal(SENTENCES, "many-skipped-D-119", "file", **values)]


# Of so many, those of one list that follow each other lie close by in its index.
CHUNK = 60_000
# A smaller file is in before the indexes would have been built again.
LARGE_FILE = 1 << 20
logger = structlog.get_logger(__name__)


def import_list(
    path: Path,
    *,
    on: date,
    at: datetime,
    kind: str | None = None,
    report: ReportProgress | None = None,
    dispatch: Dispatch | None = None,
    by: Any = None,
    by_name: str = "",
    force: str = "",
    adopt: str = "",
    contained: Collection[str] | None = None,
    is_dry_run: bool = False,
) -> Import:
    """Import a FIDE list file: players, federations and the lists of that date; a known file changes nothing.

    `kind` is that of a single list without one in its name, or the selected one of a combined list. Jobs that rate
    reports again by the new lists go to `dispatch`, else to workers. `by` or `by_name` is the user for the audit log.
    `force` is the reason to override a date or kind in the file that contradicts (D-72), many records that were skipped
    (D-119), or many players who are missing (D-137); `adopt` the reason to use FIDE's list instead of one that the
    portal would publish (D-73); both are stored. `contained` are the event IDs of the waiting reports that FIDE's list
    contains, by default all that ended in time for one that is adopted: no other list takes them (D-142). A dry run
    does everything and writes nothing. `FideListError` if the file is not a list, `RefusedError` if its date is in the
    future (D-70) or no list can be imported: then nothing is written. Refused lists beside imported ones are named in
    the notices. FIDE's corrected list for a month in use becomes corrections, which the next list takes (D-125).
    """
    # Before the file is opened: a list of the future would be in force for every tournament (D-70).
    if refusals := date_refusals(on, today=at.date()):
        raise RefusedError(refusals)
    with open_list(path) as stream:
        reading, signs = _read(stream, path, on=on, kind=kind, force=force)
        kinds = [item for item in reading.kinds if kind in (None, item)]
        source = _source(path, forced=force.strip() if signs else "", adopted=adopt.strip())
        with transaction.atomic():
            # All kinds, since a combined file has three lists, and players that publications read.
            lock_lists()
            plans = [plan_for(item, source, on=on) for item in kinds]
            refusals = [plan.refusal for plan in plans if plan.refusal]
            if len(refusals) == len(plans):
                raise RefusedError(refusals)
            job = _Job(
                stream,
                Records(reading),
                plans,
                source,
                on,
                at,
                report or _silent,
                dispatch,
                force=force.strip(),
                by=by,
            )
            job.decide_contained(contained)
            job.notices += [refusal.message for refusal in (*signs, *refusals)]
            done = job.run(is_dry_run=is_dry_run)
            _record(done, job.source, by=by, by_name=by_name, at=at)
            # What is shown before an import is what the import does, by the same code.
            if is_dry_run:
                transaction.set_rollback(True)
    logger.info("list imported", file=path.name, date=on.isoformat(), read=done.read, new=not done.is_known)
    return done


def _read(
    stream: ListStream, path: Path, *, on: date, kind: str | None, force: str
) -> tuple[ListReading, list[Refusal]]:
    """Return the records, and what contradicts date or kind: `RefusedError` where nobody overrides it (D-72)."""
    names = (path.name, stream.name)
    reading = read_list(stream, kind=kind or next(filter(None, map(kind_from_name, names)), None))
    signs = sign_refusals(reading, names, on=on, kind=kind)
    if signs and not force.strip():
        raise RefusedError(signs)
    return reading, signs


def _record(done: Import, source: ImportedFile, *, by: Any, by_name: str, at: datetime) -> None:
    after = f"{source.name}, SHA-256 {source.sha256}"
    compared = f"{after}: " + _("Kept for comparison")
    for item in (*done.lists, *done.compared):
        if item.is_new:
            record_act(
                Area.LIST,
                Deed.IMPORT,
                f"{item.kind} {done.on.isoformat()}",
                by=by,
                by_name=by_name,
                at=at,
                after=compared if item in done.compared else after,
                reason="; ".join(f"{name}: {reason}" for name, reason in source.reasons.items()),
            )


def _keep_rankings_after_commit(rating_list: RatingList) -> None:
    """Cache the rankings of a list after the commit, for its first readers."""
    # Not a partial: Django logs on_commit errors by `__qualname__`.
    transaction.on_commit(lambda: keep(count_rankings(rating_list)), robust=True)


@dataclass(slots=True)
class _Job:
    """One file on its way in."""

    stream: ListStream
    records: Records
    plans: list[Plan]
    source: ImportedFile
    on: date
    at: datetime
    report: ReportProgress
    dispatch: Dispatch | None
    force: str = ""
    notices: list[str] = field(default_factory=list)
    compared: list[RecordsToCompare] = field(default_factory=list)
    corrected: list[CorrectedList] = field(default_factory=list)
    by: Any = None
    waiting: list[Report] = field(default_factory=list)
    contained: list[Report] = field(default_factory=list)

    def decide_contained(self, wanted: Collection[str] | None) -> None:
        """Look which waiting reports the lists contain; `RefusedError` for an event that none of them has (D-142)."""
        self.waiting = reports_waiting((plan.kind for plan in self.plans if plan.is_open), self.on)
        events = {report.event.event_id: report for report in self.waiting}
        unknown = [] if wanted is None else sorted(set(wanted) - events.keys())
        if unknown:
            names = {"event": ", ".join(unknown), "date": self.on}
            raise RefusedError([stated_refusal(SENTENCES, "not-waiting-D-142", "contained", **names)])
        if wanted is None:
            # Proposed where FIDE's list takes the place of the portal's own.
            wanted = events.keys() if self.source.adopted else ()
        self.contained = [report for key, report in events.items() if key in wanted]

    def run(self, *, is_dry_run: bool) -> Import:
        """Write what is new, or only read the file if nothing is, and return the result."""
        wanted = [plan for plan in self.plans if plan.is_open]
        self.notices += waiting_notices(wanted, self.waiting, self.contained, on=self.on)
        # History is imported in any order: an old list must not undo transfers and titles.
        people = PeopleImport(on=self.on, may_update=self._is_newest())
        with ExitStack() as stack:
            self.compared = [
                stack.enter_context(closing(RecordsToCompare(plan.kind, self.on)))
                for plan in self.plans
                if plan.is_compared and not plan.is_known
            ]
            self.corrected = [
                CorrectedList(plan.existing) for plan in self.plans if plan.is_corrected and plan.existing
            ]
            if wanted or self.compared or self.corrected:
                written = self._write(wanted, people)
            else:
                written = []
                # A known file is read to its end all the same: its problems are shown again.
                for _batch in batched(self.records, CHUNK):
                    self.report(ImportStep.READING, *self.stream.progress)
            if not self.records.read:
                raise FideListError(SENTENCES.say("no-player"), code="no-player")
            if not is_dry_run:
                for item in self.compared:
                    item.keep(self.source, at=self.at)
        for plan in self.plans:
            if plan.is_compared:
                self.notices.append(SENTENCES.say("kept-for-comparison", kind=plan.kind, date=self.on))
        return self._outcome(people, written)

    def _refuse_unless_forced(self, refusals: list[Refusal]) -> None:
        if not refusals:
            return
        if not self.force:
            raise RefusedError(refusals)
        self.source = replace(self.source, forced=self.force)
        self.notices += [refusal.message for refusal in refusals]

    def _is_newest(self) -> bool:
        imported = RatingList.objects.filter(origin=Origin.IMPORTED, date__gt=self.on)
        return not imported.exists() and not FideList.objects.filter(date__gt=self.on).exists()

    def _records(self) -> Iterator[ListRecord]:
        """Yield the records, and pass each to the lists that are stored for comparison, or corrected."""
        takers: list[RecordsToCompare | CorrectedList] = [*self.compared, *self.corrected]
        for record in self.records:
            for taker in takers:
                taker.add(record)
            yield record

    def _write(self, plans: list[Plan], people: PeopleImport) -> list[RatingList]:
        if not people.may_update:
            self.notices.append(SENTENCES.say("later-imported"))
        is_large = self.source.size >= LARGE_FILE
        # The first list of a portal has to be in within 90 s: indexes of empty tables are built when all rows are in.
        with loading(Player, NameWord, ListEntry) if is_large else nullcontext(), gc_disabled():
            texts = load_adoptions()
            lists = [begin_list(plan, texts, on=self.on, at=self.at) for plan in plans]
            self._write_rows(lists, people, texts)
            self._refuse_unless_forced(self.records.refusals())
            self.report(ImportStep.BUILDING, *self.stream.progress)
        self._refuse_unless_forced([refusal for item in lists for refusal in missing_refusals(item)])
        for rating_list in lists:
            self.report(ImportStep.COMPLETING, *self.stream.progress)
            complete(rating_list, self.source, read=self.records.read)
            take_contained(rating_list, self.contained, by=self.by, at=self.at)
            rate_again(rating_list, at=self.at, dispatch=self.dispatch)
            self._correct(rating_list)
            _keep_rankings_after_commit(rating_list)
        for item in self.corrected:
            try:
                self.notices.append(item.record(by=self.by, at=self.at, born_otherwise=people.born_otherwise))
            except RefusedError as error:
                # Of several lists in a file, one that is incomplete does not keep the others out.
                if not lists and len(self.corrected) == 1:
                    raise
                self.notices += [refusal.message for refusal in error.refusals]
        link_known_ids(at=self.at, dispatch=self.dispatch)
        # A list that PostgreSQL takes for empty is compared with the one before row by row, for minutes.
        analyze_tables(ListEntry, Player)
        return lists

    def _correct(self, rating_list: RatingList) -> None:
        """Correct what a standard list rates otherwise that came after the publication (D-77)."""
        if rating_list.kind != ListKind.STANDARD:
            return
        for tournament, lines in correct_standard_ratings(rating_list, at=self.at):
            event, number = tournament.event_id, len(lines)
            self.notices.append(SENTENCES.say("standard-corrects", date=self.on, event=event, number=number))

    def _write_rows(self, lists: list[RatingList], people: PeopleImport, texts: Adoptions) -> None:
        federations, successors = FederationImport(), Successors()
        entries = Entries(lists, texts, on=self.on)
        records = self._records() if self.compared or self.corrected else self.records
        # The database and this process take turns otherwise: a thread reads while the rows before go in.
        for batch in produce_ahead(batched(successors.others(records), CHUNK)):
            federations.ensure(record.federation for record in batch)
            entries.write(people.merge(batch))
            self.report(ImportStep.READING, *self.stream.progress)
        # At the end of the file it is known whether the successor has a record of their own.
        entries.write(successors.inherited([item.kind for item in lists]))
        self.notices += [*federations.notices, *successors.notices]

    def _outcome(self, people: PeopleImport, lists: list[RatingList]) -> Import:
        written = {item.kind: item for item in lists}
        imported = [
            ImportedList(
                item.kind,
                item.listed,
                is_new=plan.is_open,
                differing=differing_ratings(item) if plan.is_open else None,
            )
            for plan in self.plans
            if plan.is_open or (plan.is_known and not plan.is_compared)
            if (item := written.get(plan.kind, plan.existing))
        ]
        return Import(
            on=self.on,
            read=self.records.read,
            created=people.created,
            changed=people.changed,
            lists=tuple(imported),
            problems=tuple(self.records.problems),
            problem_count=self.records.problem_count,
            repairs=tuple(self.records.repairs.values()),
            notices=tuple(self.notices),
            compared=tuple(ImportedList(item.kind, item.listed, is_new=True) for item in self.compared),
            changes=tuple(people.changes),
            kept=tuple(people.kept),
            kept_count=people.kept_count,
            corrected=tuple(item.rating_list.kind for item in self.corrected),
            waiting=tuple((item.event.event_id, item.event.name) for item in self.waiting),
            contained=tuple(item.event.event_id for item in self.contained),
        )


def _source(path: Path, *, forced: str, adopted: str) -> ImportedFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return ImportedFile(path.name, digest, file.tell(), forced=forced, adopted=adopted)


def _silent(step: str, done: int, total: int) -> None:
    """Report to nobody."""


ROWS = 5_000
# What a record and a row of a single list have in common.
PERSON = attrgetter(*ExportRow._fields[: ExportRow._fields.index("rating")])


class RecordsToCompare:
    """Takes the records of a file as they come and writes the rated ones as a single list, gzipped XML."""

    def __init__(self, kind: str, on: date) -> None:
        self.kind, self.on, self.listed = kind, on, 0
        self._rows: list[ExportRow] = []
        self._head, self._tail = write_list("xml", [], kind=kind, date=on)
        self._spool: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        # Without name and time, so that one file of FIDE's gives the same bytes each time.
        self._file = gzip.GzipFile(filename="", fileobj=self._spool, mode="wb", compresslevel=3, mtime=0)
        self._file.write(self._head)

    def close(self) -> None:
        """Delete what was written to be stored."""
        self._file.close()
        self._spool.close()

    def add(self, record: ListRecord) -> None:
        """Add a record if it has a rating of the kind."""
        rating: ListedRating | None = getattr(record, self.kind)
        if rating is None:
            return
        self.listed += 1
        figures = (rating.rating, rating.games, rating.k, record.is_inactive)
        self._rows.append(ExportRow._make((*PERSON(record), *figures)))
        if len(self._rows) >= ROWS:
            self._write()

    def keep(self, source: ImportedFile, *, at: datetime) -> FideList:
        """Store the list and its row, from which it can be read like any list of FIDE's."""
        self._write()
        self._file.write(self._tail)
        self._file.close()
        self._spool.seek(0)
        path = f"fide/{self.kind}/{self.kind}-{self.on.isoformat()}-{source.sha256[:12]}.xml.gz"
        put(path, File(self._spool))
        return FideList.objects.create(
            kind=self.kind,
            date=self.on,
            source=source.name[:200],
            sha256=source.sha256,
            listed=self.listed,
            path=path,
            kept_at=at,
        )

    def _write(self) -> None:
        _head, *pieces, _tail = write_list("xml", self._rows, kind=self.kind, date=self.on)
        self._file.writelines(pieces)
        self._rows = []


T = TypeVar("T")


def produce_ahead(items: Iterable[T]) -> Iterator[T]:
    """Yield items; a thread produces the next one while the caller uses the present one.

    Producing must not use the database. Its errors are raised here, in the caller's language. The thread ends with
    the iterator.
    """
    iterator, language = iter(items), translation.get_language()

    def produce() -> list[T]:
        # The active language belongs to a thread, and this is another one.
        with translation.override(language):
            return list(islice(iterator, 1))

    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(produce)
        while item := coming.result():
            coming = thread.submit(produce)
            yield item[0]


def reports_waiting(kinds: Iterable[str], on: date) -> list[Report]:
    """Return the accepted reports that the list of a date may contain: those that ended in time for it."""
    published = [kind for kind in kinds if kind in PUBLISHED_KINDS]
    return [report for kind in published for report in lock_due_reports(kind, on, is_adopted=True)]


def take_contained(rating_list: RatingList, reports: Collection[Report], *, by: Any, at: datetime) -> None:
    """Mark waiting reports as rated on an adopted list, which has what they did to the ratings."""
    reports = [report for report in reports if report.event.kind == rating_list.kind]
    if not reports:
        return
    ratings = ratings_of(reports, at=at)
    TournamentRating.objects.filter(pk__in=[item.pk for item in ratings]).update(included_in=rating_list)
    set_published(rating_list, reports, by=by, at=at)
