"""What the stored steps of a change say, in words, and where each one's rule stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from arenas.clauses import clause_of
from arenas.systems import System

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A step in words: its key, what it says, and the clause of the arena's rules that it applies."""

    key: str
    text: str
    clause: str

    @property
    def label(self) -> str:
        """What stands beside the step: the number of an article or decision, else that there is a rule."""
        is_numbered = self.clause[:1].isdigit() or self.clause.startswith("D-")
        return self.clause if is_numbered else gettext("rule")


def sentences(rules: System, steps: Iterable[Row]) -> list[Sentence]:
    """Return stored steps in words, in their order."""
    return [sentence(rules, step["key"], step["figures"]) for step in steps]


def sentence(rules: System, key: str, figures: Row) -> Sentence:
    """Return one step in words; a key that is no longer known stands for itself."""
    text = rules.messages.get(key)
    said = gettext(text) % figures if text else key
    return Sentence(key, said, clause_of(rules.slug, key))


def reason_in_words(rules: System, game: Any) -> str:
    """Return why a game is not rated, empty for one that is."""
    if not game.unrated:
        return ""
    steps: Iterator[Row] = (
        step for side in game.explanation.values() for step in side["steps"] if step["key"] == game.unrated
    )
    step = next(steps, None)
    return sentence(rules, step["key"], step["figures"]).text if step else str(game.unrated)
