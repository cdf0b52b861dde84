"""Computing a list again: standings, games, calculations and entries, compared with the stored rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from players.bulk import batched
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListEntry,
    ParticipantRating,
    PoolEvent,
    RatingList,
    TournamentRating,
)
from ratings.services.publication.entries import listing_of
from ratings.services.publication.periods import (
    ENTRY_FIELDS,
    Source,
    Sources,
    correct_pools,
    entries_of,
    entry_from,
    pool_share_of,
)
from ratings.services.rating import rate_contents
from ratings.services.verification.difference import Difference
from ratings.services.verification.evidence import Evidence
from ratings.systems.otb.listing import Entry, EntryStatus, carried_over, entry_after
from ratings.systems.otb.period import PeriodResult, calculate
from ratings.systems.otb.values import Event, PoolShare, RatedEvent

FIGURES = (
    *("previous_rating", "base_rating", "games", "change_hundredths"),
    *("correction_hundredths", "rounded_change", "new_rating", "result"),
)
CHUNK = 5_000
BATCH = 500


def list_differences(rating_list: RatingList) -> Iterator[Difference]:
    """Yield what comes out otherwise when the list is computed again from its reports and the list before."""
    sources = Sources(rating_list.date)
    sources.events, found = _events_again(rating_list)
    yield from found
    sources.lines = _lines_taken(rating_list)
    wanted = sources.player_ids
    sources.entries = entries_of(rating_list.previous, wanted)
    sources.pools = _pools_as_of(rating_list)
    for lines in sources.lines.values():
        correct_pools(sources.pools, lines)
    evidence = Evidence(rating_list)
    sources.people = {player_id: evidence.person(player_id) for player_id in wanted}
    results = {player_id: calculate(sources.period_of(player_id)) for player_id in wanted}
    yield from _game_differences(sources, results)
    yield from _calculation_differences(rating_list, sources, results)
    yield from _entry_differences(rating_list, sources, results, evidence)


def _events_again(rating_list: RatingList) -> tuple[dict[int, list[Source]], list[Difference]]:
    """Rate the stored games again and return each player's events, with what differs in the standings."""
    events: dict[int, list[Source]] = defaultdict(list)
    found: list[Difference] = []
    ratings = TournamentRating.objects.filter(included_in=rating_list)
    for rating in ratings.select_related("report__tournament").order_by("report__tournament__event_id"):
        tournament = rating.report.tournament
        rated = rate_contents(rating.report)
        for row in ParticipantRating.objects.filter(tournament_rating=rating).defer("outcomes"):
            part = rated.participations[row.number]
            expected = (str(part.standing.status), part.standing.rating, part.standing.k)
            stored = (row.start_status, row.start_rating, row.start_k)
            if stored != expected:
                where = f"{tournament.event_id} player {row.number}"
                found.append(Difference("standing at the start", where, repr(stored), repr(expected)))
            if row.player_id is not None:
                event = Event(tournament.event_id, tournament.start, tournament.end, part)
                events[row.player_id].append(Source(row.pk, rating.pk, event))
    return dict(events), found


def _lines_taken(rating_list: RatingList) -> dict[int, list[CorrectionLine]]:
    lines: dict[int, list[CorrectionLine]] = defaultdict(list)
    related = ("corrected_list", "correction__tournament", "participant_rating")
    taken = CorrectionLine.objects.filter(taken_by=rating_list).select_related(*related)
    for line in taken.order_by("corrected_list__date", "pk"):
        lines[line.player_id].append(line)
    return dict(lines)


def _pools_as_of(rating_list: RatingList) -> dict[int, list[PoolShare]]:
    """Return the pools as they stood before the list."""
    pools: dict[int, list[PoolShare]] = defaultdict(list)
    rows = PoolEvent.objects.filter(kind=rating_list.kind, added_by__date__lt=rating_list.date)
    rows = rows.exclude(closed_by__date__lt=rating_list.date)
    for row in rows.select_related("tournament", "participant_rating"):
        pools[row.player_id].append(pool_share_of(row))
    return dict(pools)


