"""The texts of the over-the-board regulations, and the days from which each is in force (0.1; D-90).

A text is one module of this package, named `fide_rapid_blitz_...`, with its `RULES`. The days from which each is in
force are data: an `Adoptions` value, passed to functions that need the text of a day.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules
from typing import Self

from ratings import systems
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.wording import CORRECTED_FIRST
from ratings.systems.words import Reason

ENGINE_VERSION = "2"
FAMILY = "fide_rapid_blitz_"


class NoRulesError(LookupError):
    """No text is in force on a day, or none has that name (D-13)."""


@cache
def texts() -> tuple[PeriodRules, ...]:
    """Return all texts that the portal knows, adopted or on offer, by their slugs."""
    names = sorted(module.name for module in iter_modules(systems.__path__) if module.name.startswith(FAMILY))
    found: list[PeriodRules] = [import_module(f"{systems.__name__}.{name}").RULES for name in names]
    return tuple(sorted(found, key=attrgetter("slug")))


def rules_named(slug: str) -> PeriodRules:
    """Return the text of a slug; raise `NoRulesError` if there is none."""
    for rules in texts():
        if rules.slug == slug:
            return rules
    raise NoRulesError(f"no rules are called {slug!r}")


@dataclass(frozen=True, slots=True)
class Adopted:
    """A text with the days on which it is in force; `last_day` is None where nothing is adopted after it."""

    rules: PeriodRules
    first_day: date
    last_day: date | None = None


@dataclass(frozen=True, slots=True)
class Adoptions:
    """Which text is in force from which day, the earliest first."""

    rows: tuple[Adopted, ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[PeriodRules, date]]) -> Self:
        """Return the adoptions of texts from their first days on."""
        ordered = sorted(pairs, key=lambda pair: pair[1])
        ends = [first - timedelta(days=1) for _rules, first in ordered[1:]]
        return cls(
            tuple(
                Adopted(rules=rules, first_day=first, last_day=last)
                # Without any adoption there is one end, and no text.
                for (rules, first), last in zip(ordered, [*ends, None], strict=False)
            )
        )

    @property
    def first_day(self) -> date:
        """The first day of the first text; tournaments that start earlier are not rated (D-13)."""
        return self.rows[0].first_day if self.rows else date.max

    def has_text_on(self, day: date) -> bool:
        return self.first_day <= day

    def text_on(self, day: date) -> PeriodRules:
        """Return the text in force on a day: a tournament's first day, or a list's date (0.1, D-14)."""
        for row in reversed(self.rows):
            if row.first_day <= day:
                return row.rules
        raise NoRulesError(f"no rapid and blitz rules are held for {day.isoformat()} (D-13)")

    def nearest_text(self, day: date) -> PeriodRules:
        """Return the text of a day, the first one for an earlier day: what an imported list implies (D-12)."""
        return self.text_on(max(day, self.first_day))

    def until(self, day: date) -> Self:
        """Return the adoptions of texts that were in force on a day or before."""
        return self.of((row.rules, row.first_day) for row in self.rows if row.first_day <= day)


def always(rules: PeriodRules) -> Adoptions:
    """Return one text as if it were in force on every day: for calculators."""
    return Adoptions.of([(rules, date.min)])


# The adoptions included in the portal: for code without a database.
SHIPPED = Adoptions.of((rules, rules.shipped_from) for rules in texts() if rules.shipped_from)


def known_texts() -> list[PeriodRules]:
    """Return the texts, the newest first; those on offer last. The first that knows a key or number explains it."""
    return sorted(texts(), key=lambda rules: rules.shipped_from or date.min, reverse=True)


def reason_of(key: str, rules: PeriodRules | None = None) -> Reason:
    """Return the reason that a key names, in the words of a text if it is given; `KeyError` for an unknown key."""
    for text in [rules, *known_texts()] if rules else known_texts():
        if key in text.reasons:
            return text.reasons[key]
    raise KeyError(key)


def meaning_of(number: str, rules: PeriodRules | None = None) -> str:
    """Return the sentence of an article or decision, in a text's words if given; `KeyError` for an unknown one."""
    for text in [rules, *known_texts()] if rules else known_texts():
        for sentences in (text.articles, text.decisions):
            if number in sentences:
                return sentences[number]
    raise KeyError(number)


def is_explained(number: str) -> bool:
    """Return whether an article or decision is one of the texts of the over-the-board regulations."""
    return any(number in text.articles or number in text.decisions for text in texts())


def explaining_text(number: str, rules: PeriodRules | None) -> PeriodRules | None:
    """Return the text if its sentence for a number differs from the common one."""
    if rules is None or number not in rules.articles or rules.articles[number] == meaning_of(number):
        return None
    return rules


def articles_by_text() -> list[tuple[PeriodRules, dict[str, str]]]:
    """Return each text, the newest first, with its articles that differ from those of newer texts, in order."""
    found: list[tuple[PeriodRules, dict[str, str]]] = []
    seen: set[tuple[str, str]] = set()
    for rules in known_texts():
        own = {number: text for number, text in rules.articles.items() if (number, text) not in seen}
        seen |= own.items()
        found.append((rules, {number: own[number] for number in sorted(own, key=_in_order)}))
    return found


def _in_order(number: str) -> tuple[int, ...]:
    # As numbers: 7.10 follows 7.9.
    return tuple(int(part) for part in number.split("."))


def all_reasons() -> dict[str, Reason]:
    """Return the reasons of all texts by their keys, the newest text's words first."""
    found: dict[str, Reason] = {}
    for rules in known_texts():
        for key, reason in rules.reasons.items():
            found.setdefault(key, reason)
    return found


def all_decisions() -> dict[str, str]:
    """Return the sentences of the project's decisions, by their numbers in order."""
    found: dict[str, str] = {}
    for rules in reversed(known_texts()):
        found |= rules.decisions
    return {number: found[number] for number in sorted(found, key=lambda number: int(number[2:]))}


def key_of_each(concept: str) -> frozenset[str]:
    """Return the key that each text stores for a concept: a first rating has several."""
    return frozenset(rules.keys[concept] for rules in texts())


def first_rating_keys() -> frozenset[str]:
    """Return the keys of the results that are first ratings, by any text."""
    return key_of_each("initial") | key_of_each("first-by-standard") | {CORRECTED_FIRST}
