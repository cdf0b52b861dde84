"""What a list did with a player."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.models import ValueField
from players.models import Player
from ratings.models.rating_list import RatingList
from ratings.systems.otb.listing import EntryFigures
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.values import KFactor, PoolShare, RatedEvent


class PooledRow(NamedTuple):
    """An event in a pool, with the tournament and the stored participation that it comes from."""

    share: PoolShare
    tournament: int
    row: int


class Before(NamedTuple):
    """What a list finds of a FIDE ID that was corrected: entry and pool by the corrected history (D-110).

    `difference` is the unrounded one to the published rating where there is a rating with and without the corrections,
    in hundredths. `first` is a rating that only the corrected history has; `is_lost` means that it has none any more.
    """

    entry: EntryFigures | None = None
    pool: tuple[PooledRow, ...] = ()
    difference: int = 0
    first: int | None = None
    is_lost: bool = False


class Found(NamedTuple):
    """What a list found of a player beside the games and the list before, and keeps, to be calculated again.

    `rows` are the stored participations of the events of the result, in order, `joined` the FIDE IDs that were merged
    into this one, `lines` those of corrections, `before` is by FIDE ID, `factors` by event, the empty one for K of the
    list before (D-144). Events that begin in a span of `void` count for nothing (D-143).
    """

    rows: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()
    merged_into: int | None = None
    lines: tuple[int, ...] = ()
    before: dict[int, Before] = {}
    factors: dict[str, KFactor] = {}
    void: tuple[tuple[date, date], ...] = ()


class CalculationFigures(models.Model):
    """From the previous rating to the new one: the result as it was calculated, and what the list found.

    The columns are what the database selects, sorts and sums by. Changes are hundredths of a point.
    """

    previous_rating = models.PositiveSmallIntegerField(_("Previous rating"), null=True, blank=True)
    base_rating = models.PositiveSmallIntegerField(_("Rating before the change"), null=True, blank=True)
    games = models.PositiveIntegerField(_("Rated games"), default=0)
    change_hundredths = models.IntegerField(_("Change from the games of the period"), default=0)
    correction_hundredths = models.IntegerField(_("Change from corrections"), default=0)
    rounded_change = models.IntegerField(_("Rounded change"), default=0)
    new_rating = models.PositiveSmallIntegerField(_("New rating"), null=True, blank=True)
    result = models.CharField(_("Result"), max_length=40)
    value: models.Field[Any, PeriodResult] = ValueField(_("Calculation"), of=PeriodResult)
    found: models.Field[Any, Found] = ValueField(_("What the list found"), of=Found, default=Found)

    class Meta:
        abstract = True

    @property
    def events_by_row(self) -> dict[int, RatedEvent]:
        """The events of the result by the stored participation of each."""
        return dict(zip(self.found.rows, self.value.events, strict=True))


class Calculation(CalculationFigures):
    """The calculation of a player on a list: one for each player with a result or a correction.

    As with entries (`ListEntry`), the database does not check the foreign keys: only publications write
    calculations, some 100,000 at once, of players that they have just read.
    """

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="calculations", db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="calculations", db_constraint=False, db_index=False
    )

    class Meta:
        ordering = ["rating_list", "player"]
        verbose_name = _("calculation")
        verbose_name_plural = _("calculations")
        constraints = [
            models.UniqueConstraint(fields=["player", "rating_list"], name="one_calculation_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.rating_list}"
