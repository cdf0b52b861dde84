"""Members of arenas."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from arenas.models.arena import Arena
from core.models import CodePointCharField
from players.models import Player


class Member(models.Model):
    """A person in an arena under a handle, a FIDE player or not."""

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="members")
    handle = CodePointCharField(_("handle"), max_length=60)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="arena_members"
    )
    is_full_member = models.BooleanField(_("full member"), default=False)
    joined = models.DateField(_("joined"))
    left = models.DateField(_("left"), null=True, blank=True)

    class Meta:
        ordering = ["arena", "handle"]
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints = [
            models.UniqueConstraint(fields=["arena", "handle"], name="one_member_a_handle"),
        ]

    def __str__(self) -> str:
        return str(self.handle)

    def is_full_on(self, day: date) -> bool:
        """Return whether the member is a full one who has joined by a day and has not left before it."""
        has_left = self.left is not None and self.left < day
        return self.is_full_member and self.joined <= day and not has_left
