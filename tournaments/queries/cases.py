"""Cases to decide: registrations and reports for the QC, the most urgent first (0.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from core.html.dates import day_text
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    PORTAL_REASONS,
    Registration,
    RequestedChangeState,
    RequestSort,
    Stage,
)
from tournaments.lists import Lists
from tournaments.models import AuditEntry, Hold, InformationRequest, RequestedChange, Tournament
from tournaments.permissions import for_user
from tournaments.progress import ProgressFacts, compute_progress
from tournaments.queries.desk import played_on, qc_queue, with_reason
from tournaments.queries.needs import DECISIONS, Need
from tournaments.regulations import REGISTRATION_DAYS

MAX_ROWS = 200
REGISTRATIONS = ("late", "hybrid")
# What is asked of the QC, the verb of its button, and a second way in: its words and the end of the address.
TITLES = {
    "late": (
        _l("Approve or refuse a late registration"),
        pgettext_lazy("case", "Decide"),
        (_l("Request information"), "#ask"),
    ),
    "hybrid": (
        _l("Approve or refuse a hybrid registration"),
        pgettext_lazy("case", "Decide"),
        (_l("Request information"), "#ask"),
    ),
    "hold": (
        _l("Decide on the hold"),
        pgettext_lazy("case", "Open case"),
        (_l("Release hold"), "#release"),
    ),
    "flags": (
        _l("Review the flags of the checks"),
        pgettext_lazy("case", "Review flags"),
        (_l("Dismiss flags"), "#release"),
    ),
    "change": (
        _l("Decide on the requested change"),
        pgettext_lazy("case", "Decide"),
        (_l("Show changes"), "#request"),
    ),
    "withdrawal": (
        _l("Decide on the requested withdrawal"),
        pgettext_lazy("case", "Decide"),
        (_l("Show request"), "#request"),
    ),
}
SINCE = {
    "hold": _l("On hold since"),
    "flags": _l("Flagged on"),
    "change": _l("Requested on"),
    "withdrawal": _l("Requested on"),
}
SORT_OF_CASE = {"late": "registrations", "hybrid": "registrations"}


@dataclass(frozen=True, slots=True)
class QueueCase:
    """A tournament on which the QC has to decide: what it is about, why, by which day, what was asked.

    `code` is one of `TITLES`; `since` is when the case came, None of a registration, which has its day.
    """

    tournament: Tournament
    code: str
    what: str
    why: str
    deadline: date
    since: datetime | None = None
    information: InformationRequest | None = None

    @property
    def event_id(self) -> str:
        return str(self.tournament.event_id)

    @property
    def awaits_answer(self) -> bool:
        """Whether the officer has still to answer."""
        return self.information is not None and self.information.answered_at is None

    def waits_for_others(self, today: date) -> bool:
        """Return whether the officer may still answer in time: until then the QC has nothing to do."""
        return self.awaits_answer and self.information is not None and self.information.due_on >= today


@dataclass(frozen=True, slots=True)
class FederationRecord:
    """What a federation registered in a year: all, those that were late, and those of them that the QC approved."""

    registered: int
    late: int
    approved: int


def cases(lists: Lists[Any], today: date, *, most: int = MAX_ROWS) -> list[QueueCase]:
    """Return the cases of the QC by their deadlines, at most so many of each sort.

    A late or hybrid registration is to be decided by its first day (0.2), a report by the day before the next list
    that could take it (6.1.3), a requested change or withdrawal by the first day, later like a report (D-80, D-81).
    """
    waiting = list(qc_queue()[:most])
    holds = list(open_holds()[:most])
    requests = list(open_changes()[:most])
    about = [
        *(row.pk for row in waiting),
        *(row.tournament_id for row in holds),
        *(row.tournament_id for row in requests),
    ]
    requests_of = newest_requests(about)
    registrations = [_registration_case(row, requests_of.get(row.pk), lists, today) for row in waiting]
    reports = [_hold_case(row, requests_of.get(row.tournament_id), lists, today) for row in holds]
    changes = [_change_case(row, requests_of.get(row.tournament_id), lists, today) for row in requests]
    return sorted(registrations + reports + changes, key=lambda case: (case.deadline, case.event_id))


def case_tasks(found: Sequence[QueueCase], *, today: date) -> list[Need]:
    """Return the cases that wait for the QC itself as tasks, each with the facts on which it is decided."""
    mine = [case for case in found if not case.waits_for_others(today)]
    records = _records({case.tournament.federation_id for case in mine if case.code in REGISTRATIONS}, today)
    return [_task(case, records.get(case.tournament.federation_id), today) for case in mine]


def next_case(lists: Lists[Any], today: date, *, after: str) -> QueueCase | None:
    """Return the most urgent case that waits for the QC, None where no other than that of the event ID is left."""
    waiting = (case for case in cases(lists, today) if not case.waits_for_others(today))
    return next((case for case in waiting if case.event_id != after), None)


def _task(case: QueueCase, record: FederationRecord | None, today: date) -> Need:
    tournament = case.tournament
    title, action, (second, place_of) = TITLES[case.code]
    is_answered = case.information is not None and case.information.answered_at is not None
    if is_answered:
        title, action = _l("Read the reply and decide"), pgettext_lazy("case", "Read reply")
        if case.code in REGISTRATIONS:
            second, place_of = pgettext_lazy("case", "Approve"), "?decision=allow#decide"
    address = reverse("desk:decision", args=[case.event_id])
    place = ", ".join(part for part in (tournament.federation_id, tournament.city) if part)
    return Need(
        what=str(title),
        action=str(action),
        about=tournament.name,
        url=address,
        why=f"{place} · {played_on(tournament)}",
        deadline=case.deadline,
        since=case.since,
        sort="replies" if is_answered else SORT_OF_CASE.get(case.code, "holds"),
        code=f"case-{case.code}",
        about_url=address,
        facts=[*_facts_of_case(case, record, today)],
        # While the officer is asked, even in vain, no second question is possible.
        shortcut=None if case.awaits_answer else (str(second), address + place_of),
    )


def _facts_of_case(
    case: QueueCase, record: FederationRecord | None, today: date
) -> Iterator[tuple[str, str]]:
    """Yield at most four facts on which a case is decided."""
    tournament, information = case.tournament, case.information
    if case.code in REGISTRATIONS:
        days = (tournament.start - tournament.registered_on).days
        before = ngettext("%(days)d day before the first day", "%(days)d days before the first day", days)
        yield pgettext("case", "Registered"), before % {"days": days}
        if record is not None and case.code == "late":
            record_text = _("%(late)d late of %(all)d, %(approved)d approved")
            numbers = {"late": record.late, "all": record.registered, "approved": record.approved}
            yield f"{tournament.federation_id}, {today.year}", record_text % numbers
    elif case.since is not None:
        yield str(SINCE[case.code]), day_text(case.since.date())
    if information is not None and information.answered_at is not None:
        yield _("You asked"), information.text
        yield _("Reply"), information.answer
    else:
        yield _("Reason"), case.why


def _records(codes: Collection[str], today: date) -> dict[str, FederationRecord]:
    """Return what the federations registered in the year of a day."""
    if not codes:
        return {}
    late = Q(registered_on__gt=F("start") - timedelta(days=REGISTRATION_DAYS))
    found = Tournament.objects.filter(federation__in=codes, start__year=today.year).order_by()
    rows = found.values_list("federation").annotate(
        registered=Count("pk"),
        late=Count("pk", filter=late),
        approved=Count("pk", filter=late & Q(registration=Registration.APPROVED)),
    )
    return {code: FederationRecord(*numbers) for code, *numbers in rows}


def decided_since(instant: datetime, *, most: int) -> list[AuditEntry]:
    """Return the decisions of the QC and of FIDE Council since an instant, the newest first."""
    found = AuditEntry.objects.filter(action__in=DECISIONS, at__gte=instant).select_related("tournament")
    return list(found.order_by("-at", "-pk")[:most])


def cases_of(user: Any) -> QuerySet[Tournament]:
    """Return the tournaments at the person's desk, with `last_reason` and the number of the newest step, `seen`."""
    steps = AuditEntry.objects.filter(tournament=OuterRef("pk")).order_by("-pk").values("pk")
    return with_reason(for_user(user)).annotate(seen=Coalesce(Subquery(steps[:1]), 0))


