"""A shifted line under a ruler of its table: the part that moves, as it came and as it should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.trf import PlayerRecord
from tournaments.trf.columns import RecordColumn, ruler
from tournaments.trf.players import column_of
from tournaments.trf.tables import PLAYER

# Fields before the first one that moves, rounds and columns that are shown: a line may have many rounds.
FIELDS_BEFORE, ROUNDS_SHOWN, CELL = 2, 3, 8


@dataclass(frozen=True, slots=True)
class ShownShift:
    """The ruler's three lines, and the line before and after the fix: what stays, and what moves."""

    line: int
    column: int
    by: int
    is_left: bool
    name: str
    ruler: tuple[str, str, str]
    before: tuple[str, str]
    after: tuple[str, str]
    record: PlayerRecord | None
    unread: tuple[str, ...] = ()
    are_points_right: bool = False

    @property
    def points(self) -> str:
        """The points of the line as it should be, as TRF writes them."""
        half = self.record.points if self.record else None
        return "" if half is None else f"{half // 2}{'.5' if half % 2 else ''}"

    @property
    def rounds(self) -> int:
        """The rounds of the line as it should be."""
        return self.record.rounds.last if self.record else 0


def shift_of(
    finding: Mapping[str, Any], original: str, record: PlayerRecord | None, *, are_points_right: bool
) -> ShownShift | None:
    """Return how a shifted line is shown; None for one of an earlier release, or of another record than a player's.

    `are_points_right` where the points of the realigned line are those of its results.
    """
    params = finding.get("params") or {}
    if "column" not in params or "by" not in params or not finding["fix"] or not original or record is None:
        return None
    fixed, column = str(finding["fix"]), int(params["column"])
    columns = [*PLAYER.columns, *_rounds()]
    first = next((place for place, one in enumerate(columns) if one.first >= column), 0)
    shown = columns[max(0, first - FIELDS_BEFORE) :][: len(PLAYER.columns)]
    start, end = shown[0].first - 1, shown[-1].last
    lines = tuple(text[start:] for text in ruler(shown))
    at = first and columns[first].first - 1
    is_left = params.get("direction") == "to the left"
    before_at = min(len(original), at - int(params["by"])) if is_left else at
    return ShownShift(
        line=int(finding["line"]),
        column=column,
        by=int(params["by"]),
        is_left=is_left,
        name=str(params.get("name", "")),
        ruler=(lines[0], lines[1], lines[2]),
        before=(original[start:before_at], original[before_at:end]),
        after=(fixed[start:at], fixed[at:end]),
        record=record,
        unread=_unread(original, fixed),
        are_points_right=are_points_right and record.points is not None,
    )


def _unread(original: str, fixed: str) -> tuple[str, ...]:
    """Return the names of the fields that have something else in their columns before the fix."""
    names = {
        "rating": _("rating"),
        "federation": _("federation"),
        "fide_id": _("FIDE ID"),
        "birth": _("date of birth"),
        "points": _("points"),
        "rank": _("rank"),
    }
    fields = [column for column in PLAYER.columns if column.name in names]
    return tuple(names[column.name] for column in fields if column.text(original) != column.text(fixed))


def _rounds() -> list[RecordColumn]:
    starts = {number: column_of(number) for number in range(1, ROUNDS_SHOWN + 1)}
    return [
        RecordColumn("", start, start + CELL - 1, label=_("Round %(number)d") % {"number": number})
        for number, start in starts.items()
    ]
