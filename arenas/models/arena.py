"""Arenas and the tokens with which their servers post games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import models
from django.utils.translation import gettext_lazy as _

from arenas.choices import RatingSystem
from arenas.systems import ONE_CATEGORY, SYSTEMS, TIME_CONTROLS, System


class Arena(models.Model):
    """An online playing zone with its members, its rating system and that system's parameters."""

    slug = models.SlugField(_("slug"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=100)
    system = models.CharField(_("rating system"), max_length=20, choices=RatingSystem)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    day_done = models.DateField(_("last day that was ended"), null=True, blank=True)

    class Meta:
        ordering = ["slug"]
        verbose_name = _("arena")
        verbose_name_plural = _("arenas")

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> System:
        """The rating system itself."""
        return SYSTEMS[self.system]

    @property
    def time_controls(self) -> Mapping[str, Sequence[str]]:
        """The time controls of rated games by category; empty where every one is rated."""
        own: Mapping[str, Sequence[str]] = self.parameters.get(TIME_CONTROLS, {})
        return own or self.rules.time_controls

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories in which a member has a rating."""
        if self.rules.has_own_categories or not self.time_controls:
            return self.rules.categories
        return tuple(self.time_controls)

    def category_of(self, time_control: str) -> str | None:
        """Return the category of a time control, None where the arena rates no game with it."""
        if not self.time_controls:
            return ONE_CATEGORY
        found = (name for name, listed in self.time_controls.items() if time_control in listed)
        return next(found, None)


class ArenaToken(models.Model):
    """A token of one arena; only its hash is kept."""

    arena = models.ForeignKey(Arena, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    digest = models.CharField(_("SHA-256 of the token"), max_length=64, unique=True)
    created_at = models.DateTimeField(_("created at"))
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        ordering = ["arena", "created_at"]
        verbose_name = _("token of an arena")
        verbose_name_plural = _("tokens of arenas")

    def __str__(self) -> str:
        return self.name
