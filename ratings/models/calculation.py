"""How a report was rated, each participant and game; what a list did with one player, and the pools of the unrated."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import WholeJSONField
from players.models import Player
from ratings.choices import ListKind, Status
from ratings.models.rating_list import RatingList
from ratings.systems.arithmetic import dp, fractional_score, half_away_from_zero, rating_performance
from tournaments.models import Participant, Report, Tournament


class TournamentRating(models.Model):
    """One report rated by the rules and the lists in force on the tournament's first day (D-1).

    `included_in` is the list that took it; from then on the row is evidence and is never changed.
    """

    report = models.OneToOneField(Report, on_delete=models.PROTECT, related_name="rating")
    rules = models.CharField(_("rating regulations"), max_length=40)
    engine_version = models.CharField(_("engine version"), max_length=20)
    basis = models.ForeignKey(RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    standard_basis = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    counted_games = models.PositiveIntegerField(_("rated games"), default=0)
    rated_at = models.DateTimeField(_("rated at"))
    included_in = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="tournament_ratings"
    )

    class Meta:
        verbose_name = _("rating of a tournament")
        verbose_name_plural = _("ratings of tournaments")

    def __str__(self) -> str:
        return str(self.report.tournament)


class ParticipantRating(models.Model):
    """A participant's standing at the start, the standing by which the own result was rated, and the games.

    `change_hundredths` is the sum of the changes of the games that count, before K, in hundredths of a point.
    `outcomes` has one row per round: see `ratings.systems.otb.values.Outcome.as_row`. The database does not check the
    foreign keys, because the referenced rows were just read, as with participants.
    """

    tournament_rating = models.ForeignKey(
        TournamentRating,
        on_delete=models.CASCADE,
        related_name="participants",
        db_constraint=False,
        db_index=False,
    )
    participant = models.ForeignKey(
        Participant, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="participant_ratings",
        db_constraint=False,
    )
    number = models.PositiveSmallIntegerField(_("starting rank"))
    start_status = models.CharField(_("status at the start"), max_length=8, choices=Status)
    start_rating = models.PositiveSmallIntegerField(_("rating at the start"), null=True, blank=True)
    start_k = models.PositiveSmallIntegerField(_("K at the start"), null=True, blank=True)
    own_status = models.CharField(
        _("status when rated (article 7.2.5, decision D-2)"), max_length=8, choices=Status
    )
    own_rating = models.PositiveSmallIntegerField(_("rating used"), null=True, blank=True)
    own_k = models.PositiveSmallIntegerField(_("K used"), null=True, blank=True)
    games = models.PositiveSmallIntegerField(_("rated games"), default=0)
    half_points = models.PositiveSmallIntegerField(_("score in the rated games, in half points"), default=0)
    opponents_sum = models.PositiveIntegerField(_("sum of the opponents' ratings"), default=0)
    change_hundredths = models.IntegerField(_("sum of the changes, in hundredths"), default=0)
    outcomes = WholeJSONField(_("outcomes"), default=list)

    class Meta:
        ordering = ["tournament_rating", "number"]
        verbose_name = _("rating of a participant")
        verbose_name_plural = _("ratings of participants")
        constraints = [
            models.UniqueConstraint(fields=["tournament_rating", "number"], name="one_rating_a_participant"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_rating_id} {self.number}"

    @property
    def is_rated(self) -> bool:
        return self.own_status != Status.UNRATED

    @property
    def average(self) -> int | None:
        """The average of the rated opponents (Ra), rounded; None without a game that counts."""
        return half_away_from_zero(Fraction(self.opponents_sum, self.games)) if self.games else None

    @property
    def performance(self) -> int | None:
        """The average of the rated opponents and dp for the score against them (7.1.1)."""
        if not self.games:
            return None
        p = fractional_score(Fraction(self.half_points, 2), self.games)
        return rating_performance(Fraction(self.opponents_sum, self.games), dp(p))

    def change_by(self, step: dict[str, Any] | None) -> int | None:
        """Return the rating change in hundredths by a calculation's step; None for one whom it did not rate."""
        return step["change"] if step and self.is_rated and self.games else None


