"""Publishing a list: one transaction from the previous list and the accepted reports to entries and files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import structlog
from django.db import transaction
from django.dispatch import Signal

from core.bulk import analyze_tables, gc_disabled
from core.errors import Refusal, RefusedError, stated_refusal
from players.choices import Area, Deed
from players.log_chain import link_log
from players.minors import minors_on
from players.models.log import record_act
from players.titles import apply_due_titles
from ratings.choices import PUBLISHED_KINDS, Origin
from ratings.choices import SENTENCES as SENTENCES_OF_LISTS
from ratings.fees import make_statements
from ratings.in_force import InForce, load_adoptions
from ratings.judgements import load_before
from ratings.ledger.facts import Waiting
from ratings.ledger.periods import Periods, periods
from ratings.ledger.stored import events_of
from ratings.lists import date_refusals, lock_kind, read_lists
from ratings.models import CorrectionLine, ListEntry, RatingList, TournamentRating
from ratings.publish.announcement import announce
from ratings.publish.bundle import store_bundle
from ratings.publish.due_reports import lock_due_reports, ratings_of, set_published
from ratings.publish.entries import write_entries
from ratings.publish.figures import Candidate, fill_figures
from ratings.publish.files import store_files
from ratings.publish.judging import (
    StoppedError,
    explain_given,
    explained_of,
    given_for,
    keep_judgement,
    manifest_entry,
    record_stop,
    second_engine_differences,
)
from ratings.publish.manifest import manifest_of, seal
from ratings.publish.results import write_results
from ratings.ranking import Plain, keep, rankings_by
from ratings.systems.judgement import ListFigures, Stop, stops_of, unexplained
from ratings.systems.otb.period import PeriodResult
from ratings.systems.registry import ENGINE_VERSION, NoRulesError
from tournaments.list_dates import lists_after
from tournaments.lists import Lists
from tournaments.signals import Dispatch

logger = structlog.get_logger(__name__)
# A list was published: `rating_list` and `at`. Receivers run in the transaction of the list.
list_published = Signal()


@dataclass(frozen=True, slots=True)
class Publication:
    """A list, and whether this call made it."""

    rating_list: RatingList
    is_new: bool


def publish_lists(
    list_date: date,
    *,
    by: Any,
    at: datetime,
    dispatch: Dispatch | None = None,
    by_name: str = "",
    explanations: Mapping[str, str] | None = None,
) -> list[Publication]:
    """Publish both lists of a month, each in one transaction; a list that is there is left as it is.

    Called in two processes at once, each publishes one of the two, and both return when both stand.
    `by_name` says in the audit log who did it where `by` is nobody.
    Packing their files goes to `dispatch`, else to a worker. `explanations` are reasons for figures out of bounds, by
    their codes, and count for what stopped the list before. `RefusedError` as `publication_refusals` says, and
    `StoppedListsError` where a list is stopped (D-134).
    """
    refusals = publication_refusals(read_lists(), list_date, today=at.date())
    if refusals:
        raise RefusedError(refusals)
    made: dict[str, Publication] = {}
    stopped: dict[str, StoppedError] = {}
    for waits in (False, True):
        for kind in PUBLISHED_KINDS:
            if kind in made or kind in stopped:
                continue
            try:
                publication = _publish_if_free(
                    kind,
                    list_date,
                    by=by,
                    by_name=by_name,
                    at=at,
                    dispatch=dispatch,
                    waits=waits,
                    explanations=explanations,
                )
            except StoppedError as error:
                # The other list does not wait for the explanation.
                stopped[kind] = error
                continue
            if publication is not None:
                made[kind] = publication
    if stopped:
        raise StoppedListsError(list(stopped.values()), list(made.values()))
    return [made[kind] for kind in PUBLISHED_KINDS]


class StoppedListsError(RefusedError):
    """Lists of a month are stopped (D-134); `published` are those that are there."""

    def __init__(self, stopped: list[StoppedError], published: list[Publication]) -> None:
        super().__init__([refusal for one in stopped for refusal in one.refusals])
        self.stopped, self.published = stopped, published


def publish_list(
    kind: str,
    list_date: date,
    *,
    by: Any,
    at: datetime,
    dispatch: Dispatch | None = None,
    by_name: str = "",
    with_kinds: Iterable[str] = (),
) -> Publication:
    """Publish one list: entries, calculations, files and manifest appear together or not at all.

    `RefusedError` as `publication_refusals` says of its kind, and of those that are published with it.
    """
    refusals = publication_refusals(read_lists(), list_date, today=at.date(), kinds=[*with_kinds] or [kind])
    if refusals:
        raise RefusedError(refusals)
    publication = _publish_if_free(
        kind, list_date, by=by, by_name=by_name, at=at, dispatch=dispatch, waits=True
    )
    if publication is None:
        raise RuntimeError(f"{kind} {list_date} is being published elsewhere")
    return publication


def _publish_if_free(
    kind: str,
    list_date: date,
    *,
    by: Any,
    at: datetime,
    dispatch: Dispatch | None,
    waits: bool,
    by_name: str = "",
    explanations: Mapping[str, str] | None = None,
) -> Publication | None:
    """Publish a list, or return None where another process is at lists of the kind and this one does not wait."""
    given = explanations or {}
    if not read_lists().on(kind, list_date):
        _apply_titles(kind, list_date, at=at)
        fill_figures(at=at, kind=kind, before=list_date)
        # In a transaction of its own: the two lists of a month would wait for each other.
        link_log()
    try:
        with transaction.atomic(), gc_disabled():
            if not lock_kind(kind, waits=waits):
                return None
            lists = read_lists()
            if (there := lists.on(kind, list_date)) is not None:
                return Publication(there, is_new=False)
            # What was imported or published while this process waited for the lock bars it as well.
            if refusals := order_refusals(lists, kind, list_date):
                raise RefusedError(refusals)
            rating_list, rankings = _publish(
                kind, list_date, by=by, by_name=by_name, at=at, dispatch=dispatch, explanations=given
            )
            record_act(
                Area.LIST, Deed.PUBLISH, f"{kind} {list_date.isoformat()}", by=by, by_name=by_name, at=at
            )
            # The first readers of a list shall not wait until its ratings are counted, all at once and each for
            # themselves.
            transaction.on_commit(lambda: keep(rankings), robust=True)
            # Last, since it holds up whoever ends another list: a list that PostgreSQL takes for empty is compared with
            # the one before row by row, for minutes.
            analyze_tables(ListEntry)
    except StoppedError as stopped:
        # After the rollback: nothing of the list is there, and why is.
        record_stop(stopped, by=by, by_name=by_name, at=at)
        raise
    logger.info("list published", kind=kind, date=list_date.isoformat(), listed=rating_list.listed)
    return Publication(rating_list, is_new=True)


def _apply_titles(kind: str, list_date: date, *, at: datetime) -> None:
    """Apply the titles granted since the previous list, in a short separate transaction.

    Two processes publish the two kinds at once: neither waits for the players that the other has locked.
    """
    previous = read_lists().before(kind, list_date)
    if previous is not None:
        apply_due_titles(on=list_date, after=previous.date, recorded_after=previous.published_at, at=at)


def publication_refusals(
    lists: Lists[RatingList],
    list_date: date,
    *,
    today: date,
    kinds: Iterable[str] = PUBLISHED_KINDS,
) -> list[Refusal]:
    """Return why the lists of a date cannot be published: its date (6.1, D-13, D-70), or their order (D-71)."""
    if refusals := date_refusals(list_date, today=today):
        return refusals
    try:
        load_adoptions().text_on(list_date)
    except NoRulesError:
        return [stated_refusal(SENTENCES_OF_LISTS, "no-rules-D-13", "date", date=list_date)]
    return [refusal for kind in kinds for refusal in order_refusals(lists, kind, list_date)]


def order_refusals(lists: Lists[RatingList], kind: str, list_date: date) -> list[Refusal]:
    """Return why a list cannot follow those of its kind: one a month, the first one on an imported list (D-71)."""
    newest = lists.newest(kind)
    names: dict[str, Any] = {"kind": kind, "date": list_date}
    # A list that is there is left as it is: publishing again changes nothing, and is no fault.
    if lists.on(kind, list_date):
        return []
    if newest is None:
        return [stated_refusal(SENTENCES_OF_LISTS, "no-list-before-D-71", "date", **names)]
    if newest.date > list_date:
        return [
            stated_refusal(SENTENCES_OF_LISTS, "later-list-published", "date", later=newest.date, **names)
        ]
    missing = next(lists_after(newest.date))
    if missing == list_date:
        return []
    return [stated_refusal(SENTENCES_OF_LISTS, "month-missing-D-71", "date", missing=missing, **names)]


def _publish(
    kind: str,
    list_date: date,
    *,
    by: Any,
    by_name: str,
    at: datetime,
    dispatch: Dispatch | None,
    explanations: Mapping[str, str],
) -> tuple[RatingList, dict[str, Plain]]:
    ratings = ratings_of(lock_due_reports(kind, list_date), at=at)
    # What is in force is read after the locks: nothing of it changes until the list is published (D-104).
    facts = Waiting.now(kind, list_date, InForce(), played=events_of(ratings))
    sources = periods(kind, list_date, None, facts)
    results = sources.results()
    # Kept with the list: whoever asks later to hide minors does not change files that are published.
    minors = minors_on(list_date)
    rating_list = RatingList.objects.create(
        kind=kind,
        date=list_date,
        origin=Origin.PUBLISHED,
        rules=facts.adoptions.text_on(list_date).slug,
        engine_version=ENGINE_VERSION,
        previous=facts.previous,
        is_adjusted=facts.adjustment is not None,
        published_at=at,
        minors_hidden_of=[*minors.codes, *sorted(minors.people)],
    )
    _take_in(rating_list, ratings, sources, results, by=by, at=at)
    files, groups = store_files(rating_list)
    rating_list.listed = groups.total()
    # After the files, whose hashes its head has; the manifest names both.
    evidence = store_bundle(rating_list, sources, files)
    figures, stops, given = _judge(rating_list, Candidate(rating_list, sources, results), explanations)
    explain_given(kind, list_date, stops, given, by=by, by_name=by_name, at=at)
    manifest = manifest_of(rating_list, files, facts.adoptions) | {"evidence": evidence}
    seal(rating_list, manifest | manifest_entry(kind, list_date, stops))
    keep_judgement(rating_list, figures, stops, at=at)
    make_statements(rating_list)
    announce(rating_list, at=at, dispatch=dispatch)
    list_published.send(RatingList, rating_list=rating_list, at=at)
    return rating_list, rankings_by(rating_list, groups)


def _judge(
    rating_list: RatingList, candidate: Candidate, given: Mapping[str, str]
) -> tuple[ListFigures, list[Stop], Mapping[str, str]]:
    """Return the figures of a list, what is out of bounds and explained, and the given reasons that count.

    `StoppedError` for all else (D-134).
    """
    kind, list_date = rating_list.kind, rating_list.date
    figures = candidate.figures()
    stops = stops_of(figures, load_before(kind, list_date), candidate.add_behind)
    explained, given = explained_of(kind, list_date), given_for(kind, list_date, stops, given)
    waits = [stop for stop in unexplained(stops, explained) if stop.code not in given]
    # Whatever the figures are: nobody can explain a difference away.
    differences = second_engine_differences(rating_list)
    if waits or differences:
        raise StoppedError(kind, list_date, figures, stops, waits, differences, given)
    return figures, stops, given


def _take_in(
    rating_list: RatingList,
    ratings: list[TournamentRating],
    sources: Periods,
    results: Mapping[int, PeriodResult],
    *,
    by: Any,
    at: datetime,
) -> None:
    TournamentRating.objects.filter(pk__in=[rating.pk for rating in ratings]).update(included_in=rating_list)
    write_results(rating_list, sources, results)
    lines = [line.pk for of_player in (*sources.lines.values(), sources.idle_lines) for line in of_player]
    CorrectionLine.objects.filter(pk__in=lines).update(taken_by=rating_list)
    write_entries(rating_list, sources, results)
    set_published(rating_list, [rating.report for rating in ratings], by=by, at=at)
