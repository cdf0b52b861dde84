"""Reports as they were uploaded, and the participants and games that they tell of."""

from __future__ import annotations

from copy import copy

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import ValueField, account_field
from players.models import Player
from tournaments.amendments import Amendment
from tournaments.choices import GameMark, ReportState
from tournaments.models.tournament import Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.trf.codes import Severity
from tournaments.trf.findings import english_text


class Report(models.Model):
    """One version of a tournament's report. The bytes are kept as they came, with their SHA-256."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="reports")
    version = models.PositiveSmallIntegerField(_("Version"))
    state = models.CharField(_("State"), max_length=10, choices=ReportState)
    file_name = models.CharField(_("File name"), max_length=200)
    content = models.BinaryField(_("Content"))
    sha256 = models.CharField("SHA-256", max_length=64)
    pgn = models.BinaryField(_("PGN of the games (article 8.4)"), null=True, blank=True)
    pgn_sha256 = models.CharField("SHA-256 of the PGN", max_length=64, blank=True)
    rounds = models.PositiveSmallIntegerField(_("Rounds"), default=0)
    findings = models.JSONField(_("Check results"), default=list, blank=True)
    # Also in the findings, which are long: dashboards ask for it in queries over hundreds of tournaments.
    has_errors = models.BooleanField(_("With errors"), default=False, db_default=False)
    # A draft: see `tournaments.drafts`.
    amendments = ValueField(_("Fixes chosen and not saved yet"), of=list[Amendment], default=list, blank=True)
    reasons = models.JSONField(_("Reasons typed and not saved yet"), default=dict, blank=True)
    acknowledgement = models.TextField(_("Acknowledgement of the warnings"), blank=True)
    # What the portal states in it, see `core.stated`.
    acknowledgement_stated = models.JSONField(null=True, blank=True, editable=False)
    submitted_on = models.DateField(_("Submitted on"))
    submitted_at = models.DateTimeField(_("Submitted at"))
    submitted_by = account_field()
    accepted_on = models.DateField(_("Accepted on"), null=True, blank=True)
    corrected_from = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrected_versions"
    )
    # The conditions by which a list took this version, where they were corrected since (D-82).
    former_conditions = models.JSONField(_("Conditions before a correction"), null=True, blank=True)

    class Meta:
        ordering = ["tournament", "version"]
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [models.Index(fields=["sha256"], name="report_by_hash")]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="one_report_a_version"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="accepted"), name="one_accepted_report_a_tournament"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} · " + _("Version %(version)s") % {"version": self.version}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the check, each with its line."""
        return tuple(
            f"line {item['line']}: {english_text(item)}" if item["line"] else english_text(item)
            for item in self.findings
            if item["severity"] == Severity.WARNING
        )

    @property
    def why_acknowledged(self) -> str:
        """Why the warnings were acknowledged, in the language of the page."""
        stated = self.acknowledgement_stated
        return SENTENCES.show(stated) if stated else self.acknowledgement

    @property
    def event(self) -> Tournament:
        """The tournament with the conditions by which this version is rated; never to be saved (D-82)."""
        if not self.former_conditions:
            return self.tournament
        # A copy: the tournament itself keeps the conditions that were corrected since.
        event = copy(self.tournament)
        for name, value in self.former_conditions.items():
            # JSON has days as text.
            setattr(event, name, Tournament._meta.get_field(name).to_python(value))  # type: ignore[union-attr]
        return event


class OriginalFile(models.Model):
    """The file from which a report was made, such as a crosstable; the report has its TRF."""

    report = models.OneToOneField(Report, on_delete=models.CASCADE, related_name="original")
    file_name = models.CharField(_("File name"), max_length=200)
    content = models.BinaryField(_("Content"))
    sha256 = models.CharField("SHA-256", max_length=64)

    class Meta:
        verbose_name = _("original file")
        verbose_name_plural = _("original files")

    def __str__(self) -> str:
        return self.file_name


class Participant(models.Model):
    """A line of the report: what it says of the player, and who that is in the portal."""

    # Lines and games are written by the hundred thousand a month, with players that were just read: the database does
    # not look each of them up again. Deleting what they name is refused all the same (PROTECT).
    report = models.ForeignKey(
        Report, on_delete=models.CASCADE, related_name="participants", db_constraint=False, db_index=False
    )
    number = models.PositiveSmallIntegerField(_("Starting rank"))
    player = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="participations",
        db_constraint=False,
    )
    fide_id = models.BigIntegerField(_("FIDE ID as reported"), null=True, blank=True)
    name = models.CharField(_("Name as reported"), max_length=120, blank=True)
    federation_code = models.CharField(_("Federation as reported"), max_length=10, blank=True)
    sex = models.CharField(_("Sex as reported"), max_length=1, blank=True)
    title = models.CharField(_("Title as reported"), max_length=3, blank=True)
    rating = models.PositiveIntegerField(_("Rating as reported"), default=0)
    half_points = models.IntegerField(_("Points, in half points"), null=True, blank=True)
    rank = models.PositiveIntegerField(_("Rank"), null=True, blank=True)

    class Meta:
        ordering = ["report_id", "number"]
        verbose_name = _("participant")
        verbose_name_plural = _("participants")
        constraints = [
            models.UniqueConstraint(fields=["report", "number"], name="one_participant_a_number"),
        ]
        # An ID that nobody has may be known later (D-139).
        indexes = [
            models.Index(
                fields=["fide_id"],
                condition=Q(player=None, fide_id__isnull=False),
                name="participant_by_unknown_id",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.name}"


class Game(models.Model):
    """A pairing, or a round without one (`black` is empty then); codes as in TRF.

    `white` and `black` are starting ranks of the same report.
    """

    # Without a check as in `Participant`; the unique constraint below is an index that begins with the report.
    report = models.ForeignKey(
        Report, on_delete=models.CASCADE, related_name="games", db_constraint=False, db_index=False
    )
    round = models.PositiveSmallIntegerField(_("Round"))
    white = models.PositiveSmallIntegerField(_("White"))
    black = models.PositiveSmallIntegerField(_("Black"), null=True, blank=True)
    white_code = models.CharField(_("White's result"), max_length=1, blank=True)
    black_code = models.CharField(_("Black's result"), max_length=1, blank=True)
    is_played = models.BooleanField(_("Played"), default=False)
    mark = models.CharField(
        _("Reason why the game is not rated"), max_length=13, choices=GameMark, blank=True
    )
    mark_reference = models.CharField(_("Reference"), max_length=200, blank=True)

    class Meta:
        ordering = ["report_id", "round", "white"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        constraints = [
            models.UniqueConstraint(fields=["report", "round", "white"], name="one_game_a_round"),
            models.CheckConstraint(
                condition=Q(mark="") | ~Q(mark_reference=""), name="a_mark_has_a_reference"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.white}-{self.black or ''}"
