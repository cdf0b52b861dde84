"""Tournaments, each with its arbiters and its entry list."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from core.models import CodePointCharField, account_field
from players.models import Federation, Player
from tournaments.choices import OPEN_REGISTRATIONS, DecidedBy, FideState, Kind, Registration, Stage
from tournaments.models.town import Town
from tournaments.trf.time_control import shown_time_control

# The same as `Tournament.is_reported_by_staff`, as a condition.
REPORTED_BY_STAFF = Q(is_official=True) | ~Q(decided_by="")


class Tournament(models.Model):
    """A registered event. Days are UTC days, times of the time control whole seconds a player."""

    # Ties between events of one day follow the order of IDs, which must not depend on a collation (D-6, ADR 8).
    event_id = CodePointCharField(_("Event ID"), max_length=40, unique=True)
    name = models.CharField(_("Name"), max_length=160)
    city = models.CharField(_("City"), max_length=80, blank=True)
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="tournaments", verbose_name=_("Federation")
    )
    # Found by city in the country of the federation; None where no town has exactly this name.
    town = models.ForeignKey(
        Town,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="tournaments",
        verbose_name=_("Town"),
    )
    kind = models.CharField(_("Rating type"), max_length=5, choices=Kind)
    base_seconds = models.PositiveIntegerField(_("Base time in seconds"))
    increment_seconds = models.PositiveIntegerField(_("Increment in seconds"), default=0)
    # If base and increment, for the same 60 moves, do not describe it: several periods, a delay.
    time_control_text = models.CharField(_("Time control as registered"), max_length=200, blank=True)
    has_unequal_times = models.BooleanField(
        _("Different playing times for the two players (article 1.2)"), default=False
    )
    start = models.DateField(_("First day"))
    end = models.DateField(_("Last day"))
    # The part before, where an event longer than 30 days is reported in monthly parts (D-117).
    continues = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="continuations",
        verbose_name=_("Continues (decision D-117)"),
    )
    schedule = models.JSONField(_("Schedule"), default=list, blank=True)
    # Local time at the venue, HH:MM, for each round of the schedule; empty where no start is registered.
    round_times = models.JSONField(_("Start of each round"), default=list, blank=True)
    chief_arbiter = models.CharField(_("Chief arbiter"), max_length=120, blank=True)
    organiser = models.CharField(_("Organiser"), max_length=120, blank=True)
    is_official = models.BooleanField(_("Official FIDE or continental event (article 0.3)"), default=False)
    is_continental = models.BooleanField(_("Continental event (decision D-115)"), default=False)
    is_match = models.BooleanField(_("Match (article 5)"), default=False)
    games_per_match = models.PositiveSmallIntegerField(
        _("Games per match (article 5.2, decision D-84)"), null=True, blank=True
    )
    # The waiver to which the QC has consented, and the day on which it was requested (D-80).
    match_waiver = models.CharField(
        _("Waiver requested beforehand (article 5.2)"), max_length=200, blank=True
    )
    match_waiver_on = models.DateField(_("Waiver requested on"), null=True, blank=True)
    is_hybrid = models.BooleanField(_("Hybrid (article 2.1)"), default=False)
    decided_by = models.CharField(
        _("Rated by decision of (article 0.2)"), max_length=9, choices=DecidedBy, blank=True
    )
    decision_reference = models.CharField(_("Reference of the decision"), max_length=200, blank=True)
    is_stated_rated = models.BooleanField(
        _("The regulations say that it is rated (article 8.2)"), default=False
    )
    registration = models.CharField(_("Registration"), max_length=10, choices=Registration)
    stage = models.CharField(_("Stage"), max_length=10, choices=Stage, default=Stage.PLANNED)
    # What others know of the event (`tournaments.elsewhere`): nothing is rated by it.
    fide_event = models.PositiveIntegerField(_("Event number at FIDE"), null=True, blank=True)
    fide_state = models.CharField(
        _("State at FIDE"), max_length=8, choices=FideState, blank=True, default="", db_default=""
    )
    results_url = models.URLField(
        _("Page on a results server"), max_length=200, blank=True, default="", db_default=""
    )
    # What players ask before they come; nothing is rated by it either.
    venue = models.CharField(_("Venue"), max_length=200, blank=True, default="", db_default="")
    entry_url = models.URLField(_("Page to enter"), max_length=200, blank=True, default="", db_default="")
    entry_email = models.EmailField(
        _("Email to enter"), max_length=254, blank=True, default="", db_default=""
    )
    entry_fee = models.CharField(_("Entry fee"), max_length=120, blank=True, default="", db_default="")
    entry_until = models.DateField(_("Entries until"), null=True, blank=True)
    upheld_on = models.DateField(_("Appeal upheld on (article 0.4)"), null=True, blank=True)
    registered_on = models.DateField(_("Registered on"))
    registered_by = account_field()

    class Meta:
        ordering = ["-start", "event_id"]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["federation", "-start"], name="tournament_by_federation"),
            models.Index(fields=["kind", "stage", "end"], name="tournament_by_stage"),
            models.Index(fields=["-start", "event_id"], name="tournament_by_start"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="tournament_ends_after_it_starts"),
            models.CheckConstraint(
                condition=Q(decided_by="") | ~Q(decision_reference=""), name="a_decision_has_a_reference"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.event_id})"

    @property
    def part_before_id(self) -> str:
        """The event ID of the part that this one continues, empty without one (D-117)."""
        return self.continues.event_id if self.continues else ""

    @property
    def time_control(self) -> str:
        """The time control as registered, else as `base + increment`, minutes and seconds: `15+10`."""
        return shown_time_control(self.base_seconds, self.increment_seconds, self.time_control_text)

    @property
    def is_open(self) -> bool:
        return self.registration in OPEN_REGISTRATIONS

    @property
    def is_reported_by_staff(self) -> bool:
        """Whether FIDE staff report it: official events (0.3), and what Council or the President decided (0.2)."""
        return self.is_official or bool(self.decided_by)

    @property
    def may_end_late(self) -> bool:
        """Whether it may end on the day before a list: official events of FIDE, not of a continent (6.1.3, D-115)."""
        return self.is_official and not self.is_continental

    def has_begun(self, on: date) -> bool:
        """Return whether changing or withdrawing the registration is the QC's decision by a day (D-80, D-81).

        What FIDE staff report stays theirs to change.
        """
        return on >= self.start and not self.is_reported_by_staff

    @property
    def first_month(self) -> date:
        """The month to which the event belongs in a pool (RULES, unrated players)."""
        return self.start.replace(day=1)


class TournamentArbiter(models.Model):
    """An arbiter of a tournament by FIDE ID; the chief is the first, the deputies follow in their order."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="arbiters")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="arbitrated")
    is_chief = models.BooleanField(_("Chief arbiter"), default=False)
    place = models.PositiveSmallIntegerField(_("Rank"), default=0)

    class Meta:
        ordering = ["tournament", "place"]
        verbose_name = _("arbiter of a tournament")
        verbose_name_plural = _("arbiters of tournaments")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="an_arbiter_has_one_place"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(is_chief=True), name="one_chief_arbiter_a_tournament"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"


class TournamentEntry(models.Model):
    """A player on the entry list of a tournament, before it is rated."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="tournament_entries")

    class Meta:
        ordering = ["tournament", "player"]
        verbose_name = _("player on an entry list")
        verbose_name_plural = _("players on entry lists")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="a_player_is_entered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.player_id}"
