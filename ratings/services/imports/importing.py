"""Importing one file: read once as a stream, in one transaction that leaves the state before or the state after."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import structlog
from django.db import transaction
from django.utils.translation import gettext as _

from core.bulk import analyze_tables, batched, gc_disabled, produce_ahead
from core.errors import Refusal, RefusedError
from players.fide_list import (
    FideListError,
    LineProblem,
    ListRecord,
    ListStream,
    kind_from_name,
    open_list,
    read_list,
)
from players.models import NameWord, Player
from ratings.choices import Origin
from ratings.models import ListEntry, RatingList
from ratings.queries.in_force import load_adoptions
from ratings.queries.ranking import count_rankings, keep
from ratings.services.imports.entries import Entries, Target
from ratings.services.imports.fresh_tables import loading
from ratings.services.imports.lists import Source, complete, open_target, rate_again
from ratings.services.imports.people import Federations, People, Successors
from ratings.services.imports.plans import Import, ImportedList, Plan, ReportProgress, plans_for
from ratings.services.publication.due import lock_lists
from ratings.systems.registry import Adoptions
from tournaments.signals import Dispatch

MOST_PROBLEMS = 1_000
# So many lines may be unreadable before they must be fewer than those that are read.
MOST_UNREADABLE = 20_000


class Records:
    """Yields the records; the first problems are kept, all are counted.

    `FideListError` as soon as far too many lines cannot be read: a file that unpacks to nothing but such lines
    shall not keep a machine busy for hours.
    """

    def __init__(self, items: Iterable[ListRecord | LineProblem]) -> None:
        self.read = 0
        self.problems: list[LineProblem] = []
        self.problem_count = 0
        self._items = items

    def __iter__(self) -> Iterator[ListRecord]:
        for item in self._items:
            if isinstance(item, LineProblem):
                self._note(item)
                continue
            self.read += 1
            yield item

    def _note(self, problem: LineProblem) -> None:
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)
        if self.problem_count > max(MOST_UNREADABLE, self.read):
            message = _(
                "Most lines of the file cannot be read, the first of them is line %(line)d: %(reason)s"
            )
            first = self.problems[0]
            raise FideListError(message % {"line": first.line, "reason": first.message})


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
) -> Import:
    """Bring a FIDE list file in: players, federations and the lists of that date; a known file changes nothing.

    `kind` is that of a single list whose name does not say it, or the one of a combined list that is wanted. Rating
    again what the lists are in force for goes to `dispatch`, else to workers.
    `FideListError` where the file is no list, `RefusedError` where none of its lists may go in: nothing is
    written then. A list that may not go in, beside others that may, is named in the notices.
    """
    if on.day != 1:
        raise RefusedError(
            [Refusal("list-date-6.1", _("A list is dated the first of a month (6.1)."), "date")]
        )
    with open_list(path) as stream:
        reading = read_list(stream, kind=kind or kind_from_name(path.name))
        kinds = [item for item in reading.kinds if kind in (None, item)]
        source = _source(path)
        with transaction.atomic():
            lock_lists()
            plans = plans_for(kinds, on=on, sha256=source.sha256)
            if all(plan.refusal for plan in plans):
                raise RefusedError([Refusal("list-stands-D-11", plan.refusal, "file") for plan in plans])
            job = _Job(stream, Records(reading), plans, source, on, at, report or _silent, dispatch)
            job.notice_kind(reading.kinds)
            done = job.run()
    logger.info("list imported", file=path.name, date=on.isoformat(), read=done.read, new=not done.is_known)
    return done


def _keep_rankings_after_commit(rating_list: RatingList) -> None:
    """Let the first readers of a list not wait until its ratings are counted."""
    # No partial: Django tells of what fails after a commit by a name that a partial does not have.
    transaction.on_commit(lambda: keep(count_rankings(rating_list)), robust=True)


@dataclass(slots=True)
class _Job:
    """One file on its way in."""

    stream: ListStream
    records: Records
    plans: list[Plan]
    source: Source
    on: date
    at: datetime
    report: ReportProgress
    dispatch: Dispatch | None
    notices: list[str] = field(default_factory=list)

    def run(self) -> Import:
        """Write what is new, or only read where nothing is, and say what was done."""
        self.notices += [plan.refusal for plan in self.plans if plan.refusal]
        wanted = [plan for plan in self.plans if plan.is_open]
        people = People(may_update=self._is_newest())
        targets = self._write(wanted, people) if wanted else self._read()
        if not self.records.read:
            raise FideListError(_("Not one player of the file can be read; nothing was imported."))
        return self._outcome(people, targets)

    def notice_kind(self, kinds: tuple[str, ...]) -> None:
        """Say so where the file's name speaks of another kind than the one that was given."""
        named = kind_from_name(self.source.name)
        if len(kinds) == 1 and named not in (None, kinds[0]):
            message = _("The file's name says %(named)s; it was read as the %(kind)s list, as told.")
            self.notices.append(message % {"named": named, "kind": kinds[0]})

    def _is_newest(self) -> bool:
        return not RatingList.objects.filter(origin=Origin.IMPORTED, date__gt=self.on).exists()

    def _read(self) -> list[Target]:
        for _batch in batched(self.records, CHUNK):
            self._report_reading()
        return []

    def _write(self, plans: list[Plan], people: People) -> list[Target]:
        if not self._is_newest():
            self.notices.append(
                _("A later list was imported before: players were created where new, but not changed.")
            )
        with self._loading(), gc_disabled():
            texts = load_adoptions()
            targets = [open_target(plan, texts, on=self.on, at=self.at) for plan in plans]
            self._write_rows(targets, people, texts)
            self.report(_("building indexes"), *self.stream.progress)
        for target in targets:
            self.report(_("completing the lists"), *self.stream.progress)
            self.notices += complete(target, self.source, read=self.records.read)
            rate_again(target.rating_list, at=self.at, dispatch=self.dispatch)
            _keep_rankings_after_commit(target.rating_list)
        # A list that PostgreSQL takes for empty is compared with the one before row by row, for minutes.
        analyze_tables(ListEntry, Player)
        return targets

    def _write_rows(self, targets: list[Target], people: People, texts: Adoptions) -> None:
        federations, successors = Federations(), Successors()
        entries = Entries(targets, texts, on=self.on)
        # The database and this process take turns otherwise: a thread reads while the rows before go in.
        for batch in produce_ahead(batched(successors.others(self.records), CHUNK)):
            federations.ensure(record.federation for record in batch)
            entries.write(people.merge(batch))
            self._report_reading()
        entries.write(successors.inherited([target.rating_list.kind for target in targets]))
        self.notices += [*federations.notices, *successors.notices]

    def _loading(self) -> AbstractContextManager[None]:
        is_large = self.source.size >= LARGE_FILE
        return loading(Player, NameWord, ListEntry) if is_large else nullcontext()

    def _report_reading(self) -> None:
        self.report(_("reading"), *self.stream.progress)

    def _outcome(self, people: People, targets: list[Target]) -> Import:
        written = {target.rating_list.kind: target.listed for target in targets}
        lists = [
            ImportedList(plan.kind, written[plan.kind], is_new=True)
            if plan.kind in written
            else ImportedList(plan.kind, plan.existing.listed if plan.existing else 0, is_new=False)
            for plan in self.plans
            if not plan.refusal
        ]
        return Import(
            on=self.on,
            read=self.records.read,
            created=people.created,
            changed=people.changed,
            lists=tuple(lists),
            problems=tuple(self.records.problems),
            problem_count=self.records.problem_count,
            notices=tuple(self.notices),
        )


def _source(path: Path) -> Source:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Source(path.name, digest, file.tell())


def _silent(step: str, done: int, total: int) -> None:
    """Report to nobody."""
