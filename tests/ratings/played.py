"""A month as it is played: rated players and a newcomer meet in some tournaments, and the list is published."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from players.models import Player
from ratings.models import RatingList
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
    round_robin,
)
from tournaments.models import Tournament

FIRST_LIST = date(2026, 1, 1)
NEXT_LIST = date(2026, 2, 1)


@dataclass
class Month:
    """What was played: `hero` is in every tournament, `newcomer` has no rating before it."""

    hero: Player
    newcomer: Player
    others: list[Player]
    tournaments: list[Tournament] = field(default_factory=list)
    first: RatingList | None = None
    published: RatingList | None = None

    @property
    def everybody(self) -> list[Player]:
        return [self.hero, *self.others, self.newcomer]


def play_month(size: int = 1, *, kind: str = "rapid", is_published: bool = True) -> Month:
    """Return a month of `size` tournaments with `size` opponents besides the newcomer.

    The hero, rated 1900, beats the others and draws with the newcomer, who meets nobody else.
    """
    first = RatingListFactory(kind=kind, date=FIRST_LIST)
    hero = ListEntryFactory(rating_list=first, rating=1900, player__name="Hero, Hanna").player
    others = [
        ListEntryFactory(rating_list=first, rating=1700 - place, player__name=f"Other, Otto {place}").player
        for place in range(size)
    ]
    month = Month(hero, PlayerFactory(name="Newcomer, Nora"), others, first=first)
    pairings = [
        (number, white, black, "1-0" if white == 1 else "1/2")
        for number, white, black, _ in round_robin(size + 1)
    ]
    pairings.append((len(pairings) + 1, 1, size + 2, "1/2"))
    for place in range(size):
        event = TournamentFactory(kind=kind, start=date(2026, 1, 10 + place))
        play_and_rate(event, month.everybody, pairings)
        month.tournaments.append(event)
    if is_published:
        month.published = publish(kind, NEXT_LIST)
        for tournament in month.tournaments:
            tournament.refresh_from_db()
    return month
