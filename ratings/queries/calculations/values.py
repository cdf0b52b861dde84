"""A calculation as it is read top to bottom: what stood before, each event with its games, sums, the new rating.

Changes are hundredths of a point, scores half points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from players.models import Player
from ratings.choices import EntryStatus, Status
from ratings.models import Calculation, CorrectionLine, ListEntry, ParticipantRating, RatingList
from ratings.queries.pools import Pool
from ratings.systems.otb.shared import CAP, MOST_POINTS
from ratings.systems.otb.values import KFactor, Outcome
from ratings.systems.reasons import Reason, reason_of
from ratings.systems.registry import rules_named
from tournaments.models import Tournament

# Marked in the row and told once below the games; told above them where it is the player's own.
CAPPED = "capped-7.3.1"
BY_STANDARD = "standard-rating-7.2.1"


@dataclass(frozen=True, slots=True)
class ExplainedGame:
    """A round of an event: the outcome, and who sat on the other side."""

    outcome: Outcome
    opponent: ParticipantRating | None = None

    @property
    def reasons(self) -> list[Reason]:
        return [reason_of(key) for key in self.outcome.reasons]

    @property
    def special(self) -> list[Reason]:
        """What has to be said of the game: why it does not count, or what was special about it."""
        if not self.outcome.counts:
            return self.reasons[:1]
        by_standard = self.opponent is not None and self.opponent.start_status == Status.STANDARD
        told = {CAPPED} if by_standard else {CAPPED, BY_STANDARD}
        return [reason for reason in self.reasons[1:] if reason.key not in told]

    @property
    def is_capped(self) -> bool:
        return self.outcome.difference != self.outcome.counted_difference

    @property
    def opponent_rating(self) -> int | None:
        """The opponent's rating at the start, whether the game counts or not."""
        if self.outcome.opponent_rating is not None:
            return self.outcome.opponent_rating
        return self.opponent.start_rating if self.opponent else None


@dataclass(frozen=True, slots=True)
class ExplainedEvent:
    """An event of the period: the standing used, its games, the sum of their changes and K."""

    tournament: Tournament
    participation: ParticipantRating
    step: dict[str, Any]
    games: Sequence[ExplainedGame] = field(default_factory=list)
    k_reason: KFactor | None = None

    @property
    def is_rated(self) -> bool:
        return bool(self.step["status"] != Status.UNRATED)

    @property
    def is_by_standard(self) -> bool:
        return bool(self.step["status"] == Status.STANDARD)

    @property
    def became_rated(self) -> bool:
        """Unrated at the start, rated by the list before the one that takes the event (7.2.5)."""
        return self.participation.start_status == Status.UNRATED and self.is_rated

    @property
    def became_unrated(self) -> bool:
        return self.participation.start_status == Status.RATED and not self.is_rated

    @property
    def is_k_reduced(self) -> bool:
        return self.is_rated and self.step["k_used"] != self.step["k"]

    @property
    def basis(self) -> RatingList | None:
        """The list in force from which the rating at the start comes (D-1)."""
        rating = self.participation.tournament_rating
        return rating.standard_basis if self.is_by_standard else rating.basis

    @property
    def rules(self) -> str:
        return rules_named(self.participation.tournament_rating.rules).title

    @property
    def k_article(self) -> str:
        return "7.32" if self.participation.tournament_rating.rules.endswith("2022") else "7.3.3"

    @property
    def k_reason_text(self) -> str:
        return reason_of(self.k_reason.reason).text if self.k_reason else ""

    @property
    def k_reason_article(self) -> str:
        return reason_of(self.k_reason.reason).article if self.k_reason else ""

    @property
    def counting(self) -> Sequence[ExplainedGame]:
        return [game for game in self.games if game.outcome.counts]

    @property
    def has_capped(self) -> bool:
        return any(game.is_capped for game in self.games)

    @property
    def cap(self) -> int:
        return CAP


@dataclass(frozen=True, slots=True)
class ExplainedCorrection:
    """A correction's line that this list took."""

    line: CorrectionLine

    @property
    def is_of_first_rating(self) -> bool:
        return self.line.kind in ("initial", "lost")