class CalculationFigures(models.Model):
    """From the previous rating to the new one. Changes are hundredths of a point.

    `steps` names, in order, what was done, with its article or decision.
    """

    previous_rating = models.PositiveSmallIntegerField(_("previous rating"), null=True, blank=True)
    base_rating = models.PositiveSmallIntegerField(_("rating before the change"), null=True, blank=True)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    change_hundredths = models.IntegerField(_("change from the games of the period"), default=0)
    correction_hundredths = models.IntegerField(_("change from corrections"), default=0)
    rounded_change = models.IntegerField(_("rounded change"), default=0)
    new_rating = models.PositiveSmallIntegerField(_("new rating"), null=True, blank=True)
    result = models.CharField(_("result"), max_length=40)
    steps = WholeJSONField(_("steps"), default=list)

    class Meta:
        abstract = True


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


class NextList(models.Model):
    """What the provisional figures of a kind follow from: the list they are of and the ratings that it takes so far.

    `taken` leads from each rating of a tournament to the tournament, `corrected` are the players with corrections
    or mergers on their way. `fingerprint` differs as soon as anything of it does.
    """

    kind = models.CharField(_("rating type"), max_length=8, choices=ListKind, primary_key=True)
    date = models.DateField(_("date"), null=True)
    updated_at = models.DateTimeField(_("updated at"), null=True)
    fingerprint = models.CharField(_("fingerprint"), max_length=64, blank=True)
    taken = WholeJSONField(_("ratings taken"), default=dict)
    corrected = WholeJSONField(_("players corrected"), default=list)

    class Meta:
        verbose_name = _("next list so far")
        verbose_name_plural = _("next lists so far")

    def __str__(self) -> str:
        return f"{self.kind} {self.date}"


class ProvisionalCalculation(CalculationFigures):
    """What the next list would do with a player if it were published now.

    Rows of a list that is published by now count for nothing; the next update removes them. Written by the thousand
    of players that were just read, as calculations are.
    """

    kind = models.CharField(_("rating type"), max_length=8, choices=ListKind)
    list_date = models.DateField(_("date of the list"))
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )

    class Meta:
        ordering = ["kind", "player"]
        verbose_name = _("provisional calculation")
        verbose_name_plural = _("provisional calculations")
        indexes = [
            models.Index(fields=["kind", "-new_rating", "player"], name="provisional_by_rating"),
            models.Index(fields=["kind", "rounded_change", "player"], name="provisional_by_change"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["player", "kind"], name="one_provisional_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.result}"


class PoolEvent(models.Model):
    """An event of a player who was unrated when it was rated (FIDE R&B 2024, 6.1.4).

    It stays when it lapses; `closed_by` is the list on which any rating emptied the pool. `corrected_sums` are the
    opponents' ratings, games and half points of one that only a correction pooled: its participation was published as
    that of a rated player. What it names is not looked up again by the database, as with calculations.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="pool_events", db_constraint=False
    )
    kind = models.CharField(_("rating type"), max_length=8, choices=ListKind)
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    participant_rating = models.ForeignKey(
        ParticipantRating, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    added_by = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    is_disregarded = models.BooleanField(_("not counted (article 7.2.2)"), default=False)
    corrected_sums = models.JSONField(_("sums by a correction"), null=True, blank=True)
    # The last day by which a list pooled it, where that was corrected since (D-82).
    former_end = models.DateField(_("last day before a correction"), null=True, blank=True)
    closed_by = models.ForeignKey(
        RatingList,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )

    class Meta:
        ordering = ["player", "kind", "added_by", "tournament"]
        verbose_name = _("tournament towards an initial rating")
        verbose_name_plural = _("tournaments towards an initial rating")
        constraints = [
            models.UniqueConstraint(
                fields=["player", "kind", "tournament"],
                condition=Q(closed_by=None),
                name="one_open_pool_row_an_event",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.tournament}"

    @property
    def sums(self) -> tuple[int, int, int]:
        """The sum of the opponents' ratings, the games and the score in half points."""
        if self.corrected_sums is not None:
            opponents_sum, games, half_points = self.corrected_sums
            return opponents_sum, games, half_points
        part = self.participant_rating
        return part.opponents_sum, part.games, part.half_points
