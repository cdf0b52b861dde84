"""The progress of stored tournaments: the facts of one or many, conditions on the next step, the time line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import (
    Case,
    DateField,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from core.html.figures import day_text, list_month
from tournaments import regulations
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    Action,
    AppealState,
    HandedState,
    Kind,
    Registration,
    ReportState,
    Stage,
)
from tournaments.list_calendar import ListCalendars
from tournaments.models import Appeal, HandedReport, InformationRequest, Report, Tournament, TrailEntry
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.progress import Facts, compute_progress, state_of
from tournaments.queries.audit_sources import changed_fields
from tournaments.questions import calendars
from tournaments.steps import Progress, Step, StepState, Version

LATER_STAGES = (Stage.REPORTED, Stage.RATED, Stage.PUBLISHED)
FILTER_STATES: list[tuple[str, str | Promise]] = [
    *((str(state), state.label) for state in Registration),
    *((str(stage), stage.label) for stage in LATER_STAGES),
]
STATE_ORDER: list[str] = [
    Registration.WAITING,
    Registration.REGISTERED,
    Registration.APPROVED,
    *LATER_STAGES,
    Registration.REFUSED,
    Registration.NOT_RATED,
    Registration.WITHDRAWN,
]
PLANNED = Q(registration__in=OPEN_REGISTRATIONS, stage=Stage.PLANNED)
HELD = Q(registration__in=OPEN_REGISTRATIONS, stage__in=(Stage.REPORTED, Stage.RATED), is_held=True)
# The text of an error in the stored issues on both databases; in a message its quotes are escaped.
# In place of the state of a version: a chief arbiter sent a report, or the QC asked for information.
HANDED_OVER, ASKED = "handed", "asked"
AN_ERROR = '"severity": "error"'
HAS_ERRORS = Case(When(findings_text__contains=AN_ERROR, then=Value(True)), default=Value(False))


def published_lists(today: date, tournaments: Iterable[Tournament] = ()) -> ListCalendars:
    """Return the calendars of the lists, with the list on which each of these tournaments is, as the ratings know."""
    return calendars.answer(today, list(tournaments))


def load_progress(
    tournaments: Iterable[Tournament],
    lists: ListCalendars,
    *,
    entries: Iterable[TrailEntry] | None = None,
) -> dict[int, Progress]:
    """Return the progress of tournaments on the calendars' day, by their keys, in two queries for any number.

    `entries` are their histories in order, each with its appeal, if already read: one query less.
    """
    found = {tournament.pk: tournament for tournament in tournaments}
    if not found:
        return {}
    versions, handed_over, asked = _versions(found)
    appeals: dict[int, Appeal] = {}
    trail: dict[int, list[TrailEntry]] = defaultdict(list)
    if entries is None:
        rows = TrailEntry.objects.filter(tournament__in=found).select_related("appeal")
        entries = rows.order_by("at", "pk")
    for entry in entries:
        trail[entry.tournament_id].append(entry)
        if hasattr(entry, "appeal"):
            newest = appeals.get(entry.tournament_id)
            appeals[entry.tournament_id] = max(filter(None, (newest, entry.appeal)), key=lambda one: one.pk)
    return {
        key: compute_progress(
            Facts(
                tournament=tournament,
                lists=lists.of(tournament.kind),
                reports=versions[key],
                trail=trail[key],
                is_handed_over=key in handed_over,
                asked=asked.get(key),
                appeal=appeals.get(key),
                taken_by=lists.taken.get(key),
            )
        )
        for key, tournament in found.items()
    }


def progress_of(tournament: Tournament, *, today: date) -> Progress:
    """Return the progress of a tournament on a day."""
    return load_progress([tournament], published_lists(today, [tournament]))[tournament.pk]


def _versions(
    tournaments: Iterable[int],
) -> tuple[dict[int, list[Version]], set[int], dict[int, InformationRequest]]:
    """Return what is known of the reports, in one query, by tournament.

    The versions, the tournaments whose arbiter sent a report, and the newest information request.
    """
    keys = list(tournaments)
    versions: dict[int, list[Version]] = defaultdict(list)
    handed_over: set[int] = set()
    asked: dict[int, InformationRequest] = {}
    rows = _asked(keys).union(_reported(keys), _handed(keys), all=True).order_by()
    for key, number, state, sent_at, day, has_errors, answered_at, text in sorted(rows, key=_in_order):
        if state == HANDED_OVER:
            handed_over.add(key)
        elif state == ASKED:
            asked[key] = InformationRequest(
                tournament_id=key, text=text, due_on=day, asked_at=sent_at, answered_at=answered_at
            )
        else:
            versions[key].append(
                Version(
                    number=number,
                    state=state,
                    submitted_at=sent_at,
                    accepted_on=day,
                    has_errors=has_errors,
                )
            )
    return versions, handed_over, asked


def _in_order(row: tuple[Any, ...]) -> tuple[bool, Any, int]:
    """Order versions by their number, information requests by their instant."""
    is_asked = row[2] == ASKED
    return is_asked, row[3] if is_asked else row[1], row[1]


COLUMNS = ("tournament", "number_", "state_", "sent_at", "day", "has_errors", "answered", "words")


def _asked(keys: list[int]) -> QuerySet[Any]:
    rows: QuerySet[Any] = InformationRequest.objects.filter(tournament__in=keys).annotate(
        number_=F("pk"),
        state_=Value(ASKED),
        sent_at=F("asked_at"),
        day=F("due_on"),
        has_errors=Value(False),
        answered=F("answered_at"),
        words=F("text"),
    )
    return rows.order_by().values_list(*COLUMNS)


def _reported(keys: list[int]) -> QuerySet[Any]:
    rows: QuerySet[Any] = _with_errors(Report.objects.filter(tournament__in=keys)).annotate(
        number_=F("version"),
        state_=F("state"),
        sent_at=F("submitted_at"),
        day=F("accepted_on"),
        answered=Value(None, output_field=DateTimeField()),
        words=Value(""),
    )
    return rows.order_by().values_list(*COLUMNS)


def _handed(keys: list[int]) -> QuerySet[Any]:
    waiting = HandedReport.objects.filter(tournament__in=keys, state=HandedState.WAITING)
    rows: QuerySet[Any] = waiting.annotate(
        number_=F("number"),
        state_=Value(HANDED_OVER),
        sent_at=F("handed_at"),
        day=Value(None, output_field=DateField()),
        has_errors=Value(False),
        answered=Value(None, output_field=DateTimeField()),
        words=Value(""),
    )
    return rows.order_by().values_list(*COLUMNS)


def _with_errors(reports: QuerySet[Report]) -> QuerySet[Any]:
    """Add `has_errors`: whether an error is among the findings, without reading them."""
    return reports.alias(findings_text=Cast("findings", TextField())).annotate(has_errors=HAS_ERRORS)


def in_step(*codes: str, lists: ListCalendars) -> Q:
    """Return the condition on tournaments whose next step is one of these by the calendars, as `Progress` says."""
    wanted = Q(pk__in=[])
    for code in codes:
        wanted |= _condition(code, lists)
    return wanted


def in_state(tournaments: QuerySet[Tournament], state: str) -> QuerySet[Tournament]:
    """Return the tournaments of which `state_of` gives this state."""
    if state in LATER_STAGES:
        return tournaments.filter(stage=state, registration__in=OPEN_REGISTRATIONS)
    if state in OPEN_REGISTRATIONS:
        return tournaments.filter(registration=state, stage=Stage.PLANNED)
    return tournaments.filter(registration=state)


def by_state(rows: Iterable[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return the numbers of rows of registration, stage and number by state, in the order of the states."""
    counts: Counter[str] = Counter()
    for registration, stage, number in rows:
        counts[state_of(Tournament(registration=registration, stage=stage))] += number
    return sorted(counts.items(), key=lambda item: STATE_ORDER.index(item[0]))


