"""Computing a list again: standings, games, calculations and entries, compared with the stored rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import Any

from core.bulk import batched
from ratings.in_force import InForce, adoptions_named, load_adoptions_of
from ratings.ledger.facts import Published
from ratings.ledger.mergers import Mergers, load_mergers, mergers_of
from ratings.ledger.periods import Periods, periods
from ratings.ledger.stored import BARRED, StoredParticipation, entries_of, void_players
from ratings.models import (
    Calculation,
    CorrectionLine,
    ParticipantRating,
    RatingList,
    TournamentRating,
)
from ratings.publish.bundle import write_again
from ratings.publish.manifest import adjustment_taken, adoptions_until, formula_of, mergers_taken
from ratings.publish.results import FIGURES, figures_of
from ratings.rate import RatedContents, rated_contents, stored_bases
from ratings.systems.otb.listing import state_of
from ratings.systems.otb.period import PeriodResult, own_standing
from ratings.systems.otb.values import Event, Participation, PlayerState, Status
from ratings.systems.registry import Adoptions
from ratings.verify.entries import (
    FirstDifference,
    ResultDifference,
    compare,
    entry_differences,
)
from tournaments.lookups import Lookups

REPORTS = 50
BATCH = 500


@dataclass(frozen=True, slots=True)
class GameDifference(FirstDifference):
    """A game of which another `Outcome` for one player comes out."""

    event_id: str
    player_id: int
    number: int


@dataclass(slots=True)
class _Again:
    """What comes out of the reports this time, and the stored participations that were compared already."""

    rating_list: RatingList
    adoptions: Adoptions
    mergers: Mergers
    events: dict[int, list[StoredParticipation]] = field(default_factory=lambda: defaultdict(list))
    compared: set[int] = field(default_factory=set)

    def periods(self) -> Periods:
        """Return the periods of the list, once the events are there."""
        facts = Published(
            rating_list=self.rating_list,
            adoptions=self.adoptions,
            mergers=self.mergers,
            played=self.events,
            adjustment=formula_of(self.rating_list),
        )
        return periods(self.rating_list.kind, self.rating_list.date, None, facts)


def list_differences(
    rating_list: RatingList, adoptions: Adoptions | None = None
) -> Generator[FirstDifference, None, Periods]:
    """Yield what comes out otherwise when the list is computed again from its reports and the list before.

    By the texts that it was published by, or by others (`adoptions`). Returns what it was computed from this time.
    """
    again = _calculation_again(rating_list, adoptions)
    name, manifest = rating_list.stored_name, rating_list.manifest
    adopted = adoptions_until(load_adoptions_of(rating_list), rating_list.date)
    yield from compare("adopted texts", name, adopted, manifest["adoptions"])
    yield from compare("adjustment", name, adjustment_taken(rating_list), manifest.get("adjustment"))
    yield from compare("merged FIDE IDs", name, mergers_taken(rating_list), manifest.get("mergers", []))
    yield from _event_differences(rating_list, again)
    found = again.periods()
    results = found.results()
    yield from _game_differences(again, found, results)
    yield from _calculation_differences(rating_list, found, results)
    yield from entry_differences(rating_list, results, found)
    return found


def periods_again(rating_list: RatingList) -> Periods:
    """Return what a published list was calculated from, by what is stored; what differs is not looked at."""
    again = _calculation_again(rating_list)
    for _difference in _event_differences(rating_list, again):
        pass
    return again.periods()


def _calculation_again(rating_list: RatingList, adoptions: Adoptions | None = None) -> _Again:
    mergers = mergers_of(load_mergers(rating_list.kind), rating_list.date, taken_by=rating_list)
    return _Again(rating_list, adoptions or adoptions_named(rating_list.manifest), mergers)


def evidence_differences(rating_list: RatingList, found: Periods) -> Iterator[FirstDifference]:
    """Write the evidence bundle again and yield where it is not the one that the manifest names."""
    published = rating_list.manifest["evidence"]
    with TemporaryFile() as spool:
        again = write_again(spool, rating_list, found)
    if again != published:
        yield FirstDifference("evidence", published["name"], again["sha256"], published["sha256"])


def _event_differences(rating_list: RatingList, again: _Again) -> Iterator[FirstDifference]:
    """Rate the stored games again, note each player's events, and yield what differs.

    A player who was rated by the standing at the start has the games compared here, and the sums alone are kept.
    The others' games depend on what else the list says of the player, and are compared later.
    """
    concerned = {key for row in again.mergers.taken for key in (row.player_id, row.successor_id)}
    corrected = CorrectionLine.objects.filter(taken_by=rating_list).order_by()
    barred = Calculation.objects.filter(rating_list=rating_list, result__in=BARRED.values()).order_by()
    depends = {
        *barred.values_list("player", flat=True),
        *void_players(rating_list),
        *concerned,
        *again.mergers.persons,
        *map(again.mergers.held_by, corrected.values_list("player", flat=True)),
    }
    ratings = TournamentRating.objects.filter(included_in=rating_list).order_by(
        "report__tournament__event_id"
    )
    whole = ratings.select_related("report__tournament").defer(
        "report__content", "report__pgn", "report__findings"
    )
    # In batches: the games of a month are three million outcomes.
    for batch in batched(ratings.values_list("pk", flat=True), REPORTS):
        taken = {item.report_id: item for item in whole.filter(pk__in=batch)}
        lookups = Lookups()
        lookups.of(InForce).adoptions = again.adoptions
        bases = stored_bases(taken.values(), lookups.of(InForce))
        contents = rated_contents([item.report for item in taken.values()], lookups, bases)
        # Where the list before was in force at the start, the standing tells who is rated on it.
        current = {report for report, item in taken.items() if item.basis_id == rating_list.previous_id}
        others = [item for item in contents if item.report.pk not in current]
        people = {person.fide_id for item in others for _, _, person in item.participants if person}
        states = {key: state_of(entry) for key, entry in entries_of(rating_list.previous, people).items()}
        for item in contents:
            rows = ParticipantRating.objects.filter(tournament_rating=taken[item.report.pk])
            for row in rows.order_by("number"):
                state: PlayerState | None = states.get(row.player_id or 0, PlayerState())
                if item.report.pk in current:
                    state = PlayerState(rating=item.participations[row.number].standing.rating)
                yield from _event_again(again, item, row, None if row.player_id in depends else state)


def _event_again(
    again: _Again, item: RatedContents, row: ParticipantRating, state: PlayerState | None
) -> Iterator[FirstDifference]:
    """Note the event that a participation makes; `state` is the player's before the list, None where it takes more."""
    tournament, part = item.report.event, item.participations[row.number]
    expected = (str(part.standing.status), part.standing.rating, part.standing.k)
    stored = (row.start_status, row.start_rating, row.start_k)
    yield from compare(
        "standing at the start", f"{tournament.event_id} player {row.number}", stored, expected
    )
    if row.player_id is None:
        return
    event = Event(tournament.event_id, tournament.start, tournament.end, part)
    if state is not None and _is_rated_as_at_start(event, state, again.adoptions):
        yield from _outcome_differences(row, part, tournament.event_id, row.player_id)
        again.compared.add(row.pk)
        # The games of all 336,000 participants of a month need not be in memory: the sums suffice.
        event = event._replace(participation=part._replace(outcomes=()))
    again.events[row.player_id].append(StoredParticipation(row.pk, tournament.pk, event))


