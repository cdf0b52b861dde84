"""The formula of an adjustment of a whole list (D-133): points that it adds to a rating under or above a limit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from ratings.systems.arithmetic import half_away_from_zero

POINT = 100


class Adjustment(NamedTuple):
    """To every rating R under the limit L, or above it, is added `share x (L - R)`; none of them ends under `least`."""

    limit: int
    share: Fraction
    is_above: bool = False
    least: int | None = None

    def concerns(self, hundredths: int) -> bool:
        """Return whether a rating in hundredths is under the limit, or above it."""
        limit = POINT * self.limit
        return hundredths > limit if self.is_above else hundredths < limit

    def adjusted_hundredths(self, hundredths: int) -> int:
        """Return an exact rating with the whole points that are added to it, both in hundredths.

        The points are rounded half away from zero, whatever fraction the rating of a corrected history has.
        """
        if not self.concerns(hundredths):
            return hundredths
        points = half_away_from_zero(self.share * (POINT * self.limit - hundredths) / POINT)
        adjusted = hundredths + POINT * points
        return adjusted if self.least is None else max(adjusted, POINT * self.least)

    def adjusted(self, rating: int) -> int:
        """Return a rating of the list with the points that are added to it."""
        return self.adjusted_hundredths(POINT * rating) // POINT

    def as_row(self) -> dict[str, Any]:
        """Return the formula as manifests and evidence name it; the share is an exact fraction."""
        return {
            "limit": self.limit,
            "side": "above" if self.is_above else "below",
            "share": str(self.share),
            "least": self.least,
        }
