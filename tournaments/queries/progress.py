"""The progress of one or many tournaments, and filters for those whose progress is worth computing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Exists, OuterRef, Q

from tournaments import regulations
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    Action,
    HandedState,
    Kind,
    Registration,
    ReportState,
    Stage,
)
from tournaments.list_calendar import ListCalendars
from tournaments.models import Appeal, HandedReport, InformationRequest, Report, Tournament, TrailEntry
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.progress import ProgressFacts, compute_progress
from tournaments.questions import calendars
from tournaments.steps import Progress

# What the progress depends on in a version of the report.
REPORT_COLUMNS = ("tournament_id", "version", "state", "submitted_at", "accepted_on", "has_errors")
PLANNED = Q(registration__in=OPEN_REGISTRATIONS, stage=Stage.PLANNED)


def published_lists(today: date, tournaments: Iterable[Tournament] = ()) -> ListCalendars:
    """Return the calendars of the lists, with the list on which each of these tournaments is, as the ratings know."""
    return calendars.answer(today, list(tournaments))


def load_progress(
    tournaments: Iterable[Tournament],
    lists: ListCalendars,
    *,
    entries: Iterable[TrailEntry] | None = None,
) -> dict[int, Progress]:
    """Return the progress of tournaments on the calendars' day, by their keys, in four queries at most.

    `entries` are their histories in order, each with its appeal, if already read: one query less.
    """
    found = {tournament.pk: tournament for tournament in tournaments}
    if not found:
        return {}
    versions: dict[int, list[Report]] = defaultdict(list)
    for report in Report.objects.filter(tournament__in=found).only(*REPORT_COLUMNS).order_by("version"):
        versions[report.tournament_id].append(report)
    handed = HandedReport.objects.filter(tournament__in=found, state=HandedState.WAITING)
    handed_over = set(handed.values_list("tournament", flat=True))
    requests = InformationRequest.objects.filter(tournament__in=found).order_by("asked_at", "pk")
    asked = {request.tournament_id: request for request in requests}
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
            ProgressFacts(
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


# The filters below spare reading tournaments that cannot be in a step; in which step one is, its progress alone says.


def may_be_played(lists: ListCalendars) -> Q:
    """Return which tournaments may be in the step `play`."""
    return PLANNED & Q(end__gt=lists.today, has_request=False)


def may_be_reported(lists: ListCalendars) -> Q:
    """Return which tournaments may be in one of `REPORT_STEPS`."""
    clean = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED, has_errors=False)
    is_possible = _is_in_time(lists) | Q(Exists(clean))
    return PLANNED & Q(end__lte=lists.today, has_request=False) & is_possible


def may_be_missed(lists: ListCalendars) -> Q:
    """Return which tournaments may be in the step `missed`."""
    return PLANNED & Q(end__lte=lists.today) & ~_is_in_time(lists)


def may_be_decided(lists: ListCalendars) -> Q:
    """Return which tournaments may be in the steps `decide`, `answer`, `question`, `request` and `appeal`."""
    oldest = datetime.combine(lists.today - timedelta(days=regulations.APPEAL_DAYS), time.min, UTC)
    decisions = TrailEntry.objects.filter(tournament=OuterRef("pk"), action=Action.NOT_RATE, at__gte=oldest)
    asked_for = Q(registration__in=OPEN_REGISTRATIONS) & (Q(is_held=True) | Q(has_request=True))
    not_rated = Q(registration=Registration.NOT_RATED) & Q(Exists(decisions))
    return Q(registration=Registration.WAITING) | asked_for | not_rated


def _is_in_time(lists: ListCalendars) -> Q:
    in_time = REPORTED_BY_STAFF
    for kind in Kind.values:
        oldest = lists.of(kind).oldest_end
        in_time |= Q(kind=kind) & (Q(end__gte=oldest) | Q(upheld_on__gte=oldest))
    return in_time
