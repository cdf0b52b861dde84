"""The next list so far: provisional figures as they are kept, of one player, of one list, of one tournament.

They give way as soon as the list appears: rows of a list that is there count for nothing.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.core.cache import caches
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from core.bulk import batched, write_rows
from core.html.dates import list_month
from core.html.figures import signed_hundredths
from core.pages import Page
from core.sql import ids_subquery
from players import notices
from players.choices import CaseKind, CaseState, NoticeKind
from players.federations import unlisted_codes
from players.models import Claim, Player
from players.models.cases import waits
from ratings.calculations import explained_by
from ratings.calculations.values import Explained
from ratings.choices import PUBLISHED_KINDS, Origin
from ratings.entries import LIST_ORDER
from ratings.in_force import InForce, load_adoptions
from ratings.ledger.facts import Waiting
from ratings.ledger.inputs import FIELD
from ratings.ledger.periods import periods
from ratings.ledger.stored import events_of
from ratings.lists import read_lists
from ratings.models import (
    Correction,
    CorrectionLine,
    ListEntry,
    NextList,
    ProvisionalCalculation,
    RatingList,
    TournamentRating,
)
from ratings.movements import Movements, movements_by
from ratings.publish.due_reports import due_reports, ratings_of
from ratings.publish.results import CALCULATION_FIELDS, calculation_rows, rerated_events
from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.calculators import Met, OwnPlayer, rating_change
from ratings.systems.otb.listing import DECEASED
from ratings.systems.otb.period import EXCLUDED
from ratings.systems.otb.values import Outcome
from ratings.systems.registry import ENGINE_VERSION
from tournaments.choices import OPEN_REGISTRATIONS, Kind, Stage
from tournaments.list_dates import closing_date, lists_after
from tournaments.lists import Lists
from tournaments.models import Participant, Report, Tournament
from tournaments.models.tournament import REPORTED_BY_STAFF

TOP = 20
SHOWN = 100
CACHE_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class SoFar:
    """What the next list would do with a player if it were published now. Changes are hundredths of a point."""

    kind: str
    list_date: date
    row: ProvisionalCalculation

    @property
    def change(self) -> int | None:
        """The change that is rounded for the list; None for one who has no rating that it is added to."""
        if self.row.previous_rating is None or self.row.new_rating is None:
            return None
        return self.row.change_hundredths + self.row.correction_hundredths

    @property
    def correction(self) -> int:
        return self.row.correction_hundredths

    @property
    def tournaments(self) -> int:
        return len(self.row.value.events)

    @property
    def figures(self) -> tuple[object, ...]:
        """What differs as soon as the page does."""
        return (self.kind, self.list_date, self.row.pk)


@dataclass(frozen=True, slots=True)
class TopRow:
    """A player among the first of the next list so far, and the change since the list before, None for a newcomer."""

    place: int
    player_id: int
    name: str
    federation: str
    title: str
    rating: int
    change: int | None
    is_concerned: bool


@dataclass(frozen=True, slots=True)
class NextListSoFar:
    """A list as far as it has come; its players are those of `with_players`."""

    kind: str
    date: date
    previous: RatingList
    fingerprint: str = ""
    updated_at: datetime | None = None
    tournaments: int = 0
    taken: Sequence[int] = ()
    top: Sequence[TopRow] = field(default_factory=list)
    moved: Movements = field(default_factory=Movements)


@dataclass(frozen=True, slots=True)
class ComingTournaments:
    """The tournaments that may be on a list: taken so far, not reported yet, and on hold."""

    taken: Sequence[Tournament]
    missing: Sequence[Tournament]
    held: Sequence[Tournament]
    missing_total: int = 0


def next_date(lists: Lists[RatingList], kind: str) -> date | None:
    """Return the date of the list after the newest of a kind that the portal rates; None before a first one."""
    newest = lists.newest(kind)
    return next(lists_after(newest.date)) if newest and kind in Kind.values else None


def so_far_of(player_ids: Collection[int], lists: Lists[RatingList]) -> list[SoFar]:
    """Return what the next lists would do with a player under any of the IDs, one query."""
    dates = {kind: next_date(lists, kind) for kind in Kind.values}
    rows = ProvisionalCalculation.objects.filter(player__in=player_ids).order_by("player", "-kind")
    return [
        SoFar(kind=row.kind, list_date=row.list_date, row=row)
        for row in rows
        # A list that is published by now, or an ID that ends with the next one, has nothing to come.
        if row.list_date == dates.get(row.kind) and row.found.merged_into is None
    ]


def corrections_to_come(
    player_ids: Collection[int], coming: Sequence[SoFar]
) -> dict[str, list[CorrectionLine]]:
    """Return by rating type the corrections that the next lists take for a player, without a query if none."""
    kinds = [one.kind for one in coming if one.correction]
    if not kinds:
        return {}
    lines = CorrectionLine.objects.filter(
        player__in=player_ids, taken_by=None, corrected_list__kind__in=kinds
    )
    lines = lines.exclude(difference_hundredths=0).select_related("correction__tournament", "corrected_list")
    lines = lines.defer("corrected_list__manifest").order_by("correction__at", "pk")
    return {kind: [line for line in lines if line.corrected_list.kind == kind] for kind in kinds}


def explained_so_far(
    player: Player, kind: str, list_date: date, found: SoFar | None, lists: Lists[RatingList]
) -> Explained:
    """Return the calculation of the next list for a player, also of one without a result, as `explained` does."""
    rules = load_adoptions().text_on(list_date)
    # A list that is not stored: pages explain it like one that is.
    coming = RatingList(kind=kind, date=list_date, origin=Origin.PUBLISHED, rules=rules.slug)
    return explained_by(player, found.row if found else None, coming, lists)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What one more game would do to the next list: its points, all points of the list, and the rating then."""

    outcome: Outcome
    k: int
    points: int
    total: int
    rating: int | None