def _is_rated_as_at_start(event: Event, state: PlayerState, adoptions: Adoptions) -> bool:
    """Return whether a player who is not barred is rated by the standing at the start: then the event's sums count."""
    own = own_standing(event, state, adoptions)
    return own.status is not Status.UNRATED and own == event.participation.standing


def _game_differences(
    again: _Again, found: Periods, results: Mapping[int, PeriodResult]
) -> Iterator[FirstDifference]:
    expected: dict[int, tuple[Participation, str, int]] = {}
    for player_id, result in results.items():
        for item, source in found.rated_sources(player_id, result):
            if source.row not in again.compared:
                expected[source.row] = (item.participation, item.event.event_id, player_id)
    for batch in batched(sorted(expected), BATCH):
        for stored in ParticipantRating.objects.filter(pk__in=batch).order_by("pk"):
            yield from _outcome_differences(stored, *expected[stored.pk])


def _outcome_differences(
    row: ParticipantRating, part: Participation, event_id: str, player_id: int
) -> Iterator[FirstDifference]:
    where = f"{event_id} player {player_id}"
    # The first rounds are compared also where the numbers differ, which is a difference of its own.
    for stored, outcome in zip(row.outcomes, part.outcomes, strict=False):
        if stored != outcome:
            yield GameDifference(
                what="game",
                where=f"{where} round {outcome.round}",
                stored=stored,
                expected=outcome,
                event_id=event_id,
                player_id=player_id,
                number=row.number,
            )
    yield from compare("number of games", where, len(row.outcomes), len(part.outcomes))
    sums = (part.games, part.half_points, part.opponents_sum, part.change)
    held = (row.games, row.half_points, row.opponents_sum, row.change_hundredths)
    yield from compare("sums", where, held, sums)


def _calculation_differences(
    rating_list: RatingList, found: Periods, results: Mapping[int, PeriodResult]
) -> Iterator[FirstDifference]:
    rows = Calculation.objects.filter(rating_list=rating_list).values_list("player_id", *FIGURES)
    stored = {player_id: tuple(figures) for player_id, *figures in rows}
    for player_id in sorted(stored.keys() | results.keys()):
        expected = None
        if player_id in results:
            expected = figures_of(found.previous_rating(player_id), results[player_id])
        if stored.get(player_id) != expected:
            yield ResultDifference(
                what="calculation",
                where=f"player {player_id}",
                stored=stored.get(player_id),
                expected=expected,
                player_id=player_id,
                computed=results.get(player_id),
            )


def other_k_factors(
    rating_list: RatingList, results: Mapping[int, PeriodResult]
) -> dict[str, list[dict[str, Any]]]:
    """Return the tournaments that were rated with another K-factor, with both changes, by the player's FIDE ID."""
    rows = Calculation.objects.filter(rating_list=rating_list, player__in=results)
    found: dict[str, list[dict[str, Any]]] = {}
    for player_id, stored in rows.values_list("player_id", "value"):
        held = {item.event.event_id: item for item in stored.events}
        pairs = [(held.get(item.event.event_id), item) for item in results[player_id].events]
        found[str(player_id)] = [
            {"event_id": item.event.event_id, "k": [one.k, item.k], "changes": [one.change, item.change]}
            for one, item in pairs
            if one is not None and one.k != item.k
        ]
    return found
