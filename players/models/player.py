"""Players and the words of their names; ID blocks, applications, transfers, change requests and titles."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import AppendOnly, CodePointCharField, History
from players.choices import (
    ArbiterCategory,
    ArbiterTitle,
    CaseState,
    Sex,
    Title,
)
from players.models.case import Case
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


class ArbiterLicence(models.Model):
    """What FIDE staff enter of an arbiter beside the title of FIDE's lists, which are imported with the player."""

    player = models.OneToOneField(
        Player, on_delete=models.PROTECT, primary_key=True, related_name="arbiter_licence"
    )
    title = models.CharField(_("arbiter title"), max_length=2, choices=ArbiterTitle, blank=True)
    category = models.CharField(_("category"), max_length=1, choices=ArbiterCategory, blank=True)
    licensed_until = models.DateField(_("licence valid until"), null=True, blank=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    entered_at = models.DateTimeField(_("entered at"))

    class Meta:
        ordering = ["player"]
        verbose_name = _("arbiter licence")
        verbose_name_plural = _("arbiter licences")

    def __str__(self) -> str:
        return f"{self.player_id} {self.title}{self.category}"


class NameWord(models.Model):
    """One word of a player's name without accents and case, for searching in any order."""

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


class Application(Case):
    """A new player who may be one already known: FIDE staff decide whether an ID is given."""

    name = models.CharField(_("name"), max_length=100)
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="applications")
    sex = models.CharField(_("sex"), max_length=1, choices=Sex)
    # Until the decision.
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    score = models.PositiveSmallIntegerField(_("match score"))
    likeness = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta(Case.Meta):
        verbose_name = _("FIDE ID application")
        verbose_name_plural = _("FIDE ID applications")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["federation", "name", "birth_date"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_application_a_person",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.APPROVED, player__isnull=False)
                | (~Q(state=CaseState.APPROVED) & Q(player=None)),
                name="approved_application_has_its_player",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING, birth_date__isnull=False)
                | (~Q(state=CaseState.WAITING) & Q(birth_date=None)),
                name="an_application_has_a_birth_date_until_decided",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.federation_id} {self.state}"


class Transfer(Case):
    """A player's change of federation: asked by one side, agreed to by the other or decided by staff."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="transfers")
    from_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_out")
    to_federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="transfers_in")
    asked_for = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="+")

    class Meta(Case.Meta):
        ordering = ["-asked_at", "-pk"]
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"], condition=Q(state=CaseState.WAITING), name="one_open_transfer_a_player"
            ),
            models.CheckConstraint(
                condition=~Q(from_federation=F("to_federation")), name="transfer_changes_the_federation"
            ),
            models.CheckConstraint(
                condition=Q(asked_for=F("from_federation")) | Q(asked_for=F("to_federation")),
                name="transfer_is_asked_by_one_side",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.from_federation_id}-{self.to_federation_id} {self.state}"


class ChangeRequest(Case):
    """A federation's request to change what is recorded of its player; FIDE staff decide.

    Empty fields stay as they are. A request with the day of a death reports that (FIDE R&B 2024, 9.2).
    """

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="change_requests")
    federation = models.ForeignKey(Federation, on_delete=models.PROTECT, related_name="change_requests")
    name = models.CharField(_("name"), max_length=100, blank=True)
    sex = models.CharField(_("sex"), max_length=1, choices=Sex, blank=True)
    # Until the decision.
    birth_date = models.DateField(_("date of birth (private)"), null=True, blank=True)
    died_on = models.DateField(_("date of death"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=400)
    evidence = models.CharField(_("evidence"), max_length=400)

    class Meta(Case.Meta):
        verbose_name = _("data change request")
        verbose_name_plural = _("data change requests")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_change_request_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(state=CaseState.WAITING, name="", sex="", birth_date=None, died_on=None),
                name="a_change_request_asks_for_something",
            ),
            models.CheckConstraint(
                condition=Q(state=CaseState.WAITING) | Q(birth_date=None),
                name="a_change_request_has_a_birth_date_until_decided",
            ),
            models.CheckConstraint(
                condition=~Q(reason="") & ~Q(evidence=""), name="a_change_request_has_reason_and_evidence"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} · {self.get_state_display()}"

    @property
    def has_lost_birth_date(self) -> bool:
        """Whether the request was only for a birth date, which was deleted with the decision."""
        return not (self.name or self.sex or self.birth_date or self.died_on)


class TitleGrant(AppendOnly):
    """A title that FIDE granted, with the day from which lists show it. Never changed."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="title_grants")
    title = models.CharField(_("title"), max_length=3, choices=Title)
    granted_on = models.DateField(_("from"))
    reference = models.CharField(_("decision"), max_length=200)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(_("date and time"))

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


class MergeProposal(Case):
    """A merge of two records with different personal data: one member of FIDE staff requests it, another confirms.

    `differences` are field, value of the duplicate, and value of the kept record, as of the request.
    """

    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="merge_proposals", verbose_name=_("duplicate")
    )
    into = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+", verbose_name=_("kept"))
    reason = models.CharField(_("reason"), max_length=400)
    differences = models.JSONField(_("differences"), default=list)

    class Meta(Case.Meta):
        verbose_name = _("proposed merge")
        verbose_name_plural = _("proposed merges")
        constraints = [
            *Case.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(state=CaseState.WAITING),
                name="one_waiting_merge_a_player",
            ),
            models.CheckConstraint(
                condition=~Q(state=CaseState.APPROVED)
                | (Q(decided_by__isnull=False) & ~Q(decided_by=F("asked_by"))),
                name="a_merge_is_confirmed_by_another_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.into_id} {self.state}"


class DistinctPlayers(models.Model):
    """Two records that look like one person and are not, as FIDE staff found; `other` has the higher FIDE ID."""

    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
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
