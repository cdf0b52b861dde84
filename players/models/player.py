"""Players, each with a FIDE ID from a block of the federation."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField, History, account_field
from players.choices import Sex, Title
from players.models.federation import Federation


class Player(models.Model):
    """A person with a FIDE ID number.

    The full birth date is private; everybody may see the year, or of a minor the age band where the federation asks.
    """

    fide_id = models.PositiveIntegerField(_("FIDE ID"), primary_key=True)
    name = CodePointCharField(_("name"), max_length=100, blank=True)
    # The index on federation and year of birth finds by federation too.
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="players", db_index=False
    )
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    title = models.CharField(_("title"), max_length=3, choices=Title, blank=True)
    women_title = models.CharField(_("women's title"), max_length=3, choices=Title, blank=True)
    other_titles = models.CharField(_("arbiter's and trainer's titles"), max_length=40, blank=True)
    foa_title = models.CharField(_("arena title"), max_length=3, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_("date of death"), null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged_players"
    )
    history = History()

    class Meta:
        ordering = ["fide_id"]
        # A new player is compared with those of the federation who were born in the same year.
        indexes = [models.Index(fields=["federation", "birth_year"], name="player_federation_birth_year")]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.CheckConstraint(condition=Q(fide_id__gt=0), name="fide_id_is_positive"),
            models.CheckConstraint(
                condition=Q(birth_year=None) | Q(birth_year__gte=1850), name="birth_year_is_plausible"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name or '?'} ({self.fide_id})"


class IdBlock(models.Model):
    """The FIDE IDs of one prefix, given out by one federation; an ID is prefix, four digits, check digit."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="id_blocks")
    prefix = models.PositiveSmallIntegerField(_("prefix"), unique=True)
    next_serial = models.PositiveSmallIntegerField(_("next number"), default=0)

    class Meta:
        ordering = ["federation", "prefix"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prefix__gte=1, prefix__lte=999), name="id_prefix_has_up_to_three_digits"
            ),
            models.CheckConstraint(condition=Q(next_serial__lte=10_000), name="id_serial_has_four_digits"),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.prefix}"


class DistinctPlayers(models.Model):
    """Two records that look like one person and are not, as FIDE staff found; `other` has the higher FIDE ID."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    by = account_field()
    at = models.DateTimeField(_("date and time"))

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("players told apart")
        verbose_name_plural = _("players told apart")
        constraints = [
            models.UniqueConstraint(fields=["player", "other"], name="a_pair_is_told_apart_once"),
            models.CheckConstraint(condition=Q(player__lt=F("other")), name="the_lower_fide_id_stands_first"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.other_id}"
