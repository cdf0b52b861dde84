"""The rules of the online systems in words, clause by clause; reasons and pages link to them by the clause.

The clauses stand with their systems; here they are filled with the arena's own parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from arenas.systems import series_window
from ratings.systems.online import chess_online_wording, flyordie_wording, foa_rbb_wording

NUMBERED = re.compile(r"-(D-[0-9]+|[0-9]+(?:\.[0-9]+)+)$")
TEXTS = {
    "foa-rbb": foa_rbb_wording.CLAUSES,
    "chess-online": chess_online_wording.CLAUSES,
    "flyordie": flyordie_wording.CLAUSES,
}
PLACES: Mapping[str, Mapping[str, str]] = {
    "foa-rbb": foa_rbb_wording.PLACES,
    "chess-online": chess_online_wording.PLACES,
    "flyordie": flyordie_wording.PLACES,
}


# The names of clauses of texts without numbers.
TITLES: Mapping[str, str | Promise] = {
    "time-controls": _("Time controls"),
    "beginning": _("Start"),
    "first-20-games": _("The first 20 games"),
    "elo": _("From game 21"),
    "higher-rating": _("Rating used"),
    "floor": _("Rating floor"),
    "floor-90-days": _("Falling rating floor"),
    "rating": _("Rating"),
    "k": "K",
    "expectation": _("Expected score"),
    "reduction": _("Daily decay"),
    "late": _("Late games"),
    "cancelled": _("Cancelled games"),
}


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause: its number, decision or name, which is its anchor too, and what it says."""

    name: str
    text: str

    @property
    def title(self) -> str:
        """The number or decision; a name as words."""
        is_numbered = self.name[:1].isdigit() or self.name.startswith("D-")
        return self.name if is_numbered else str(TITLES[self.name])

    @property
    def anchor(self) -> str:
        """The fragment of the clause's address."""
        return f"rule-{self.name}"


def clause_of(system: str, key: str) -> str:
    """Return the clause that a reason key rests on: the number at its end, else the place that the system names."""
    found = NUMBERED.search(key)
    return found[1] if found else PLACES[system].get(key, "")


def clauses_of(system: str, parameters: Mapping[str, Any]) -> list[Clause]:
    """Return the clauses of an arena's rules with its parameters filled in."""
    hours = series_window(parameters).total_seconds() / 3600
    figures = {"hours": f"{hours:g}"}
    return [Clause(name, gettext(text) % figures) for name, text in TEXTS[system].items()]