def with_one_more_game(it: Explained, k: int, met: Met) -> WhatIf | None:
    """Return the effect of one more game, in a tournament that starts now, of a player who is rated.

    K of every game follows from all of them (7.3.3). None for a game that does not count.
    """
    rules, rating = it.rating_list.text, it.rating_before
    if rules is None or rating is None:
        return None
    single = rating_change(rules, OwnPlayer(rating, k), [met], on=it.rating_list.date)
    (outcome,) = single.events[0].participation.outcomes
    if outcome.change is None:
        return None
    games = it.games + 1
    before = sum(
        rules.reduced_k(event.own.k or 0, games) * event.participation.change for event in it.rated_events
    )
    # One game more lowers K for all games where n times K exceeds 700 (7.3.3).
    used = rules.reduced_k(k, games)
    total = before + used * outcome.change + (it.value.correction if it.value else 0)
    base = (it.value.base if it.value else None) or rating
    reached = base + half_away_from_zero_hundredths(total)
    return WhatIf(outcome, used, used * outcome.change, total, reached if reached >= rules.floor else None)


def next_lists(lists: Lists[RatingList]) -> list[NextList]:
    """Return what the next list of each kind takes so far, one query; none where the list is published."""
    rows = NextList.objects.filter(date__isnull=False).order_by("kind")
    return [row for row in rows if row.date == next_date(lists, row.kind)]


def next_list_so_far(kind: str, lists: Lists[RatingList]) -> NextListSoFar | None:
    """Return the next list of a kind as far as it has come, without its players, one query."""
    previous, list_date = lists.newest(kind), next_date(lists, kind)
    if previous is None or list_date is None:
        return None
    kept = NextList.objects.filter(kind=kind, date=list_date).first()
    if kept is None:
        return NextListSoFar(kind=kind, date=list_date, previous=previous)
    return NextListSoFar(
        kind=kind,
        date=list_date,
        previous=previous,
        fingerprint=kept.fingerprint,
        updated_at=kept.updated_at,
        tournaments=len(kept.taken),
        taken=sorted(kept.taken.values(), reverse=True)[:SHOWN],
    )


