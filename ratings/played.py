"""A player's event and its games, as every page, the API and the calculations of a player show them.

Changes are hundredths of a point, scores half points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Coalesce

from players.merging import staying_ids
from ratings.models import ParticipantRating, RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import Outcome, Participation, RatedEvent, Status, StatusAtStart
from ratings.systems.registry import reason_of, rules_named
from ratings.systems.words import Reason
from tournaments.list_dates import last_day_to_report
from tournaments.models import Participant, Tournament

ENDINGS = ("loss", "draw", "win")
# What a page marks in the row of a game and explains once: above the games for the player's own.
CAPPED, BY_STANDARD = "capped", "standard-rating"


class Opponent(NamedTuple):
    """Who sat on the other side, in the report and now, with status and rating at the start.

    The FIDE ID is the current one; `reported_id` is that of the report, None as this one where the portal knows nobody.
    """

    number: int
    fide_id: int | None
    name: str
    federation: str
    title: str
    rating: int | None
    status: str
    reported_id: int | None
    reported_name: str
    reported_federation: str


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """A player's event: the line of the report, its stored row, and the event as a list or the next one rated it.

    Without a calculation there is nothing `rated`. One that `is_corrected` stands as the accepted report has it, not as
    the list took it (D-146): `was` is what the list took, `corrected_on` the list that adds the difference. `opponents`
    are there by starting rank where a page names them.
    """

    tournament: Tournament
    participant: Participant
    row: ParticipantRating
    rated: RatedEvent | None = None
    on_list: RatingList | None = None
    is_provisional: bool = False
    is_corrected: bool = False
    was: PlayedEvent | None = None
    corrected_on: RatingList | None = None
    opponents: Mapping[int, Opponent] = field(default_factory=dict)

    @property
    def participation(self) -> Participation:
        """The sums and the games as they were rated."""
        return self.rated.participation if self.rated else self.row.participation

    @property
    def own(self) -> StatusAtStart:
        """The standing by which it was rated."""
        return self.participation.standing

    @property
    def k(self) -> int:
        """The K used, 0 where there is none."""
        return self.rated.k if self.rated else 0

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The rounds by the report, as they were rated."""
        return self.participation.outcomes

    @property
    def games(self) -> list[PlayedGame]:
        """The rounds, byes included, each with its opponent."""
        return [PlayedGame(self, one, self.opponents.get(one.opponent or 0)) for one in self.outcomes]

    @property
    def counting(self) -> list[PlayedGame]:
        return [game for game in self.games if game.outcome.counts]

    @property
    def is_rated(self) -> bool:
        """Whether it changes a rating; else its games count towards an initial one."""
        return self.own.status is not Status.UNRATED

    @property
    def points(self) -> int | None:
        """The rating change, K and all; None for one who was not rated by it."""
        return self.rated.change if self.rated and self.is_rated and self.participation.games else None

    @property
    def is_by_standard(self) -> bool:
        return self.own.status is Status.STANDARD

    @property
    def became_rated(self) -> bool:
        """Unrated at the start, rated by the list before the one that takes the event (7.2.5)."""
        return self.row.start_status == Status.UNRATED and self.is_rated

    @property
    def became_unrated(self) -> bool:
        return self.row.start_status == Status.RATED and not self.is_rated

    def is_after_third_list(self, list_date: date) -> bool:
        """Return whether a list takes it after the third one, which only what FIDE staff report has not (D-111)."""
        return self.tournament.is_reported_by_staff and list_date > last_day_to_report(self.tournament.end)

    @property
    def is_k_reduced(self) -> bool:
        return self.is_rated and self.k != self.own.k

    @property
    def why_k(self) -> Reason | None:
        """Why K is so; None for one that was imported."""
        return reason_of(self.own.k_reason, self.rules) if self.own.k_reason else None

    @property
    def expected(self) -> int:
        """The expected score of the games that count, in hundredths."""
        return sum(outcome.pd or 0 for outcome in self.outcomes if outcome.counts)

    @property
    def has_capped(self) -> bool:
        return any(game.is_capped for game in self.games)

    @property
    def basis(self) -> RatingList | None:
        """The list in force from which the rating at the start comes (D-1)."""
        rating = self.row.tournament_rating
        return rating.standard_basis if self.is_by_standard else rating.basis

    @property
    def rules(self) -> PeriodRules:
        """The text of the first day, by which the tournament was rated."""
        return rules_named(self.row.tournament_rating.rules)

    @property
    def cells(self) -> list[list[Outcome]]:
        """The outcomes of each round in order; a round without one is empty."""
        rounds = self.row.tournament_rating.report.rounds
        found: dict[int, list[Outcome]] = {number: [] for number in range(1, rounds + 1)}
        for outcome in self.outcomes:
            found.setdefault(outcome.round, []).append(outcome)
        return [found[number] for number in sorted(found)]


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A round of an event: the outcome, and who sat on the other side."""

    event: PlayedEvent
    outcome: Outcome
    opponent: Opponent | None = None

    @property
    def tournament(self) -> Tournament:
        return self.event.tournament

    @property
    def points(self) -> int | None:
        """The change of the game times the K used; None for a game that changed nothing."""
        k, change = self.event.k, self.outcome.change
        return None if change is None or not k else k * change

    @property
    def score(self) -> str:
        """How the game ended for the player: `win`, `draw` or `loss`."""
        return ENDINGS[min(self.outcome.half_points, 2)]

    @property
    def special(self) -> list[Reason]:
        """The reasons to show for the game: why it does not count, or what was special about it."""
        reasons = [reason_of(key, self.event.rules) for key in self.outcome.reasons]
        if not self.outcome.counts:
            return reasons[:1]
        by_standard = self.opponent is not None and self.opponent.status == Status.STANDARD
        shown = {CAPPED} if by_standard else {CAPPED, BY_STANDARD}
        return [reason for reason in reasons[1:] if reason.concept not in shown]

    @property
    def is_capped(self) -> bool:
        return self.outcome.difference != self.outcome.counted_difference

    @property
    def opponent_rating(self) -> int | None:
        """The opponent's rating at the start, whether the game counts or not."""
        if self.outcome.opponent_rating is not None:
            return self.outcome.opponent_rating
        return self.opponent.rating if self.opponent else None


