"""The log: one table of what was done, by whom and why, and the chain by which it proves itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth import get_user_model
from django.db import connection, models, transaction
from django.db.models.signals import post_delete
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.append_only import AppendOnly
from core.bulk import write_rows
from core.models import Reasoned, account_field
from core.stated import Sentences, stated_items
from players.choices import ADOPTION_DEEDS, Area, Deed

# What the acts of an area are called where they are no deeds; floors above add theirs.
ACTIONS: dict[str, type[models.TextChoices]] = {}
# What acts are called by their area, their action and what their subject was before; likewise.
ACTIONS_FROM: dict[tuple[str, str, str], str | Promise] = {}
# In which the portal states the reasons of entries; likewise.
REASONS: list[Sentences] = []


class LogEntry(Reasoned, AppendOnly):
    """What somebody did, when and why. Never changed.

    `before` and `after` are what the subject was and is: the registration of a tournament, a role, the state of a
    webhook. `changes` are its fields, `{"field": ..., "before": ..., "after": ...}` for each.
    """

    area = models.CharField(_("Area"), max_length=12, choices=Area)
    action = models.CharField(_("Action"), max_length=10)
    # Which of the three are filled in follows from the area.
    tournament: models.ForeignKey[Any, Any] = models.ForeignKey(
        "tournaments.Tournament",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("Tournament"),
    )
    player = models.ForeignKey(
        "players.Player",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("Player"),
    )
    federation = models.ForeignKey(
        "players.Federation",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="log_entries",
        verbose_name=_("Federation"),
    )
    account = account_field(verbose_name=_("Account"))
    # As it was called then: what it names may be gone, or be none of the above.
    subject = models.CharField(_("Subject"), max_length=254, blank=True)
    by = account_field(verbose_name=_("User"))
    # Who has no account: the operator of a command, a schedule.
    by_name = models.CharField(_("User without an account"), max_length=254, blank=True)
    at = models.DateTimeField(_("Date and time"))
    before = models.TextField(_("Before"), blank=True)
    after = models.TextField(_("After"), blank=True)
    changes = models.JSONField(_("Changed fields with old and new values"), default=list, blank=True)
    reason = models.TextField(_("Reason"), blank=True)
    is_public = models.BooleanField(_("Reason is public"), default=False)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name = _("entry of the audit log")
        verbose_name_plural = _("entries of the audit log")
        indexes = [
            models.Index(fields=["-at", "-id"], name="log_by_time"),
            models.Index(fields=["area", "-at", "-id"], name="log_of_area_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.subject or self.tournament} · {self.what}"

    @property
    def what(self) -> str:
        """What was done, in the language of the page."""
        if self.area == Area.RULES and self.action in ADOPTION_DEEDS:
            return str(ADOPTION_DEEDS[Deed(self.action)])
        if named := ACTIONS_FROM.get((self.area, self.action, self.before)):
            return str(named)
        fields = {change["field"] for change in self.changes}
        # Of the two tables whose rows are players' or about them, the register has these.
        if self.area == Area.PLAYER and fields & {"number", "club", "district"}:
            return str(_("number and club saved"))
        actions = ACTIONS.get(self.area, Deed)
        return str(actions(self.action).label) if self.action in actions.values else self.action

    @property
    def why(self) -> str:
        """The portal's sentences in the language of the page; what a person wrote as it was written."""
        sentences = self._sentences
        return sentences.show(self.stated or []) if sentences else self.reason

    @property
    def why_apart(self) -> tuple[str, str]:
        """The portal's sentences, and what a person wrote."""
        sentences = self._sentences
        return sentences.apart(self.stated or []) if sentences else ("", self.reason)

    @property
    def _sentences(self) -> Sentences | None:
        codes = {item.get("code") for item in self.stated or []}
        return next((one for one in REASONS if codes & one.templates.keys()), None)


def record_act(
    area: Area,
    action: str,
    subject: str = "",
    *,
    by: Any,
    at: datetime,
    by_name: str = "",
    reason: str = "",
    **values: Any,
) -> LogEntry:
    """Record what somebody did; `values` are the other fields of the entry.

    `by_name` names who has no account: the operator of a command, a schedule.
    """
    user = by if getattr(by, "is_authenticated", False) else None
    return LogEntry.objects.create(
        area=area,
        action=action,
        subject=subject[:254],
        by=user,
        by_name="" if user else by_name[:254],
        at=at,
        reason=reason.strip(),
        stated=stated_items(reason),
        **values,
    )


class SealedEntry(AppendOnly):
    """A link of the chain from before the log was one table, with the row that it links as it was hashed."""

    number = models.PositiveBigIntegerField(primary_key=True)
    source = models.CharField(max_length=12)
    row = models.PositiveBigIntegerField()
    content = models.TextField()
    digest = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    # The entry that the row became; None for one that was removed before.
    entry = models.PositiveBigIntegerField(null=True, unique=True)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.sha256}"


