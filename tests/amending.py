"""Corrections as tests make them: one amendment, or one file, with the words of an act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from core.acts import Act
from players.models import Player
from ratings.services.corrections.amend import amend
from ratings.services.corrections.effect import Effect
from ratings.services.corrections.players import amend_player, data_amendments
from tournaments.amendments import Amendment, File, NotRated, Withdrawal
from tournaments.conditions import Conditions
from tournaments.models import Tournament
from tournaments.services.corrections import condition_amendments


def correct_game(
    tournament: Tournament,
    amendment: Amendment,
    *,
    reason: str,
    by: Any,
    at: datetime,
    on: date | None = None,
    **options: Any,
) -> Effect:
    """Amend one game of a report."""
    return amend(tournament, [amendment], Act(by, at, reason, on), **options)


def correct_report(
    tournament: Tournament,
    content: bytes | None,
    *,
    file_name: str,
    reason: str,
    by: Any,
    at: datetime,
    on: date | None = None,
    marks: Sequence[NotRated] = (),
    **options: Any,
) -> Effect:
    """Put another file in the place of a report, with marks of games; without a file the report is withdrawn."""
    file = Withdrawal() if content is None else File(name=file_name, content=content)
    return amend(tournament, [file, *marks], Act(by, at, reason, on), **options)


def correct_conditions(
    tournament: Tournament,
    wanted: Conditions,
    *,
    reason: str,
    by: Any,
    at: datetime,
    on: date | None = None,
    content: bytes | None = None,
    file_name: str = "",
    **options: Any,
) -> Effect:
    """Correct the conditions of a tournament, with another file where the report says otherwise too."""
    amendments: list[Amendment] = [*condition_amendments(tournament, wanted)]
    if content is not None:
        amendments.append(File(name=file_name, content=content))
    return amend(tournament, amendments, Act(by, at, reason, on), **options)


def correct_player(
    player: Player, data: Mapping[str, Any], *, reason: str, by: Any, at: datetime, **options: Any
) -> Effect:
    """Correct data that are recorded of a player."""
    return amend_player(player, data_amendments(data), Act(by, at, reason), **options)
