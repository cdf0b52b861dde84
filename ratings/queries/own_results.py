"""What a confirmed player sees of their own accepted reports before and after publication: result, games, figures.

Opponents are shown as in the report; none of their private data is read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import Q

from players.models import Player
from ratings.choices import Status
from ratings.models import ParticipantRating
from ratings.queries.played import Opponent, PlayedEvent, PlayedGame, with_opponents
from ratings.queries.records import former_ids, with_results
from ratings.systems.otb.tournament import HALF_POINTS
from ratings.systems.otb.values import Outcome
from tournaments.choices import ReportState
from tournaments.models import Game, Participant

SHOWN = 30
LISTS = tuple(f"tournament_rating__included_in__{name}" for name in ("manifest", "signature"))
LARGE = ("report__content", "report__pgn", "report__findings", "report__amendments")


def own_results(player: Player, *, most: int = SHOWN) -> list[PlayedEvent]:
    """Return a player's results in accepted reports, under all IDs of theirs, the newest first; four queries.

    Each is as its list rated it, before that by the K at the start. One whose report is not rated yet has a row that
    is not stored.
    """
    rows = _participants(player).order_by("-report__tournament__end", "-pk")
    return _rated_results(list(rows[:most]))


def own_result(player: Player, event_id: str) -> PlayedEvent | None:
    """Return a player's result in the accepted report of a tournament, None where there is none."""
    rows = _participants(player).filter(report__tournament__event_id=event_id)
    return next(iter(_rated_results(list(rows.select_related("report__tournament__federation")[:1]))), None)


def _participants(player: Player) -> Any:
    # Reports keep the ID under which somebody played (ADR 14).
    ids = (player.pk, *former_ids(player.pk))
    rows = Participant.objects.filter(player__in=ids, report__state=ReportState.ACCEPTED)
    return rows.select_related("player", "report__tournament").defer(*LARGE)


def _rated_results(participants: list[Participant]) -> list[PlayedEvent]:
    rows = ParticipantRating.objects.filter(participant__in=participants)
    rows = rows.select_related("tournament_rating__included_in").defer(*LISTS)
    stored = {row.participant_id: row for row in rows}
    found = []
    for one in participants:
        row = stored.get(one.pk) or _unrated_row(one)
        on_list = row.tournament_rating.included_in if row.pk else None
        found.append(PlayedEvent(one.report.event, one, row, on_list=on_list))
    return [
        one if one.rated else replace(one, rated=one.row.rated_by(one.tournament))
        for one in with_results(found)
    ]


def games_of_result(result: PlayedEvent) -> list[PlayedGame]:
    """Return a result round by round, as rated, or as reported as long as it is not; one query or two."""
    if result.row.pk is not None:
        return with_opponents([result])[0].games
    own, report = result.participant, result.participant.report
    rows = Game.objects.filter(Q(white=own.number) | Q(black=own.number), report=report).order_by("round")
    outcomes = tuple(_as_reported(game, own.number) for game in rows)
    numbers = {outcome.opponent for outcome in outcomes if outcome.opponent}
    met = Participant.objects.filter(report=report, number__in=numbers)
    opponents = {one.number: Opponent.as_reported(one) for one in met}
    return replace(result, row=_unrated_row(own, outcomes), opponents=opponents).games


def _unrated_row(line: Participant, outcomes: tuple[Outcome, ...] = ()) -> ParticipantRating:
    return ParticipantRating(number=line.number, own_status=Status.UNRATED, outcomes=outcomes)


def _as_reported(game: Game, number: int) -> Outcome:
    """Return a round of a report that is not rated yet, from a player's side; no reason says whether it counts."""
    is_white = game.white == number
    code = game.white_code if is_white else game.black_code
    return Outcome(
        round=game.round,
        opponent=game.black if is_white else game.white,
        colour="" if game.black is None else "w" if is_white else "b",
        code=code,
        half_points=HALF_POINTS.get(code, 0),
        reasons=(),
    )
