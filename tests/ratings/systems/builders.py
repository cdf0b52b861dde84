"""Short ways to standings, events and shares for the examples."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ratings.systems.otb.values import UNRATED, Event, PoolShare, Seat, Status, StatusAtStart
from ratings.systems.registry import SHIPPED

# An opponent's rating (None: unrated) and the half points scored.
Met = tuple[int | None, int]
WIN, DRAW, LOSS = 2, 1, 0


def rated(rating: int, k: int = 20) -> StatusAtStart:
    """Return a standing by a rating of the kind."""
    return StatusAtStart(Status.RATED, rating, k)


def standard(rating: int, k: int = 40) -> StatusAtStart:
    """Return a standing by the standard rating (7.2.1)."""
    return StatusAtStart(Status.STANDARD, rating, k)


def event(
    start: date,
    games: Sequence[Met],
    *,
    own: StatusAtStart = UNRATED,
    event_id: str = "1",
    end: date | None = None,
) -> Event:
    """Return a tournament of one player, rated by the text of its first day: each game another opponent."""
    seats = [
        Seat(n, n, "w", "0=1"[half_points], half_points) for n, (_, half_points) in enumerate(games, start=1)
    ]
    opponents = {
        n: UNRATED if rating is None else rated(rating) for n, (rating, _) in enumerate(games, start=1)
    }
    participation = SHIPPED.text_on(start).rate_participant(own, seats, opponents)
    return Event(event_id, start, end or start, participation)


def share(start: date, ratings: Sequence[int], half_points: int, *, event_id: str = "1") -> PoolShare:
    """Return what an event of the past added to a pool."""
    return PoolShare(event_id, start, start, sum(ratings), len(ratings), half_points)
