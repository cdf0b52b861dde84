"""Variants of a text: a cap, a K, a floor, a first rating or an inactivity that nobody has adopted, to be tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any, Self

from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating, KFactor, Remembered, StatusAtStart
from ratings.systems.registry import rules_named
from ratings.systems.words import About, FormulaStep, Reason, gettext_noop

# The least and the most that a proposal may set.
BOUNDS = {"cap": (100, 2000), "k": (1, 100), "floor": (100, 2400), "active_lists": (1, 60)}
CAPPED = Reason(
    "capped-variant",
    About.GAME,
    counts=True,
    text=gettext_noop("Rating difference capped by the proposal."),
)
SINGLE_K = Reason(
    "k-variant", About.K, counts=True, text=gettext_noop("One K-factor for all players, by the proposal.")
)


@dataclass(frozen=True, slots=True)
class Parameters:
    """What a variant changes in a text; None leaves it as the text has it.

    `k` is one K-factor for everybody; `initial` is the slug of the text whose initial rating is taken;
    `active_lists` is for how many lists a rated game keeps a player active.
    """

    text: str
    cap: int | None = None
    k: int | None = None
    floor: int | None = None
    initial: str | None = None
    active_lists: int | None = None

    def as_row(self) -> dict[str, Any]:
        """Return the parameters as plain JSON values; what is left as it is is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> Self:
        """Return the parameters that `as_row` wrote."""
        return cls(**row)

    def out_of_bounds(self) -> list[tuple[str, int, int]]:
        """Return the parameters that are too small or too large, with their bounds."""
        return [
            (name, least, most)
            for name, (least, most) in BOUNDS.items()
            if (value := getattr(self, name)) is not None and not least <= value <= most
        ]

    @property
    def changes_nothing(self) -> bool:
        return self == Parameters(self.text)

    @property
    def rules(self) -> Variant:
        """Return the text with these parameters; `NoRulesError` for an unknown text."""
        base = rules_named(self.text)
        shared: dict[str, Any] = {field.name: getattr(base, field.name) for field in fields(PeriodRules)}
        changed = {
            # Another slug than that of the text, for which a trial must not pass.
            "slug": f"{base.slug}-variant",
            "shipped_from": None,
            "cap": self.cap or base.cap,
            "floor": self.floor or base.floor,
            "active_lists": self.active_lists or base.active_lists,
            "reasons": {**base.reasons, CAPPED.key: CAPPED, SINGLE_K.key: SINGLE_K},
        }
        return Variant(
            **(shared | changed),
            base=base,
            initial_by=rules_named(self.initial or self.text),
            has_own_cap=self.cap is not None,
            single_k=self.k,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variant(PeriodRules):
    """A text in which some figures are others; all else is asked of the text."""

    base: PeriodRules
    initial_by: PeriodRules
    has_own_cap: bool
    single_k: int | None

    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """Return the differences by the own cap, which applies to both sides of every game."""
        if not self.has_own_cap:
            return self.base.counted_differences(differences)
        return [
            (max(-self.cap, min(self.cap, one)), CAPPED.key if abs(one) > self.cap else "")
            for one in differences
        ]

    def tournament_k(self, listed_k: int) -> int:
        """Return the own K for all players; the limit of `games x K` is that of the text."""
        return self.base.tournament_k(listed_k) if self.single_k is None else self.single_k

    def list_k(self, known: Remembered, *, birth_year: int | None, on: date) -> KFactor:
        if self.single_k is not None:
            return KFactor(self.single_k, SINGLE_K.key)
        return self.base.list_k(known, birth_year=birth_year, on=on)

    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        return self.initial_by.initial_rating(
            opponents_sum=opponents_sum, games=games, half_points=half_points
        )

    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[FormulaStep]:
        return self.initial_by.initial_steps(initial, opponents_sum)

    def void_by_ratings(self, white: StatusAtStart, black: StatusAtStart) -> str:
        return self.base.void_by_ratings(white, black)
