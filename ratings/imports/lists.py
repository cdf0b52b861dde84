"""The rows and entries of imported lists: created before the entries are read, completed after.

An entry has the figures of the file and what is inferred from them (D-12). An imported list must not delete what the
portal knows of players who are not on it (D-15).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache, partial
from itertools import chain, product
from operator import attrgetter
from typing import Any

from django.db.models import Exists, OuterRef, Q

from core.bulk import stream_rows, update_rows, write_rows
from core.errors import Refusal, stated_refusal
from core.sql import ids_subquery
from players.federations import unlisted_codes
from players.fide_list import ListedRating, ListRecord
from players.models import Player
from ratings.choices import SENTENCES, ListKind, Origin, Work
from ratings.choices import EntryStatus as StoredStatus
from ratings.due_runs import make_due
from ratings.imports.outcome import ImportedFile
from ratings.imports.people import PERSON, WIDTH
from ratings.imports.plans import Plan
from ratings.in_force import load_adoptions
from ratings.ledger.figures import ENTRY_FIELDS, ROW_FIELDS
from ratings.ledger.stored import entry_from, entry_values
from ratings.lists import read_lists
from ratings.models import (
    CorrectionLine,
    Judgement,
    ListEntry,
    PoolEvent,
    RatingList,
    TournamentRating,
)
from ratings.publish.manifest import seal
from ratings.systems.otb.listing import EntryFigures, EntryStatus, imported_entry
from ratings.systems.registry import ENGINE_VERSION, Adoptions
from tournaments.choices import ReportState
from tournaments.signals import Dispatch

CACHED = 1 << 17
NOT_REACHED = (False, False)
# What an entry has by the list before, too.
INFERRED = ("reached_2300", "reached_2400", "k_reason")


class Entries:
    """Writes the entries of the lists of one file, and counts the listed of each."""

    def __init__(self, lists: Sequence[RatingList], adoptions: Adoptions, *, on: date) -> None:
        self._lists = [(item, PreviousFacts(item.previous_id)) for item in lists]
        # Most players share their figures with others: a list has far fewer than players.
        self._values = lru_cache(CACHED)(partial(_values, on, adoptions))

    def write(self, records: Sequence[ListRecord]) -> None:
        """Write the entries of some records into each list."""
        # Each asks the database before the first row is sent: no query can run while rows go in.
        parts = [self._rows(rating_list, known, records) for rating_list, known in self._lists]
        stream_rows(ListEntry, ROW_FIELDS, chain.from_iterable(parts))

    def _rows(
        self, rating_list: RatingList, known: PreviousFacts, records: Sequence[ListRecord]
    ) -> Iterator[tuple[Any, ...]]:
        place, pk, values = ListRecord._fields.index(rating_list.kind), rating_list.pk, self._values
        rated = [record for record in records if record[place] is not None]
        # The index in list order is gone through once a batch, not from anywhere to anywhere.
        rated.sort(key=attrgetter(f"{rating_list.kind}.rating"), reverse=True)
        rating_list.listed += len(rated)
        reached, played = known.reached, known.last_played(rated)
        return (
            (
                pk,
                *record[:WIDTH],
                *values(
                    record[place],
                    record.birth_year,
                    record.is_inactive,
                    reached.get(record.fide_id, NOT_REACHED),
                    played.get(record.fide_id),
                ),
            )
            for record in rated
        )


class PreviousFacts:
    """The facts about players on the previous list that a FIDE list does not have (D-12)."""

    def __init__(self, list_id: int | None) -> None:
        entries = ListEntry.objects.filter(rating_list=list_id).order_by()
        self._entries = entries.none() if list_id is None else entries
        # Only a few: read them at once.
        marked = self._entries.filter(Q(reached_2300=True) | Q(reached_2400=True))
        values = marked.values_list("player_id", "reached_2300", "reached_2400")
        # The same pair for all who have the same marks.
        pairs = {pair: pair for pair in product((False, True), (False, True))}
        self.reached = {player: pairs[one, other] for player, one, other in values.iterator()}

    def last_played(self, records: Iterable[ListRecord]) -> Mapping[int, date | None]:
        """Return the list with the last rated game of those players who are inactive now; the others play."""
        inactive = (record.fide_id for record in records if record.is_inactive)
        rows = self._entries.filter(player__in=ids_subquery(inactive))
        return dict(rows.values_list("player_id", "last_played"))


def _values(
    on: date,
    adoptions: Adoptions,
    rating: ListedRating,
    birth_year: int | None,
    is_inactive: bool,
    reached: tuple[bool, bool],
    last_played: date | None,
) -> tuple[Any, ...]:
    # A list from before the first text may have no K; none is inferred then.
    has_text = adoptions.has_text_on(on)
    has_k = rating.k is not None or has_text
    entry = imported_entry(
        rating=rating.rating,
        games=rating.games,
        k=rating.k if has_k else 0,
        birth_year=birth_year,
        is_inactive=is_inactive,
        on=on,
        known=EntryFigures(reached_2300=reached[0], reached_2400=reached[1], last_played=last_played),
        adoptions=adoptions,
    )
    entry = entry if has_k else entry._replace(k=None)
    return entry_values(entry if has_text else entry._replace(k_reason=""))


REMEMBERED = (StoredStatus.WITHHELD, StoredStatus.UNRATED)


def remember(rating_list: RatingList) -> int:
    """Write the entries of those on the list before who are gone from this one; return how many there are.

    Who is withheld stays so, with the rating; who has reached 2300 or 2400 and is unrated now has reached it.
    """
    if rating_list.previous_id is None:
        return 0
    return write_rows(ListEntry, ROW_FIELDS, list(_rows(rating_list)))


def inform_following(rating_list: RatingList) -> None:
    """Update later imported lists by this one, so that the order of imports makes no difference."""
    previous = rating_list
    following = RatingList.objects.filter(kind=rating_list.kind, date__gt=rating_list.date)
    for later in following.filter(origin=Origin.IMPORTED).order_by("date"):
        later.previous = previous
        later.save(update_fields=["previous"])
        entries = ListEntry.objects.filter(rating_list=later)
        # They came from the list that was before until now.
        entries.filter(status__in=REMEMBERED).delete()
        before = ListEntry.objects.filter(rating_list=later.previous_id, player=OuterRef("player"))
        entries.filter(is_inactive=True).update(last_played=before.values("last_played"))
        _infer_again(later)
        remember(later)
        Judgement.objects.filter(rating_list=later).delete()
        previous = later


def _infer_again(rating_list: RatingList) -> None:
    """Infer anew who has reached 2300 or 2400, by this list or the one before, and why their K is so: they are few."""
    reached = PreviousFacts(rating_list.previous_id).reached
    marked = Q(reached_2300=True) | Q(reached_2400=True) | Q(player__in=ids_subquery(reached))
    adoptions, rows = load_adoptions(), []
    for entry in ListEntry.objects.filter(marked, rating_list=rating_list).iterator():
        figures = _values(
            rating_list.date,
            adoptions,
            ListedRating(entry.rating or 0, entry.games, entry.k_factor),
            entry.birth_year,
            entry.is_inactive,
            reached.get(entry.player_id, NOT_REACHED),
            entry.last_played,
        )
        inferred = dict(zip(ENTRY_FIELDS, figures, strict=True))
        values = [inferred[name] for name in INFERRED]
        if values != [getattr(entry, name) for name in INFERRED]:
            rows.append((entry.pk, *values))
    update_rows(ListEntry, ("id", *INFERRED), rows)


def _rows(rating_list: RatingList) -> Iterator[tuple[Any, ...]]:
    unlisted = unlisted_codes(rating_list.date)
    here = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player"))
    of_unlisted = Player.objects.filter(federation__in=unlisted).order_by()
    counts = Q(status__in=REMEMBERED) | (
        Q(status=StoredStatus.LISTED)
        & (Q(reached_2300=True) | Q(reached_2400=True) | Q(player__in=of_unlisted.values("pk")))
    )
    gone = ListEntry.objects.filter(counts, ~Exists(here), rating_list=rating_list.previous_id).order_by()
    person = (f"player__{name}" if name != "fide_id" else "player_id" for name in PERSON)
    for values in gone.values_list(*person, *ENTRY_FIELDS):
        entry = _withhold_unlisted(entry_from(values[WIDTH:]), is_unlisted=values[2] in unlisted)
        yield (rating_list.pk, *values[:WIDTH], *entry_values(entry))


def _withhold_unlisted(entry: EntryFigures, *, is_unlisted: bool) -> EntryFigures:
    if entry.status is EntryStatus.LISTED and is_unlisted:
        return entry._replace(status=EntryStatus.WITHHELD, games=0)
    if entry.status is EntryStatus.LISTED:
        return EntryFigures(
            EntryStatus.UNRATED, reached_2300=entry.reached_2300, reached_2400=entry.reached_2400
        )
    return entry._replace(games=0)


def begin_list(plan: Plan, adoptions: Adoptions, *, on: date, at: datetime) -> RatingList:
    """Return the list to be written: a new one, or the existing one emptied."""
    values = {
        "origin": Origin.IMPORTED,
        "rules": adoptions.text_on(on).slug if adoptions.has_text_on(on) else "",
        "engine_version": ENGINE_VERSION,
        "previous": read_lists().before(plan.kind, on),
        "published_at": at,
        "listed": 0,
    }
    rating_list, is_new = RatingList.objects.update_or_create(kind=plan.kind, date=on, defaults=values)
    # FIDE's second file of a month replaces the first while nothing has used it.
    if not is_new:
        # Undo what an imported list has written, so that its date can be read in again.
        PoolEvent.objects.filter(closed_by=rating_list).update(closed_by=None)
        CorrectionLine.objects.filter(taken_by=rating_list).update(taken_by=None)
        ListEntry.objects.filter(rating_list=rating_list).delete()
    # Its figures are counted at night, or before the next publication; what stopped the portal's own list is over.
    Judgement.objects.filter(kind=plan.kind, date=on).delete()
    return rating_list


def complete(rating_list: RatingList, source: ImportedFile, *, read: int) -> None:
    """Write what the list remembers, its counts and its manifest."""
    remembered = remember(rating_list)
    # Close the pools of the players on the list: a rating of any origin empties the pool (7.2).
    listed = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player")).listed()
    pools = PoolEvent.objects.filter(Exists(listed), kind=rating_list.kind, closed_by=None)
    pools.update(closed_by=rating_list)
    # It replaces the lists that corrections of these players wait with: no later one takes them (D-142).
    of_person = listed.filter(player=OuterRef("player__merged_into"))
    waiting = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=rating_list.kind)
    replaced = waiting.filter(corrected_list__date__lt=rating_list.date)
    replaced.filter(Exists(listed) | Exists(of_person)).update(taken_by=rating_list)
    manifest = {
        "kind": rating_list.kind,
        "date": rating_list.date.isoformat(),
        "rules": rating_list.rules,
        "engine": rating_list.engine_version,
        "source": source.name,
        "sha256": source.sha256,
        "read": read,
        "listed": rating_list.listed,
        "remembered": remembered,
        **source.reasons,
    }
    seal(rating_list, manifest)
    inform_following(rating_list)


# Of those listed a month before, one in so many may be missing, or a few; of an older list half. Few say nothing.
MONTH, ONE_IN, FEW = timedelta(days=62), 50, 20


def missing_refusals(rating_list: RatingList) -> list[Refusal]:
    """Return why a list is not whole: too many of those on the list before are missing (D-137)."""
    previous = rating_list.previous
    if previous is None or previous.listed < FEW:
        return []
    listed = ListEntry.objects.listed().order_by()
    here = listed.filter(rating_list=rating_list, player=OuterRef("player"))
    missing = listed.filter(~Exists(here), rating_list=previous).count()
    is_half = 2 * missing > previous.listed
    is_many = missing > max(FEW, previous.listed // ONE_IN)
    if not is_half and not (is_many and rating_list.date - previous.date <= MONTH):
        return []
    values = {
        "kind": rating_list.kind,
        "date": rating_list.date,
        "absent": missing,
        "before": previous.listed,
        "previous": previous.date,
    }
    return [stated_refusal(SENTENCES, "incomplete-D-137", "file", **values)]


def differing_ratings(rating_list: RatingList) -> int | None:
    """Return how many have another rating than on the list before, None without one: of a wrong file none, or all."""
    if rating_list.previous_id is None:
        return None
    listed = ListEntry.objects.listed().order_by()
    before = listed.filter(rating_list=rating_list.previous_id, player=OuterRef("player"))
    same = before.filter(rating=OuterRef("rating"))
    return listed.filter(Exists(before), ~Exists(same), rating_list=rating_list).count()


def rate_again(rating_list: RatingList, *, at: datetime, dispatch: Dispatch | None) -> None:
    """Queue the rating of unpublished accepted reports that use this list."""
    day = rating_list.date
    waiting = TournamentRating.objects.filter(
        included_in=None, report__state=ReportState.ACCEPTED, report__tournament__start__gte=day
    )
    if rating_list.kind == ListKind.STANDARD:
        stale = waiting.filter(Q(standard_basis=None) | Q(standard_basis__date__lt=day))
    else:
        own = waiting.filter(report__tournament__kind=rating_list.kind)
        stale = own.filter(Q(basis=None) | Q(basis__date__lt=day))
    for report in stale.order_by("report").values_list("report", flat=True):
        make_due(Work.RATE, str(report), at=at, dispatch=dispatch)