def _game_differences(sources: Sources, results: Mapping[int, PeriodResult]) -> Iterator[Difference]:
    expected: dict[int, tuple[RatedEvent, str]] = {}
    for player_id, result in results.items():
        rows = {source.event.event_id: source.row for source in sources.events.get(player_id, ())}
        for item in result.events:
            expected[rows[item.event.event_id]] = (item, f"{item.event.event_id} player {player_id}")
    for batch in batched(sorted(expected), BATCH):
        for row in ParticipantRating.objects.filter(pk__in=batch).order_by("pk"):
            item, where = expected[row.pk]
            yield from _outcome_differences(row, item, where)


def _outcome_differences(row: ParticipantRating, item: RatedEvent, where: str) -> Iterator[Difference]:
    wanted = [outcome.as_row() for outcome in item.participation.outcomes]
    for stored, outcome in zip(row.outcomes, wanted, strict=False):
        if stored != outcome:
            yield Difference("game", f"{where} round {outcome[0]}", repr(stored), repr(outcome))
    if len(row.outcomes) != len(wanted):
        yield Difference("number of games", where, str(len(row.outcomes)), str(len(wanted)))
    part = item.participation
    sums = (part.games, part.half_points, part.opponents_sum, part.change)
    held = (row.games, row.half_points, row.opponents_sum, row.change_hundredths)
    if held != sums:
        yield Difference("sums", where, repr(held), repr(sums))


def _calculation_differences(
    rating_list: RatingList, sources: Sources, results: Mapping[int, PeriodResult]
) -> Iterator[Difference]:
    rows = Calculation.objects.filter(rating_list=rating_list).values_list("player_id", *FIGURES)
    stored = {player_id: tuple(figures) for player_id, *figures in rows}
    for player_id in sorted(stored.keys() | results.keys()):
        expected = None
        if player_id in results:
            expected = _figures(sources.entries.get(player_id), results[player_id])
        if stored.get(player_id) != expected:
            held = repr(stored.get(player_id))
            yield Difference("calculation", f"player {player_id}", held, repr(expected))


def _figures(entry: Entry | None, result: PeriodResult) -> tuple[Any, ...]:
    previous = entry.rating if entry and entry.status is EntryStatus.LISTED else None
    return (
        *(previous, result.base, result.games, result.change),
        *(result.correction, result.rounded, result.rating, result.outcome),
    )


def _entry_differences(
    rating_list: RatingList,
    sources: Sources,
    results: Mapping[int, PeriodResult],
    evidence: Evidence,
) -> Iterator[Difference]:
    rows = ListEntry.objects.filter(rating_list=rating_list).values_list("player_id", *ENTRY_FIELDS)
    stored = {player_id: entry_from(values) for player_id, *values in rows.iterator(CHUNK)}
    for player_id, expected in _entries_again(rating_list, results, evidence):
        held = stored.pop(player_id, None)
        if held != expected:
            yield Difference("list entry", f"player {player_id}", repr(held), repr(expected))
    for player_id, held in sorted(stored.items()):
        yield Difference("list entry", f"player {player_id}", repr(held), "none")


def _entries_again(
    rating_list: RatingList, results: Mapping[int, PeriodResult], evidence: Evidence
) -> Iterator[tuple[int, Entry | None]]:
    listing = listing_of(rating_list.kind, rating_list.date)
    before: dict[int, Entry] = {}
    if rating_list.previous_id is not None:
        rows = ListEntry.objects.filter(rating_list=rating_list.previous_id)
        for player_id, *values in rows.values_list("player_id", *ENTRY_FIELDS).iterator(CHUNK):
            before[player_id] = entry_from(values)
    for player_id in sorted(before.keys() | results.keys()):
        year, barred = evidence.person(player_id)
        entry, result = before.get(player_id), results.get(player_id)
        if result is not None:
            yield player_id, entry_after(result, entry, listing, birth_year=year, barred=barred)
        elif entry is not None:
            yield player_id, carried_over(entry, listing, birth_year=year, barred=barred)
