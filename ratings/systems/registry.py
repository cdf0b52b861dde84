"""The versions of the over-the-board regulations, by the days on which they are in force (0.1).

A new version is one module and one row here.
"""

from __future__ import annotations

from datetime import date

from ratings.systems import fide_rapid_blitz_2022, fide_rapid_blitz_2024
from ratings.systems.otb.rules import PeriodRules

ENGINE_VERSION = "1"

VERSIONS: tuple[PeriodRules, ...] = (fide_rapid_blitz_2022.RULES, fide_rapid_blitz_2024.RULES)


class NoRulesError(LookupError):
    """No rules are held for a day: tournaments before 2022-01-01 are not rated (D-13)."""


def rules_on(day: date) -> PeriodRules:
    """Return the rules in force on a day: a tournament's first day, or a list's date (0.1, D-14)."""
    for rules in reversed(VERSIONS):
        if rules.first_day <= day:
            return rules
    raise NoRulesError(f"no rapid and blitz rules are held for {day.isoformat()} (D-13)")


def rules_named(slug: str) -> PeriodRules:
    """Return the rules of a slug; raise `NoRulesError` if there are none."""
    for rules in VERSIONS:
        if rules.slug == slug:
            return rules
    raise NoRulesError(f"no rules are called {slug!r}")
