"""A calculation as it is read top to bottom: what stood before, each event with its games, sums, the new rating.

Changes are hundredths of a point, scores half points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from players.models import Player
from ratings.choices import EntryStatus
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListAdjustment,
    ListEntry,
    ProvisionalCalculation,
    RatingList,
)
from ratings.played import PlayedEvent, PlayedGame
from ratings.pools import Pool
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating, PoolShare
from ratings.systems.registry import key_of_each, reason_of, rules_named
from ratings.systems.words import FormulaStep, Reason


@dataclass(frozen=True, slots=True)
class OtherList:
    """The player's rating on a list near this one, and the change since the list before it."""

    rating_list: RatingList
    rating: int | None = None
    change: int | None = None
    games: int = 0


@dataclass(frozen=True, slots=True)
class Explained:
    """Everything about one player on one list."""

    player: Player
    rating_list: RatingList
    previous: RatingList | None = None
    entry: ListEntry | None = None
    entry_before: ListEntry | None = None
    calculation: Calculation | ProvisionalCalculation | None = None
    events: Sequence[PlayedEvent] = field(default_factory=list)
    corrections: Sequence[CorrectionLine] = field(default_factory=list)
    pool: Pool | None = None
    pool_names: Mapping[str, str] = field(default_factory=dict)
    others: Sequence[OtherList] = field(default_factory=list)
    adjustment: ListAdjustment | None = None

    @property
    def is_imported(self) -> bool:
        return self.rating_list.origin == "imported"

    @property
    def is_after_import(self) -> bool:
        """Whether the previous list was imported: no correction changes it (D-12, D-73)."""
        return self.previous is not None and self.previous.origin == "imported"

    @property
    def rating_before(self) -> int | None:
        return listed_rating(self.entry_before)

    @property
    def correction_rounding(self) -> int:
        """What the list takes beside the lines of corrections: the rounding of earlier lists (D-101, D-145)."""
        if not self.corrections or self.calculation is None or self.calculation.previous_rating is None:
            return 0
        lines, value = sum(line.difference_hundredths for line in self.corrections), self.calculation.value
        return 0 if value.base is None else value.correction - lines

    @property
    def is_provisional(self) -> bool:
        """Whether the list is not published yet."""
        return self.rating_list.pk is None

    def is_from_kept_rating(self, event: PlayedEvent) -> bool:
        """Whether the own rating of an event is the one that an exclusion kept on the list before (D-114)."""
        before = self.entry_before
        if before is None or before.status != EntryStatus.WITHHELD:
            return False
        return event.became_rated and before.rating == event.own.rating

    def is_by_corrections(self, event: PlayedEvent) -> bool:
        """Whether the own rating of an event is none that the list before has (D-110)."""
        is_other = event.became_rated and event.own.rating != self.rating_before
        return is_other and not self.is_from_kept_rating(event)

    @property
    def rating_now(self) -> int | None:
        if not self.is_provisional:
            return listed_rating(self.entry)
        if self.calculation is not None:
            return self.calculation.value.rating
        before = self.rating_before
        return (
            before if before is None or self.adjustment is None else self.adjustment.formula.adjusted(before)
        )

    @property
    def adjusted_points(self) -> int:
        """What the adjustment of the list adds to the rating after its own changes, by the stored figures (D-133)."""
        now = self.rating_now
        if self.adjustment is None or now is None:
            return 0
        if self.is_change:
            return now - self.sum_of_base
        initial = self.value.initial if self.value else None
        before = initial.rating if initial else self.rating_before
        return 0 if before is None else now - before

    @property
    def value(self) -> PeriodResult | None:
        """The result as the list calculated it."""
        return self.calculation.value if self.calculation else None

    @property
    def result(self) -> Reason | None:
        return reason_of(self.value.outcome, self.rating_list.text) if self.value else None

    @property
    def joined(self) -> Sequence[int]:
        """The FIDE IDs that were merged into this one."""
        return self.calculation.found.joined if self.calculation else ()

    @property
    def initial(self) -> InitialRating | None:
        """The first rating that the pool gave on this list, published or not."""
        return self.value.initial if self.value else None

    @property
    def initial_rules(self) -> PeriodRules | None:
        """The text of the pool's newest event, which gives the first rating (D-8)."""
        return rules_named(self.value.initial_rules) if self.value and self.value.initial else None

    @property
    def initial_steps(self) -> list[FormulaStep]:
        """The steps from the pool to the initial rating, in the words of its text."""
        if self.initial is None or self.initial_rules is None:
            return []
        return self.initial_rules.initial_steps(
            self.initial, sum(share.opponents_sum for share in self.pool_shares)
        )

    @property
    def pool_shares(self) -> Sequence[PoolShare]:
        """The events of the pool in order; `pool_names` has their names."""
        return self.value.pool if self.value else ()

    @property
    def shows_pool(self) -> bool:
        """Whether to show the progress to an initial rating: the player is unrated and has games in the pool."""
        return self.pool is not None and self.rating_now is None and self.initial is None

    @property
    def why_listed_k(self) -> Reason | None:
        """Why the K that the list shows is so; None for one that was imported."""
        key = self.entry.k_reason if self.entry else ""
        return reason_of(key, self.rating_list.text) if key else None

    @property
    def is_change(self) -> bool:
        """Whether a rounded change was added to a rating."""
        return self.value is not None and self.value.base is not None

    @property
    def is_plain_change(self) -> bool:
        return self.result is not None and self.result.key in key_of_each("change")

    @property
    def unrounded(self) -> int:
        return self.value.change + self.value.correction if self.value else 0

    @property
    def sum_of_base(self) -> int:
        """The rating added to, and the rounded change: what the list would show without a lowest rating."""
        return (self.value.base or 0) + self.value.rounded if self.value else 0

    @property
    def rated_events(self) -> list[PlayedEvent]:
        return [event for event in self.events if event.is_rated]

    @property
    def played(self) -> list[PlayedEvent]:
        """The rated tournaments in which a game counts."""
        return [event for event in self.rated_events if event.participation.games]

    @property
    def games(self) -> int:
        """The n by which K is reduced: the rated player's games that count, over all events of the list."""
        return sum(event.participation.games for event in self.rated_events)

    @property
    def counting(self) -> list[PlayedGame]:
        """The games that change the rating, in the order of the tournaments."""
        return [game for event in self.rated_events for game in event.counting]

    @property
    def half_points(self) -> int:
        """The score in the games that change the rating."""
        return sum(event.participation.half_points for event in self.rated_events)

    @property
    def expected(self) -> int:
        """The expected score in these games, in hundredths."""
        return sum(event.expected for event in self.rated_events)

    @property
    def change_before_k(self) -> int:
        """The score minus the expected score, in hundredths."""
        return sum(event.participation.change for event in self.rated_events)

    @property
    def k_used(self) -> int | None:
        """The K of all games; None if tournaments differ, or without a game."""
        used = {event.k for event in self.played}
        return used.pop() if len(used) == 1 else None

    @property
    def k_reasons(self) -> list[PlayedEvent]:
        """The rated tournaments by their K and its reason, one of those that have both in common."""
        # Reversed twice: the first tournament of each reason stays, in the order of the tournaments.
        first = {(event.own.k, event.own.k_reason): event for event in reversed(self.played)}
        return list(first.values())[::-1]

    @property
    def says_listed_k(self) -> bool:
        """Whether the K that the list shows has the reason of a K that a tournament used."""
        if self.entry is None or not self.entry.k_reason:
            return False
        listed = (self.entry.k_factor, self.entry.k_reason)
        return any((event.own.k, event.own.k_reason) == listed for event in self.k_reasons)

    @property
    def listed_change(self) -> int | None:
        """The difference of the rating to that on the list before, in points; None without both."""
        now, before = self.rating_now, self.rating_before
        return None if now is None or before is None else now - before

    @property
    def totals(self) -> list[int]:
        """The rating before and after each round of the rated tournaments, in hundredths, without corrections."""
        if self.value is None or self.value.base is None:
            return []
        reached = [100 * self.value.base]
        for event in self.rated_events:
            for game in event.games:
                reached.append(reached[-1] + (game.points or 0))
        return reached

    @property
    def is_anything_known(self) -> bool:
        known = (self.entry, self.entry_before, self.calculation, self.pool)
        return any(part is not None for part in known)


def listed_rating(entry: ListEntry | None) -> int | None:
    """Return the rating of an entry that the list shows, None otherwise."""
    return entry.rating if entry is not None and entry.status == EntryStatus.LISTED else None
