"""What the portal stores of players, as the values of a period: entries, pools, persons, the games of reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from core.bulk import batched
from core.sql import ids_subquery
from players.federations import LAST_DAY, Stays, Unlisted, who_left
from players.models import FederationExclusion, Player
from ratings.ledger.figures import ENTRY_FIELDS
from ratings.models import Calculation, ListEntry, ParticipantRating, PoolEvent, RatingList, TournamentRating
from ratings.models.calculation import PooledRow
from ratings.systems.otb.listing import DECEASED, EntryFigures, EntryStatus
from ratings.systems.otb.period import EXCLUDED, Span
from ratings.systems.otb.values import Event, Outcome, Participation, Status, StatusAtStart

BATCH = 20_000
CHUNK = 5_000
BARRED = {EntryStatus.WITHHELD.value: EXCLUDED, EntryStatus.DECEASED.value: DECEASED}


class StoredParticipation(NamedTuple):
    """A stored participation: its row, its tournament, and the event that it makes."""

    row: int
    tournament: int
    event: Event


class PersonOnList(NamedTuple):
    """What a list knows of a player beside the games.

    `barred` is the reason key for which it does not show the player, empty where it does; events that begin in a span
    of `void` count for nothing (D-114, D-143).
    """

    birth_year: int | None = None
    barred: str = ""
    void: tuple[Span, ...] = ()


NOBODY = PersonOnList()


def entry_from(values: Sequence[Any]) -> EntryFigures:
    """Return a stored entry, from its values in the order of `ENTRY_FIELDS`."""
    return EntryFigures(EntryStatus(values[0]), *values[1:])


def entry_values(entry: EntryFigures) -> tuple[Any, ...]:
    """Return an entry's values in the order of `ENTRY_FIELDS`."""
    return (str(entry.status), *entry[1:])


def entries_of(rating_list: RatingList | None, player_ids: Iterable[int]) -> dict[int, EntryFigures]:
    """Return the entries of some players on a list, of any status."""
    found: dict[int, EntryFigures] = {}
    if rating_list is None:
        return found
    for batch in batched(player_ids, BATCH):
        rows = ListEntry.objects.filter(rating_list=rating_list.pk, player__in=ids_subquery(batch))
        for player_id, *values in rows.values_list("player_id", *ENTRY_FIELDS):
            found[player_id] = entry_from(values)
    return found


def open_pools(kind: str, player_ids: Iterable[int]) -> dict[int, list[PooledRow]]:
    """Return the events in the pools of unrated players, lapsed and disregarded ones too."""
    return _pools(PoolEvent.objects.filter(kind=kind, closed_by=None), player_ids)


def pools_before(rating_list: RatingList, player_ids: Iterable[int]) -> dict[int, list[PooledRow]]:
    """Return the pools as they stood before a published list."""
    rows = PoolEvent.objects.filter(kind=rating_list.kind, added_by__date__lt=rating_list.date)
    # Excluded, since a filter for a later date would lose the pools that no list has closed.
    return _pools(rows.exclude(closed_by__date__lt=rating_list.date), player_ids)


def _pools(rows: QuerySet[PoolEvent], player_ids: Iterable[int]) -> dict[int, list[PooledRow]]:
    pools: dict[int, list[PooledRow]] = defaultdict(list)
    for batch in batched(player_ids, BATCH):
        some = rows.filter(player__in=ids_subquery(batch))
        for row in some.select_related("tournament", "participant_rating"):
            pools[row.player_id].append(pooled_row(row))
    return dict(pools)


def pooled_row(row: PoolEvent) -> PooledRow:
    """Return a stored event of a pool as the period takes it."""
    return PooledRow(row.share, row.tournament_id, row.participant_rating_id)


def dates_taken(tournaments: Collection[int]) -> dict[int, date]:
    """Return the dates of the lists that took tournaments."""
    if not tournaments:
        return {}
    rows = TournamentRating.objects.filter(
        report__tournament__in=ids_subquery(tournaments), included_in__isnull=False
    )
    return dict(rows.order_by().values_list("report__tournament", "included_in__date"))


def bar_of(federation: str, died_on: date | None, list_date: date, unlisted: frozenset[str]) -> str:
    """Return the reason key for which a list of that date does not show a player, empty where it does (9.1, 9.2).

    Who died on the day of the list or later is on it, and leaves with the next one (D-19).
    """
    if died_on is not None and died_on < list_date:
        return DECEASED
    return EXCLUDED if federation in unlisted else ""


class Bars:
    """Whom the lists of a date do not show, and when events that begin count for nothing (9.1, 9.2; D-114, D-143).

    A player is of the federation of the day on which the list was `made`: by default, of today's.
    """

    def __init__(self, list_date: date, unlisted: Unlisted, stays: Stays, *, made: date = LAST_DAY) -> None:
        self._date, self._codes, self._made = list_date, unlisted.on(list_date), made
        self._unlisted, self._stays = unlisted, stays

    def person(
        self, fide_id: int, birth_year: int | None, federation: str, died_on: date | None
    ) -> PersonOnList:
        """Return a person as the list sees them."""
        stays = self._stays.of(fide_id, federation)
        code = next(code for code, first, end in stays if first <= self._made < end)
        barred = bar_of(code, died_on, self._date, self._codes)
        # Dead, or outside FIDE from no known day on: there is none before which an event could have begun (D-114).
        if barred == DECEASED or (barred and code in self._unlisted.outside):
            return PersonOnList(birth_year, barred)
        return PersonOnList(birth_year, barred, tuple(self._unlisted.spans(stays)))


