"""Monthly lists of arenas, as they were published: never changed."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from arenas.models.arena import Arena
from arenas.models.member import Member
from core.models import CodePointCharField


class ArenaList(models.Model):
    """The list of an arena dated the first of a month: the ratings up to 00:00 UTC of that day.

    `sha256` is that of its JSON file.
    """

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="lists")
    date = models.DateField(_("date"))
    published_at = models.DateTimeField(_("published at"))
    listed = models.PositiveIntegerField(_("rated entries"), default=0)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)

    class Meta:
        ordering = ["arena", "-date"]
        verbose_name = _("monthly list of an arena")
        verbose_name_plural = _("monthly lists of arenas")
        constraints = [models.UniqueConstraint(fields=["arena", "date"], name="one_arena_list_a_month")]

    def __str__(self) -> str:
        return f"{self.arena} {self.date.isoformat()}"


class ArenaListEntry(models.Model):
    """A member on a monthly list; `place` counts from 1 within the category, unrated members at the end."""

    arena_list = models.ForeignKey(ArenaList, on_delete=models.CASCADE, related_name="entries")
    category = models.CharField(_("category"), max_length=20)
    place = models.PositiveIntegerField(_("place"))
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="list_entries")
    handle = CodePointCharField(_("handle"), max_length=60)
    hundredths = models.IntegerField(_("rating in hundredths"), null=True, blank=True)
    games = models.PositiveIntegerField(_("games"), default=0)

    class Meta:
        ordering = ["arena_list", "category", "place"]
        verbose_name = _("entry of an arena's list")
        verbose_name_plural = _("entries of arenas' lists")
        constraints = [
            models.UniqueConstraint(fields=["arena_list", "category", "place"], name="one_entry_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place} {self.handle}"
