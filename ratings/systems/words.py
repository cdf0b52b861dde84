"""Values with which systems explain their figures: steps of a calculation, and reasons, which rows store by their keys.

Keys are stored in rows: none is ever renamed. A key is a concept with the article that decides it: `capped-7.3.1`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


def gettext_noop(text: str) -> str:
    """Mark a text for translation; it is translated where it is shown."""
    return text


class Unit(StrEnum):
    """How the figure of a step is written: as it is, as a change, or as hundredths."""

    PLAIN = "plain"
    CHANGE = "change"
    HUNDREDTHS = "hundredths"


@dataclass(frozen=True, slots=True)
class FormulaStep:
    """A step of a formula: in symbols, in words (may be empty), the article or decision, and the figure that comes out.

    `formula` may name the `score` and `p` of the calculation as `%(score)s` and `%(p)s`; `limit` adds to the words.
    """

    formula: str
    article: str
    amount: int | str
    unit: Unit
    text: str = ""
    limit: str = ""


class About(StrEnum):
    """The subject of a reason: one game, the K of a player, or a player's result on a list."""

    GAME = "game"
    K = "k"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason key. `counts` is whether the game, or the player's results on the list, count."""

    key: str
    about: About
    counts: bool
    text: str

    @property
    def article(self) -> str:
        """The article or decision at the end of the key: `capped-7.3.1` gives `7.3.1`."""
        head, _dash, number = self.key.rpartition("-")
        return f"D-{number}" if head.endswith("-D") else number

    @property
    def concept(self) -> str:
        """The key without its article or decision: `capped-7.3.1` gives `capped`."""
        return self.key.removesuffix(f"-{self.article}")
