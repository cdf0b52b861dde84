"""The progress of one or many tournaments, loaded in few queries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value
from django.utils.functional import Promise

from core.html.states import STATES
from players.choices import CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import waits
from tournaments import regulations
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    POSSIBLE_REGISTRATIONS,
    TAKEN_BACK,
    Action,
    Kind,
    Registration,
    ReportState,
    Stage,
)
from tournaments.hooks import lists_that_took
from tournaments.list_dates import last_end_overdue
from tournaments.lists import Lists
from tournaments.models import Appeal, InformationRequest, Report, Tournament
from tournaments.models.objection import owed
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.progress import ProgressFacts, compute_progress, public_state, state_of
from tournaments.steps import Progress


def load_progress(
    tournaments: Iterable[Tournament],
    lists: Lists[Any],
    *,
    today: date,
    entries: Iterable[LogEntry] | None = None,
) -> dict[int, Progress]:
    """Return the progress of tournaments on a day, by their keys, in two queries for any number, three with published.

    Read the lists before the tournaments, so that both agree. `entries` are the histories of the tournaments in order,
    each with its appeal, if already read: one query less.
    """
    found = {tournament.pk: tournament for tournament in tournaments}
    if not found:
        return {}
    published = [key for key, tournament in found.items() if tournament.stage == Stage.PUBLISHED]
    # One query less where none of them is on a list.
    taken_by = lists_that_took.answer(published) if published else {}
    versions, cases, owed, information = _versions(found)
    appeals: dict[int, Appeal] = {}
    by_tournament: dict[int, list[LogEntry]] = defaultdict(list)
    if entries is None:
        rows = LogEntry.objects.filter(tournament__in=found).select_related("appeal")
        entries = rows.order_by("at", "pk")
    for entry in entries:
        key = entry.tournament_id or 0
        by_tournament[key].append(entry)
        # The other side of a one-to-one raises where there is none.
        if hasattr(entry, "appeal"):
            newest = appeals.get(key)
            appeals[key] = max(filter(None, (newest, entry.appeal)), key=lambda one: one.pk)
    return {
        key: compute_progress(
            ProgressFacts(
                tournament=tournament,
                lists=lists,
                today=today,
                reports=versions[key],
                log_entries=by_tournament[key],
                cases=cases[key],
                information=information.get(key),
                appeal=appeals.get(key),
                taken_by=taken_by.get(key),
                is_correction_owed=key in owed,
            )
        )
        for key, tournament in found.items()
    }


def progress_of(
    tournament: Tournament, lists: Lists[Any], *, today: date, entries: Iterable[LogEntry] | None = None
) -> Progress:
    """Return the progress of a tournament on a day, as `load_progress` does."""
    return load_progress([tournament], lists, today=today, entries=entries)[tournament.pk]


def is_upcoming(today: date) -> Q:
    """Return the condition for what is ahead or being played, approved or not."""
    return Q(end__gte=today, registration__in=POSSIBLE_REGISTRATIONS)


def public_states(tournaments: Sequence[Tournament], lists: Lists[Any], *, today: date) -> dict[int, str]:
    """Return the states that public pages name, by the keys of the tournaments: two queries, none if all are rated."""
    ended = [row for row in tournaments if row.is_open and row.stage == Stage.PLANNED and row.end < today]
    progress = load_progress(ended, lists, today=today)
    return {row.pk: public_state(row, progress.get(row.pk), today=today) for row in tournaments}


def _versions(
    tournaments: Iterable[int],
) -> tuple[
    dict[int, list[Report]],
    dict[int, list[Case]],
    set[int],
    dict[int, InformationRequest],
]:
    """Return what is known of the reports, in one query, by tournament.

    The versions, the cases that wait, of which a correction is owed, and the newest information request, whether it
    waits or not.
    """
    keys = list(tournaments)
    versions: dict[int, list[Report]] = defaultdict(list)
    cases: dict[int, list[Case]] = defaultdict(list)
    owed: set[int] = set()
    information: dict[int, InformationRequest] = {}
    # Two tables in one query: dashboards load hundreds of tournaments at once.
    rows = _newest_reports(keys).union(_cases(keys), all=True).order_by()
    for key, number, state, sent_at, day, has_errors, decided_at, text in sorted(rows, key=_in_order):
        if state in CaseKind:
            case = {"tournament_id": key, "reason": text, "due_on": day, "asked_at": sent_at}
            case |= {"kind": state, "decided_at": decided_at}
            if state == CaseKind.INFORMATION:
                is_open = CaseState.WAITING if decided_at is None else CaseState.APPROVED
                information[key] = InformationRequest(**case, state=is_open)
            if decided_at is None:
                cases[key].append(Case(**case))
            elif state == CaseKind.OBJECTION:
                owed.add(key)
        else:
            version = Report(
                version=number, state=state, submitted_at=sent_at, accepted_on=day, has_errors=has_errors
            )
            versions[key].append(version)
    return versions, cases, owed, information


def _in_order(row: tuple[Any, ...]) -> tuple[bool, Any, int]:
    """Order versions by their number, cases by their instant."""
    # Here and not in the database: one union has one order for all its parts.
    is_case = row[2] in CaseKind
    return is_case, row[3] if is_case else row[1], row[1]


# Not `number` and `state`: Django refuses an annotation with the name of a field.
COLUMNS = ("tournament", "number_", "state_", "sent_at", "day", "is_wrong", "answered", "words")


def _cases(keys: list[int]) -> QuerySet[Any]:
    asked = Q(kind=CaseKind.INFORMATION) & ~Q(state=CaseState.WITHDRAWN)
    wanted = Q(state=CaseState.WAITING) | asked | owed()
    rows: QuerySet[Any] = Case.objects.filter(wanted, tournament__in=keys).annotate(
        number_=F("pk"),
        state_=F("kind"),
        sent_at=F("asked_at"),
        day=F("due_on"),
        is_wrong=Value(False),
        answered=F("decided_at"),
        words=F("reason"),
    )
    return rows.order_by().values_list(*COLUMNS)


def _newest_reports(keys: list[int]) -> QuerySet[Any]:
    rows: QuerySet[Any] = Report.objects.filter(tournament__in=keys).annotate(
        number_=F("version"),
        state_=F("state"),
        sent_at=F("submitted_at"),
        day=F("accepted_on"),
        is_wrong=F("has_errors"),
        answered=Value(None, output_field=DateTimeField()),
        words=Value(""),
    )
    return rows.order_by().values_list(*COLUMNS)


LETTING_GO = (
    Action.GRANT,
    Action.DENY,
    Action.CLEAR,
    Action.UNFLAG,
    Action.ALLOW,
    Action.RESTORE,
    Action.UPHOLD,
)
PLANNED = Q(registration__in=OPEN_REGISTRATIONS, stage=Stage.PLANNED)


def may_be_played(today: date) -> Q:
    """Return which tournaments may be in the step `play`."""
    return PLANNED & Q(~waits(CaseKind.REQUEST), end__gt=today)


def may_be_reported(lists: Lists[Any], today: date) -> Q:
    """Return which tournaments may be in one of `REPORT_STEPS`."""
    clean = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED, has_errors=False)
    # What others kept the officer from accepting in time is accepted for some days after they let it go (D-128).
    let_go = LogEntry.objects.filter(
        tournament=OuterRef("pk"), action__in=LETTING_GO, at__gte=_midnight(today, regulations.DAYS_TO_ACCEPT)
    )
    is_possible = _is_in_time(lists, today) | Q(Exists(clean), Exists(let_go))
    return PLANNED & Q(end__lte=today) & is_possible


def not_reported(last_end: date) -> Q:
    """Return which tournaments ended up to a day and have no accepted report."""
    return PLANNED & Q(end__lte=last_end)


def reports_overdue(today: date) -> Q:
    """Return which tournaments nobody sent a report of, though it was due on a day before; an appeal gives new time."""
    last_end = last_end_overdue(today)
    is_upheld_since = Q(upheld_on__isnull=False, upheld_on__gt=last_end)
    return not_reported(last_end) & Q(~is_upheld_since, ~waits(CaseKind.HANDED))


def may_be_missed(lists: Lists[Any], today: date) -> Q:
    """Return which tournaments may be in the step `missed`."""
    return PLANNED & Q(end__lte=today) & ~_is_in_time(lists, today)


def may_be_decided(today: date) -> Q:
    """Return which tournaments may be in the steps `decide`, `answer`, `question`, `request` and `appeal`."""
    # Older decisions can no longer be appealed (0.4).
    oldest = _midnight(today, regulations.APPEAL_DAYS)
    decisions = LogEntry.objects.filter(tournament=OuterRef("pk"), action=Action.NOT_RATE, at__gte=oldest)
    asked_for = Q(registration__in=OPEN_REGISTRATIONS) & Q(waits(CaseKind.HOLD) | waits(CaseKind.REQUEST))
    not_rated = Q(registration=Registration.NOT_RATED) & Q(Exists(decisions))
    return Q(registration=Registration.WAITING) | asked_for | not_rated


def _midnight(today: date, days: int) -> datetime:
    """Return the instant at which the day so many days before began."""
    return datetime.combine(today - timedelta(days=days), time.min, UTC)


def _is_in_time(lists: Lists[Any], today: date) -> Q:
    in_time = REPORTED_BY_STAFF
    for kind in Kind.values:
        oldest = lists.oldest_end(kind, today)
        in_time |= Q(kind=kind) & (Q(end__gte=oldest) | Q(upheld_on__gte=oldest))
    return in_time


LATER_STAGES = (Stage.REPORTED, Stage.RATED, Stage.PUBLISHED)
FILTER_STATES: list[tuple[str, str | Promise]] = [
    (str(state), STATES[state][0]) for state in (*Registration, *LATER_STAGES, TAKEN_BACK)
]
STATE_ORDER: list[str] = [
    Registration.WAITING,
    Registration.REGISTERED,
    Registration.APPROVED,
    *LATER_STAGES,
    Registration.REFUSED,
    Registration.NOT_RATED,
    TAKEN_BACK,
    Registration.WITHDRAWN,
]


def in_state(tournaments: QuerySet[Tournament], state: str) -> QuerySet[Tournament]:
    """Return the tournaments of which `state_of` gives this state."""
    if state in LATER_STAGES:
        return tournaments.filter(stage=state, registration__in=OPEN_REGISTRATIONS)
    if state in OPEN_REGISTRATIONS:
        return tournaments.filter(registration=state, stage=Stage.PLANNED)
    if state == TAKEN_BACK:
        return tournaments.filter(registration=Registration.NOT_RATED, stage=Stage.PUBLISHED)
    if state == Registration.NOT_RATED:
        tournaments = tournaments.exclude(stage=Stage.PUBLISHED)
    return tournaments.filter(registration=state)


def by_state(rows: Iterable[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return the numbers of rows of registration, stage and number by state, in the order of the states."""
    counts: Counter[str] = Counter()
    for registration, stage, number in rows:
        counts[state_of(Tournament(registration=registration, stage=stage))] += number
    return sorted(counts.items(), key=lambda item: STATE_ORDER.index(item[0]))