def with_players(it: NextListSoFar) -> NextListSoFar:
    """Return a list so far with its top players and movements, looked up once for each of its states."""
    if not it.fingerprint:
        return it
    # The fingerprint is in the key, so that no process shows figures of another state.
    key = f"next-list:{it.kind}:{it.fingerprint}"
    found: NextListSoFar | None = caches["process"].get(key)
    if found is None:
        moved = movements_by(ProvisionalCalculation.objects.filter(kind=it.kind))
        found = replace(it, top=_top(it.kind, it.previous), moved=moved)
        caches["process"].set(key, found, CACHE_SECONDS)
    return found


def _top(kind: str, previous: RatingList) -> list[TopRow]:
    """Return the first active players, of the list before those without figures; none before the first figure."""
    rows = ProvisionalCalculation.objects.filter(kind=kind, list_date__gt=previous.date)
    concerned = (
        rows.filter(new_rating__isnull=False).order_by("-new_rating", "player").select_related("player")
    )
    found = [_row_of_provisional(row) for row in concerned[:TOP]]
    if not found:
        return []
    entries = ListEntry.objects.filter(rating_list=previous, is_inactive=False).listed()
    others = entries.exclude(player__in=rows.values("player")).order_by(*LIST_ORDER)
    found += [_row_of_entry(entry) for entry in others[:TOP]]
    found.sort(key=lambda row: (-row.rating, row.name, row.player_id))
    places: dict[int, int] = {}
    for place, row in enumerate(found, start=1):
        # Equal ratings share a place, as on a list.
        places.setdefault(row.rating, place)
    return [replace(row, place=places[row.rating]) for row in found[:TOP]]


def _row_of_provisional(row: ProvisionalCalculation) -> TopRow:
    rating = row.new_rating or 0
    player = row.player
    return TopRow(
        place=0,
        player_id=player.pk,
        name=player.name,
        federation=player.federation_id,
        title=player.title or player.women_title,
        rating=rating,
        change=None if row.previous_rating is None else rating - row.previous_rating,
        is_concerned=True,
    )


def _row_of_entry(entry: ListEntry) -> TopRow:
    return TopRow(
        place=0,
        player_id=entry.player_id,
        name=entry.name,
        federation=entry.federation_id,
        title=entry.title or entry.women_title,
        rating=entry.rating or 0,
        change=0,
        is_concerned=False,
    )


def coming_tournaments(found: NextListSoFar, *, today: date) -> ComingTournaments:
    """Return the tournaments of the next list of a kind as they stand on a day, in three queries."""
    # The tournaments of a kind, not refused or withdrawn, that end in time for a list (6.1.3).
    open_ones = Tournament.objects.filter(kind=found.kind, registration__in=OPEN_REGISTRATIONS)
    in_time = open_ones.filter(end__lte=closing_date(found.date)) | open_ones.filter(
        is_official=True, is_continental=False, end__lt=found.date
    )
    oldest = Lists([found.previous]).oldest_end(found.kind, today)
    is_waiting = Q(stage=Stage.PLANNED) & (Q(end__gte=oldest) | REPORTED_BY_STAFF)
    is_held = Q(waits(CaseKind.HOLD), stage__in=(Stage.REPORTED, Stage.RATED))
    # Those that are held come first: they are few.
    rows = list(
        _in_page_order(in_time.filter(is_waiting | is_held))
        .annotate(on_hold=waits(CaseKind.HOLD))
        .order_by("-on_hold", "-end", "event_id")[:SHOWN]
    )
    return ComingTournaments(
        taken=list(_in_page_order(Tournament.objects.filter(pk__in=found.taken))),
        missing=[row for row in rows if row.stage == Stage.PLANNED],
        held=[row for row in rows if row.stage != Stage.PLANNED],
        missing_total=in_time.filter(is_waiting).count(),
    )


