"""The next lists so far, stored each night, and the mails on them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

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
from players.choices import CaseState, NoticeKind
from players.federations import unlisted_codes
from players.models import Claim
from ratings.choices import PUBLISHED_KINDS
from ratings.ledger.facts import Waiting
from ratings.ledger.inputs import FIELD
from ratings.ledger.periods import periods
from ratings.ledger.stored import events_of
from ratings.models import (
    Correction,
    CorrectionLine,
    NextList,
    ProvisionalCalculation,
    RatingList,
    TournamentRating,
)
from ratings.queries.in_force import InForce
from ratings.queries.lists import read_lists
from ratings.queries.provisional import SoFar, so_far_of
from ratings.services.publication.due_reports import due_reports, ratings_of
from ratings.services.publication.results import CALCULATION_FIELDS, calculation_rows, rerated_events
from ratings.systems.otb.listing import DECEASED
from ratings.systems.otb.period import EXCLUDED
from ratings.systems.registry import ENGINE_VERSION
from tournaments.choices import Kind
from tournaments.list_dates import closing_date, lists_after
from tournaments.models import Participant, Report

BATCH = 20_000


@dataclass(frozen=True, slots=True)
class _Basis:
    """What the next list of a kind is made from; the facts are still without the games of the reports."""

    facts: Waiting
    reports: list[Report]
    corrected: frozenset[int]
    barred: Mapping[int, str]

    def fingerprint(self) -> str:
        """Return what differs as soon as any figure may."""
        reports = [report.pk for report in self.reports]
        rated = [
            row
            for batch in batched(reports, BATCH)
            for row in TournamentRating.objects.filter(report__in=ids_subquery(batch)).values_list("pk")
        ]
        lines = CorrectionLine.objects.filter(taken_by=None, corrected_list__kind=self.facts.kind)
        parts = (
            ENGINE_VERSION,
            self.facts.list_date,
            sorted(RatingList.objects.values_list("pk", "published_at")),
            [(row.rules.slug, row.first_day) for row in self.facts.adoptions.rows],
            *([self.facts.adjustment] if self.facts.adjustment else []),
            reports,
            sorted(rated),
            sorted(lines.values_list("pk", flat=True)),
            sorted(row.pk for row in self.facts.mergers.taken),
            sorted(_years().values_list("pk", flat=True)),
            sorted(self.barred.items()),
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()


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
        if basis is None or kept.fingerprint == basis.fingerprint():
            return False
        ratings = ratings_of(basis.reports, at=at)
        taken = {str(rating.pk): rating.report.tournament_id for rating in ratings}
        list_date = basis.facts.list_date
        only = _find_concerned(kept, basis, taken) if kept.date == list_date else None
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
            "change": signed_hundredths(row.change, exact=True),
        }
        for row in rows
    ]
    context = {"day": rows[0].list_date, "lines": lines, "page": Page("chess:mine").link}
    return render_to_string("mails/next_list.txt", context).strip()
