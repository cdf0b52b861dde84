"""What changed a rating in words, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language, gettext

from arenas.systems import System, clause_of
from core.html.dates import day_in_words
from core.html.figures import fill_figures
from ratings.choices import ListKind
from ratings.systems.arithmetic import in_decimals
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
    if "average" in figures:
        written["average"] = in_decimals(Fraction(figures["average"]), places=2)
    for name in ("list", "day", "since"):
        if name in figures:
            value = str(figures[name])
            written[name] = ListKind(value).label if value in ListKind.values else day_in_words(value)
    return written


@lru_cache(maxsize=4096)
def _in_language(text: str, language: str | None) -> str:
    """Return a message in the present language; a batch of 500 games has 6,000 of some 30 messages."""
    return gettext(text)