def _in_page_order(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return tournaments.select_related("federation").defer("schedule").order_by("-end", "event_id")


BATCH = 20_000
# Of the letters of a fingerprint.
HALF = 32


@dataclass(frozen=True, slots=True)
class _Basis:
    """What the next list of a kind is made from; the facts are still without the games of the reports."""

    facts: Waiting
    reports: list[Report]
    corrected: frozenset[int]
    barred: Mapping[int, str]

    def fingerprint(self) -> str:
        """Return what differs as soon as any figure may; the first half as soon as everybody's may."""
        facts, lists = self.facts, RatingList.objects.values_list("pk", "published_at")
        everybody = (
            ENGINE_VERSION,
            facts.list_date,
            sorted(lists.filter(kind=facts.kind)),
            [(row.rules.slug, row.first_day) for row in facts.adoptions.rows],
            facts.adjustment,
        )
        reports = [report.pk for report in self.reports]
        rated = [
            row
            for batch in batched(reports, BATCH)
            for row in TournamentRating.objects.filter(report__in=ids_subquery(batch)).values_list("pk")
        ]
        lines = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=facts.kind)
        others = (
            sorted(lists),
            reports,
            sorted(rated),
            sorted(lines.values_list("pk", flat=True)),
            sorted(row.pk for row in facts.mergers.taken),
            sorted(_years().values_list("pk", flat=True)),
            sorted(self.barred.items()),
        )
        return "".join(hashlib.sha256(repr(part).encode()).hexdigest()[:HALF] for part in (everybody, others))


def update_next_lists(*, at: datetime) -> None:
    """Bring the provisional figures of both kinds up to date."""
    for kind in PUBLISHED_KINDS:
        update_next_list(kind, at=at)


def update_next_list(kind: str, *, at: datetime) -> bool:
    """Bring the provisional figures of a kind up to date; False where nothing has changed since the last time."""
    with transaction.atomic():
        # Made and then locked: two workers wait for each other at this row.
        NextList.objects.get_or_create(kind=kind)
        kept = NextList.objects.select_for_update().get(kind=kind)
        basis = _load_basis(kind)
        # Asked for after each rating and at night: often nothing has changed since the last time.
        if basis is None or kept.fingerprint == (fingerprint := basis.fingerprint()):
            return False
        ratings = ratings_of(basis.reports, at=at)
        taken = {str(rating.pk): rating.report.tournament_id for rating in ratings}
        list_date = basis.facts.list_date
        is_for_some = kept.fingerprint[:HALF] == fingerprint[:HALF]
        only = _find_concerned(kept, basis, taken) if is_for_some else None
        facts = replace(basis.facts, played=events_of(ratings, only=only))
        sources = periods(kind, list_date, None, facts)
        _remove(kind, only)
        fields = ("kind", "list_date", *CALCULATION_FIELDS)
        results = sources.results()
        # No list has stored these games with the participations yet.
        rerated = {row for row, _item in rerated_events(sources, results)}
        rows = calculation_rows((kind, list_date), sources, results, rerated=rerated)
        write_rows(ProvisionalCalculation, fields, rows)
        NextList.objects.filter(kind=kind).update(
            date=list_date,
            updated_at=at,
            taken=taken,
            corrected=sorted(basis.corrected),
            # Taken anew: rating what was stale has changed it.
            fingerprint=basis.fingerprint(),
        )
    return True


