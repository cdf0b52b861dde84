"""A published list of the portal against the oracle's: every line, listed or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date

from tests.ratings.ledger.facts import Facts
from tests.ratings.ledger.oracle import LISTED, Line, Lists, figures
from tests.ratings.ledger.portal import Portal, entries_of
from tests.ratings.ledger.worlds import Publish, facts_of

Shown = tuple[int | bool | None, ...]
NOT_LISTED: Shown = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """What one line of a list should show (rating, games, K, inactive, games completed), and what it shows."""

    list_date: date
    fide_id: int
    expected: Shown
    found: Shown

    def __str__(self) -> str:
        return f"list {self.list_date}, {self.fide_id}: expected {self.expected}, found {self.found}"


@dataclass(slots=True)
class Compared:
    """A list that was compared: lines in all, those that differ, and those within the rounding that D-101 allows.

    `lists` are those up to it, as the portal published them.
    """

    list_date: date
    lines: int
    lists: Lists
    differences: list[Difference] = field(default_factory=list)
    rounded: list[Difference] = field(default_factory=list)


def compare(portal: Portal) -> Iterator[Compared]:
    """Enter a world and yield each list as it is compared; the last is the first that differs.

    Later lists follow from what the portal has published, so that a point that D-101 allows is not counted twice.
    """
    facts: Facts = facts_of(portal.world)
    before: dict[date, dict[int, Line]] = {}
    portal.begin()
    for act in portal.world.acts:
        portal.do(act)
        if isinstance(act, Publish):
            lines = before[act.on] = figures(facts, act.on, before=before)
            compared = _compared(act.on, lines, before)
            yield compared
            if compared.differences:
                return


def _compared(on: date, lines: dict[int, Line], before: Lists) -> Compared:
    """Compare a list, and give the lines the ratings that the portal has published within the rounding."""
    shown, compared = shown_by_portal(on), Compared(on, len(lines), before)
    for fide_id, line in lines.items():
        expected, found = shown_by_oracle(line), shown.get(fide_id, NOT_LISTED)
        if expected == found:
            continue
        difference = Difference(on, fide_id, expected, found)
        corrected = sum(earlier[fide_id].state.is_corrected for earlier in before.values())
        if (
            expected
            and found
            and expected[1:] == found[1:]
            and abs((expected[0] or 0) - (found[0] or 0)) <= corrected
        ):
            compared.rounded.append(difference)
            lines[fide_id] = replace(line, state=replace(line.state, rating=found[0]))
        else:
            compared.differences.append(difference)
    return compared


def shown_by_oracle(line: Line) -> Shown:
    state = line.state
    if line.status != LISTED:
        return NOT_LISTED
    return state.rating, state.games, state.k, line.is_inactive, state.completed


def shown_by_portal(on: date) -> dict[int, Shown]:
    return {
        fide_id: (entry.rating, entry.games, entry.k_factor, entry.is_inactive, entry.completed_games)
        for fide_id, entry in entries_of(on).items()
        if entry.status == LISTED
    }
