"""The online rating systems as arenas use them: one table, so that no other module asks which system it serves.

The rules in words are those of the systems, filled with the arena's own parameters: reasons and pages link to them by
the clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.systems.arithmetic import in_points
from ratings.systems.online import chess_online, flyordie, foa_rbb, foa_rbb_wording
from ratings.systems.online.values import OnlineGame, OnlineOutcome, OnlineStep, Past, RatedGame
from ratings.systems.words import gettext_noop

# Systems without categories have one rating per member.
ONE_CATEGORY = "all"
PROVISIONAL_GAMES = 20

# The names of parameters.
WINDOW = "series_window_hours"
TIME_CONTROLS = "time_controls"

# Messages for the parameters of an arena, for any system.
UNRATED_TIME_CONTROL = "unrated-time-control"
OWN_MESSAGES = {
    UNRATED_TIME_CONTROL: gettext_noop("Not rated: %(time_control)s is not a time control of this arena."),
}

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class System:
    """What an arena asks of its system. States are the system's own; `unit` is a rating's unit in hundredths.

    `first_clauses` say how the first games of a member count, and `initial_games` is how many of them give an
    unrated member a rating: 0 where nobody is unrated.
    """

    slug: str
    categories: tuple[str, ...]
    messages: Mapping[str, str]
    newcomer: Any
    unit: int
    provisional_games: int
    initial_games: int
    first_clauses: tuple[str, ...]
    time_controls: Mapping[str, Sequence[str]]
    unrated_reason: Callable[[OnlineGame], OnlineStep | None]
    rate_game: Callable[[Any, Any, OnlineGame, Parameters, Iterable[tuple[Any, Any]]], RatedGame[Any]]
    end_day: Callable[[Any, date], OnlineOutcome[Any]]
    reverse_game: Callable[[Any, Any, Past[Any], Sequence[Past[Any]], date], OnlineOutcome[Any]]

    @property
    def has_own_categories(self) -> bool:
        """Whether the text itself names the categories and their time controls."""
        return bool(self.time_controls)

    def state_from(self, row: Mapping[str, Any]) -> Any:
        """Return the state that was stored."""
        return type(self.newcomer).from_dict(row)

    def hundredths(self, state: Any) -> int | None:
        """Return a state's exact rating in hundredths of a point, None for an unrated member."""
        return None if state.rating is None else state.rating * self.unit

    def exact(self, hundredths: int | None) -> str | None:
        """Return a rating as the decimal text of this system: two decimals where it keeps them."""
        if hundredths is None:
            return None
        return in_points(hundredths) if self.unit == 1 else str(hundredths // self.unit)

    def in_units(self, exact: str | None) -> int | None:
        """Return the number in a state for the decimal text of an exact rating."""
        return None if exact is None else int(Decimal(exact) * 100) // self.unit

    def is_provisional(self, games: int) -> bool:
        """Return whether a rating after so many games is a provisional one."""
        return games < self.provisional_games


def whole_rating(hundredths: int | None) -> int | None:
    """Return the whole rating that is displayed, .5 rounded upwards (FOA 3.12, 3.13)."""
    return None if hundredths is None else (hundredths + 50) // 100


def series_window(parameters: Parameters) -> timedelta:
    """Return the arena's window of a series, 24 hours where it sets none (D-60)."""
    hours = parameters.get(WINDOW)
    return flyordie.SERIES_WINDOW if hours is None else timedelta(hours=hours)


def _always_rated(game: OnlineGame) -> OnlineStep | None:
    return None


def _no_day(state: Any, day: date) -> OnlineOutcome[Any]:
    return OnlineOutcome(state)


SYSTEMS = {
    system.slug: system
    for system in (
        System(
            slug=foa_rbb.SLUG,
            categories=foa_rbb.CATEGORIES,
            messages={**foa_rbb_wording.MESSAGES, **OWN_MESSAGES},
            newcomer=foa_rbb.NEWCOMER,
            unit=1,
            # The text knows no provisional rating: members are unrated until the first one (3.6).
            provisional_games=0,
            initial_games=foa_rbb.FIRST_GAMES,
            first_clauses=("3.5", "3.6", "3.6.1", "3.6.2", "3.7.3", "3.7.4", "3.7.5"),
            time_controls=foa_rbb.TIME_CONTROLS,
            unrated_reason=foa_rbb.unrated_reason,
            rate_game=lambda white, black, game, parameters, past: foa_rbb.rate_game(white, black, game),
            end_day=_no_day,
            reverse_game=lambda state, start, cancelled, standing, on: foa_rbb.reverse_game(
                state, start, standing
            ),
        ),
        System(
            slug=chess_online.SLUG,
            categories=(ONE_CATEGORY,),
            messages={**chess_online.MESSAGES, **OWN_MESSAGES},
            newcomer=chess_online.NEWCOMER,
            unit=100,
            provisional_games=PROVISIONAL_GAMES,
            initial_games=0,
            first_clauses=("beginning", "first-20-games"),
            time_controls={},
            unrated_reason=chess_online.unrated_reason,
            rate_game=lambda white, black, game, parameters, past: chess_online.rate_game(white, black, game),
            end_day=chess_online.end_day,
            reverse_game=lambda state, start, cancelled, standing, on: chess_online.reverse_game(
                state, start, standing, on
            ),
        ),
        System(
            slug=flyordie.SLUG,
            categories=(ONE_CATEGORY,),
            messages={**flyordie.MESSAGES, **OWN_MESSAGES},
            newcomer=flyordie.NEWCOMER,
            unit=100,
            provisional_games=PROVISIONAL_GAMES,
            initial_games=0,
            first_clauses=("rating", "k", "D-61"),
            time_controls={},
            unrated_reason=_always_rated,
            rate_game=lambda white, black, game, parameters, past: flyordie.rate_game(
                white, black, game, window=series_window(parameters), past=past
            ),
            end_day=flyordie.end_day,
            reverse_game=flyordie.reverse_game,
        ),
    )
}


NUMBERED = re.compile(r"-(D-[0-9]+|[0-9]+(?:\.[0-9]+)+)$")
TEXTS = {
    "foa-rbb": foa_rbb_wording.CLAUSES,
    "chess-online": chess_online.CLAUSES,
    "flyordie": flyordie.CLAUSES,
}
PLACES: Mapping[str, Mapping[str, str]] = {
    "foa-rbb": foa_rbb_wording.PLACES,
    "chess-online": chess_online.PLACES,
    "flyordie": flyordie.PLACES,
}


# What clauses are called; a name without a number is unlike any number.
TITLES: Mapping[str, Promise] = {
    "1.1": _("Separate ratings"),
    "1.4": _("Lists"),
    "2.1": _("Full members"),
    "2.3": _("Rated time controls"),
    "2.4": _("Disconnected player"),
    "3.1": _("Two decimals"),
    "3.2": _("Rating floor"),
    "3.3": _("Lost rating"),
    "3.4.1": _("Rapid from the FIDE list"),
    "3.4.2": _("Blitz from the FIDE list"),
    "3.4.3": _("Bullet from the FIDE list"),
    "3.5": _("Unrated member"),
    "3.6": _("Two unrated members"),
    "3.6.1": _("First target"),
    "3.6.2": _("Second target"),
    "3.7.1": _("Average of the opponents (Ra)"),
    "3.7.2": _("Initial rating"),
    "3.7.3": _("Half of the points"),
    "3.7.4": _("More than half"),
    "3.7.5": _("Less than half"),
    "3.8": _("Unrated opponent"),
    "3.9.1": _("Change of a game"),
    "3.9.2": _("New rating"),
    "3.10.1": _("K for rapid and blitz"),
    "3.10.2": _("K for bullet"),
    "3.10.3": _("K for new players"),
    "3.11": _("When ratings change"),
    "3.12": _("Rating shown"),
    "3.13": _("Rounding"),
    "3.15": _("Over-the-board changes"),
    "D-40": _("Initial rating below 100"),
    "D-41": _("Rating difference"),
    "D-42": _("The 30 games for K"),
    "D-43": _("Over-the-board changes"),
    "D-50": _("Elo formula"),
    "D-51": _("Short games"),
    "D-52": _("Rating floor"),
    "D-60": _("Series of games"),
    "D-61": _("Provisional players"),
    "D-88": _("Cancelled games"),
    "time-controls": _("Time controls"),
    "beginning": _("Start"),
    "first-20-games": _("The first 20 games"),
    "elo": _("From game 21"),
    "higher-rating": _("Rating used"),
    "floor": _("Rating floor"),
    "floor-90-days": _("Falling rating floor"),
    "rating": _("Rating"),
    "k": _("K-factor"),
    "expectation": _("Expected score"),
    "reduction": _("Daily decay"),
    "late": _("Late games"),
    "cancelled": _("Cancelled games"),
}


# The parts of the texts, by the clauses with which they begin.
HEADINGS: Mapping[str, Promise] = {
    "1.1": _("Ratings and rated games"),
    "3.4.1": _("Initial rating"),
    "3.8": _("Rating change"),
    "3.12": _("Rating shown"),
    "time-controls": _("Rated games"),
    "beginning": _("The first 20 games"),
    "elo": _("Rating change"),
    "rating": _("Rating change"),
    "floor": _("Rating floor"),
    "late": _("Late and cancelled games"),
}


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its number, decision or name, which is also its anchor, and its text."""

    name: str
    text: str

    @property
    def title(self) -> str:
        return str(TITLES[self.name])

    @property
    def number(self) -> str:
        """The number or decision, empty for a name."""
        return self.name if self.name[0].isdigit() or self.is_decision else ""

    @property
    def is_decision(self) -> bool:
        return self.name.startswith("D-")

    @property
    def anchor(self) -> str:
        """The fragment of the clause's address."""
        return f"rule-{self.name}"


@cache
def clause_of(system: str, key: str) -> str:
    """Return the clause that a reason key rests on: the number at its end, else the place that the system names."""
    found = NUMBERED.search(key)
    return found[1] if found else PLACES[system].get(key, "")


def clauses_of(system: str, parameters: Mapping[str, Any]) -> list[Clause]:
    """Return the clauses of an arena's rules with its parameters filled in."""
    hours = series_window(parameters).total_seconds() / 3600
    figures = {"hours": f"{hours:g}"}
    return [Clause(name, gettext(text) % figures) for name, text in TEXTS[system].items()]


def parts_of(clauses: Iterable[Clause]) -> list[tuple[str | Promise, list[Clause]]]:
    """Return clauses under their headings, in order; decisions come last."""
    parts: list[tuple[str | Promise, list[Clause]]] = []
    decisions: list[Clause] = []
    for clause in clauses:
        if clause.name in HEADINGS:
            parts.append((HEADINGS[clause.name], []))
        (decisions if clause.is_decision else parts[-1][1]).append(clause)
    return [*parts, (_("Decisions"), decisions)]


def first_clauses_of(system: str, parameters: Mapping[str, Any]) -> list[Clause]:
    """Return the clauses that say how the first games of a member count."""
    return [one for one in clauses_of(system, parameters) if one.name in SYSTEMS[system].first_clauses]
