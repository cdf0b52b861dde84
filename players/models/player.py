"""Players, each with a FIDE ID from a block of the federation, and what is kept of each: names, titles, doubts."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.models import CodePointCharField, account_field
from players.choices import ArbiterCategory, ArbiterTitle, Area, Sex, Title
from players.models.federation import Federation
from players.models.log import Logged


class Player(Logged):
    """A person with a FIDE ID number.

    The full birth date is private; everybody may see the year, or of a minor the age band where the federation asks.
    """

    fide_id = models.PositiveIntegerField(_("FIDE ID"), primary_key=True)
    name = CodePointCharField(_("Name"), max_length=100, blank=True)
    # The index on federation and year of birth finds by federation too.
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="players", db_index=False
    )
    sex = models.CharField(_("Sex"), max_length=1, choices=Sex, blank=True)
    title = models.CharField(_("Title"), max_length=3, choices=Title, blank=True)
    women_title = models.CharField(_("Women's title"), max_length=3, choices=Title, blank=True)
    other_titles = models.CharField(_("Arbiter's and trainer's titles"), max_length=40, blank=True)
    foa_title = models.CharField(_("Arena title"), max_length=3, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Year of birth"), null=True, blank=True)
    birth_date = models.DateField(_("Date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_("Date of death"), null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged_players"
    )

    area = Area.PLAYER

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

    def log_subject(self) -> dict[str, Any]:
        return {"player": self, "federation_id": self.federation_id, "subject": str(self)}


class TitleGrant(AppendOnly):
    """A title that FIDE granted, with the day from which lists show it. Never changed."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="title_grants")
    title = models.CharField(_("Title"), max_length=3, choices=Title)
    granted_on = models.DateField(_("From"))
    reference = models.CharField(_("Decision"), max_length=200)
    by = account_field()
    at = models.DateTimeField(_("Date and time"))

    class Meta:
        ordering = ["player", "granted_on", "pk"]
        verbose_name = _("granted title")
        verbose_name_plural = _("granted titles")
        constraints = [
            models.UniqueConstraint(fields=["player", "title"], name="a_title_is_granted_once"),
            models.CheckConstraint(condition=~Q(reference=""), name="a_title_has_a_decision"),
        ]
        indexes = [models.Index(fields=["granted_on"], name="title_by_day")]

    def __str__(self) -> str:
        return f"{self.player}, {self.get_title_display()}"


class FormerFederation(models.Model):
    """A federation of which a player was until the day of the FIDE list that names another one.

    Transfers say it themselves, and what is corrected has always been so.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="former_federations", db_index=False
    )
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")
    until = models.DateField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "until"], name="one_former_federation_a_day")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.federation_id} {self.until.isoformat()}"


# Former names of players, and the words of all their names, by which they are found.
class FormerName(models.Model):
    """What a player was called before, as after a marriage: reports and searches go on using it. No page shows it."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="former_names", db_index=False)
    name = CodePointCharField(max_length=100)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "name"], name="one_row_a_former_name")]

    def __str__(self) -> str:
        return str(self.name)


class NameWord(models.Model):
    """One word of a player's present or former name without accents and case, for searching in any order."""

    # The index of player and word below serves the foreign key too.
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="name_words", db_index=False)
    word = CodePointCharField(max_length=60)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["word", "player"], name="one_row_a_name_word")]
        # Player searches look for words: only the index is read.
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


class HiddenBirthYear(models.Model):
    """A player who asks for the age band in place of the year of birth; it acts while they are a minor."""

    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, primary_key=True, related_name="hidden_birth_year"
    )
    asked_at = models.DateTimeField(_("Requested at"))

    class Meta:
        verbose_name = _("hidden year of birth")
        verbose_name_plural = _("hidden years of birth")

    def __str__(self) -> str:
        return str(self.player_id)


class ArbiterLicence(models.Model):
    """What FIDE staff enter of an arbiter beside the title of FIDE's lists, which are imported with the player."""

    player = models.OneToOneField(
        Player, on_delete=models.PROTECT, primary_key=True, related_name="arbiter_licence"
    )
    title = models.CharField(_("Arbiter title"), max_length=2, choices=ArbiterTitle, blank=True)
    category = models.CharField(_("Category"), max_length=1, choices=ArbiterCategory, blank=True)
    licensed_until = models.DateField(_("Licence valid until"), null=True, blank=True)
    entered_by = account_field()
    entered_at = models.DateTimeField(_("Entered at"))

    class Meta:
        ordering = ["player"]
        verbose_name = _("arbiter licence")
        verbose_name_plural = _("arbiter licences")

    def __str__(self) -> str:
        return f"{self.player_id} {self.title}{self.category}"


class DistinctPlayers(models.Model):
    """Two records that look like one person and are not, as FIDE staff found; `other` has the higher FIDE ID."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    by = account_field()
    at = models.DateTimeField(_("Date and time"))

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


class IdBlock(models.Model):
    """The FIDE IDs of one prefix, given out by one federation; an ID is prefix, four digits, check digit."""

    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="id_blocks")
    prefix = models.PositiveSmallIntegerField(_("Prefix"), unique=True)
    next_serial = models.PositiveSmallIntegerField(_("Next number"), default=0)

    class Meta:
        ordering = ["federation", "prefix"]
        constraints = [
            models.CheckConstraint(
                condition=Q(prefix__gte=1, prefix__lte=999), name="id_prefix_has_up_to_three_digits"
            ),
            # 10,000 is a block without a number left.
            models.CheckConstraint(condition=Q(next_serial__lte=10_000), name="id_serial_has_four_digits"),
        ]

    def __str__(self) -> str:
        return f"{self.federation_id} {self.prefix}"
