"""Arenas, members, their games and ratings, and monthly lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from arenas.choices import Cause, Colour, GameResult, RatingSystem
from arenas.systems import ONE_CATEGORY, SYSTEMS, TIME_CONTROLS, System
from core.html.dates import list_month
from core.models import CodePointCharField, WholeJSONField
from core.tokens import ProgramToken
from players.models import Player


class Arena(models.Model):
    """An online playing zone with its members, its rating system and that system's parameters."""

    slug = models.SlugField(_("Short name in addresses"), max_length=40, unique=True)
    name = models.CharField(_("Name"), max_length=100)
    system = models.CharField(_("Rating system"), max_length=20, choices=RatingSystem)
    parameters = models.JSONField(_("Parameters"), default=dict, blank=True)
    day_done = models.DateField(_("Last processed day"), null=True, blank=True)

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


class ArenaToken(ProgramToken):
    """A token of one arena; only its hash is kept."""

    arena = models.ForeignKey(Arena, on_delete=models.CASCADE, related_name="tokens")

    class Meta:
        ordering = ["arena", "created_at"]
        verbose_name = _("API token of an arena")
        verbose_name_plural = _("API tokens of arenas")

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person in an arena under a handle, a FIDE player or not."""

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="members")
    handle = CodePointCharField(_("Username"), max_length=60)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, null=True, blank=True, related_name="arena_members"
    )
    is_full_member = models.BooleanField(_("Full member"), default=False)
    joined = models.DateField(_("Joined"))
    # Members are never deleted: the games of others name them.
    left = models.DateField(_("Left"), null=True, blank=True)

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


class Game(models.Model):
    """A game by the arena's own id, rated when it came. `played_at` is its end.

    `unrated` is the key of the reason why it changed nothing for either player. `explanation` has a row a colour:
    the exact rating before and after, and the steps between them.
    """

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="games")
    arena_game_id = CodePointCharField(_("ID in the arena"), max_length=100)
    played_at = models.DateTimeField(_("End of the game"))
    white = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="games_as_white")
    black = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="games_as_black")
    result = models.CharField(_("Result"), max_length=7, choices=GameResult)
    time_control = models.CharField(_("Time control"), max_length=20)
    moves = models.PositiveIntegerField(_("Half-moves"))
    white_rating_at_start = models.PositiveIntegerField(
        _("White's rating at the start"), null=True, blank=True
    )
    black_rating_at_start = models.PositiveIntegerField(
        _("Black's rating at the start"), null=True, blank=True
    )
    disconnected = models.CharField(_("Disconnected"), max_length=5, choices=Colour, blank=True)
    category = models.CharField(_("Category"), max_length=20, blank=True)
    unrated = models.CharField(_("Reason why the game is not rated"), max_length=60, blank=True)
    is_late = models.BooleanField(_("Arrived after later games were rated"), default=False)
    explanation = WholeJSONField(_("Explanation"), default=dict)
    recorded_at = models.DateTimeField(_("Recorded at"))
    cancelled_at = models.DateTimeField(_("Cancelled at"), null=True, blank=True)
    cancelled_for = models.CharField(_("Reason for the cancellation"), max_length=200, blank=True)

    class Meta:
        ordering = ["arena", "-played_at", "-arena_game_id"]
        verbose_name = _("game")
        verbose_name_plural = _("games")
        indexes = [
            models.Index(fields=["arena", "-played_at", "-id"], name="arena_games_newest_first"),
            models.Index(fields=["white", "-played_at"], name="arena_games_of_white"),
            models.Index(fields=["black", "-played_at"], name="arena_games_of_black"),
            models.Index(
                fields=["arena", "cancelled_at"],
                condition=Q(cancelled_at__isnull=False),
                name="arena_games_cancelled",
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["arena", "arena_game_id"], name="one_game_an_arena_id"),
            models.CheckConstraint(condition=~Q(white=F("black")), name="a_game_has_two_members"),
        ]

    def __str__(self) -> str:
        return str(self.arena_game_id)

    @property
    def sides(self) -> list[tuple[str, Member, int | None]]:
        """White and Black: the colour, the member, and the rating at the start as the arena sent it."""
        white = ("white", self.white, self.white_rating_at_start)
        return [white, ("black", self.black, self.black_rating_at_start)]


class Rating(models.Model):
    """A member's current rating in one category: the system's state, and its figures for lists.

    `settled_at` and `settled_game` are its latest instant and game: games that ended before are late. `version` is the
    number of the last change. Ratings are hundredths of a point, None while unrated.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="ratings")
    category = models.CharField(_("Category"), max_length=20)
    state = WholeJSONField(_("State"))
    hundredths = models.IntegerField(_("Rating in hundredths"), null=True, blank=True)
    games = models.PositiveIntegerField(_("Games"), default=0)
    version = models.PositiveIntegerField(_("Version"), default=0)
    settled_at = models.DateTimeField(_("Settled up to"), null=True, blank=True)
    settled_game = models.CharField(_("Last game"), max_length=100, blank=True)

    class Meta:
        ordering = ["member", "category"]
        verbose_name = _("arena rating")
        verbose_name_plural = _("arena ratings")
        indexes = [models.Index(fields=["category", "-hundredths"], name="arena_ratings_by_category")]
        constraints = [
            models.UniqueConstraint(fields=["member", "category"], name="one_arena_rating_a_category"),
        ]

    def __str__(self) -> str:
        return f"{self.member_id} {self.category}"