@dataclass(frozen=True, slots=True)
class Explained:
    """Everything about one player on one list."""

    player: Player
    rating_list: RatingList
    previous: RatingList | None = None
    entry: ListEntry | None = None
    entry_before: ListEntry | None = None
    calculation: Calculation | None = None
    events: Sequence[ExplainedEvent] = field(default_factory=list)
    corrections: Sequence[ExplainedCorrection] = field(default_factory=list)
    pool: Pool | None = None
    pool_names: Mapping[str, str] = field(default_factory=dict)
    listed_k: KFactor | None = None

    @property
    def is_imported(self) -> bool:
        return self.rating_list.origin == "imported"

    @property
    def rating_before(self) -> int | None:
        return _listed_rating(self.entry_before)

    @property
    def rating_now(self) -> int | None:
        return _listed_rating(self.entry)

    @property
    def result(self) -> Reason | None:
        return reason_of(self.calculation.result) if self.calculation else None

    @property
    def steps(self) -> dict[str, Any]:
        return self.calculation.steps if self.calculation else {}

    @property
    def initial(self) -> dict[str, Any] | None:
        """The first rating that the pool gave on this list, published or not."""
        return self.steps.get("initial")

    @property
    def initial_is_2022(self) -> bool:
        """Whether the first rating follows the text of 2022, the version of the pool's newest event (D-8)."""
        return self.initial is not None and self.initial["rules"] == "fide-rapid-blitz-2022"

    @property
    def initial_article(self) -> str:
        return "7.24" if self.initial_is_2022 else "7.2.4"

    @property
    def pool_shares(self) -> list[dict[str, Any]]:
        """The events of the pool in order, each with its name and first day."""
        return [
            {
                **share,
                "name": self.pool_names.get(share["event_id"], ""),
                "day": date.fromisoformat(share["start"]),
            }
            for share in self.steps.get("pool", [])
        ]

    @property
    def opponents_sum(self) -> int:
        return sum(share["opponents_sum"] for share in self.pool_shares)

    @property
    def half_points_over(self) -> int:
        """The half points over 50 % of the text of 2022."""
        return self.initial["half_points"] - self.initial["games"] if self.initial else 0

    @property
    def shows_pool(self) -> bool:
        """Whether the way to a first rating is to be told: the player is unrated and has something in the pool."""
        return self.pool is not None and self.rating_now is None and self.initial is None

    @property
    def k_as_listed(self) -> bool:
        """Whether the rules give the K that the list shows."""
        return self.listed_k is not None and self.entry is not None and self.listed_k.k == self.entry.k_factor

    @property
    def listed_k_text(self) -> str:
        return reason_of(self.listed_k.reason).text if self.listed_k else ""

    @property
    def listed_k_article(self) -> str:
        return reason_of(self.listed_k.reason).article if self.listed_k else ""

    @property
    def is_change(self) -> bool:
        """Whether a rounded change was added to a rating."""
        return self.calculation is not None and self.calculation.base_rating is not None

    @property
    def is_plain_change(self) -> bool:
        return self.result is not None and self.result.key == "change-7.3.4"

    @property
    def has_many_parts(self) -> bool:
        """Whether more than one event or correction makes up the change."""
        return len(self.rated_events) + len(self.corrections) != 1

    @property
    def unrounded(self) -> int:
        stored = self.calculation
        return stored.change_hundredths + stored.correction_hundredths if stored else 0

    @property
    def sum_of_base(self) -> int:
        """The rating added to, and the rounded change: what the list would show without a lowest rating."""
        stored = self.calculation
        return (stored.base_rating or 0) + stored.rounded_change if stored else 0

    @property
    def rated_events(self) -> list[ExplainedEvent]:
        return [event for event in self.events if event.is_rated]

    @property
    def games(self) -> int:
        """The n of the 700 rule: the rated player's games that count, over all events of the list."""
        return sum(event.step["games"] for event in self.rated_events)

    @property
    def most_points(self) -> int:
        return MOST_POINTS

    @property
    def is_anything_known(self) -> bool:
        known = (self.entry, self.entry_before, self.calculation, self.pool)
        return any(part is not None for part in known)


def _listed_rating(entry: ListEntry | None) -> int | None:
    return entry.rating if entry is not None and entry.status == EntryStatus.LISTED else None
