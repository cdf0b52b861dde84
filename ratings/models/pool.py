"""Events of players without a rating, which count for their first one (6.1.4)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from ratings.choices import ListKind
from ratings.models.rating import ParticipantRating
from ratings.models.rating_list import RatingList
from ratings.systems.otb.values import PoolShare
from tournaments.models import Tournament


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
