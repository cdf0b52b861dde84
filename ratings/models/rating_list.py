"""Rating lists, their entries and files. Published rows are never changed (D-11)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.html.dates import list_month
from core.models import BlockIndex, CodePointCharField
from players.choices import Sex
from players.models import Federation, Player
from ratings.choices import EntryStatus, FileFormat, ListKind, Origin
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.registry import rules_named


class RatingList(models.Model):
    """A list of one kind and date. A row exists only once the whole list does."""

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    date = models.DateField(_("Date"))
    origin = models.CharField(_("Origin"), max_length=9, choices=Origin)
    rules = models.CharField(_("Regulations in effect on the date"), max_length=40, blank=True)
    engine_version = models.CharField(_("Engine version"), max_length=20, blank=True)
    # The chain of manifests goes by it; an import of history may set it anew.
    previous = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="following"
    )
    published_at = models.DateTimeField(_("Published at"))
    listed = models.PositiveIntegerField(_("Players listed"), default=0)
    is_adjusted = models.BooleanField(_("All ratings adjusted by a formula"), default=False)
    manifest = models.JSONField(_("Manifest"), default=dict, blank=True)
    manifest_sha256 = models.CharField(_("SHA-256 of the manifest"), max_length=64, blank=True)
    signature = models.CharField(_("Signature"), max_length=200, blank=True)
    # Codes of federations, and FIDE IDs of players who ask themselves.
    minors_hidden_of = models.JSONField(
        _("Federations whose minors have no year of birth in the files"), default=list, blank=True
    )

    class Meta:
        ordering = ["-date", "kind"]
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        constraints = [
            models.UniqueConstraint(fields=["kind", "date"], name="one_list_a_kind_and_date"),
        ]

    def __str__(self) -> str:
        return f"{capfirst(self.get_kind_display())}, {list_month(self.date)}"

    @property
    def full_name(self) -> str:
        """The name of the list in sentences and feeds: `Rapid rating list, November 2026`."""
        names = {"kind": self.get_kind_display(), "month": list_month(self.date)}
        return str(capfirst(gettext("%(kind)s rating list, %(month)s") % names))

    @property
    def stored_name(self) -> str:
        """The name of the list in stored texts, the same in every language."""
        return f"{self.kind} {self.date:%Y-%m}"

    @property
    def edition(self) -> str:
        """What differs as soon as the list does, safe in any cache: only an imported one can be read in again."""
        return f"{self.pk}:{self.published_at.timestamp():.0f}"

    def get_kind_display(self) -> str:  # type: ignore[no-redef]
        """Return the label of the rating type; Django's own method makes a dictionary of all each time."""
        return str(ListKind(self.kind).label)

    @property
    def text(self) -> PeriodRules | None:
        """The text in force on the date; None on one before the first adoption (D-92)."""
        return rules_named(self.rules) if self.rules else None


class ListEntryQuerySet(models.QuerySet["ListEntry"]):
    def listed(self) -> ListEntryQuerySet:
        return self.filter(status=EntryStatus.LISTED)

    def in_list_order(self) -> ListEntryQuerySet:
        """Rating falling, then name by code point, then FIDE ID as a number."""
        return self.order_by("-rating", "name", "player_id")


