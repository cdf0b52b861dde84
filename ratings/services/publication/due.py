"""The inputs of a new list: accepted reports (FIDE R&B 2024, 6.1.3; D-18), titles, mergers, old corrections (D-11).

Lines of corrections without a position have their own difference for the next list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.bulk import batched, ids_subquery
from core.errors import Refusal
from core.work import lock_until_commit
from players.models import Federation, FederationExclusion
from players.services.titles import apply_due_titles
from ratings.choices import IN_FUTURE, NOT_FIRST, PROBABLY_MEANT, PUBLISHED_KINDS, ListKind
from ratings.models import RatingList, TournamentRating
from ratings.queries.in_force import Lists, basis_on
from ratings.rate import is_up_to_date, rate_reports
from tournaments.choices import OPEN_REGISTRATIONS, ReportState, Stage
from tournaments.list_calendar import takes
from tournaments.models import Report, Tournament
from tournaments.queries.lookups import Lookups

GROUP = 50


def date_refusals(list_date: date, *, today: date) -> list[Refusal]:
    """Return why no list can bear a date: not the first of a month (6.1), or later than today (D-70).

    As in all refusals of imports and publications, dates are in words, for commands too: jobs store the sentences.
    """
    if list_date.day != 1:
        return [Refusal("list-date-6.1", _(NOT_FIRST), "date")]
    if list_date <= today:
        return []
    message = _(IN_FUTURE) % {"date": date_format(list_date), "today": date_format(today)}
    if (meant := list_date.replace(year=today.year)) <= today:
        message = f"{message} {_(PROBABLY_MEANT) % {'meant': date_format(meant)}}"
    return [Refusal("future-list-D-70", message, "date")]


def lock_due_reports(kind: str, list_date: date) -> list[Report]:
    """Lock the tournaments that a list takes to the end of the transaction, then read their reports (D-104).

    An act on one of them either came first and is seen here, or waits and finds the tournament published.
    """
    accepted = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.ACCEPTED)
    tournaments = _takeable(kind, list_date).filter(Exists(accepted)).order_by("pk")
    locked = list(tournaments.select_for_update(no_key=True).values_list("pk", flat=True))
    return due_reports(kind, list_date, among=locked)


def due_reports(kind: str, list_date: date, *, among: Collection[int] | None = None) -> list[Report]:
    """Return the accepted reports that go into a list, in a total order: by event id, then version.

    `among` are the tournaments to look at; all where there is None.
    """
    tournaments = _takeable(kind, list_date)
    if among is not None:
        tournaments = tournaments.filter(pk__in=ids_subquery(among))
    reports = (
        Report.objects.filter(
            state=ReportState.ACCEPTED,
            tournament__in=tournaments.values("pk"),
        )
        .select_related("tournament")
        .defer("content", "pgn", "findings")
        .order_by("tournament__event_id", "version")
    )
    return [report for report in reports if _is_taken(report, list_date)]


def _takeable(kind: str, list_date: date) -> QuerySet[Tournament]:
    open_ones = Tournament.objects.filter(kind=kind, registration__in=OPEN_REGISTRATIONS, is_held=False)
    return open_ones.filter(end__lt=list_date).exclude(stage=Stage.PUBLISHED).order_by()


def set_published(reports: Sequence[Report]) -> None:
    """Set the tournaments of a list to published; `RuntimeError` where one is not as it was when locked (D-104)."""
    tournaments = Tournament.objects.filter(
        pk__in=ids_subquery(report.tournament_id for report in reports),
        registration__in=OPEN_REGISTRATIONS,
        is_held=False,
    )
    accepted = Report.objects.filter(
        pk__in=ids_subquery(report.pk for report in reports), state=ReportState.ACCEPTED
    )
    changed = tournaments.exclude(stage=Stage.PUBLISHED).update(stage=Stage.PUBLISHED)
    if not changed == accepted.count() == len(reports):
        raise RuntimeError("a tournament changed while its list was published")


def _is_taken(report: Report, list_date: date) -> bool:
    tournament = report.tournament
    return takes(
        list_date,
        tournament.end,
        is_official=tournament.may_end_late,
        accepted_on=report.accepted_on or list_date,
        upheld_on=tournament.upheld_on,
    )


def ratings_of(reports: list[Report], *, at: datetime) -> list[TournamentRating]:
    """Return the reports' ratings, rating again where the lists in force have come only since then (D-1)."""
    found: dict[int, TournamentRating] = {}
    for batch in batched(reports, GROUP):
        found |= _current_ratings(batch, at=at)
    for report in reports:
        if report.pk not in found:
            raise RuntimeError(f"report {report.pk} was replaced while the list was made")
        found[report.pk].report = report
    return [found[report.pk] for report in reports]


def _current_ratings(reports: list[Report], *, at: datetime) -> dict[int, TournamentRating]:
    lookups = Lookups()
    lists = lookups.of(Lists)
    ratings = {item.report_id: item for item in TournamentRating.objects.filter(report__in=reports)}
    stale = {
        report.pk
        for report in reports
        if report.pk not in ratings
        or not is_up_to_date(
            ratings[report.pk], basis_on(report.tournament.kind, report.tournament.start, lists)
        )
    }
    current = {key: item for key, item in ratings.items() if key not in stale}
    return current | rate_reports(stale, at=at, lookups=lookups) if stale else current


LISTS = 0x52415445
# The fields of federations and exclusions that say whose players are listed (9.1).
WHO_IS_LISTED = {"is_member", "listing_reference", "until"}


def lock_lists() -> None:
    """Lock the lists of all kinds until the end of the transaction."""
    lock_until_commit(LISTS)


def lock_kind(kind: str, *, waits: bool) -> bool:
    """Lock the lists of a kind for publishing and importing until the end of the transaction.

    Return False if another process has the lock and the caller does not wait.
    """
    if connection.vendor != "postgresql":
        return True
    place = ListKind.values.index(kind)
    with connection.cursor() as cursor:
        if not waits:
            free = "SELECT pg_try_advisory_xact_lock_shared(%s) AND pg_try_advisory_xact_lock(%s, %s)"
            cursor.execute(free, [LISTS, LISTS, place])
            return bool(cursor.fetchone()[0])
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LISTS])
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LISTS, place])
    return True


def lock_kinds(kinds: Iterable[str]) -> None:
    """Lock the lists of some kinds as a publication does, to the end of the transaction; always in one order."""
    for kind in sorted(set(kinds)):
        lock_kind(kind, waits=True)


@receiver(pre_save, sender=FederationExclusion)
@receiver(pre_save, sender=Federation)
def wait_for_publications(update_fields: frozenset[str] | None = None, **kwargs: Any) -> None:
    """Let a change of whose players are listed wait for publications, which read that more than once (D-104)."""
    if update_fields is None or update_fields & WHO_IS_LISTED:
        lock_kinds(PUBLISHED_KINDS)


def bring_titles(kind: str, list_date: date) -> None:
    """Apply the titles granted since the previous list, in a short separate transaction.

    Two processes publish the two kinds at once: neither waits for the players that the other has locked.
    """
    previous = RatingList.objects.before(kind, list_date)
    if previous is not None:
        apply_due_titles(on=list_date, after=previous.date, recorded_after=previous.published_at)
