"""Counting the figures of a list (D-134): of a candidate from its calculations, of a stored list from its rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Count, QuerySet, Sum

from core.bulk import batched
from core.digests import sha256_of
from core.sql import ids_subquery
from players.federations import unlisted_codes
from players.models import Player
from ratings.choices import EntryStatus, Origin
from ratings.entries import ratings_on
from ratings.ledger.periods import Periods
from ratings.models import (
    Calculation,
    Judgement,
    ListAdjustment,
    ListEntry,
    NextList,
    ProvisionalCalculation,
    RatingList,
    TournamentRating,
)
from ratings.publish.entries import entries_not_carried, listing_of
from ratings.systems.judgement import (
    FIRST,
    LARGEST,
    LISTS,
    Came,
    Left,
    ListFigures,
    Moved,
    Row,
    Stop,
    add_row,
    compare_first,
)
from ratings.systems.otb.listing import DECEASED
from ratings.systems.otb.period import EXCLUDED, PeriodResult
from ratings.systems.otb.rules import months_after
from ratings.systems.otb.values import Status
from ratings.systems.otb.wording import CORRECTED_FIRST, CORRECTION, INITIAL_LOST, JOINED, MERGED
from ratings.systems.registry import first_rating_keys

BATCH, CHUNK = 20_000, 5_000
# So many events and players are named behind a figure.
EVENTS_BEHIND, PLAYERS_BEHIND = 10, 20
CAME = {CORRECTED_FIRST: Came.CORRECTED, CORRECTION: Came.CORRECTED, JOINED: Came.MERGED}
LEFT = {
    MERGED: Left.MERGED,
    EXCLUDED: Left.WITHHELD,
    DECEASED: Left.DECEASED,
    INITIAL_LOST: Left.CORRECTED,
    CORRECTION: Left.CORRECTED,
}
OF_STATUS = {EntryStatus.WITHHELD: Left.WITHHELD, EntryStatus.DECEASED: Left.DECEASED}
# An equal result in two tournaments of fewer games is no sign of a report given in twice.
MANY_GAMES = 4


# What is read of a calculation.
CALCULATED = (
    "result",
    "games",
    "change_hundredths",
    "correction_hundredths",
    "base_rating",
    "rounded_change",
)


class Candidate:
    """A list that is being published, with its calculations: its figures, and what is behind each of them."""

    def __init__(
        self, rating_list: RatingList, sources: Periods, results: Mapping[int, PeriodResult]
    ) -> None:
        self._list, self._sources, self._results = rating_list, sources, results
        self._rows = [*self._calculated(), *self._others()]

    def figures(self) -> ListFigures:
        """Return the figures of the list; its entries are written."""
        figures = ListFigures()
        for row in (*self._rows, *self._adjusted()):
            add_row(figures, row)
        both = [row for row in self._rows if None not in (row.before, row.now) and row.before != row.now]
        both.sort(key=lambda row: (-abs((row.now or 0) - (row.before or 0)), row.player_id))
        figures.largest = _named(map(_moved, both[:LARGEST]))
        _add_stored(figures, self._list)
        return figures

    def add_behind(self, stop: Stop) -> Stop:
        """Return a stop with the tournaments and players behind its figure."""
        rows = sorted(filter(_test_of(stop), self._rows), key=_weight_of(stop))
        events: Counter[str] = Counter()
        for row in rows:
            result = self._results.get(row.player_id)
            events.update({item.event.event_id for item in result.events} if result else ())
            events.update({share.event_id for share in result.pool} if result and row.before is None else ())
        named = sorted(events, key=lambda event: (-events[event], event))[:EVENTS_BEHIND]
        players = _named(map(_moved, rows[:PLAYERS_BEHIND]))
        behind = [sorted(events), sorted((row.player_id, row.before, row.now) for row in rows)]
        cause = sha256_of(json.dumps(behind).encode())[:16]
        return replace(stop, events=tuple(named), players=tuple(players), cause=cause)

    def _calculated(self) -> Iterator[Row]:
        sources, first = self._sources, first_rating_keys()
        # What these IDs had is their person's, so that the list before has to be asked.
        merged = {*sources.merged_ids, *sources.joined}
        listed = ratings_on(self._list.previous, merged) if merged else {}
        for batch in batched(sorted(self._results), BATCH):
            people = Player.objects.filter(pk__in=ids_subquery(batch)).order_by("pk")
            for player_id, federation in people.values_list("pk", "federation_id"):
                result = self._results[player_id]
                before = listed.get(player_id) if player_id in merged else sources.previous_rating(player_id)
                entry = sources.entries.get(player_id)
                k = entry.k if entry is not None and entry.is_rated else None
                yield Row(
                    player_id=player_id,
                    federation=federation,
                    before=before,
                    now=result.rating,
                    games=result.games,
                    change=result.change,
                    correction=result.correction,
                    adjustment=100 * result.adjustment,
                    came=_came(result.outcome, first),
                    left=LEFT.get(result.outcome, Left.BELOW_FLOOR),
                    has_repeated=_has_repeated(result),
                    is_corrected=player_id in sources.lines,
                    factors=[
                        (k, item.own.k or 0)
                        for item in result.events
                        if item.own.status is Status.RATED and item.participation.games
                    ],
                )

    def _adjusted(self) -> Iterator[Row]:
        """Yield those without a result whose rating a list moves that adjusts all of them (D-133)."""
        if not self._list.is_adjusted:
            return
        sides = [
            _by_player(place, _entries(list_id), "federation_id", "status", "rating")
            for place, list_id in enumerate((self._list.previous_id, self._list.pk))
        ]
        for player_id, found in _together(sides):
            if player_id not in self._results and len(found) == len(sides):
                row = _stored_row(player_id, found, (), is_imported=False, is_adjusted=True)
                if None not in (row.before, row.now) and row.before != row.now:
                    yield row

    def _others(self) -> Iterator[Row]:
        """Yield those without a result who come or leave: by a bar, its end, or the floor (9.1, 9.2, D-14)."""
        if self._list.previous_id is None:
            return
        listing = listing_of(self._list.kind, self._list.date, self._sources.adoptions)
        rows = entries_not_carried(self._list, listing, unlisted_codes(self._list.date))
        before = {
            player_id: (status, rating, federation)
            for player_id, status, rating, federation in rows.values_list(
                "player_id", "status", "rating", "player__federation_id"
            ).iterator(CHUNK)
            if player_id not in self._results
        }
        now: dict[int, tuple[str, int | None]] = {}
        for batch in batched(sorted(before), BATCH):
            found = ListEntry.objects.filter(
                rating_list=self._list, player__in=ids_subquery(batch)
            ).order_by()
            now |= {
                key: (status, rating)
                for key, status, rating in found.values_list("player_id", "status", "rating")
            }
        for player_id, (status, rating, federation) in before.items():
            new_status, new_rating = now.get(player_id, (EntryStatus.UNRATED, None))
            yield Row(
                player_id=player_id,
                federation=federation,
                before=rating if status == EntryStatus.LISTED else None,
                now=new_rating if new_status == EntryStatus.LISTED else None,
                came=Came.RETURNED,
                left=OF_STATUS.get(EntryStatus(new_status), Left.BELOW_FLOOR),
            )


def _came(outcome: str, first: Collection[str]) -> Came:
    if outcome in CAME:
        return CAME[outcome]
    return Came.FIRST if outcome in first else Came.RETURNED


def _has_repeated(result: PeriodResult) -> bool:
    """Return whether two tournaments of a player have the same games, score and opponents: one given in twice."""
    if len(result.events) < 2:
        return False
    parts = [item.participation for item in result.events if item.participation.games >= MANY_GAMES]
    return len({(part.games, part.half_points, part.opponents_sum) for part in parts}) < len(parts)


def _moved(row: Row) -> Moved:
    return Moved(row.player_id, row.federation, row.before, row.now)


def _named(rows: Iterable[Moved]) -> list[Moved]:
    some = list(rows)
    names = dict(Player.objects.filter(pk__in=[row.player_id for row in some]).values_list("pk", "name"))
    return [
        Moved(row.player_id, row.federation, row.before, row.now, names.get(row.player_id, ""))
        for row in some
    ]


def _test_of(stop: Stop) -> Any:
    """Return which rows are behind a figure."""
    figure = stop.figure.removeprefix("federation-")
    tests: dict[str, Any] = {
        "newcomers": lambda row: row.before is None and row.now is not None,
        "first-rating": lambda row: row.before is None and row.now is not None,
        "leavers": lambda row: row.now is None and row.before is not None,
        "move-over-400": lambda row: None not in (row.before, row.now) and abs(row.now - row.before) > 400,
        "corrections": lambda row: row.is_corrected,
        "repeated-results": lambda row: row.has_repeated,
        "k-as-listed": lambda row: any(listed not in (None, used) for listed, used in row.factors),
    }
    test = tests.get(figure, lambda row: row.games and None not in (row.before, row.now))
    return lambda row: test(row) and (not stop.federation or row.federation == stop.federation)


def _weight_of(stop: Stop) -> Any:
    """Return the order of the rows behind a figure: those that matter most first."""
    by_games = stop.figure.endswith(("games", "games-per-player"))
    # Of a mean, those on the side to which it is out of bounds.
    sign = -1 if stop.figure.endswith("mean-change") and stop.value < (stop.usual or 0) else 1

    def weight(row: Row) -> tuple[int, int]:
        change = (row.now or 0) - (row.before or 0)
        if stop.figure.endswith("mean-change"):
            return -sign * change, row.player_id
        return -(row.games if by_games else abs(change)), row.player_id

    return weight


def _add_stored(figures: ListFigures, rating_list: RatingList) -> None:
    """Add what the rows of a list say: its players by K and federation, its games, the first 100."""
    listed = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    for federation, k, number in listed.values_list("federation_id", "k_factor").annotate(number=Count("pk")):
        figures.whole.listed += number
        figures.part(federation).listed += number
        if k is not None:
            figures.factors[k] = figures.factors.get(k, 0) + number
    if rating_list.origin == Origin.PUBLISHED:
        taken = TournamentRating.objects.filter(included_in=rating_list).aggregate(games=Sum("counted_games"))
        figures.games = taken["games"] or 0
    compare_first(figures, _first_of(rating_list.previous_id), _first_of(rating_list.pk))


def _first_of(list_id: int | None) -> dict[int, int]:
    """Return the ratings of the first 100 active players of a list."""
    if list_id is None:
        return {}
    entries = ListEntry.objects.filter(rating_list=list_id, is_inactive=False).listed().in_list_order()
    return {key: rating or 0 for key, rating in entries.values_list("player_id", "rating")[:FIRST]}


def figures_of_stored(rating_list: RatingList) -> ListFigures:
    """Return the figures of a list that is there, as far as its rows say them; a chunk of rows is in memory.

    An imported list has no calculations: why players came and left is not known, and all points are those of games.
    """
    figures, first = ListFigures(), first_rating_keys()
    largest: list[Moved] = []
    calculated = Calculation.objects.filter(rating_list=rating_list).order_by("player_id")
    parts: list[Iterator[tuple[int, int, tuple[Any, ...]]]] = [
        _by_player(0, _entries(rating_list.previous_id), "federation_id", "status", "rating"),
        _by_player(1, _entries(rating_list.pk), "federation_id", "status", "rating", "games"),
        _by_player(2, calculated, *CALCULATED),
    ]
    # Of the first list nobody is a newcomer: there is no list before.
    for player_id, found in _together(parts) if rating_list.previous_id else ():
        is_imported = rating_list.origin == Origin.IMPORTED
        is_adjusted = rating_list.is_adjusted
        row = _stored_row(player_id, found, first, is_imported=is_imported, is_adjusted=is_adjusted)
        if row.before is None and row.now is None:
            continue
        add_row(figures, row)
        if None not in (row.before, row.now) and row.before != row.now:
            largest.append(_moved(row))
            if len(largest) > 50 * LARGEST:
                largest = _largest(largest)
    figures.largest = _named(_largest(largest))
    _add_stored(figures, rating_list)
    return figures


def fill_figures(*, at: datetime, kind: str = "", before: date | None = None) -> int:
    """Store the figures of lists that have none, the newest first, and return how many; each is a step of its own.

    Of a `kind`, those that bound the figures of the list of the day `before`. Lists of before there were figures, and
    imported ones, get them at night, or where the next publication needs them.
    """
    lists = RatingList.objects.defer("manifest").order_by("-date", "kind")
    if before is not None:
        first = months_after(before, -LISTS)
        lists = lists.filter(kind=kind, date__lt=before, date__gte=first)
    missing = list(lists.filter(judgement=None))
    for rating_list in missing:
        figures = figures_of_stored(rating_list)
        known = Judgement.objects.filter(kind=rating_list.kind, date=rating_list.date, rating_list=None)
        values = {"rating_list": rating_list, "figures": figures, "judged_at": at}
        # FIDE's list may have been adopted in place of one that was stopped.
        if not known.update(**values, stops=[], differences=[]):
            row = Judgement(kind=rating_list.kind, date=rating_list.date, **values)
            Judgement.objects.bulk_create([row], ignore_conflicts=True)
    return len(missing)


def _entries(list_id: int | None) -> QuerySet[ListEntry]:
    return ListEntry.objects.filter(rating_list=list_id).order_by("player_id")


def _by_player(place: int, rows: QuerySet[Any], *names: str) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
    for player_id, *values in rows.values_list("player_id", *names).iterator(CHUNK):
        yield player_id, place, tuple(values)


def _together(
    parts: list[Iterator[tuple[int, int, tuple[Any, ...]]]],
) -> Iterator[tuple[int, dict[int, tuple[Any, ...]]]]:
    for player_id, rows in groupby(merge(*parts), itemgetter(0)):
        yield player_id, {place: values for _key, place, values in rows}


def _stored_row(
    player_id: int,
    found: Mapping[int, tuple[Any, ...]],
    first: Collection[str],
    *,
    is_imported: bool,
    is_adjusted: bool,
) -> Row:
    code, status, before = found.get(0, ("", "", None))
    new_code, new_status, now, *games = found.get(1, (code, "", None, 0))
    outcome, played, change, correction, base, rounded = found.get(
        2, ("", games[0] if games else 0, 0, 0, before, 0)
    )
    before = before if status == EntryStatus.LISTED else None
    now = now if new_status == EntryStatus.LISTED else None
    if is_imported and None not in (before, now):
        change = 100 * ((now or 0) - (before or 0))
    adjustment = _adjustment(now, base, rounded) if is_adjusted else 0
    left = OF_STATUS.get(new_status, Left.UNKNOWN if is_imported else Left.BELOW_FLOOR)
    return Row(
        player_id=player_id,
        federation=new_code,
        before=before,
        now=now,
        games=played,
        change=change,
        correction=correction,
        adjustment=adjustment,
        came=Came.UNKNOWN if is_imported else _came(outcome, first),
        left=LEFT.get(outcome, left),
        is_corrected=bool(correction),
    )


def _adjustment(now: int | None, base: int | None, rounded: int) -> int:
    """Return what the formula of a list adds to a rating beside its own change, in hundredths (D-133)."""
    return 0 if now is None or base is None else 100 * (now - base - rounded)


def _largest(moved: list[Moved]) -> list[Moved]:
    return sorted(moved, key=lambda row: (-abs(row.change), row.player_id))[:LARGEST]


def figures_so_far(day: date, before: Mapping[str, ListFigures]) -> dict[str, ListFigures]:
    """Return the figures of the lists of a day as they would be now, by kind; `before` are those of the lists before.

    By the provisional calculations: whoever leaves without a result, K and the first 100 are not known yet.
    """
    coming = list(NextList.objects.filter(date=day))
    found = {row.kind: ListFigures() for row in coming}
    first = first_rating_keys()
    adjusted = set(ListAdjustment.objects.confirmed().filter(list_date=day).values_list("kind", flat=True))
    for kind, figures in found.items():
        for federation, part in before[kind].federations.items() if kind in before else ():
            figures.part(federation).listed = part.listed
            figures.whole.listed += part.listed
    rows = ProvisionalCalculation.objects.filter(kind__in=found, list_date=day).order_by()
    who = ("kind", "player_id", "player__federation_id", "previous_rating", "new_rating")
    for kind, player_id, federation, rating, now, *calculated in rows.values_list(*who, *CALCULATED).iterator(
        CHUNK
    ):
        result, games, change, correction, base, rounded = calculated
        row = Row(
            player_id=player_id,
            federation=federation,
            before=rating,
            now=now,
            games=games,
            change=change,
            correction=correction,
            adjustment=_adjustment(now, base, rounded) if kind in adjusted else 0,
            came=_came(result, first),
            left=LEFT.get(result, Left.BELOW_FLOOR),
            is_corrected=bool(correction),
        )
        add_row(found[kind], row)
    taken = [tournament for row in coming for tournament in row.taken.values()]
    waiting = TournamentRating.objects.filter(included_in=None, report__tournament__in=taken).order_by()
    counted = waiting.values_list("report__tournament__kind").annotate(games=Sum("counted_games"))
    for kind, number in counted:
        if kind in found:
            found[kind].games = number or 0
    return found
