"""The effect of the correction of a game, as its page and that of the request show it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from players.models import Player
from ratings.amend.effect import Effect
from ratings.amend.lines import OnList, Taken
from ratings.amend.standing import Standing
from ratings.choices import LineKind
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.period import PeriodResult
from tournaments.amended import numbers_in
from tournaments.amendments import OfGame
from tournaments.trf import Report as TrfReport


class EffectSide(NamedTuple):
    """A player before and after a correction: change in hundredths, new rating.

    `adjustment` is what the next list adds, `rounding` the part of it that no list has as a line (D-145); None before
    publication. What is not known is None.
    """

    name: str
    k: int | None = None
    changes: Sequence[int | None] = (None, None)
    ratings: Sequence[int | None] = (None, None)
    adjustment: int | None = None
    rounding: int = 0

    @property
    def is_known(self) -> bool:
        """Whether a figure of the player is known: before the first acceptance of a report none is."""
        return any(value is not None for value in (*self.changes, *self.ratings, self.adjustment))

    @property
    def points(self) -> int | None:
        """The adjustment as the next list adds it."""
        return None if self.adjustment is None else half_away_from_zero_hundredths(self.adjustment)

    @property
    def is_rounded(self) -> bool:
        """Whether the adjustment is another figure than its points."""
        return bool(self.adjustment and self.adjustment % 100)

    @property
    def before_and_after(self) -> Sequence[tuple[int | None, int | None]]:
        """Change and rating before the correction, then after it."""
        return [*zip(self.changes, self.ratings, strict=True)]


class ShownEffect(NamedTuple):
    """What a correction does: to the two players, for a wrong player to the third, and how many others it concerns."""

    sides: Sequence[EffectSide]
    others: int
    # The half points of White, Black and of who takes the place of one, before and after.
    points: Sequence[tuple[int | None, ...]]
    warnings: Sequence[str]

    @property
    def rows(self) -> Sequence[tuple[EffectSide, tuple[int | None, ...]]]:
        """Each with the half points before and after; apart and without a name where a third person has a seat."""
        scores = [*zip(*self.points, strict=True)]
        if len(scores) == len(self.sides):
            return [*zip(self.sides, scores, strict=True)]
        return [*((side, ()) for side in self.sides), *((EffectSide(""), one) for one in scores)]


def shown_effect(effect: Effect, source: Standing) -> ShownEffect:
    """Return the effect of the amendments of a game for those who sat there, or should have."""
    versions: Sequence[TrfReport] = effect.versions or ()
    games = [one for one in effect.amendments if isinstance(one, OfGame)]
    numbers = dict.fromkeys(number for one in games for number in numbers_in(versions[0], one))
    records = [read.by_number for read in versions]
    # A line of another player is shown as both: what one loses, and what the other gains.
    names: dict[int, str] = {
        of_report[number].fide_id or -number: of_report[number].name
        for number in numbers
        for of_report in records
        if number in of_report
    }
    persons = dict(
        Player.objects.filter(pk__in=names, merged_into__isnull=False).values_list("pk", "merged_into")
    )
    found: dict[int, list[OnList]] = {}
    for one in effect.players:
        found.setdefault(persons.get(one.player_id) or one.player_id, []).append(one)
    taken = {
        persons.get(one.player_id) or one.player_id: one
        for one in effect.taken
        if one.kind == source.tournament.kind
    }
    shown = {persons.get(key) or key: name for key, name in names.items()}
    sides = [_side(source, name, found.get(key, ()), taken.get(key)) for key, name in shown.items()]
    points = [tuple(of_report[number].points for number in numbers) for of_report in records]
    return ShownEffect(sides, len(found.keys() - shown.keys()), points, effect.warnings)


def _side(source: Standing, name: str, on_lists: Sequence[OnList], taken: Taken | None) -> EffectSide:
    if not on_lists:
        return EffectSide(name, adjustment=0 if source.is_published else None)
    first = on_lists[0]
    k = _k_of(first.before, source) or _k_of(first.after, source)
    if not source.is_published:
        results = (first.before, first.after)
        changes = [result.change if result.base is not None else None for result in results]
        return EffectSide(name, k, changes, [result.rating for result in results])
    lines = [one.line for one in on_lists if one.line is not None]
    parts: dict[str, Any] = {"adjustment": sum(line.difference_hundredths for line in lines)}
    if taken is not None:
        parts = {"adjustment": taken.difference, "rounding": taken.rounding}
    pair = (lines[0].before_hundredths, lines[0].after_hundredths)
    if lines[0].kind in (LineKind.INITIAL, LineKind.LOST):
        ratings = [None if value is None else value // 100 for value in pair]
        return EffectSide(name, k, ratings=ratings, **parts)
    return EffectSide(name, k, changes=pair, **parts)


def _k_of(result: PeriodResult, source: Standing) -> int | None:
    """Return the K of the tournament in a result; a version that is not stored is its only event."""
    events = [item for item in result.events if item.event.event_id == source.tournament.event_id]
    return next((item.k for item in events or result.events if item.k), None)
