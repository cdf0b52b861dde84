"""The history of tournaments, their part of the audit log: written, and searched by an auditor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from core.html.figures import colon
from core.html.paging import Keyset, Page
from core.html.states import STATES
from core.stated import stated_items
from core.text_values import read_number
from players.cases import Recorder
from players.choices import Area, CaseState, Deed
from players.fide_list.values import MAX_FIDE_ID
from players.models import LogEntry
from tournaments.action_mails import tell
from tournaments.changed_fields import NOTHING, shown_changes
from tournaments.choices import TAKEN_BACK, TAKING_BACK, Action, Registration, Stage
from tournaments.models import Objection, Tournament
from tournaments.portal_reasons import with_alone


def record_action(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    before: str = "",
    is_public: bool = False,
    changes: Iterable[dict[str, Any]] = (),
) -> None:
    """Record what was done with a tournament and mail those concerned; its registration is the one after the step.

    `before` is the registration before the step if it changed. Everybody may read the reason of a public step.
    """
    step = new_entry(tournament, action, reason=reason, by=by, at=at)
    step.before = before
    step.is_public = is_public
    step.changes = list(changes)
    record_actions([step])


def record_actions(steps: Iterable[LogEntry]) -> None:
    """Write steps of one or many tournaments and mail those concerned."""
    # The mails are rows of the same transaction: a step that is rolled back tells nobody.
    for step in LogEntry.objects.bulk_create(steps):
        tell(step)


def new_entry(tournament: Tournament, action: Action, *, reason: str, by: Any, at: datetime) -> LogEntry:
    """Return an unsaved step for `record_actions`."""
    return LogEntry(
        area=Area.TOURNAMENT,
        tournament=tournament,
        action=action,
        after=tournament.registration,
        reason=reason.strip(),
        stated=stated_items(reason),
        by=by,
        at=at,
    )


def tournament_acts(
    actions: Mapping[CaseState, Action], about: Callable[[Any, CaseState], Mapping[str, Any]] | None = None
) -> Recorder:
    """Return what writes the steps of a kind of case about tournaments: its actions by state.

    `about(case, state)` returns further values for `record_action`, and a `reason` that is neither the answer nor the
    reason of the case. A state without an action has no entry of its own.
    """

    def record(case: Any, state: CaseState, *, by: Any, at: datetime, is_alone: bool) -> None:
        if state not in actions:
            return
        # A decision may have changed the registration, which the entry has as it is afterwards.
        tournament = Tournament.objects.get(pk=case.tournament_id)
        values = {"reason": case.answer or case.stated_reason, **(about(case, state) if about else {})}
        values["reason"] = with_alone(values["reason"], is_alone=is_alone)
        record_action(tournament, actions[state], by=by, at=at, **values)

    return record


# Pages of the audit log by position, and the whole of it as a stream: the newest entries first.
PAGE, CHUNK = 25, 500
NEWEST_FIRST = Keyset(("-at", "-pk"))
# Of a federation.
CODE_LENGTH = 3
# What entries keep as codes, by area and, where an area has several kinds, by action.
CODES: dict[str, Mapping[str, str | Promise]] = {
    Area.TOURNAMENT: {**dict(Registration.choices), Stage.PUBLISHED: Stage.PUBLISHED.label},
    Deed.WEBHOOK: {
        "created": pgettext_lazy("webhook", "created"),
        "used": pgettext_lazy("webhook", "in use"),
        "paused": pgettext_lazy("webhook", "paused"),
        "removed": pgettext_lazy("webhook", "removed"),
    },
    Deed.ANSWER: {code: Objection.STATES[state] for state, code in Objection.ANSWERS.items()},
}


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An entry of the audit log in the language of the page. `before` and `after` are empty where nothing changed."""

    at: datetime
    kind: str
    number: int
    object: str
    what: str
    who: str
    before: str = ""
    after: str = ""
    why: str = ""
    changes: Sequence[dict[str, Any]] = ()
    # What changed in words, from what to what.
    lines: Sequence[str] = ()
    name: str = ""


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which rows of the audit log are wanted; an empty field wants all."""

    person: str = ""
    object: str = ""
    kind: str = ""
    since: date | None = None
    until: date | None = None


def page_of(wanted: AuditFilter, query: QueryDict | None = None) -> Page[AuditRow]:
    """Return the page that the query names, the first one without; a 404 for a position that is none."""
    # By position: entries written meanwhile would shift the rows of an offset from one page to the next.
    page = NEWEST_FIRST.page(_entries(wanted), query or QueryDict(), size=PAGE)
    urls = page.first_url, page.previous_url, page.next_url, page.last_url
    return Page([*map(_read, page.rows)], *urls)


def all_rows(wanted: AuditFilter) -> Iterator[AuditRow]:
    """Yield every row of the audit log that is wanted, the newest first, a bounded number in memory."""
    return map(_read, _entries(wanted).iterator(chunk_size=CHUNK))


def _entries(wanted: AuditFilter) -> QuerySet[LogEntry]:
    entries: QuerySet[LogEntry] = LogEntry.objects.select_related("tournament", "by", "account")
    if wanted.kind:
        entries = entries.filter(area=wanted.kind)
    if wanted.person:
        entries = entries.filter(Q(by__email__icontains=wanted.person) | Q(by_name__icontains=wanted.person))
    if wanted.object:
        entries = entries.filter(_about(wanted.object))
    if wanted.since:
        entries = entries.filter(at__gte=_midnight(wanted.since))
    if wanted.until:
        entries = entries.filter(at__lt=_midnight(wanted.until + timedelta(days=1)))
    return entries.order_by(*NEWEST_FIRST.order)


def _about(name: str) -> Q:
    """Match what is about a player, a federation, or a tournament, an account or a subject of this name."""
    # A number beyond the column would be an error of PostgreSQL.
    if (fide_id := read_number(name, most=MAX_FIDE_ID)) is not None:
        return Q(player=fide_id)
    if len(name) == CODE_LENGTH:
        return Q(federation=name.upper()) | Q(tournament__federation=name.upper())
    return Q(tournament__event_id=name) | Q(subject__iexact=name) | Q(account__email__iexact=name)


def _read(entry: LogEntry) -> AuditRow:
    changes = [_without_birth_day(change) for change in entry.changes]
    shown = [*shown_changes(changes, entry.area)]
    # A tournament has a registration after every step: only a change of it is one.
    is_changed = bool(entry.before) or entry.area != Area.TOURNAMENT
    before, after = _value(entry, entry.before), _value(entry, entry.after) if is_changed else ""
    return AuditRow(
        at=entry.at,
        kind=entry.area,
        number=entry.pk,
        object=_object(entry),
        what=entry.what,
        who=_person(entry.by) or entry.by_name,
        before=_joined(before, ((one.label, one.before) for one in shown)),
        after=_joined(after, ((one.label, one.after) for one in shown)),
        why=entry.why,
        changes=changes,
        lines=[*filter(None, [" → ".join(filter(None, [before, after]))]), *map(str, shown)],
        name=entry.tournament.name if entry.tournament else "",
    )


def _joined(value: str, fields: Iterable[tuple[str, str]]) -> str:
    filled = (f"{label}{colon()} {text}" for label, text in fields if text != NOTHING)
    return " · ".join(filter(None, [value, *filled]))


def _value(entry: LogEntry, value: str) -> str:
    """Return what the subject was or is, in the language of the page where the entry keeps a code."""
    if (entry.action, entry.before) == TAKING_BACK and value == entry.after:
        return str(STATES[TAKEN_BACK][0])
    codes = CODES.get(entry.area) or CODES.get(entry.action, {})
    return str(codes.get(value, value))


def _object(entry: LogEntry) -> str:
    """Return what an entry is about, as people know it and as the filter takes it."""
    if entry.tournament is not None:
        return str(entry.tournament.event_id)
    return entry.subject or _person(entry.account)


def _person(user: Any) -> str:
    """Return a person by name and address: two may have the same name."""
    if user is None:
        return ""
    return f"{user} ({user.email})" if str(user) != user.email else str(user.email)


def _without_birth_day(change: dict[str, Any]) -> dict[str, Any]:
    """Return a change without more of a birth date than its year (6.1.2): the log is downloaded as a file."""
    if change["field"] != "birth_date":
        return change
    return change | {side: str(change[side])[:4] for side in ("before", "after") if change[side]}


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
