"""Games as pages and the API show them: both sides, and what the game did to their ratings in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import get_language, gettext

from arenas.models import Arena, Game, Member
from arenas.systems import System, clause_of
from core.html.figures import MINUS, fill_figures
from core.stored_texts import day_in_words
from ratings.choices import ListKind
from ratings.systems.online.values import sentence_figures

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A step in words: its key, its sentence, and the clause of the arena's rules."""

    key: str
    text: str
    clause: str

    @property
    def label(self) -> str:
        """The label beside the step: the number of an article or decision, else a general word."""
        is_numbered = self.clause[:1].isdigit() or self.clause.startswith("D-")
        return self.clause if is_numbered else gettext("rule")


def sentences(rules: System, steps: Iterable[Row]) -> list[Sentence]:
    """Return stored steps in words, in their order."""
    language = get_language()
    return [_sentence(rules, step["key"], step["figures"], language) for step in steps]


def _sentence(rules: System, key: str, figures: Row, language: str | None) -> Sentence:
    """Return one step in words; an unknown key is shown unchanged."""
    text = rules.messages.get(key)
    sentence = fill_figures(_in_language(text, language), _figures_in_words(figures)) if text else key
    return Sentence(key, sentence, clause_of(rules.slug, key))


def _figures_in_words(figures: Row) -> dict[str, Any]:
    """Return the figures of a step as its sentence shows them: signs, dates and rating types in words."""
    written = sentence_figures(figures)
    for name in ("list", "day", "since"):
        if name in figures:
            value = str(figures[name])
            written[name] = ListKind(value).label if value in ListKind.values else day_in_words(value)
    return written


@lru_cache(maxsize=4096)
def _in_language(text: str, language: str | None) -> str:
    """Return a message in the present language; a batch of 500 games has 6,000 of some 30 messages."""
    return gettext(text)


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
