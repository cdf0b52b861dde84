"""Live ratings of members, and every change that led to them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from arenas.choices import Cause
from arenas.models.game import Game
from arenas.models.member import Member


class Rating(models.Model):
    """A member's rating in one category as it stands: the system's state, and its figures for lists.

    `settled_at` and `settled_game` are the latest instant and game that are in it: what ended before them comes
    late. `version` is the number of the last change. Ratings are hundredths of a point, none while unrated.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    category = models.CharField(_("category"), max_length=20)
    state = models.JSONField(_("state"))
    hundredths = models.IntegerField(_("rating in hundredths"), null=True, blank=True)
    games = models.PositiveIntegerField(_("games"), default=0)
    version = models.PositiveIntegerField(_("version"), default=0)
    settled_at = models.DateTimeField(_("settled up to"), null=True, blank=True)
    settled_game = models.CharField(_("last game"), max_length=100, blank=True)

    class Meta:
        ordering = ["member", "category"]
        verbose_name = _("arena rating")
        verbose_name_plural = _("arena ratings")
        indexes = [models.Index(fields=["category", "-hundredths"], name="arena_ratings_by_category")]
        constraints = [
            models.UniqueConstraint(fields=["member", "category"], name="one_arena_rating_a_category"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} {self.category}"


class Change(models.Model):
    """One change of a rating, numbered from 1 in the order in which they were made. Never changed.

    `effective_at` is when it happened: the end of the game, the end of the day, 00:00 UTC of the list's date.
    `state` is the state after it; ratings are hundredths.
    """

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField(_("number"))
    cause = models.CharField(_("cause"), max_length=9, choices=Cause)
    effective_at = models.DateTimeField(_("effective at"))
    recorded_at = models.DateTimeField(_("recorded at"))
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="changes")
    before = models.IntegerField(_("rating before, in hundredths"), null=True, blank=True)
    after = models.IntegerField(_("rating after, in hundredths"), null=True, blank=True)
    games_before = models.PositiveIntegerField(_("games before"), default=0)
    games_after = models.PositiveIntegerField(_("games after"), default=0)
    state_before = models.JSONField(_("state before"))
    state = models.JSONField(_("state after"))
    steps = models.JSONField(_("steps"), default=list)

    class Meta:
        ordering = ["rating", "number"]
        verbose_name = _("change of an arena rating")
        verbose_name_plural = _("changes of arena ratings")
        constraints = [
            # Two workers that rate one member at once collide here, whatever else went wrong.
            models.UniqueConstraint(fields=["rating", "number"], name="one_change_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.number}"