def calculated_as(rows: Iterable[ParticipantRating]) -> dict[int, int]:
    """Return the ID that stays for every ID under which lists may have calculated these rows, read with their players.

    One query, where an ID is merged.
    """
    players = [row.player for row in rows if row.player]
    if any(player.merged_into_id for player in players):
        return staying_ids({player.pk for player in players})
    return {player.pk: player.pk for player in players}


def with_opponents(events: Sequence[PlayedEvent]) -> list[PlayedEvent]:
    """Return events with everybody whom the players met, in one query, if there is any game."""
    numbers: dict[int, set[int]] = defaultdict(set)
    for event in events:
        met = {outcome.opponent for outcome in event.outcomes if outcome.opponent}
        numbers[event.row.tournament_rating_id] |= met
    found = _load_opponents({rating: some for rating, some in numbers.items() if some})
    return [replace(event, opponents=found.get(event.row.tournament_rating_id, {})) for event in events]


def _load_opponents(numbers: Mapping[int, Iterable[int]]) -> dict[int, dict[int, Opponent]]:
    """Return the opponents by rated report and starting rank."""
    if not numbers:
        return {}
    met = reduce(or_, (Q(tournament_rating=pk, number__in=some) for pk, some in numbers.items()))
    rows = ParticipantRating.objects.filter(met).order_by()
    found: dict[int, dict[int, Opponent]] = defaultdict(dict)
    fields = (
        "tournament_rating",
        "number",
        Coalesce("player__merged_into", "player"),
        Coalesce("player__merged_into__name", "player__name"),
        "player__federation",
        "player__title",
        "player__women_title",
        "start_rating",
        "start_status",
        "player",
        "participant__name",
        "participant__federation_code",
    )
    for pk, number, fide_id, name, code, title, women_title, rating, status, *line in rows.values_list(
        *fields
    ):
        reported_id, reported, reported_code = line
        found[pk][number] = Opponent(
            number,
            fide_id,
            name or reported,
            code or reported_code,
            title or women_title or "",
            rating,
            status,
            reported_id,
            reported,
            reported_code,
        )
    return found
