"""The inputs of a new list: accepted reports (FIDE R&B 2024, 6.1.3; D-18), titles, mergers, old corrections (D-11).

Lines of corrections without a position have their own difference for the next list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, TypeVar

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
from ratings.choices import IN_FUTURE, NOT_FIRST, PROBABLY_MEANT, PUBLISHED_KINDS, LineKind, ListKind
from ratings.models import CorrectionLine, Merger, ParticipantRating, RatingList, TournamentRating
from ratings.queries.in_force import Lists, basis_on
from ratings.rate import is_up_to_date, rate_reports
from ratings.systems.otb.listing import Entry, EntryStatus
from ratings.systems.otb.period import CorrectionShare
from ratings.systems.otb.values import PoolShare
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
            accepted_on__lte=list_date,
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
    end, is_official = report.tournament.end, report.tournament.is_official
    accepted_on = report.accepted_on or list_date
    return takes(list_date, end, is_official=is_official, accepted_on=accepted_on)


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


WITH_RATING = (EntryStatus.LISTED, EntryStatus.WITHHELD)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mergers:
    """The mergers for one list: `taken` are the rows that this list takes, in their order.

    `direct` maps each merged ID to the one that it was merged into, `persons` to the one that counts on the list,
    `final` each ID ever merged to the current one, `former` each that an earlier list merged to the one with its
    entry. `dropped` are those whose rating an earlier list did not continue.
    """

    taken: Sequence[Merger] = ()
    direct: Mapping[int, int] = field(default_factory=dict)
    persons: Mapping[int, int] = field(default_factory=dict)
    final: Mapping[int, int] = field(default_factory=dict)
    former: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    def person(self, fide_id: int) -> int:
        """Return the ID for which the list counts what another was merged into it."""
        return self.persons.get(fide_id, fide_id)

    def held_by(self, fide_id: int) -> int:
        """Return the ID that has the entry and pool of another on the list before."""
        return self.former.get(fide_id, fide_id)

    def played_as(self, player_id: int, played: Iterable[int]) -> int:
        """Return the ID for which the list counts a line of a later report.

        `played` are the IDs in the report that the list added: if one of them is now the same person, the line
        replaces its line, whichever of the IDs it names.
        """
        person = self.final.get(player_id, player_id)
        same = [fide_id for fide_id in played if self.final.get(fide_id, fide_id) == person]
        return self.person(min(same, default=player_id))

    def ids_of(self, persons: Iterable[int]) -> set[int]:
        """Return the IDs of persons, merged ones among them."""
        wanted = set(persons)
        return wanted | {old for old, person in self.persons.items() if person in wanted}

    def all_dropped(self) -> set[int]:
        """Return the IDs whose ratings are not continued, including IDs that were merged into them before."""
        dropped = self.dropped | {row.player_id for row in self.taken if row.is_dropped}
        return {fide_id for fide_id in self.direct if dropped & set(self._way(fide_id))}

    def _way(self, fide_id: int) -> Iterator[int]:
        while fide_id in self.direct:
            yield fide_id
            fide_id = self.direct[fide_id]

    def by_person(self, items: Mapping[int, list[T]]) -> dict[int, list[T]]:
        """Return lists of items by person instead of by ID."""
        found: dict[int, list[T]] = {}
        for fide_id, some in items.items():
            found.setdefault(self.person(fide_id), []).extend(some)
        return found


def mergers_of(kind: str, list_date: date, *, taken_by: RatingList | None) -> Mergers:
    """Return the mergers of a published list, or those waiting for the list that is being published."""
    rows = list(Merger.objects.filter(kind=kind).select_related("taken_by").order_by("pk"))
    taken_pk = None if taken_by is None else taken_by.pk
    taken = [row for row in rows if row.taken_by_id == taken_pk]
    former = [row for row in rows if row.taken_by is not None and row.taken_by.date < list_date]
    earlier = {row.player_id: row.successor_id for row in former}
    direct = {row.player_id: row.successor_id for row in (*former, *taken)}
    ever = {row.player_id: row.successor_id for row in rows}
    return Mergers(
        taken=taken,
        direct=direct,
        persons={fide_id: _last(fide_id, direct) for fide_id in direct},
        final={fide_id: _last(fide_id, ever) for fide_id in ever},
        former={fide_id: _last(fide_id, earlier) for fide_id in earlier},
        dropped=frozenset(row.player_id for row in former if row.is_dropped),
    )


def _last(fide_id: int, direct: Mapping[int, int]) -> int:
    while fide_id in direct:
        fide_id = direct[fide_id]
    return fide_id


def are_both_rated(old: Entry | None, new: Entry | None) -> bool:
    """Return whether both IDs have a rating, shown or withheld: then that of the kept ID counts."""
    return old is not None and new is not None and old.status in WITH_RATING and new.status in WITH_RATING


def joined_entry(old: Entry | None, new: Entry | None) -> Entry | None:
    """Return the previous entry of a person with two IDs: one rating, the games and highest ratings of both."""
    if old is None or old.status is EntryStatus.DECEASED:
        return new
    if new is None or new.status is EntryStatus.DECEASED:
        return old
    stays, goes = (old, new) if old.status in WITH_RATING and new.status not in WITH_RATING else (new, old)
    played = [day for day in (stays.last_played, goes.last_played) if day is not None]
    return stays._replace(
        completed=stays.completed + goes.completed,
        reached_2300=stays.reached_2300 or goes.reached_2300,
        reached_2400=stays.reached_2400 or goes.reached_2400,
        is_inactive=stays.is_inactive and goes.is_inactive,
        last_played=max(played, default=None),
    )


def correct_pools(pools: dict[int, list[PoolShare]], player_id: int, lines: Iterable[CorrectionLine]) -> None:
    """Put the corrected event in the place of the former one in the pool of an unrated player (D-11)."""
    for line in lines:
        tournament = line.correction.tournament
        if line.kind != LineKind.POOL or tournament is None or line.position is not None:
            continue
        event_id = tournament.event_id
        shares = pools.get(player_id, [])
        former = [share for share in shares if share.event_id == event_id]
        kept = [share for share in shares if share.event_id != event_id]
        row = line.participant_rating
        if row is not None and row.games:
            was_disregarded = any(share.is_disregarded for share in former)
            kept.append(_corrected_share(tournament, row, was_disregarded=was_disregarded))
        pools[player_id] = kept


def _corrected_share(tournament: Tournament, row: ParticipantRating, *, was_disregarded: bool) -> PoolShare:
    return PoolShare(
        tournament.event_id,
        tournament.start,
        tournament.end,
        row.opponents_sum,
        row.games,
        row.half_points,
        is_disregarded=was_disregarded and row.half_points == 0,
    )


def effective(lines: Iterable[CorrectionLine]) -> list[CorrectionLine]:
    """Return the lines that one list takes, without a first rating lost and regained, or brought and lost, before it.

    One that was lost and comes back with other figures leaves their difference (D-11).
    """
    kept: list[CorrectionLine] = []
    for line in lines:
        former = next((item for item in reversed(kept) if _are_opposite(item, line)), None)
        if former is None:
            kept.append(line)
            continue
        kept.remove(former)
        if former.kind == LineKind.LOST:
            kept.append(_regained(former, line))
    return kept


def _are_opposite(former: CorrectionLine, line: CorrectionLine) -> bool:
    if former.corrected_list_id != line.corrected_list_id:
        return False
    ends = (_first_rating_after(former), _first_rating_after(line))
    return ends in {(True, False), (False, True)}


def _first_rating_after(line: CorrectionLine) -> bool | None:
    """Return whether a line gives or removes an initial rating; None if it does neither."""
    if line.kind == LineKind.LOST:
        return False
    return True if line.kind == LineKind.INITIAL and line.before_hundredths is None else None


def _regained(lost: CorrectionLine, found: CorrectionLine) -> CorrectionLine:
    return CorrectionLine(
        correction=found.correction,
        player=found.player,
        corrected_list=found.corrected_list,
        kind=LineKind.CHANGE,
        difference_hundredths=(found.after_hundredths or 0) - (lost.before_hundredths or 0),
        games_difference=found.games_difference + lost.games_difference,
    )


def share_of(line: CorrectionLine) -> CorrectionShare:
    """Return a stored correction line as the period takes it (D-11)."""
    if line.kind == LineKind.LOST:
        return CorrectionShare(is_lost=True)
    if line.kind == LineKind.INITIAL and line.before_hundredths is None:
        return CorrectionShare(first_rating=(line.after_hundredths or 0) // 100, games=line.games_difference)
    return CorrectionShare(difference=line.difference_hundredths, games=line.games_difference)
