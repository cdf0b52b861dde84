"""FIDE IDs merged into another (D-11)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from ratings.choices import ListKind
from ratings.models.correction import Correction
from ratings.models.rating_list import RatingList


class Merger(models.Model):
    """An ID that was merged into another; `taken_by` is the first list without it.

    `is_dropped`: both had a rating of the kind, and only that of the kept ID remains. `counts_both`: what was played
    under the other one counts for it all the same (D-141), which mergers of earlier releases did not know.
    """

    correction = models.ForeignKey(Correction, on_delete=models.PROTECT, related_name="mergers")
    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="mergers")
    successor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    is_dropped = models.BooleanField(_("Removed rating"), default=False)
    counts_both = models.BooleanField(_("Games of both IDs count"), default=False)
    taken_by = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, null=True, blank=True, related_name="mergers_taken"
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("merged FIDE ID")
        verbose_name_plural = _("merged FIDE IDs")
        constraints = [
            # An ID ends once: chains of mergers have no branches, so that a person is found by following them.
            models.UniqueConstraint(fields=["player", "kind"], name="one_merger_a_kind"),
            models.CheckConstraint(condition=~Q(player=F("successor")), name="merged_into_another"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.player_id} > {self.successor_id}"