def _load_basis(kind: str) -> _Basis | None:
    """Return what the next list is made from; None before a first list, or without a text for its date."""
    in_force = InForce()
    previous = in_force.lists.newest(kind)
    if previous is None or not in_force.adoptions.has_text_on(list_date := next(lists_after(previous.date))):
        return None
    facts = Waiting.now(kind, list_date, in_force, played={})
    lines = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=kind)
    corrected = {fide_id for row in facts.mergers.taken for fide_id in (row.player_id, row.successor_id)}
    # Another year of birth gives another K at once, with a line or without (D-144).
    corrected |= set(_years().values_list("player_id", flat=True))
    # Who has figures and may not be listed, by now or when these were made, and what they are (9.1, 9.2).
    gone = Q(player__died_on__isnull=False) | Q(player__federation__in=unlisted_codes(list_date))
    known = ProvisionalCalculation.objects.filter(kind=kind).filter(gone | Q(result__in=[DECEASED, EXCLUDED]))
    rows = known.annotate(is_gone=gone).values_list("player_id", "is_gone", "result")
    return _Basis(
        facts=facts,
        reports=due_reports(kind, list_date),
        corrected=frozenset(corrected | set(lines.values_list("player_id", flat=True))),
        barred={player_id: f"{is_gone} {result}" for player_id, is_gone, result in rows},
    )


def _years() -> QuerySet[Correction]:
    return Correction.objects.of_datum(FIELD).order_by()


def _find_concerned(kept: NextList, basis: _Basis, taken: Mapping[str, int]) -> set[int]:
    """Return the FIDE IDs of whom anything may have changed since the figures were made.

    Of a tournament that came, went or was rated again these are the participants of all its versions.
    """
    changed = {pk for key, pk in taken.items() if key not in kept.taken}
    changed |= {pk for key, pk in kept.taken.items() if key not in taken}
    found = {*kept.corrected, *basis.corrected, *basis.barred}
    for batch in batched(sorted(changed), BATCH):
        rows = Participant.objects.filter(report__tournament__in=ids_subquery(batch), player__isnull=False)
        found |= {player_id or 0 for player_id in rows.values_list("player_id", flat=True)}
    mergers = basis.facts.mergers
    return mergers.ids_of(map(mergers.person, found)) | found


def _remove(kind: str, only: Iterable[int] | None) -> None:
    rows = ProvisionalCalculation.objects.filter(kind=kind)
    if only is None:
        rows.delete()
        return
    for batch in batched(sorted(only), BATCH):
        rows.filter(player__in=ids_subquery(batch)).delete()


# What players hear of the next lists before each: their provisional figures.
CHUNK = 500


def tell_players(*, at: datetime) -> int:
    """Queue the email of each confirmed player on a list, from its closing date on, and return how many.

    A player gets one per list date; a second call queues nothing new. Players without news get none.
    """
    lists = read_lists()
    sent = 0
    confirmed = Claim.objects.filter(state=CaseState.APPROVED, asked_by__is_active=True).order_by("pk")
    for claims in batched(confirmed.select_related("player", "asked_by").iterator(), CHUNK):
        people = {claim.player.merged_into_id or claim.player_id: claim.asked_by for claim in claims}
        near: dict[int, list[SoFar]] = defaultdict(list)
        for found in so_far_of(list(people), lists):
            if closing_date(found.list_date) <= at.date() < found.list_date:
                near[found.row.player_id].append(found)
        sent += sum(_tell(people[player_id], rows, at=at) for player_id, rows in near.items())
    return sent


def _tell(user: Any, rows: Sequence[SoFar], *, at: datetime) -> int:
    day = rows[0].list_date
    return notices.post(
        to=[user],
        kind=NoticeKind.NEXT_LIST,
        key=f"next-list:{day.isoformat()}",
        subject=lambda: _("Your results for the lists of %(month)s") % {"month": list_month(day)},
        text=lambda: _text(rows),
        at=at,
    )


def _text(rows: Sequence[SoFar]) -> str:
    kinds = dict(Kind.choices)
    lines = [
        {
            "kind": kinds[row.kind],
            "tournaments": row.tournaments,
            "before": row.row.previous_rating,
            "after": row.row.new_rating,
            "change": signed_hundredths(row.change),
        }
        for row in rows
    ]
    context = {"day": rows[0].list_date, "lines": lines, "page": Page("chess:mine").link}
    return render_to_string("mails/next_list.txt", context).strip()
