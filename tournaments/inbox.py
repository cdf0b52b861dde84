"""What waits for a person's answer or decision: cases, and the few things that follow from a state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Value
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import pgettext_lazy

from core.html.dates import day_text, days_text, list_month
from core.pages import Page
from players.cases import RULES, row_of
from players.choices import CaseKind, CaseState, Role
from players.models import Appointment, Federation
from players.permissions import invitations_to_confirm, is_staff
from tournaments.amendment_texts import SHOWN_RESULTS, amendment_text
from tournaments.awaited_ids import tournaments_with_known_ids
from tournaments.choices import Stage
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.reports import problems_in_words
from tournaments.steps import Progress

# Tasks without a deadline come after those with one.
NO_DEADLINE = date.max
# The choices of the switch above the tasks; what has no other sort is about players.
SORTS = {
    "reports": _l("Reports"),
    "registrations": pgettext_lazy("tasks", "Registrations"),
    "replies": pgettext_lazy("tasks", "Replies"),
    "holds": pgettext_lazy("tasks", "Reports and requests"),
    "decisions": _l("Decisions"),
    "lists": pgettext_lazy("tasks", "Rating lists"),
    "players": _l("Players"),
    "people": _l("People"),
}


@dataclass(frozen=True, slots=True)
class DeskTask:
    """One task: its title, the verb of its button, its object, page, reason and last UTC day.

    The last day is the nearest one that matters; `last_day` is the final one, after which nothing helps. A task about
    a report has the list that will include it; `is_final` says that it is the last possible (8.1). `sort` is one of
    `SORTS`, `code` names what is to be done. `facts` are labels with what they say, on which the task is decided;
    `shortcut` is the words and the page of a second way in, `about_page` that of the object.
    """

    what: str
    action: str
    about: str
    page: Page
    why: str = ""
    deadline: date | None = None
    since: datetime | None = None
    list_date: date | None = None
    is_final: bool = False
    sort: str = ""
    code: str = ""
    last_day: date | None = None
    about_page: Page | None = None
    facts: Sequence[tuple[str, str]] = ()
    shortcut: tuple[str, Page] | None = None

    @property
    def order(self) -> tuple[date, str]:
        """The place among other tasks: the fewest days left first."""
        return self.deadline or NO_DEADLINE, self.about


def played_on(tournament: Tournament) -> str:
    """Return when and how a tournament is played: `16–17 Nov 2026, blitz 5+0`."""
    played = f"{tournament.get_kind_display()} {tournament.time_control}"
    return f"{days_text(tournament.start, tournament.end)}, {played}"


MAX_WAITING = 200
# Title, verb and sort. In this order, should there be too many: reports to correct hide nothing else.
WAITING = {
    "invitation": (_l("Confirm invitation"), _l("Confirm"), "people"),
    "officer": (_l("Assign a rating officer"), _l("Send invitation"), "people"),
    "known-id": (_l("A FIDE ID of the report is known now"), pgettext_lazy("report", "Open"), "reports"),
    "known-published": (
        _l("Correct the report: a FIDE ID is known now"),
        pgettext_lazy("correction", "Show effect"),
        "lists",
    ),
}
PLACES = [*WAITING]
OFFICER_DAYS = 365


def cases_with_tasks(waiting: Iterable[Any]) -> list[Any]:
    """Return the cases that a person decides; those of the QC are tasks with the deadlines of its queue."""
    return [case for case in waiting if case.is_mine and RULES[case.kind].task is not None]


def correction_list(case: Any, lists: Lists[Any], today: date) -> date | None:
    """Return the list that takes a requested correction of a published result, if it is made by the day before."""
    is_taken = case.kind == CaseKind.RESULT and case.tournament.stage == Stage.PUBLISHED
    return lists.coming(case.tournament.kind, today) if is_taken else None


def facts_of(row: Any) -> list[tuple[Any, str]]:
    """Return the facts on which a case is decided; of a correction that is requested the result before and after."""
    if row.kind != CaseKind.RESULT:
        return list(row.facts())
    asked_for = ", ".join(map(amendment_text, row.amendments))
    return [(_l("Correction"), f"{SHOWN_RESULTS.get(row.result_before, '–')} → {asked_for}"), *row.facts()]


def days_of_report(progress: Progress) -> list[tuple[Any, str]]:
    """Return until when a report that is there is decided on, and the list whose deadline it has missed."""
    facts: list[tuple[Any, str]] = []
    if progress.decide_by:
        label = _l("Add or return by") if progress.report_step == "take" else _l("Accept by")
        facts.append((label, day_text(progress.decide_by)))
    if progress.missed_list:
        facts.append((_l("Missed list"), list_month(progress.missed_list)))
    return facts


def case_task(case: Any, progress: Progress | None, taken_by: date | None) -> DeskTask:
    """Return the task with a case, and the facts on which it is decided; that of a report has its deadlines."""
    row, is_owed = row_of(case), case.state == CaseState.APPROVED
    rules = RULES[case.kind]
    asked: Any = rules.task_left if is_owed else rules.task
    values: dict[str, Any] = {"deadline": row.due_on, "why": row.why, "facts": facts_of(row)}
    if case.kind == CaseKind.HANDED:
        sent = (_l("Sent"), f"{day_text(row.asked_at.date())}, {row.asked_by or '–'}")
        values["facts"] = [sent, (_l("Check results"), problems_in_words(row.file.findings))]
        values["facts"] += [] if progress is None else days_of_report(progress)
    if taken_by is not None:
        values |= {"deadline": taken_by - timedelta(days=1), "list_date": taken_by}
    if case.kind == CaseKind.HANDED and progress is not None:
        values |= {
            "deadline": progress.next_deadline,
            "last_day": progress.days.last_day,
            "list_date": progress.expected_list,
            "is_final": progress.is_last_list,
        }
    return DeskTask(
        str(asked.what),
        str(asked.action),
        about=row.about,
        page=asked.page(row),
        since=row.asked_at,
        sort=asked.sort,
        code="owed" if is_owed else case.kind,
        **values,
    )


def waiting_tasks(user: Any, own: QuerySet[Tournament], *, today: date) -> Iterator[DeskTask]:
    """Yield what is due of a person though nobody asks for it, in one query."""
    # The line says another name, or a list has the tournament: FIDE staff correct it then (D-139).
    known = tournaments_with_known_ids().filter(pk__in=own)
    parts = [_part("known-id", known, F("name"), F("event_id"))]
    if is_staff(user):
        published = tournaments_with_known_ids().filter(stage=Stage.PUBLISHED)
        parts.append(_part("known-published", published, F("name"), F("event_id")))
        parts.append(_part("officer", _without_officer(today), F("name"), Value("")))
        midnight = datetime.combine(today, time.min, UTC)
        invitations = invitations_to_confirm(user).unanswered_at(midnight)
        parts.append(_part("invitation", invitations, F("email"), F("role")))
    rows = parts[0].union(*parts[1:], all=True).order_by("place")[:MAX_WAITING]
    for sort, name, reference, _place in rows:
        what, action, of = WAITING[sort]
        page = Page("people:people")
        if sort == "known-id":
            page = Page("desk:tournament", reference)
        elif sort == "known-published":
            page = Page("admin:ratings_correction_correct", rest=f"?event={reference}&known=1")
        why = str(Role(reference).label) if sort == "invitation" else ""
        yield DeskTask(str(what), str(action), about=name, page=page, why=why, sort=of, code=sort)


def _without_officer(today: date) -> QuerySet[Any]:
    """Return the federations with tournaments that nobody registers for."""
    recent = Tournament.objects.filter(
        federation=OuterRef("pk"), end__gte=today - timedelta(days=OFFICER_DAYS)
    )
    officers = Appointment.objects.filter(federation=OuterRef("pk"), role=Role.OFFICER)
    return Federation.objects.filter(Exists(recent), ~Exists(officers))


def _part(sort: str, found: QuerySet[Any], name: Any, reference: Any) -> QuerySet[Any]:
    """Return rows of one sort: sort, name, what the address names, and the place of the sort."""
    # Some models have a field `name`, which an annotation must not have.
    parts = {"v_name": name, "reference": reference, "place": Value(PLACES.index(sort))}
    rows: QuerySet[Any] = found.order_by().annotate(sort=Value(sort), **parts)
    return rows.values_list("sort", *parts)