class Change(models.Model):
    """One change of a rating, numbered from 1 in the order in which they were made. Never changed.

    `effective_at` is when it happened: the end of the game, the end of the day, 00:00 UTC of the list's date.
    `state` is the state after it; ratings are hundredths.
    """

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField(_("Number"))
    cause = models.CharField(_("Cause"), max_length=9, choices=Cause)
    effective_at = models.DateTimeField(_("Effective at"))
    recorded_at = models.DateTimeField(_("Recorded at"))
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="changes")
    before = models.IntegerField(_("Rating before, in hundredths"), null=True, blank=True)
    after = models.IntegerField(_("Rating after, in hundredths"), null=True, blank=True)
    games_before = models.PositiveIntegerField(_("Games before"), default=0)
    games_after = models.PositiveIntegerField(_("Games after"), default=0)
    state_before = WholeJSONField(_("State before"))
    state = WholeJSONField(_("State after"))
    steps = WholeJSONField(_("Steps"), default=list)

    class Meta:
        ordering = ["rating", "number"]
        verbose_name = _("change of an arena rating")
        verbose_name_plural = _("changes of arena ratings")
        constraints = [
            # Two workers that rate one member at once conflict here, as the last safeguard.
            models.UniqueConstraint(fields=["rating", "number"], name="one_change_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.number}"


class ArenaList(models.Model):
    """The list of an arena dated the first of a month: the ratings up to 00:00 UTC of that day.

    `sha256` is that of its JSON file.
    """

    arena = models.ForeignKey(Arena, on_delete=models.PROTECT, related_name="lists")
    date = models.DateField(_("Date"))
    published_at = models.DateTimeField(_("Published at"))
    listed = models.PositiveIntegerField(_("Rated entries"), default=0)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)

    class Meta:
        ordering = ["arena", "-date"]
        verbose_name = _("monthly list of an arena")
        verbose_name_plural = _("monthly lists of arenas")
        constraints = [models.UniqueConstraint(fields=["arena", "date"], name="one_arena_list_a_month")]

    def __str__(self) -> str:
        return f"{self.arena}, {list_month(self.date)}"


class ArenaListEntry(models.Model):
    """A member on a monthly list; `place` counts from 1 within the category, unrated members at the end."""

    arena_list = models.ForeignKey(ArenaList, on_delete=models.CASCADE, related_name="entries")
    category = models.CharField(_("Category"), max_length=20)
    place = models.PositiveIntegerField(_("Rank"))
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="list_entries")
    handle = CodePointCharField(_("Username"), max_length=60)
    hundredths = models.IntegerField(_("Rating in hundredths"), null=True, blank=True)
    games = models.PositiveIntegerField(_("Games"), default=0)

    class Meta:
        ordering = ["arena_list", "category", "place"]
        verbose_name = _("entry of an arena's list")
        verbose_name_plural = _("entries of arenas' lists")
        constraints = [
            models.UniqueConstraint(fields=["arena_list", "category", "place"], name="one_entry_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place} {self.handle}"
