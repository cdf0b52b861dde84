"""Players and the words of their names."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField, History
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
    birth_date = models.DateField(_("birth date (private)"), null=True, blank=True)
    died_on = models.DateField(_("died on"), null=True, blank=True)
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


class NameWord(models.Model):
    """One word of a player's name without accents and case, for searching in any order."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="name_words", db_index=False)
    word = CodePointCharField(max_length=60)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "player"], name="one_row_a_name_word")]
        # Whoever looks for players asks for their words: the index alone answers.
        indexes = [models.Index(fields=["player", "word"], name="words_of_a_player")]

    def __str__(self) -> str:
        return str(self.word)


class NameSound(models.Model):
    """How a word sounds that some name has, once a word: for searching by ear and past a slip of typing."""

    word = CodePointCharField(max_length=60)
    sound = CodePointCharField(max_length=12)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word"], name="one_sound_a_word")]
        indexes = [models.Index(fields=["sound", "word"], name="words_by_sound")]

    def __str__(self) -> str:
        return f"{self.word}: {self.sound}"