class ListEntry(models.Model):
    """A player on one list, with the personal data of that date.

    Entries that are not `listed` have what a later list needs: the rating kept during an exclusion, or that a
    player who is now unrated once reached 2400.

    Only imports and publications write entries, millions at once, of players and federations that they have just
    read or written: the database does not check these foreign keys. Deleting a referenced row is refused as everywhere
    (PROTECT). The entries of one list are stored together, most by FIDE ID, and the unique constraint grows at its end:
    queries for a player name the lists, too. A federation has few entries of one rating: their names are sorted when
    they are read.
    """

    rating_list = models.ForeignKey(
        RatingList, on_delete=models.PROTECT, related_name="entries", db_constraint=False, db_index=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="list_entries", db_constraint=False, db_index=False
    )
    status = models.CharField(_("Status"), max_length=8, choices=EntryStatus, default=EntryStatus.LISTED)
    name = CodePointCharField(_("Name"), max_length=100, blank=True)
    federation = models.ForeignKey(
        Federation, on_delete=models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
    sex = models.CharField(_("Sex"), max_length=1, choices=Sex, blank=True)
    title = models.CharField(_("Title"), max_length=3, blank=True)
    women_title = models.CharField(_("Women's title"), max_length=3, blank=True)
    other_titles = models.CharField(_("Other titles"), max_length=40, blank=True)
    foa_title = models.CharField(_("Arena title"), max_length=3, blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Year of birth"), null=True, blank=True)
    rating = models.PositiveSmallIntegerField(_("Rating"), null=True, blank=True)
    games = models.PositiveIntegerField(_("Games in the period"), default=0)
    k_factor = models.PositiveSmallIntegerField("K", null=True, blank=True)
    is_inactive = models.BooleanField(_("Inactive (article 6.2.2)"), default=False)
    completed_games = models.PositiveIntegerField(_("Rated games, for K (article 7.3.3)"), default=0)
    reached_2300 = models.BooleanField(_("Has reached 2300"), default=False)
    reached_2400 = models.BooleanField(_("Has reached 2400"), default=False)
    last_played = models.DateField(_("List with the last rated game"), null=True, blank=True)
    k_reason = models.CharField(_("Reason for K"), max_length=24, blank=True, db_default="", default="")

    objects = ListEntryQuerySet.as_manager()

    class Meta:
        ordering = ["rating_list", "-rating", "name", "player"]
        verbose_name = _("list entry")
        verbose_name_plural = _("list entries")
        indexes = [
            models.Index(
                fields=["rating_list", "-rating", "name", "player"],
                condition=Q(status="listed"),
                name="entry_in_list_order",
            ),
            models.Index(
                fields=["rating_list", "federation", "-rating"],
                condition=Q(status="listed"),
                name="entry_of_a_federation",
            ),
            BlockIndex(fields=["rating_list"], name="entries_of_a_list"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "player"], name="one_entry_a_player"),
            # Readers sort and count listed entries by the rating without asking whether there is one.
            models.CheckConstraint(
                condition=~Q(status="listed") | Q(rating__isnull=False), name="a_listed_player_has_a_rating"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.player_id}) · {self.rating_list}"

    @property
    def completed(self) -> int:
        """The completed games, as calculations name them."""
        return self.completed_games


class ListFile(models.Model):
    """One file of a published list: where it lies and what its bytes hash to."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="files")
    format = models.CharField(_("Format"), max_length=4, choices=FileFormat)
    path = models.CharField(_("Path in the storage"), max_length=200)
    size = models.PositiveBigIntegerField(_("Size in bytes"))
    sha256 = models.CharField("SHA-256", max_length=64)

    class Meta:
        ordering = ["rating_list", "format"]
        verbose_name = _("list file")
        verbose_name_plural = _("list files")
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "format"], name="one_file_a_format"),
        ]

    def __str__(self) -> str:
        return self.path


class FideList(models.Model):
    """FIDE's own list of a kind that the portal publishes itself: kept for comparison, never in force (D-73).

    The file is a single list in FIDE's XML layout, gzipped, with the records as they came.
    """

    kind = models.CharField(_("Rating type"), max_length=8, choices=ListKind)
    date = models.DateField(_("Date"))
    source = models.CharField(_("File"), max_length=200)
    sha256 = models.CharField(_("SHA-256 of the file"), max_length=64)
    listed = models.PositiveIntegerField(_("Players listed"))
    path = models.CharField(_("Path in the storage"), max_length=200)
    kept_at = models.DateTimeField(_("Kept at"))

    class Meta:
        ordering = ["-date", "kind", "-kept_at"]
        verbose_name = _("FIDE list kept for comparison")
        verbose_name_plural = _("FIDE lists kept for comparison")
        constraints = [
            models.UniqueConstraint(fields=["kind", "date", "sha256"], name="one_fide_list_a_file"),
        ]

    def __str__(self) -> str:
        return f"{capfirst(self.get_kind_display())}, {list_month(self.date)} (FIDE)"


class ListArchive(models.Model):
    """A packed file of a published list, or the history of its kind: made from what is published, after it."""

    rating_list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="archives")
    name = models.CharField(_("Name"), max_length=60)
    path = models.CharField(_("Path in the storage"), max_length=200)
    size = models.PositiveBigIntegerField(_("Size in bytes"))
    sha256 = models.CharField("SHA-256", max_length=64)
    # FIDE IDs that a file of games leaves out, kept so that it can be written again to the same bytes.
    hidden = models.JSONField(_("IDs left out"), default=list, editable=False)

    class Meta:
        ordering = ["rating_list", "name"]
        verbose_name = _("compressed list file")
        verbose_name_plural = _("compressed list files")
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "name"], name="one_archive_a_name"),
        ]

    def __str__(self) -> str:
        return self.path
