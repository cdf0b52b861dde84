"""The cases of the QC as tasks, each with the facts on which it is decided."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from core.html.dates import day_text
from core.pages import Page
from tournaments.choices import Registration
from tournaments.list_dates import last_end_due
from tournaments.models import Tournament
from tournaments.queries.cases import QueueCase
from tournaments.queries.desk_tasks import DeskTask, played_on
from tournaments.queries.progress_filters import not_reported
from tournaments.regulations import REGISTRATION_DAYS

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
    "undecided": (
        _l("Review a report that is not accepted"),
        pgettext_lazy("case", "Open case"),
        (_l("Request information"), "#ask"),
    ),
}
SINCE = {
    "hold": _l("On hold since"),
    "flags": _l("Flagged on"),
    "change": _l("Requested on"),
    "withdrawal": _l("Requested on"),
    "undecided": _l("Report uploaded"),
}
SORT_OF_CASE = {"late": "registrations", "hybrid": "registrations"}


@dataclass(frozen=True, slots=True)
class FederationRecord:
    """What a federation registered in a year: all, those that were late, and those of them that the QC approved.

    `unreported` are those whose report is due and not accepted, and `withdrawn` those withdrawn (D-127).
    """

    registered: int
    late: int
    approved: int
    unreported: int
    withdrawn: int


def case_tasks(found: Sequence[QueueCase], *, today: date) -> list[DeskTask]:
    """Return the cases that wait for the QC itself as tasks, each with the facts on which it is decided."""
    mine = [case for case in found if not case.waits_for_others(today)]
    records = _records({case.tournament.federation_id for case in mine if case.code in REGISTRATIONS}, today)
    return [_task(case, records.get(case.tournament.federation_id), today) for case in mine]


def _task(case: QueueCase, record: FederationRecord | None, today: date) -> DeskTask:
    tournament = case.tournament
    title, action, (second, place_of) = TITLES[case.code]
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
        since=case.since,
        sort="replies" if is_answered else SORT_OF_CASE.get(case.code, "holds"),
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
    """Yield at most four facts on which a case is decided."""
    tournament, information = case.tournament, case.information
    if case.code in REGISTRATIONS:
        days = (tournament.start - tournament.registered_on).days
        before = ngettext("%(days)d day before the first day", "%(days)d days before the first day", days)
        yield pgettext("case", "Registered"), before % {"days": days}
        if record is not None and case.code == "late":
            record_text = _(
                "%(late)d late of %(registered)d, %(approved)d approved, %(unreported)d not reported, "
                "%(withdrawn)d withdrawn"
            )
            yield f"{tournament.federation_id}, {today.year}", record_text % asdict(record)
    elif case.since is not None:
        yield str(SINCE[case.code]), day_text(case.since.date())
    if information is not None and not information.is_open:
        yield _("You asked"), information.reason
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
        unreported=Count("pk", filter=not_reported(last_end_due(today))),
        withdrawn=Count("pk", filter=Q(registration=Registration.WITHDRAWN)),
    )
    return {code: FederationRecord(*numbers) for code, *numbers in rows}
