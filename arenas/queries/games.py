"""Games as pages and the API show them, with both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet

from arenas.models import Arena, Game, Member
from arenas.queries.sentences import Row, Sentence, sentences
from arenas.systems import System
from core.html.figures import MINUS


def reason_in_words(rules: System, game: Any) -> str:
    """Return why a game is not rated, empty for one that is."""
    if not game.unrated:
        return ""
    steps: Iterator[Row] = (
        step for side in game.explanation.values() for step in side["steps"] if step["key"] == game.unrated
    )
    found = sentences(rules, steps)
    return found[0].text if found else str(game.unrated)


@dataclass(frozen=True, slots=True)
class SideShown:
    """One player of a game: exact ratings before and after, None while unrated, and the steps between."""

    colour: str
    member: Member
    rating_at_start: int | None
    before: str | None
    after: str | None
    steps: Sequence[Sentence]

    @property
    def change(self) -> str | None:
        """The exact change, None where there was no rating before or after."""
        if self.before is None or self.after is None:
            return None
        return str(Decimal(self.after) - Decimal(self.before))

    @property
    def signed(self) -> str:
        """The change with its sign, for `figure`; empty where there is none."""
        if self.change is None:
            return ""
        sign = "" if Decimal(self.change) <= 0 else "+"
        return sign + self.change.replace("-", MINUS)


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game with its two sides; `reason` is why it is not rated, empty if rated."""

    game: Game
    white: SideShown
    black: SideShown
    reason: str

    def side_of(self, member: Member) -> SideShown:
        return self.white if self.game.white_id == member.pk else self.black


def games_of(arena: Arena, *, member: Member | None = None, game_id: str = "") -> QuerySet[Game]:
    """Return an arena's games with their members, or those of one member, or the one of the arena's own id."""
    games = Game.objects.filter(arena=arena).select_related("white", "black")
    if member is not None:
        games = games.filter(Q(white=member) | Q(black=member))
    return games.filter(arena_game_id=game_id) if game_id else games


def describe_game(rules: System, game: Game) -> GameShown:
    """Return a game as it is shown; `game` has its members loaded."""
    white, black = (
        _side(rules, game, colour, member, rating)
        for colour, member, rating in (
            ("white", game.white, game.white_rating_at_start),
            ("black", game.black, game.black_rating_at_start),
        )
    )
    return GameShown(game, white, black, reason_in_words(rules, game))


def _side(rules: System, game: Game, colour: str, member: Member, rating: int | None) -> SideShown:
    stored = game.explanation[colour]
    return SideShown(
        colour=colour,
        member=member,
        rating_at_start=rating,
        before=stored["before"],
        after=stored["after"],
        steps=sentences(rules, stored["steps"]),
    )
