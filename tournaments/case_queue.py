"""Cases for the QC to decide, the most urgent first (0.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Case as Choice
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from core.html.dates import day_text
from core.pages import Page
from players.cases import open_cases, row_of
from players.choices import HOLDS, CaseKind, CaseState
from players.models import Case, LogEntry
from players.models.cases import waits
from tournaments.changed_fields import shown_changes
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    Action,
    Registration,
    ReportState,
    RequestSort,
    Stage,
)
from tournaments.conditions import DECIDE_RATING, SHOWN_AS, SPELLED
from tournaments.identity import is_shown_in_public
from tournaments.inbox import DeskTask, played_on
from tournaments.list_dates import last_end_due
from tournaments.lists import Lists
from tournaments.models import InformationRequest, Report, Tournament
from tournaments.permissions import for_user
from tournaments.portal_reasons import SENTENCES
from tournaments.registration import late_entries
from tournaments.regulations import REGISTRATION_DAYS, last_day_to_register
from tournaments.states import load_progress, may_be_missed, reports_overdue
from tournaments.steps import Progress

MAX_ROWS = 400
DECIDE, OPEN = _l("Decide"), pgettext_lazy("case", "Open case")
ASK, SHOW = (_l("Request information"), "#ask"), "#request"
# What a case is, what is asked of the QC, the verb of its button, and a second way in: its words and the end of the
# address.
TITLES = {
    "late": (_l("late registration"), _l("Approve or refuse a late registration"), DECIDE, ASK),
    "changed": (
        _l("change of the registration"),
        _l("Approve or refuse a changed registration"),
        DECIDE,
        ASK,
    ),
    "hybrid": (_l("hybrid registration"), _l("Approve or refuse a hybrid registration"), DECIDE, ASK),
    "hold": (_l("report on hold"), _l("Decide on the hold"), OPEN, (_l("Release hold"), "#release")),
    "flags": (
        _l("issues flagged by the checks"),
        _l("Review the flags of the checks"),
        pgettext_lazy("case", "Review flags"),
        (_l("Dismiss flags"), "#release"),
    ),
    "change": (
        _l("requested change"),
        _l("Decide on the requested change"),
        DECIDE,
        (_l("Show changes"), SHOW),
    ),
    "withdrawal": (
        _l("requested withdrawal"),
        _l("Decide on the requested withdrawal"),
        DECIDE,
        (_l("Show request"), SHOW),
    ),
    "undecided": (_l("report not accepted"), _l("Review a report that is not accepted"), OPEN, ASK),
}
# The kinds of cases that are the QC's by themselves.
KINDS = (*HOLDS, CaseKind.REQUEST)
# What decides on the rating of an event, as it is shown.
DECISIVE = {SHOWN_AS[name] for name in DECIDE_RATING}


@dataclass(frozen=True, slots=True)
class QueueCase:
    """A tournament on which the QC has to decide: why, by which day, what was asked.

    `code` is one of `TITLES`; `since` is when the case came, None of a registration, which has its day. `changes` are
    those by which that one is another registration, since that instant, and `earlier` the reasons before `why`.
    """

    tournament: Tournament
    code: str
    why: str
    deadline: date
    since: datetime | None = None
    information: InformationRequest | None = None
    changes: Sequence[dict[str, Any]] = ()
    earlier: Sequence[str] = ()

    @property
    def what(self) -> str:
        return str(TITLES[self.code][0])

    @property
    def event_id(self) -> str:
        return str(self.tournament.event_id)

    @property
    def awaits_answer(self) -> bool:
        """Whether the officer has still to answer."""
        return self.information is not None and self.information.is_open

    def waits_for_others(self, today: date) -> bool:
        """Return whether the officer may still answer in time: until then the QC has nothing to do."""
        due_on = self.information.due_on if self.information is not None else None
        return self.awaits_answer and due_on is not None and due_on >= today

    def waits_until(self, today: date) -> tuple[date, str]:
        """Return the deadline of whose turn it is, and for whom the case waits; cases of others are in this order."""
        if self.information is not None and self.waits_for_others(today):
            return self.information.due_on or self.deadline, pgettext("waiting for", "rating officer")
        return self.deadline, pgettext("waiting for", "QC")


def cases(
    lists: Lists[Any],
    today: date,
    waiting: Iterable[Case],
    *,
    of: Tournament | None = None,
) -> list[QueueCase]:
    """Return the cases of the QC by their deadlines: of those that wait (`open_cases`), and what follows from a state.

    `of` is the only tournament of which they are wanted.

    A late or hybrid registration is to be decided by its first day (0.2), a report by the day before the next list
    that could take it (6.1.3), a requested change or withdrawal by the first day, later like a report (D-80, D-81),
    and so is a report that its officer does not decide on (D-128).
    """
    waiting = list(waiting)
    asked = [row_of(case) for case in waiting if case.kind in KINDS]
    # Registrations first, as their tournaments end later: reports that nobody decides on never hide them.
    waits_first = Choice(When(registration=Registration.WAITING, then=Value(0)), default=Value(1))
    rows = _of_state(lists, today) if of is None else _of_state(lists, today).filter(pk=of.pk)
    of_state = list(rows.order_by(waits_first, "end", "event_id")[:MAX_ROWS])
    # In their order, so that the newest of a tournament is the one that stays.
    requests_of = {one.tournament_id: row_of(one) for one in waiting if one.kind == CaseKind.INFORMATION}
    progress = load_progress([*(row.tournament for row in asked), *of_state], lists, today=today)
    found = [
        _asked_case(row, requests_of.get(row.tournament_id), progress[row.tournament_id]) for row in asked
    ]
    steps = _steps_of(of_state)
    for row in of_state:
        asked_of = requests_of.get(row.pk)
        if row.pk in steps:
            found.append(_registration_case(row, asked_of, progress[row.pk], steps[row.pk]))
        else:
            found.append(_undecided_case(row, asked_of, progress[row.pk]))
    return sorted(found, key=lambda case: (case.deadline, case.tournament.name, case.event_id))


def next_case(user: Any, lists: Lists[Any], today: date, *, after: str) -> QueueCase | None:
    """Return the most urgent case that waits for the QC, None where no other than that of the event ID is left."""
    found = cases(lists, today, [*open_cases(user, today).filter(kind__in=(*KINDS, CaseKind.INFORMATION))])
    waiting = (case for case in found if not case.waits_for_others(today))
    return next((case for case in waiting if case.event_id != after), None)


def tasks_about(tournament: Tournament, lists: Lists[Any], today: date) -> list[DeskTask]:
    """Return the cases about a tournament as tasks, those too that wait for a reply."""
    kinds = (*KINDS, CaseKind.INFORMATION)
    waiting = Case.objects.filter(tournament=tournament, kind__in=kinds, state=CaseState.WAITING)
    found = cases(
        lists, today, waiting.select_related("tournament").order_by("asked_at", "pk"), of=tournament
    )
    return tasks_of(found, today)


def cases_of(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, with `last_reason` and the number of the newest step, `seen`."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("pk")
    return with_reason(for_user(user)).annotate(seen=Coalesce(Subquery(steps[:1]), 0))


def _of_state(lists: Lists[Any], today: date) -> QuerySet[Tournament]:
    """Return the registrations that wait (0.2), and the reports that nobody decides on (D-128), as `since` tells.

    Of the latter there is a version without errors by the closing date of the due list, or one that a chief arbiter
    sent, returned or not; after the third list one with errors, too, since errors do not decide. They stay here until a
    report is accepted or the QC decides. `since` is when the first report came.
    """
    due = last_end_due(today)
    checked = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED)
    clean = checked.filter(has_errors=False)
    sent = Case.objects.filter(
        kind=CaseKind.HANDED,
        tournament=OuterRef("pk"),
        state__in=(CaseState.WAITING, CaseState.REFUSED),
    )
    undecided = Q(
        Q(upheld_on=None) | Q(upheld_on__lte=due),
        Q(Exists(clean)) | Q(Exists(sent)) | (may_be_missed(lists, today) & Q(Exists(checked))),
        ~waits(CaseKind.REQUEST),
        registration__in=OPEN_REGISTRATIONS,
        stage=Stage.PLANNED,
        end__lte=due,
    )
    first = [
        Subquery(rows.order_by(at).values(at)[:1])
        for rows, at in ((clean, "submitted_at"), (sent, "asked_at"), (checked, "submitted_at"))
    ]
    rows = Tournament.objects.filter(Q(registration=Registration.WAITING) | undecided)
    found = with_reason(rows.annotate(since=Coalesce(*first)))
    return found.select_related("federation")


def _steps_of(tournaments: Sequence[Tournament]) -> dict[int, list[LogEntry]]:
    """Return the steps of registrations that wait which the QC has not approved, in order, by tournament."""
    waiting = [row.pk for row in tournaments if row.registration == Registration.WAITING]
    actions = (Action.REGISTER, Action.CHANGE, Action.ALLOW, Action.GRANT)
    steps = LogEntry.objects.filter(tournament__in=waiting, action__in=actions)
    found: dict[int, list[LogEntry]] = {key: [] for key in waiting}
    for step in steps.order_by("at", "pk") if waiting else ():
        of = found[step.tournament_id or 0]
        of[:] = [*of, step] if step.action in (Action.REGISTER, Action.CHANGE) else []
    return found


def _changes_of(steps: Sequence[LogEntry]) -> tuple[datetime | None, list[dict[str, Any]]]:
    """Return what steps changed together of what makes an event or decides on its rating, and since when."""
    changes: dict[str, dict[str, Any]] = {}
    since = None
    for step in steps:
        for one in step.changes if step.action == Action.CHANGE else ():
            is_text = one["field"] in SPELLED and is_shown_in_public(one)
            if is_text or SHOWN_AS.get(one["field"]) in DECISIVE:
                since = since or step.at
                changes[one["field"]] = one | {"before": changes.get(one["field"], one)["before"]}
    if all(one["before"] == one["after"] for one in changes.values()):
        return None, []
    return since, [*changes.values()]


def _registration_case(
    tournament: Tournament,
    information: InformationRequest | None,
    progress: Progress,
    steps: Sequence[LogEntry],
) -> QueueCase:
    since, changes = _changes_of(steps)
    code = "hybrid" if tournament.is_hybrid else "changed" if changes else "late"
    why = newest_why(tournament)
    return QueueCase(
        tournament=tournament,
        code=code,
        why=why,
        earlier=[*dict.fromkeys(step.why for step in steps if step.why not in ("", why))],
        deadline=progress.deadline_of("decide") or tournament.start,
        since=since,
        information=information,
        changes=changes,
    )


def _asked_case(case: Any, information: InformationRequest | None, progress: Progress) -> QueueCase:
    """Return the case of a hold, of flags, or of a request."""
    code, deadline = {CaseKind.HOLD: "hold", CaseKind.FLAGS: "flags"}.get(case.kind, ""), None
    if case.kind == CaseKind.REQUEST:
        code = "change" if case.sort == RequestSort.CHANGE else "withdrawal"
        deadline = progress.deadline_of("request")
    return QueueCase(
        tournament=case.tournament,
        code=code,
        since=case.asked_at,
        why=case.why,
        deadline=deadline or progress.hold_deadline,
        information=information,
    )


def _undecided_case(
    tournament: Tournament, information: InformationRequest | None, progress: Progress
) -> QueueCase:
    return QueueCase(
        tournament=tournament,
        code="undecided",
        since=tournament.since,  # type: ignore[attr-defined]
        why=_("The rating officer has neither accepted nor replaced the report."),
        deadline=progress.hold_deadline if progress.expected_list else progress.days.last_day,
        information=information,
    )


# Tournaments with the reason and instant of their newest step.

# Steps that say nothing of why a registration waits or was refused.
BESIDE_THE_REGISTRATION = (
    Action.NAME, Action.UNNAME, Action.HAND_OVER, Action.TAKE, Action.SEND_BACK, Action.KEEP, Action.DROP,
    Action.ATTACH, Action.ENTER, Action.ELSEWHERE, Action.ASK, Action.ANSWER, Action.ASK_CORRECTION,
    Action.DENY_CORRECTION,
)  # fmt: skip


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk"))
    return with_newest_step(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


def with_newest_step(tournaments: QuerySet[Tournament], steps: QuerySet[LogEntry]) -> QuerySet[Tournament]:
    """Add the newest of the steps: `last_reason` and `last_stated` (see `newest_why`), and its instant `last_at`."""
    # By key within an instant: a group of steps has one.
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]),
        last_stated=Subquery(newest.values("stated")[:1]),
        last_at=Subquery(newest.values("at")[:1]),
    )


def newest_why(tournament: Any) -> str:
    """Return the reason of the newest step in the language of the page, empty without one."""
    return SENTENCES.show(tournament.last_stated) if tournament.last_stated else tournament.last_reason or ""


# The cases of the QC as tasks, each with the facts on which it is decided.
REGISTRATIONS = ("late", "changed", "hybrid")
SINCE = {
    "hold": _l("On hold since"),
    "flags": _l("Flagged on"),
    "change": _l("Requested on"),
    "withdrawal": _l("Requested on"),
    "undecided": _l("Report received"),
}


@dataclass(frozen=True, slots=True)
class FederationRecord:
    """What a federation registered in a year: all, those that were late, and those of them that the QC approved.

    `unreported` are those whose report is overdue, and `withdrawn` those withdrawn (D-127).
    """

    registered: int
    late: int
    approved: int
    unreported: int
    withdrawn: int


def case_tasks(found: Sequence[QueueCase], *, today: date) -> list[DeskTask]:
    """Return the cases that wait for the QC itself as tasks, each with the facts on which it is decided."""
    return tasks_of([case for case in found if not case.waits_for_others(today)], today)


def tasks_of(found: Sequence[QueueCase], today: date) -> list[DeskTask]:
    """Return cases as tasks, in their order."""
    records = _records(found, today)
    return [_task(case, records.get(case.tournament.federation_id), today) for case in found]


def _task(case: QueueCase, record: FederationRecord | None, today: date) -> DeskTask:
    tournament = case.tournament
    _what, title, action, (second, place_of) = TITLES[case.code]
    is_answered = case.information is not None and not case.information.is_open
    if is_answered:
        title, action = _l("Read the reply and decide"), pgettext_lazy("case", "Read reply")
        if case.code in REGISTRATIONS:
            second, place_of = pgettext_lazy("case", "Approve"), "?decision=allow#decide"
    place = ", ".join(part for part in (tournament.federation_id, tournament.city) if part)
    return DeskTask(
        what=str(title),
        action=str(action),
        about=tournament.name,
        page=Page("desk:decision", case.event_id),
        why=f"{place} · {played_on(tournament)}",
        deadline=case.deadline,
        since=None if case.code in REGISTRATIONS else case.since,
        sort="replies" if is_answered else "registrations" if case.code in REGISTRATIONS else "holds",
        code=f"case-{case.code}",
        about_page=Page("desk:decision", case.event_id),
        facts=[*_facts_of_case(case, record, today)],
        # While the officer is asked, even in vain, no second question is possible.
        shortcut=None
        if case.awaits_answer
        else (str(second), Page("desk:decision", case.event_id, rest=place_of)),
    )


def _facts_of_case(
    case: QueueCase, record: FederationRecord | None, today: date
) -> Iterator[tuple[str, str]]:
    """Yield the few facts on which a case is decided."""
    tournament, information = case.tournament, case.information
    if case.code in REGISTRATIONS:
        yield from _facts_of_registration(case)
        if record is not None and case.code != "hybrid":
            record_text = _(
                "%(registered)d registered, of which %(late)d late (%(approved)d approved), %(unreported)d not "
                "reported, %(withdrawn)d withdrawn"
            )
            yield f"{tournament.federation_id}, {today.year}", record_text % asdict(record)
    elif case.since is not None:
        yield str(SINCE[case.code]), day_text(case.since.date())
    if information is not None and not information.is_open:
        yield _("You asked"), information.reason
        yield _("Reply"), information.answer
    else:
        rule, words = _rule_and_words(case)
        if rule:
            yield _("Rule"), rule
        yield _("Reason"), words
        if case.earlier:
            yield _("Earlier reason"), "\n".join(case.earlier)


def _rule_and_words(case: QueueCase) -> tuple[str, str]:
    """Return why the rules bring a registration to the QC, and what its officer wrote, where there are both."""
    items = getattr(case.tournament, "last_stated", None) if case.code in REGISTRATIONS else None
    rule, words = SENTENCES.apart(items or [])
    return (rule, words) if rule and words else ("", case.why)


def _facts_of_registration(case: QueueCase) -> Iterator[tuple[str, str]]:
    """Yield how late a registration or its change was (0.2), and what was changed."""
    starts, on = [case.tournament.start], case.tournament.registered_on
    if case.changes and case.since is not None:
        # The earlier of both first days has the deadline that has passed.
        starts += [date.fromisoformat(one["before"]) for one in case.changes if one["field"] == "start"]
        on = case.since.astimezone(UTC).date()
    late = (on - last_day_to_register(min(starts))).days
    if late > 0:
        when = ngettext("%(days)d day late", "%(days)d days late", late) % {"days": late}
    else:
        days = (min(starts) - on).days
        when = ngettext("%(days)d day before the first day", "%(days)d days before the first day", days)
        when %= {"days": days}
    yield pgettext("case", "Changed") if case.changes else _("Registered"), when
    if case.changes:
        yield (
            pgettext("case", "Change"),
            ",\n".join(str(one) for one in shown_changes(case.changes) if one.before != one.after),
        )
    if late_text := late_entries(case.tournament.entry_until, case.tournament.start):
        yield _("Entries until"), late_text


def _records(found: Sequence[QueueCase], today: date) -> dict[str, FederationRecord]:
    """Return what the federations of registrations that wait registered in the year of a day."""
    codes = {case.tournament.federation_id for case in found if case.code in REGISTRATIONS}
    if not codes:
        return {}
    late = Q(registered_on__gt=F("start") - timedelta(days=REGISTRATION_DAYS))
    approvals = LogEntry.objects.filter(tournament=OuterRef("pk"), action=Action.ALLOW)
    of_year = Tournament.objects.filter(federation__in=codes, start__year=today.year).order_by()
    rows = of_year.values_list("federation").annotate(
        registered=Count("pk"),
        late=Count("pk", filter=late),
        # A later change makes what was approved wait again.
        approved=Count("pk", filter=late & Q(Exists(approvals))),
        unreported=Count("pk", filter=reports_overdue(today)),
        withdrawn=Count("pk", filter=Q(registration=Registration.WITHDRAWN)),
    )
    return {code: FederationRecord(*numbers) for code, *numbers in rows}