def in_time_to_report(lists: ListCalendars) -> Q:
    """Return the condition on tournaments whose report is still taken, as `Progress.is_in_time` says."""
    wanted = Q(pk__in=[])
    for kind in Kind.values:
        oldest = lists.of(kind).oldest_end
        wanted |= Q(kind=kind) & (Q(end__gte=oldest) | Q(upheld_on__gte=oldest))
    return wanted | REPORTED_BY_STAFF


def _condition(code: str, lists: ListCalendars) -> Q:
    if code in ("decide", "answer", "question", "request"):
        return _of_the_qc(code, lists)
    if code in ("closed", "appeal", "council"):
        return _closed(code, lists.today)
    by_stage = {"rate": Stage.REPORTED, "publish": Stage.RATED, "published": Stage.PUBLISHED}
    if code in by_stage:
        stands = Q(registration__in=OPEN_REGISTRATIONS, stage=by_stage[code]) & ~HELD
        return stands if code == "published" else stands & Q(has_request=False)
    if code == "play":
        return PLANNED & Q(end__gt=lists.today, has_request=False)
    stands = PLANNED & Q(end__lte=lists.today) & _of_the_report(code, lists)
    return stands if code == "missed" else stands & Q(has_request=False)


def _of_the_qc(code: str, lists: ListCalendars) -> Q:
    waiting = Q(registration=Registration.WAITING)
    open_requests = InformationRequest.objects.filter(tournament=OuterRef("pk"), answered_at=None)
    awaits_answer = Q(Exists(open_requests.filter(due_on__gte=lists.today)))
    requested = _requested(lists)
    if code == "answer":
        return (waiting | HELD | requested) & awaits_answer
    if code == "request":
        return requested & ~awaits_answer
    return (waiting if code == "decide" else HELD & Q(has_request=False)) & ~awaits_answer


