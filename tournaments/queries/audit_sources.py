"""The tables from which the audit log is merged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Model, OuterRef, Q, QuerySet, Subquery
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.html.figures import colon
from core.text_values import read_number
from players.choices import ActKind, Deed
from players.fide_list.values import MAX_FIDE_ID
from players.models import Act, Appointment, Federation, FederationExclusion, Player
from tournaments.choices import ObjectionState, Registration
from tournaments.models import AuditEntry
from tournaments.queries.changed_fields import shown_changes, shown_day

ACTIONS = {"+": _l("added"), "~": _l("changed"), "-": _l("removed")}
# Only the year of birth is public (6.1.2), and the log is downloaded as a file.
PRIVATE = "birth_date"


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One thing that somebody did. `before` and `after` are empty where nothing changed.

    `source` is the kind of its table.
    """

    at: datetime
    source: str
    kind: str
    number: int
    object: str
    what: str | Promise
    who: str
    before: str = ""
    after: str = ""
    why: str = ""
    changes: Sequence[dict[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows of the audit log are wanted; an empty field wants all."""

    person: str = ""
    object: str = ""
    kind: str = ""
    since: date | None = None
    until: date | None = None


class AuditSource:
    """A table of the audit log: `kind` is its name, `at` its field of time, `pk` that of its total order."""

    table: Any
    kind: str
    at: str
    pk: str
    who: str

    @property
    def kinds(self) -> tuple[str, ...]:
        return (self.kind,)

    def filter_rows(self, wanted: AuditFilter) -> QuerySet[Any]:
        """Return the rows that a filter leaves, the newest first."""
        rows = self.all()
        if wanted.person:
            rows = rows.filter(self.by(wanted.person))
        if wanted.object:
            rows = rows.filter(self.about(wanted.object))
        if wanted.since:
            rows = rows.filter(**{f"{self.at}__gte": _midnight(wanted.since)})
        if wanted.until:
            rows = rows.filter(**{f"{self.at}__lt": _midnight(wanted.until + timedelta(days=1))})
        return rows.order_by(f"-{self.at}", f"-{self.pk}")

    def all(self) -> QuerySet[Any]:
        """Return the rows with the objects that pages show beside them."""
        rows: QuerySet[Any] = self.table.objects.all()
        return rows

    def by(self, person: str) -> Q:
        """Match what a person did, by a part of the e-mail address."""
        return Q(**{f"{self.who}__email__icontains": person})

    def about(self, name: str) -> Q:
        raise NotImplementedError

    def read(self, rows: Iterable[Any]) -> Iterator[AuditRow]:
        raise NotImplementedError


class TournamentActions(AuditSource):
    """What was done with tournaments."""

    table = AuditEntry
    kind, at, pk, who = "tournament", "at", "pk", "by"

    def all(self) -> QuerySet[Any]:
        return AuditEntry.objects.select_related("tournament", "by")

    def about(self, name: str) -> Q:
        return Q(tournament__event_id=name) | Q(tournament__federation=name.upper())

    def read(self, rows: Iterable[Any]) -> Iterator[AuditRow]:
        labels = dict(Registration.choices)
        for row in rows:
            after = str(labels[row.registration]) if row.registration_before else ""
            before = str(labels.get(row.registration_before, ""))
            changes = [*shown_changes(row.changes)]
            before = " · ".join(
                [*filter(None, [before]), *(f"{one.label}{colon()} {one.before}" for one in changes)]
            )
            after = " · ".join(
                [*filter(None, [after]), *(f"{one.label}{colon()} {one.after}" for one in changes)]
            )
            who, what = _person(row.by), row.get_action_display()
            yield AuditRow(
                at=row.at,
                source=self.kind,
                kind=self.kind,
                number=row.pk,
                object=row.tournament.event_id,
                what=what,
                who=who,
                before=before,
                after=after,
                why=row.why,
                changes=tuple(row.changes),
            )


class Acts(AuditSource):
    """What was done with accounts, lists or rules."""

    table = Act
    kind, at, pk, who = "act", "at", "pk", "by"

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(ActKind.values)

    def filter_rows(self, wanted: AuditFilter) -> QuerySet[Any]:
        rows = super().filter_rows(wanted)
        return rows.filter(kind=wanted.kind) if wanted.kind else rows

    def by(self, person: str) -> Q:
        # The name as text: operators of commands have no account.
        return Q(by_name__icontains=person)

    def about(self, name: str) -> Q:
        return Q(subject__iexact=name) | Q(subject__iexact=f"FIDE ID {name}")

    def read(self, rows: Iterable[Any]) -> Iterator[AuditRow]:
        for row in rows:
            yield AuditRow(
                at=row.at,
                source=self.kind,
                kind=row.kind,
                number=row.pk,
                object=row.subject,
                what=row.get_deed_display(),
                who=row.by_name,
                before=_act_value(row, row.before),
                after=_act_value(row, row.after),
                why=row.reason,
            )


# What acts of a kind keep as codes.
CODES: dict[str, Mapping[str, str | Promise]] = {
    Deed.WEBHOOK: {
        "created": pgettext_lazy("webhook", "created"),
        "used": pgettext_lazy("webhook", "in use"),
        "paused": pgettext_lazy("webhook", "paused"),
        "removed": pgettext_lazy("webhook", "removed"),
    },
    Deed.ANSWER: {str(value): label for value, label in ObjectionState.choices},
}


def _act_value(act: Act, text: str) -> str:
    """Return what was or is, in the language of the page where the act keeps codes or fields of an account."""
    # Entries of earlier releases have the fields of an account as a text.
    if act.deed != Deed.CHANGE or not text.startswith("{"):
        return str(CODES.get(act.deed, {}).get(text, text))
    labels = {
        field.name: field.verbose_name for field in get_user_model()._meta.get_fields() if field.concrete
    }
    answers = {True: _("yes"), False: _("no")}
    return "; ".join(
        f"{labels.get(name, name)}{colon()} {answers.get(value, value)}"
        for name, value in json.loads(text).items()
    )


class ModelHistory(AuditSource):
    """The history of a model: each row with the previous one of the same object."""

    at, pk, who = "history_date", "history_id", "history_user"

    def __init__(self, kind: str, model: type[Model], *, key: str, lookups: Sequence[str]) -> None:
        self.kind, self.model, self.key, self.lookups = kind, model, key, lookups
        self.table = model.history.model  # type: ignore[attr-defined]
        self.fields = [field for field in model._meta.fields if not field.primary_key]
        people = [field.name for field in self.fields if field.related_model is get_user_model()]
        self.people = {f"{name}_id": name for name in people}

    def all(self) -> QuerySet[Any]:
        own = self.model._meta.pk.attname
        # By the key: several changes of one transaction may have one instant.
        former = self.table.objects.filter(
            **{own: OuterRef(own)}, history_id__lt=OuterRef("history_id")
        ).order_by("-history_id")
        history: QuerySet[Any] = self.table.objects.select_related("history_user", *self.people.values())
        rows: QuerySet[Any] = history.annotate(former=Subquery(former.values("history_id")[:1]))
        return rows

    def about(self, name: str) -> Q:
        wanted = Q(pk__in=[])
        for lookup in self.lookups:
            is_number = lookup == "fide_id"
            if not is_number:
                wanted |= Q(**{lookup: name.upper() if lookup.endswith("_id") or lookup == "code" else name})
            # A number beyond the column would be an error of PostgreSQL.
            elif (fide_id := read_number(name, most=MAX_FIDE_ID)) is not None:
                wanted |= Q(fide_id=fide_id)
        return wanted

    def read(self, rows: Iterable[Any]) -> Iterator[AuditRow]:
        rows = list(rows)
        shown = self.table.objects.all()
        if self.people:
            shown = shown.select_related(*self.people.values())
        # All of a page in one query.
        formers = shown.in_bulk([row.former for row in rows if row.former])
        for row in rows:
            before, after = self._difference(formers.get(row.former), row)
            yield AuditRow(
                at=row.history_date,
                source=self.kind,
                kind=self.kind,
                number=row.history_id,
                object=self._name(row),
                what=ACTIONS.get(row.history_type, row.history_type),
                who=_person(row.history_user),
                before=before,
                after=after,
                why=row.history_change_reason or "",
            )

    def _name(self, row: Any) -> str:
        """Return what the row is about, as people know it: a name with the ID that the filter takes."""
        key = getattr(row, self.key)
        if self.key in self.people:
            return _person(getattr(row, self.people[self.key]))
        return f"{row.name} ({key})" if hasattr(row, "name") else str(key)

    def _words(self, row: Any, field: Any) -> str:
        """Return a value of a row in words; empty where it has none."""
        if field.attname in self.people:
            return _person(getattr(row, field.name))
        value = getattr(row, field.attname)
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if value in (None, ""):
            return ""
        return str(dict(field.flatchoices).get(value, "")) or _show_value(field.name, value)

    def _difference(self, former: Any, row: Any) -> tuple[str, str]:
        """Return what changed, as `field: value` before and after; of a new row all that is filled in."""
        before, after = [], []
        for field in self.fields:
            raw = [getattr(one, field.attname) if one else None for one in (former, row)]
            old, new = (self._words(one, field) if one else "" for one in (former, row))
            if row.history_type == "-":
                old, new = new, ""
            if old != new and any(raw):
                name = _(str(field.verbose_name))
                before += [f"{name}{colon()} {old}"] if old else []
                after += [f"{name}{colon()} {new}"] if new else []
        return " · ".join(before), " · ".join(after)


SOURCES: tuple[AuditSource, ...] = (
    TournamentActions(),
    ModelHistory("player", Player, key="fide_id", lookups=["fide_id", "federation_id"]),
    ModelHistory("federation", Federation, key="code", lookups=["code"]),
    ModelHistory("exclusion", FederationExclusion, key="federation_id", lookups=["federation_id"]),
    ModelHistory("appointment", Appointment, key="user_id", lookups=["user__email", "federation_id"]),
    Acts(),
)


def _person(user: Any) -> str:
    """Return a person by name and address: two may have the same name."""
    if user is None:
        return ""
    return f"{user} ({user.email})" if str(user) != user.email else str(user.email)


def _show_value(name: str, value: Any) -> str:
    """Return a value as text; of a birth date only the year."""
    return f"{value:%Y}" if name == PRIVATE and isinstance(value, date) else shown_day(value)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
