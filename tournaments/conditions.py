"""The conditions of a tournament, each declared once: what a registration says of it, and what follows from each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from enum import Enum
from typing import Any

from tournaments.trf.time_control import shown_time_control

MINUTES_A_GAME = 60


class Alone(Enum):
    """Until when a federation changes a condition without asking the QC."""

    # By whom it is held and decided; the QC has to agree to a waiver on any day (D-80).
    NEVER = "never"
    # What is rated, and how, follows from it (D-80).
    FIRST_DAY = "first day"
    ACCEPTED = "report accepted"
    # By these a registration is of one event: once it has begun, only their spelling (D-127).
    SPELLING = "spelling"


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows from a condition.

    `alone`: until when the federation changes it by itself. `decides_rating`: what is rated, and how, follows from it.
    `is_compared` when a registration is sent again, `is_submitted` together with a report by the commands (D-82),
    `is_corrected` by FIDE staff once a report is accepted (D-82): lists and text go by the first day, which stays.
    `shown_as` is the field of `Tournament` that has its label; `is_column` tells whether it has a field of its name.
    """

    alone: Alone
    decides_rating: bool
    is_corrected: bool
    is_compared: bool = True
    is_submitted: bool = False
    is_column: bool = True
    shown_as: str = ""


def _rule(
    alone: Alone = Alone.NEVER,
    *,
    decides_rating: bool | None = None,
    is_corrected: bool | None = None,
    **others: Any,
) -> dict[str, Rule]:
    decides = alone is Alone.FIRST_DAY if decides_rating is None else decides_rating
    return {"rule": Rule(alone, decides, decides if is_corrected is None else is_corrected, **others)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The conditions with which a federation registers a tournament. Times are seconds per player."""

    event_id: str = field(default="", metadata=_rule(is_compared=False))
    federation_code: str = field(
        metadata=_rule(is_submitted=True, is_compared=False, is_column=False, shown_as="federation")
    )
    # Its words are in the event ID, by which a registration that is sent again is found.
    name: str = field(metadata=_rule(Alone.SPELLING, is_compared=False))
    city: str = field(default="", metadata=_rule(Alone.SPELLING))
    kind: str = field(metadata=_rule(Alone.FIRST_DAY, is_submitted=True))
    base_seconds: int = field(metadata=_rule(Alone.FIRST_DAY, is_submitted=True, shown_as="time_control"))
    increment_seconds: int = field(
        metadata=_rule(Alone.FIRST_DAY, is_submitted=True, shown_as="time_control")
    )
    has_unequal_times: bool = field(default=False, metadata=_rule(Alone.FIRST_DAY, is_submitted=True))
    start: date = field(metadata=_rule(Alone.FIRST_DAY, is_corrected=False))
    end: date = field(metadata=_rule(Alone.FIRST_DAY))
    schedule: Sequence[Any] = field(default=(), metadata=_rule(Alone.FIRST_DAY))
    # For players: neither the check of a report nor the rating goes by the hour.
    round_times: Sequence[str] = field(default=(), metadata=_rule(Alone.ACCEPTED, is_compared=False))
    chief_arbiter: str = field(default="", metadata=_rule(Alone.ACCEPTED))
    # Arbiters by FIDE ID are rows of their own, and may be named after the registration.
    chief_id: int | None = field(
        default=None,
        metadata=_rule(Alone.ACCEPTED, is_compared=False, is_column=False, shown_as="chief_arbiter"),
    )
    deputy_ids: Sequence[int] = field(
        default=(), metadata=_rule(Alone.ACCEPTED, is_compared=False, is_column=False)
    )
    organiser: str = field(default="", metadata=_rule(Alone.SPELLING))
    is_match: bool = field(default=False, metadata=_rule(Alone.FIRST_DAY, is_submitted=True))
    games_per_match: int | None = field(default=None, metadata=_rule(Alone.FIRST_DAY, is_submitted=True))
    match_waiver: str = field(default="", metadata=_rule(decides_rating=True, is_submitted=True))
    match_waiver_on: date | None = field(default=None, metadata=_rule(decides_rating=True, is_compared=False))
    is_hybrid: bool = field(default=False, metadata=_rule(Alone.FIRST_DAY, is_submitted=True))
    # The event ID of the part before (D-117), which changes nothing that is rated once a report is accepted.
    continues: str = field(
        default="", metadata=_rule(Alone.FIRST_DAY, is_submitted=True, is_corrected=False, is_column=False)
    )
    time_control_text: str = field(
        default="", metadata=_rule(Alone.ACCEPTED, is_corrected=True, shown_as="time_control")
    )
    is_official: bool = field(default=False, metadata=_rule(is_submitted=True))
    is_continental: bool = field(default=False, metadata=_rule(is_submitted=True))
    decided_by: str = field(default="", metadata=_rule(is_submitted=True))
    decision_reference: str = field(default="", metadata=_rule(is_submitted=True, is_compared=False))
    is_stated_rated: bool = field(default=True, metadata=_rule(Alone.ACCEPTED, is_compared=False))
    late_reason: str = field(default="", metadata=_rule(is_compared=False, is_column=False))
    # Another event than a registered one of the same kind and days with a like name (D-135).
    is_another: bool = field(default=False, metadata=_rule(is_compared=False, is_column=False))
    # The first day is more than a year ahead, and no slip (D-140).
    is_year_ahead: bool = field(default=False, metadata=_rule(is_compared=False, is_column=False))

    @property
    def total_seconds(self) -> int:
        """The time for 60 moves (1.1.1)."""
        return self.base_seconds + MINUTES_A_GAME * self.increment_seconds

    @property
    def is_reported_by_staff(self) -> bool:
        """Whether FIDE staff report the tournament, as `Tournament.is_reported_by_staff` (0.2, 0.3)."""
        return self.is_official or bool(self.decided_by)

    @property
    def time_control(self) -> str:
        """The time control as people read it."""
        return shown_time_control(self.base_seconds, self.increment_seconds, self.time_control_text)

    def value(self, name: str) -> Any:
        """Return a condition as a tournament keeps it."""
        found = getattr(self, name)
        if name == "match_waiver":
            return found.strip()
        if name == "match_waiver_on" and not self.match_waiver.strip():
            return None
        # JSON columns give lists, which a tuple of the same values does not equal.
        return list(found) if isinstance(found, tuple) else found


RULES: dict[str, Rule] = {one.name: one.metadata["rule"] for one in fields(Conditions)}
ARBITER_IDS = {"chief_id", "deputy_ids"}
DAYS = tuple(one.name for one in fields(Conditions) if str(one.type).startswith("date"))
# What is one condition to people has several parts, such as base time and increment.
SHOWN_AS = {name: rule.shown_as or name for name, rule in RULES.items()}


def _names(wanted: Callable[[Rule], bool]) -> tuple[str, ...]:
    return tuple(name for name, rule in RULES.items() if wanted(rule))


COMPARED = _names(lambda rule: rule.is_compared)
SUBMITTED = _names(lambda rule: rule.is_submitted)
CORRECTED = _names(lambda rule: rule.is_corrected)
DECIDE_RATING = _names(lambda rule: rule.decides_rating)
CHANGED_ALONE = _names(lambda rule: rule.alone is not Alone.NEVER)
SPELLED = _names(lambda rule: rule.alone is Alone.SPELLING)
UNTIL_FIRST_DAY = _names(lambda rule: rule.alone is Alone.FIRST_DAY)
# The columns that a new registration fills; the QC has to agree to a waiver first.
COLUMNS = tuple(name for name in _names(lambda rule: rule.is_column) if not name.startswith("match_waiver"))


def changed(
    names: Sequence[str], former: Callable[[str], Any], wanted: Callable[[str], Any]
) -> Iterator[list[dict[str, Any]]]:
    """Yield the changes of each condition that differs, as they are kept: of all its parts, if it has several."""
    every = [{"field": name, "before": former(name), "after": wanted(name)} for name in names]
    for shown_as in dict.fromkeys(SHOWN_AS[one["field"]] for one in every if one["before"] != one["after"]):
        yield [one for one in every if SHOWN_AS[one["field"]] == shown_as]