def _requested(lists: ListCalendars) -> Q:
    """Return the condition on tournaments about which the officer asks the QC for something (D-80, D-81)."""
    is_missed = Q(stage=Stage.PLANNED, end__lte=lists.today) & _of_the_report("missed", lists)
    stands = Q(registration__in=OPEN_REGISTRATIONS, has_request=True)
    return stands & ~Q(stage=Stage.PUBLISHED) & ~is_missed


def _closed(code: str, today: date) -> Q:
    entries = TrailEntry.objects.filter(tournament=OuterRef("pk"), action=Action.NOT_RATE)
    later = TrailEntry.objects.filter(tournament=OuterRef("tournament"), action=Action.NOT_RATE).filter(
        Q(at__gt=OuterRef("at")) | Q(at=OuterRef("at"), pk__gt=OuterRef("pk"))
    )
    decisions = entries.exclude(Exists(later))
    oldest = datetime.combine(today - timedelta(days=regulations.APPEAL_DAYS), time.min, UTC)
    may_appeal = Exists(decisions.filter(appeal=None, at__gte=oldest))
    is_appealed = Exists(decisions.filter(appeal__state=AppealState.OPEN))
    not_rated = Q(registration=Registration.NOT_RATED)
    if code == "closed":
        closed = Q(registration__in=(Registration.REFUSED, Registration.WITHDRAWN))
        return closed | (not_rated & ~Q(may_appeal) & ~Q(is_appealed))
    return not_rated & Q(may_appeal if code == "appeal" else is_appealed)


def _of_the_report(code: str, lists: ListCalendars) -> Q:
    """Return the conditions that distinguish the steps of ended tournaments without an accepted report."""
    in_time = in_time_to_report(lists)
    handed_over = Q(Exists(HandedReport.objects.filter(tournament=OuterRef("pk"), state=HandedState.WAITING)))
    checked = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED)
    later = Report.objects.filter(
        tournament=OuterRef("tournament"), state=ReportState.CHECKED, version__gt=OuterRef("version")
    )
    newest = _with_errors(checked.exclude(Exists(later)))
    is_acceptable = Q(Exists(newest.filter(has_errors=False)))
    return {
        "take": in_time & handed_over,
        "accept": is_acceptable & ~(in_time & handed_over),
        "missed": ~in_time & ~is_acceptable,
        "upload": in_time & ~handed_over & ~Q(Exists(checked)),
        "correct": in_time & ~handed_over & Q(Exists(newest.filter(has_errors=True))),
    }[code]


AGAINST = (Action.REFUSE, Action.NOT_RATE, Action.WITHDRAW)


@dataclass(frozen=True, slots=True)
class Event:
    """A point of a time line as `partials/timeline.html` draws it."""

    what: str | Promise
    at: datetime | date | None = None
    who: str | Promise = ""
    why: str = ""
    state: StepState = StepState.DONE


def time_line(trail: Sequence[TrailEntry], reports: Sequence[Report], progress: Progress) -> list[Event]:
    """Return what was done with a tournament, by whom and in order, and the steps ahead."""
    done = sorted([*_upload_events(reports), *_trail_events(trail)], key=_instant)
    if progress.step.code == "missed":
        return [*done, Event(progress.step.task, state=StepState.OVER)]
    return [*done, *events_ahead(progress)]


def events_ahead(progress: Progress) -> Iterator[Event]:
    """Yield the next step in the words of its task, and the steps after it, with owners and deadlines."""
    for step in progress.ahead:
        who = step.owner.label if step.owner else ""
        yield Event(step.task or step.what, who=who, why=_until(step, progress), state=step.state)


def _until(step: Step, progress: Progress) -> str:
    if step.code == "publish" and progress.expected_list is not None:
        return _("Expected list: %(month)s") % {"month": list_month(progress.expected_list)}
    return _("until %(day)s") % {"day": day_text(step.deadline)} if step.deadline else ""


def _instant(event: Event) -> Any:
    return event.at


def _trail_events(trail: Sequence[TrailEntry]) -> Iterator[Event]:
    for entry in trail:
        action = Action(entry.action)
        state = StepState.OVER if action in AGAINST else StepState.DONE
        yield Event(_sentence(action.label), entry.at, str(entry.by or ""), _why(entry), state)


def _upload_events(reports: Sequence[Report]) -> Iterator[Event]:
    for report in reports:
        what = _("Version %(version)d of the report uploaded") % {"version": report.version}
        yield Event(what, report.submitted_at, str(report.submitted_by or ""), report.file_name)


def _sentence(text: str | Promise) -> str:
    words = str(text)
    return words[:1].upper() + words[1:]


def _why(entry: TrailEntry) -> str:
    changes = " · ".join(str(one) for one in changed_fields(entry))
    return " ".join(filter(None, [entry.why, changes]))
