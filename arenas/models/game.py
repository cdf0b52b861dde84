"""Finished games of arenas, as the arena told them and as they were rated."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from arenas.choices import Colour, GameResult
from arenas.models.arena import Arena
from arenas.models.member import Member
from core.models import CodePointCharField


class Game(models.Model):
    """A game by the arena's own id, rated when it came. `played_at` is its end.

    `unrated` is the key of the reason why it changed nothing for either player. `explanation` has a row a colour:
    the exact rating before and after, and the steps between them.
    """

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="games")
    arena_game_id = CodePointCharField(_("id in the arena"), max_length=100)
    played_at = models.DateTimeField(_("end of the game"))
    white = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("result"), max_length=7, choices=GameResult)
    time_control = models.CharField(_("time control"), max_length=20)
    moves = models.PositiveIntegerField(_("moves of either side"))
    white_rating_at_start = models.PositiveIntegerField(
        _("White's rating at the start"), null=True, blank=True
    )
    black_rating_at_start = models.PositiveIntegerField(
        _("Black's rating at the start"), null=True, blank=True
    )
    disconnected = models.CharField(_("disconnected"), max_length=5, choices=Colour, blank=True)
    category = models.CharField(_("category"), max_length=20, blank=True)
    unrated = models.CharField(_("reason why it is not rated"), max_length=60, blank=True)
    is_late = models.BooleanField(_("arrived after later ones were rated"), default=False)
    explanation = models.JSONField(_("explanation"), default=dict)
    recorded_at = models.DateTimeField(_("recorded at"))
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)
    cancelled_for = models.CharField(_("reason of the cancellation"), max_length=200, blank=True)

    class Meta:
        ordering = ["arena", "-played_at", "-arena_game_id"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes = [
            models.Index(fields=["arena", "-played_at", "-id"], name="arena_games_newest_first"),
            models.Index(fields=["white", "-played_at"], name="arena_games_of_white"),
            models.Index(fields=["black", "-played_at"], name="arena_games_of_black"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["arena", "arena_game_id"], name="one_game_an_arena_id"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="a_game_has_two_members"),
        ]

    def __str__(self) -> str:
        return str(self.arena_game_id)
