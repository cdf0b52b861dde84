"""What the calculations of a list leave behind: a row a player, re-rated participations, the pools."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import Q, Sum

from core.bulk import batched, update_rows, write_rows
from core.sql import ids_subquery
from ratings.ledger.periods import Periods
from ratings.ledger.stored import NOBODY, pooled_row
from ratings.models import Calculation, ParticipantRating, PoolEvent, RatingList, TournamentRating
from ratings.models.calculation import Found, PooledRow
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import Participation, RatedEvent, Status, StatusAtStart
from ratings.systems.otb.wording import MERGED

# What comes out for a player, in the order of `figures_of`.
FIGURES = (
    "previous_rating", "base_rating", "games", "change_hundredths", "correction_hundredths", "rounded_change",
    "new_rating", "result",
)  # fmt: skip
CALCULATION_FIELDS = ("player", *FIGURES, "value", "found")
POOL_FIELDS = (
    "player",
    "kind",
    "tournament",
    "participant_rating",
    "added_by",
    "is_disregarded",
    "closed_by",
)
RERATED_FIELDS = (
    "own_status", "own_rating", "own_k", "games", "half_points", "opponents_sum", "change_hundredths",
    "outcomes",
)  # fmt: skip
MANY = 20_000


def write_results(rating_list: RatingList, sources: Periods, results: Mapping[int, PeriodResult]) -> None:
    """Write the calculation of each player; the caller opens the transaction."""
    rows = calculation_rows((rating_list.pk,), sources, results)
    write_rows(Calculation, ("rating_list", *CALCULATION_FIELDS), rows)
    rerated = [
        (row, *_rerated_values(item.own, item.participation))
        for row, item in rerated_events(sources, results)
    ]
    update_rows(ParticipantRating, ("id", *RERATED_FIELDS), rerated)
    games = RERATED_FIELDS.index("games") + 1
    _count_games(rating_list, [values[0] for values in rerated if not values[games]])
    for merger in sources.mergers.taken:
        merger.taken_by = rating_list
        merger.save(update_fields=["taken_by", "is_dropped"])
    # Corrected pools first: their events are closed with the others where the player becomes rated.
    _store_pools(rating_list, sources)
    _close_pools(rating_list, results)
    write_rows(PoolEvent, POOL_FIELDS, _pool_rows(rating_list, sources, results))


def calculation_rows(
    key: tuple[Any, ...],
    sources: Periods,
    results: Mapping[int, PeriodResult],
    *,
    rerated: Collection[int] = (),
) -> Iterator[tuple[Any, ...]]:
    """Yield a row a player: the key, then the values of `CALCULATION_FIELDS`.

    The results keep the games of the participations that are `rerated`; the others have theirs in the rows.
    """
    for player_id, result in sorted(results.items()):
        figures = figures_of(sources.previous_rating(player_id), result)
        found = _found_of(sources, player_id, result)
        with_games = [place for place, row in enumerate(found.rows) if row in rerated] if rerated else ()
        yield (*key, player_id, *figures, result.to_keep(with_games), found)


def figures_of(previous: int | None, result: PeriodResult) -> tuple[Any, ...]:
    """Return the values of `FIGURES`; `previous` is the rating that the list before shows."""
    return (
        previous,
        result.base,
        result.games,
        result.change,
        result.correction,
        result.rounded,
        result.rating,
        result.outcome,
    )


def _found_of(sources: Periods, player_id: int, result: PeriodResult) -> Found:
    """Return what the list found of a player and has to keep."""
    rows = tuple(source.row for _item, source in sources.rated_sources(player_id, result))
    joined, person = sources.joined.get(player_id, ()), sources.people.get(player_id, NOBODY)
    lines, factors = sources.lines.get(player_id, ()), sources.factors.get(player_id, {})
    # Most players have had nothing but games.
    is_corrected = player_id in sources.corrected
    if not (joined or lines or factors or person.void or is_corrected or result.outcome == MERGED):
        return Found(rows)
    ids = (player_id, *joined)
    return Found(
        rows=rows,
        joined=tuple(joined),
        merged_into=sources.mergers.person(player_id) if result.outcome == MERGED else None,
        lines=tuple(line.pk for line in lines),
        before={key: sources.corrected[key] for key in ids if key in sources.corrected},
        factors=dict(factors),
        # Kept where the list depends on it: of who is barred, and where an event begins in such a time (D-143).
        void=person.void if person.barred or sources.void_events(player_id) else (),
    )


def store_participation(row: ParticipantRating, own: StatusAtStart, part: Participation) -> None:
    """Set a stored participation to the result by another own standing; the caller saves it."""
    for name, value in zip(RERATED_FIELDS, _rerated_values(own, part), strict=True):
        setattr(row, name, value)


def _rerated_values(own: StatusAtStart, part: Participation) -> tuple[Any, ...]:
    """Return the values of `RERATED_FIELDS`."""
    return (
        str(own.status),
        own.rating,
        own.k,
        part.games,
        part.half_points,
        part.opponents_sum,
        part.change,
        part.outcomes,
    )


def rerated_events(sources: Periods, results: Mapping[int, PeriodResult]) -> Iterator[tuple[int, RatedEvent]]:
    """Yield each participation that is rated otherwise than by the standing at the start (7.2.2, 7.2.5, 9.1)."""
    for player_id, result in results.items():
        for item, source in sources.rated_sources(player_id, result):
            # By identity: `calculate` hands on the very participation where nothing is rated otherwise.
            if item.participation is not source.event.participation:
                yield source.row, item


def _count_games(rating_list: RatingList, disregarded: Collection[int]) -> None:
    """Count the games of the reports anew where the list disregards a line: no game counts by it (7.2.2)."""
    lines = ParticipantRating.objects.filter(tournament_rating__included_in=rating_list).order_by()
    concerned = set(
        lines.filter(pk__in=ids_subquery(disregarded)).values_list("tournament_rating", flat=True)
    )
    unrated = Q(start_status=Status.UNRATED)
    reports = lines.filter(tournament_rating__in=ids_subquery(concerned)).values("tournament_rating")
    counts = reports.annotate(
        for_one=Sum("games", filter=unrated, default=0), for_both=Sum("games", filter=~unrated, default=0)
    )
    # A game of two rated players that counts for one of them alone, as the other is disregarded or excluded (9.1).
    rated = lines.filter(pk__in=ids_subquery(disregarded)).exclude(unrated)
    each: dict[int, set[tuple[int, ...]]] = {
        key: set() for key in rated.values_list("tournament_rating", flat=True)
    }
    whole = lines.filter(tournament_rating__in=ids_subquery(each))
    for key, number, outcomes in whole.values_list("tournament_rating", "number", "outcomes").iterator():
        each[key] |= {(one.round, *sorted((number, one.opponent or 0))) for one in outcomes if one.counts}
    # As `games_that_count`: a game of two rated players stands in both lines.
    rows = [
        (key, len(each[key]) if key in each else one + both // 2)
        for key, one, both in counts.values_list("tournament_rating", "for_one", "for_both")
    ]
    update_rows(TournamentRating, ("id", "counted_games"), rows)


def _close_pools(rating_list: RatingList, results: Mapping[int, PeriodResult]) -> None:
    """Close the pools of players with a rating: a rating of any origin empties the pool (7.2)."""
    closing = sorted(player_id for player_id, result in results.items() if result.closes_pool)
    for batch in batched(closing, MANY):
        rows = PoolEvent.objects.filter(kind=rating_list.kind, closed_by=None, player__in=ids_subquery(batch))
        rows.update(closed_by=rating_list)


def _store_pools(rating_list: RatingList, sources: Periods) -> None:
    """Update pools by corrections and mergers (D-11, D-102); the pools of earlier lists stay readable."""
    for player_id in sorted({*sources.corrected, *sources.joined} - {*sources.merged_ids}):
        pool = [_as_stored(row) for row in sources.pools.get(player_id, [])]
        rows = PoolEvent.objects.filter(kind=rating_list.kind, closed_by=None, player=player_id)
        stored = {pooled_row(row): row.pk for row in rows.select_related("tournament", "participant_rating")}
        wanted = set(pool)
        rows.filter(pk__in=[pk for row, pk in stored.items() if row not in wanted]).update(
            closed_by=rating_list
        )
        for row in pool:
            if row not in stored:
                PoolEvent.objects.create(
                    player_id=player_id,
                    kind=rating_list.kind,
                    tournament_id=row.tournament,
                    participant_rating_id=row.row,
                    added_by=rating_list,
                    is_disregarded=row.share.is_disregarded,
                    corrected_sums=[row.share.opponents_sum, row.share.games, row.share.half_points],
                    former_end=row.share.end,
                )


def _as_stored(row: PooledRow) -> PooledRow:
    """Return a row of a pool as it is stored: an event that is disregarded has no games in it (7.2.2)."""
    if not row.share.is_disregarded:
        return row
    return row._replace(share=row.share._replace(opponents_sum=0, games=0, half_points=0))


def _pool_rows(
    rating_list: RatingList, sources: Periods, results: Mapping[int, PeriodResult]
) -> Iterator[tuple[Any, ...]]:
    for player_id, result in sorted(results.items()):
        closed_by = rating_list.pk if result.closes_pool else None
        pooled = sources.pooled_sources(player_id, result)
        for share, (_item, source) in zip(result.shares, pooled, strict=True):
            yield (
                player_id,
                rating_list.kind,
                source.tournament,
                source.row,
                rating_list.pk,
                share.is_disregarded,
                closed_by,
            )
