"""What a confirmed player sees of their own accepted reports before and after publication: result, games, figures.

Opponents are shown as in the report; none of their private data is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from players.models import Player
from ratings.models import ParticipantRating
from ratings.queries.records import former_ids
from ratings.systems.otb.values import Outcome
from tournaments.choices import ReportState, Stage
from tournaments.models import Game, Participant, Tournament

SHOWN = 30
# By the codes of TRF: wins, forfeits and full byes; draws and half byes.
HALF_POINTS = {"1": 2, "+": 2, "W": 2, "U": 2, "F": 2, "=": 1, "D": 1, "H": 1}
RATED = ("participant", "own_status", "own_k", "games", "half_points", "change_hundredths", "outcomes")


@dataclass(frozen=True, slots=True)
class OwnResult:
    """A player's line of an accepted report, and how it was rated, None while it is not."""

    participant: Participant
    rating: ParticipantRating | None = None

    @property
    def tournament(self) -> Tournament:
        return self.participant.report.tournament

    @property
    def is_provisional(self) -> bool:
        """Whether no list includes the result yet."""
        return self.tournament.stage != Stage.PUBLISHED

    @property
    def change(self) -> int | None:
        """The rating change in hundredths by K at the start; None for one who is not rated by it."""
        row = self.rating
        if row is None or not row.is_rated or not row.games or row.own_k is None:
            return None
        return row.change_hundredths * row.own_k


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One round of a player: the pairing as reported, from their side, and how it was rated."""

    round: int
    colour: str
    opponent: Participant | None
    code: str
    is_played: bool
    outcome: Outcome | None = None

    @property
    def half_points(self) -> int:
        """The score of the round in half points."""
        return HALF_POINTS.get(self.code, 0)


def own_results(player: Player, *, most: int = SHOWN) -> list[OwnResult]:
    """Return a player's results in accepted reports, under all IDs of theirs, the newest first; three queries."""
    # Reports keep the ID under which somebody played (ADR 14).
    ids = (player.pk, *former_ids(player.pk))
    rows = Participant.objects.filter(player__in=ids, report__state=ReportState.ACCEPTED)
    rows = rows.select_related("player", "report__tournament").defer(
        "report__content", "report__pgn", "report__findings", "report__amendments"
    )
    found = list(rows.order_by("-report__tournament__end", "-pk")[:most])
    return _rated_results(found)


def own_result(player: Player, event_id: str) -> OwnResult | None:
    """Return a player's result in the accepted report of a tournament, None where there is none."""
    ids = (player.pk, *former_ids(player.pk))
    rows = Participant.objects.filter(
        player__in=ids, report__state=ReportState.ACCEPTED, report__tournament__event_id=event_id
    )
    rows = rows.select_related("player", "report__tournament__federation").defer(
        "report__content", "report__pgn"
    )
    return next(iter(_rated_results(list(rows[:1]))), None)


def _rated_results(participants: list[Participant]) -> list[OwnResult]:
    ratings = ParticipantRating.objects.filter(participant__in=participants).only(*RATED)
    by_participant: dict[Any, ParticipantRating] = {row.participant_id: row for row in ratings}
    return [OwnResult(one, by_participant.get(one.pk)) for one in participants]


def games_of_result(result: OwnResult) -> list[OwnGame]:
    """Return a result round by round; two queries."""
    own, report = result.participant, result.participant.report
    rows = Game.objects.filter(Q(white=own.number) | Q(black=own.number), report=report).order_by("round")
    games = list(rows)
    numbers = {number for game in games for number in (game.white, game.black) if number}
    people = {one.number: one for one in Participant.objects.filter(report=report, number__in=numbers)}
    outcomes = {outcome.round: outcome for outcome in result.rating.outcomes} if result.rating else {}
    return [_from_own_side(game, own, people, outcomes.get(game.round)) for game in games]


def _from_own_side(
    game: Game, own: Participant, people: dict[int, Participant], outcome: Outcome | None
) -> OwnGame:
    is_white = game.white == own.number
    other = game.black if is_white else game.white
    colour = "" if game.black is None else "w" if is_white else "b"
    code = game.white_code if is_white else game.black_code
    return OwnGame(game.round, colour, people.get(other or 0), code, game.is_played, outcome)
