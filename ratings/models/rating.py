"""How a report was rated, each of its participants, and the pools of those without a rating."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import ValueField
from players.models import Player
from ratings.choices import ListKind, Status
from ratings.models.rating_list import RatingList
from ratings.systems.arithmetic import dp, fractional_score, half_away_from_zero, rating_performance
from ratings.systems.otb.values import Event, Outcome, Participation, PoolShare, RatedEvent, StatusAtStart
from ratings.systems.otb.values import Status as OwnStatus
from tournaments.models import Participant, Report, Tournament


class TournamentRating(models.Model):
    """One report rated by the rules and the lists in force on the tournament's first day (D-1).

    `included_in` is the list that took it; from then on the row is evidence and is never changed.
    """

    report = models.OneToOneField(Report, on_delete=models.PROTECT, related_name="rating")
    rules = models.CharField(_("Rating regulations"), max_length=40)
    engine_version = models.CharField(_("Engine version"), max_length=20)
    basis = models.ForeignKey(RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    standard_basis = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    counted_games = models.PositiveIntegerField(_("Rated games"), default=0)
    rated_at = models.DateTimeField(_("Rated at"))
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
    The database does not check the foreign keys, because the referenced rows were just read, as with participants.
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
    number = models.PositiveSmallIntegerField(_("Starting rank"))
    start_status = models.CharField(_("Status at the start"), max_length=8, choices=Status)
    start_rating = models.PositiveSmallIntegerField(_("Rating at the start"), null=True, blank=True)
    start_k = models.PositiveSmallIntegerField(_("K at the start"), null=True, blank=True)
    k_reason = models.CharField(_("Reason for K"), max_length=24, blank=True, db_default="", default="")
    own_status = models.CharField(
        _("Status when rated (article 7.2.5, decision D-2)"), max_length=8, choices=Status
    )
    own_rating = models.PositiveSmallIntegerField(_("Rating used"), null=True, blank=True)
    own_k = models.PositiveSmallIntegerField(_("K used"), null=True, blank=True)
    games = models.PositiveSmallIntegerField(_("Rated games"), default=0)
    half_points = models.PositiveSmallIntegerField(_("Score in the rated games, in half points"), default=0)
    opponents_sum = models.PositiveIntegerField(_("Sum of the opponents' ratings"), default=0)
    change_hundredths = models.IntegerField(_("Sum of the changes, in hundredths"), default=0)
    outcomes: models.Field[Any, tuple[Outcome, ...]] = ValueField(
        _("Outcomes"), of=tuple[Outcome, ...], default=tuple
    )

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

    @property
    def participation(self) -> Participation:
        """The result as the list rated it, or by the standing at the start as long as none has."""
        own = StatusAtStart(OwnStatus(self.own_status), self.own_rating, self.own_k)
        sums = (self.games, self.half_points, self.opponents_sum, self.change_hundredths)
        return Participation(own, self.outcomes, *sums)

    def as_rated(self, rated: RatedEvent | None) -> RatedEvent | None:
        """Return an event of a list's result with its games, which are here."""
        return rated.with_games(self.outcomes) if rated else None

    def rated_by(self, tournament: Tournament, other: RatedEvent | None = None) -> RatedEvent | None:
        """Return the event by this report, with the K used for `other`, or that of the start; None for one unrated."""
        k = other.k if other and other.k else self.own_k
        if k is None:
            return None
        part = self.participation
        return RatedEvent(Event(tournament.event_id, tournament.start, tournament.end, part), part, k)


class PoolEvent(models.Model):
    """An event of a player who was unrated when it was rated (FIDE R&B 2024, 6.1.4).

    It stays when it lapses; `closed_by` is the list on which any rating emptied the pool. `corrected_sums` are the
    opponents' ratings, games and half points of one that only a correction pooled: its participation was published as
    that of a rated player. What it names is not looked up again by the database, as with calculations.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="pool_events", db_constraint=False
    )
    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    participant_rating = models.ForeignKey(
        ParticipantRating, on_delete=models.PROTECT, related_name="+", db_constraint=False
    )
    added_by = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    is_disregarded = models.BooleanField(_("Not counted (article 7.2.2)"), default=False)
    corrected_sums = models.JSONField(_("Sums by a correction"), null=True, blank=True)
    # The last day by which a list pooled it, where that was corrected since (D-82).
    former_end = models.DateField(_("Last day before a correction"), null=True, blank=True)
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
                fields=["player", "kind", "participant_rating"],
                # A correction may close a row of the event and add another (D-11, D-102): one is open at a time. Of one
                # person with two FIDE IDs a report may have two lines (D-141).
                condition=Q(closed_by=None),
                name="one_open_pool_row_a_line",
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

    @property
    def share(self) -> PoolShare:
        """What the event adds to the pool."""
        tournament = self.tournament
        # A last day that was corrected since must not reorder what earlier lists pooled (D-82).
        end = self.former_end or tournament.end
        return PoolShare(tournament.event_id, tournament.start, end, *self.sums, self.is_disregarded)