def people_of(player_ids: Iterable[int], bars: Bars) -> dict[int, PersonOnList]:
    """Return the persons as they are recorded now."""
    people: dict[int, PersonOnList] = {}
    for batch in batched(player_ids, BATCH):
        rows = Player.objects.filter(pk__in=ids_subquery(batch))
        for row in rows.values_list("pk", "birth_year", "federation_id", "died_on"):
            people[row[0]] = bars.person(*row)
    return people


def evidence_of(lists: Sequence[RatingList], player_ids: Iterable[int]) -> dict[int, dict[int, PersonOnList]]:
    """Return the players as lists knew them, by the key of the list: a few queries for all lists.

    Left out is of whom neither a list nor the one before it keeps anything.
    """
    entries: dict[int | None, dict[int, tuple[int | None, str]]] = defaultdict(dict)
    calculated: dict[int, dict[int, PersonOnList]] = defaultdict(dict)
    keys = [item.pk for item in lists]
    wanted = {*keys, *(item.previous_id for item in lists if item.previous_id is not None)}
    for batch in batched(player_ids, BATCH):
        of_players = Q(player__in=ids_subquery(batch))
        rows = ListEntry.objects.filter(of_players, rating_list__in=wanted).order_by()
        for list_id, player_id, year, status in rows.values_list(
            "rating_list_id", "player_id", "birth_year", "status"
        ):
            entries[list_id][player_id] = (year, BARRED.get(status, ""))
        results = Calculation.objects.filter(of_players, rating_list__in=keys).order_by()
        fields = ("rating_list_id", "player_id", "player__birth_year", "result")
        for list_id, player_id, year, result in results.values_list(*fields):
            barred = result if result in BARRED.values() else ""
            calculated[list_id][player_id] = PersonOnList(year, barred)
        # Only those of players who were once excluded keep when that was.
        for list_id, player_id, found in results.filter(_ever_excluded()).values_list(
            "rating_list_id", "player_id", "found"
        ):
            person = calculated[list_id][player_id]
            calculated[list_id][player_id] = person._replace(void=found.void)
    return {
        item.pk: _persons_known(entries[item.pk], entries[item.previous_id], calculated[item.pk])
        for item in lists
    }


def _ever_excluded() -> Q:
    """Match calculations of players who are or were of a federation that was once excluded."""
    codes = list(FederationExclusion.objects.order_by().values_list("federation_id", flat=True).distinct())
    return Q(result=EXCLUDED) | Q(player__federation__in=codes) | Q(player__in=who_left(codes))


def void_players(rating_list: RatingList) -> Iterator[int]:
    """Yield the players of whom an event on a list began in an exclusion (D-143)."""
    rows = Calculation.objects.filter(_ever_excluded(), rating_list=rating_list).order_by()
    for player_id, found in rows.values_list("player_id", "found").iterator(chunk_size=CHUNK):
        if found.void:
            yield player_id


def _persons_known(
    entries: Mapping[int, tuple[int | None, str]],
    previous: Mapping[int, tuple[int | None, str]],
    calculated: Mapping[int, PersonOnList],
) -> dict[int, PersonOnList]:
    """Return the persons of a list: the year of birth by its entry, else by the one before, else as it is now."""
    found = dict(calculated)
    for player_id, (year, _barred) in previous.items():
        found[player_id] = found.get(player_id, NOBODY)._replace(birth_year=year)
    for player_id, (year, barred) in entries.items():
        person = found.get(player_id, NOBODY)
        found[player_id] = person._replace(birth_year=year, barred=person.barred or barred)
    return found


def events_of(
    ratings: Sequence[TournamentRating], *, only: Collection[int] | None = None
) -> dict[int, list[StoredParticipation]]:
    """Return the events of the players in rated reports by FIDE ID, without their games (`outcomes_of`)."""
    tournaments = {rating.pk: rating.report.tournament for rating in ratings}
    events: dict[int, list[StoredParticipation]] = defaultdict(list)
    for batch in batched(tournaments, BATCH):
        rows = ParticipantRating.objects.filter(
            tournament_rating__in=ids_subquery(batch), player__isnull=False
        )
        if only is not None:
            rows = rows.filter(player__in=ids_subquery(only))
        values = rows.order_by("pk").values_list(
            "pk",
            "player_id",
            "tournament_rating_id",
            "start_status",
            "start_rating",
            "start_k",
            "k_reason",
            "games",
            "half_points",
            "opponents_sum",
            "change_hundredths",
        )
        for pk, player_id, rating_id, status, rating, k, reason, *sums in values.iterator(chunk_size=CHUNK):
            part = Participation(StatusAtStart(Status(status), rating, k, reason), (), *sums)
            tournament = tournaments[rating_id]
            event = Event(tournament.event_id, tournament.start, tournament.end, part)
            events[player_id or 0].append(StoredParticipation(pk, tournament.pk, event))
    return dict(events)


def outcomes_of(rows: Iterable[int]) -> Iterator[tuple[int, tuple[Outcome, ...]]]:
    """Yield the games of stored participations; a draft's have no row (0) and bring their games."""
    for batch in batched(sorted(row for row in rows if row), BATCH):
        stored = ParticipantRating.objects.filter(pk__in=ids_subquery(batch)).values_list("pk", "outcomes")
        yield from stored