def open_holds() -> QuerySet[Hold]:
    """Return the open holds and flags of reports that can still be decided on, the oldest first."""
    found = Hold.objects.filter(closed_at=None, tournament__registration__in=OPEN_REGISTRATIONS)
    return (
        found.exclude(tournament__stage=Stage.PUBLISHED)
        .select_related("tournament__federation")
        .order_by("raised_at", "pk")
    )


def open_changes() -> QuerySet[RequestedChange]:
    """Return the requests of officers that wait and may still be granted, the oldest first (D-80, D-81)."""
    found = RequestedChange.objects.filter(state=RequestedChangeState.WAITING).exclude(
        tournament__stage=Stage.PUBLISHED
    )
    return found.select_related("tournament__federation").order_by("asked_at", "pk")


def newest_requests(tournaments: Sequence[int]) -> dict[int, InformationRequest]:
    """Return the newest request for information of each tournament that has one."""
    rows = InformationRequest.objects.filter(tournament__in=tournaments).order_by("asked_at", "pk")
    return {row.tournament_id: row for row in rows}


def _registration_case(
    tournament: Tournament, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    what = _("hybrid registration") if tournament.is_hybrid else _("late registration")
    why = PORTAL_REASONS.translate(tournament.last_reason or "")  # type: ignore[attr-defined]
    progress = compute_progress(_facts(tournament, information, lists, today))
    return QueueCase(
        tournament=tournament,
        code="hybrid" if tournament.is_hybrid else "late",
        what=what,
        why=why,
        deadline=progress.deadline_of("decide") or tournament.start,
        information=information,
    )


def _hold_case(
    hold: Hold, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    what = _("issues flagged by the checks") if hold.is_from_findings else _("report on hold")
    deadline = _facts(hold.tournament, information, lists, today).hold_deadline
    return QueueCase(
        tournament=hold.tournament,
        code="flags" if hold.is_from_findings else "hold",
        since=hold.raised_at,
        what=what,
        why=hold.why,
        deadline=deadline,
        information=information,
    )


def _change_case(
    request: RequestedChange, information: InformationRequest | None, lists: Lists[Any], today: date
) -> QueueCase:
    is_change = request.sort == RequestSort.CHANGE
    return QueueCase(
        tournament=request.tournament,
        code="change" if is_change else "withdrawal",
        since=request.asked_at,
        what=_("requested change") if is_change else _("requested withdrawal"),
        why=request.why,
        deadline=_facts(request.tournament, information, lists, today).request_deadline,
        information=information,
    )


def _facts(
    tournament: Tournament, information: InformationRequest | None, lists: Lists[Any], today: date
) -> ProgressFacts:
    """Return what the deadlines of the QC depend on."""
    return ProgressFacts(tournament=tournament, lists=lists, today=today, information=information)