class LogLink(AppendOnly):
    """An entry of the log in its chain: its place, the hash of the entry, and that of the chain up to it."""

    number = models.PositiveBigIntegerField(primary_key=True)
    # No foreign key: the chain tells which entry was removed.
    entry = models.PositiveBigIntegerField(unique=True)
    digest = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"{self.number} {self.sha256}"


class Logged(models.Model):
    """A row whose every change is an entry of the log, with the fields that changed.

    Rows that are written in bulk, as an import does, leave none unless `log_added` or `log_written` is called.
    """

    area: ClassVar[Area]

    class Meta:
        abstract = True

    def __init_subclass__(cls, **options: Any) -> None:
        """Have the deletion of a row logged; of other tables many rows at once are deleted without a look at each."""
        super().__init_subclass__(**options)
        post_delete.connect(_log_deletion, sender=cls)

    def save(
        self,
        *,
        by: Any = None,
        at: datetime | None = None,
        reason: str = "",
        former: Logged | None = None,
        **options: Any,
    ) -> None:
        """Save the row, and log which fields changed; `former` is the row as it is locked, else it is read."""
        with transaction.atomic(savepoint=False):
            if former is None and self.pk is not None:
                former = type(self)._base_manager.filter(pk=self.pk).first()
            super().save(**options)
            changes = [*_changes(former, self, options.get("update_fields"))]
            if former is None or changes:
                deed = Deed.ADDED if former is None else Deed.EDITED
                self._log(deed, changes, by=by, at=at or timezone.now(), reason=reason)

    def delete(self, *args: Any, by: Any = None, at: datetime | None = None, **options: Any) -> Any:
        """Delete the row, and log what it was."""
        self._deleted = by, at or timezone.now()
        return super().delete(*args, **options)

    def log_subject(self) -> Mapping[str, Any]:
        """Return what the entries of this row are about, as fields of `LogEntry`."""
        raise NotImplementedError

    def log_name(self) -> str:
        """Return by which name the log finds the entries of this row."""
        about = self.log_subject()
        row = about.get("player") or about.get("federation")
        return str(row.pk if row else about.get("subject", ""))

    def _log(self, deed: Deed, changes: list[dict[str, Any]], **values: Any) -> None:
        record_act(self.area, deed, changes=changes, **{**self.log_subject(), **values})


def log_added(players: Iterable[Logged], *, by: Any, at: datetime) -> None:
    """Log new players that were written in bulk."""
    rows = (
        (Area.PLAYER, Deed.ADDED, player.pk, getattr(player, "federation_id", None), str(player), changes)
        for player in players
        for changes in [[*_changes(None, player)]]
    )
    _write_entries(rows, by=by, at=at)


def log_written(rows: Iterable[tuple[Logged | None, Logged]], *, by: Any, at: datetime) -> None:
    """Log rows about players that were written in bulk, each with what it was before, None for a new one."""
    entries = []
    for before, row in rows:
        about = row.log_subject()
        deed = Deed.EDITED if before else Deed.ADDED
        named = (about["player_id"], about["federation_id"], about["subject"])
        entries.append((row.area, deed, *named, [*_changes(before, row)]))
    _write_entries(entries, by=by, at=at)


def _write_entries(rows: Iterable[tuple[Any, ...]], *, by: Any, at: datetime) -> None:
    user = by.pk if getattr(by, "is_authenticated", False) else None
    instant = LogEntry._meta.get_field("at").get_db_prep_save(at, connection)
    same = (user, "", instant, "", "", "", False)
    names = ("by", "by_name", "at", "before", "after", "reason", "is_public")
    own = ("area", "action", "player", "federation", "subject", "changes")
    write_rows(LogEntry, (*names, *own), ((*same, *row) for row in rows))


def _log_deletion(sender: type[Logged], *, instance: Logged, origin: Any = None, **kwargs: Any) -> None:
    """Log the deletion of a row, also where another row takes it along."""
    by, at = getattr(instance, "_deleted", (None, timezone.now()))
    named: dict[str, Any] = {}
    if origin is not instance and (account := instance.log_subject().get("account_id")):
        # An account that goes takes its roles along: only its number is left.
        named = {"account_id": None, "subject": f"#{account}"}
    instance._log(Deed.DELETED, [*_changes(instance, None)], by=by, at=at, **named)


def _changes(
    before: models.Model | None, after: models.Model | None, names: Any = None
) -> Iterator[dict[str, Any]]:
    """Yield the fields that differ between two states of a row; of none at all those that are filled in."""
    row: Any = before or after
    accounts = get_user_model()
    for field in row._meta.concrete_fields:
        is_saved = names is None or field.name in names or field.attname in names
        # Who did it is in the entry.
        if field.primary_key or not is_saved or field.related_model is accounts:
            continue
        values = [field.to_python(getattr(one, field.attname)) if one else None for one in (before, after)]
        old, new = map(_plain, values)
        if values[0] != values[1] and (old, new) not in ((None, ""), ("", None)):
            yield {"field": field.attname, "before": old, "after": new}


def _plain(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal) else value
