"""What the publication of a month takes, waits for or cannot take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Q

from core.errors import Refusal
from players.choices import CaseKind
from players.models.cases import waits
from ratings.choices import PUBLISHED_KINDS, ListKind
from ratings.judgements import load_before
from ratings.models import RatingList
from ratings.publish.figures import figures_so_far
from ratings.publish.prospect import ActOnNext, acts_on_next
from ratings.publish.publish import publication_refusals
from ratings.systems.judgement import ListFigures, stops_of
from ratings.verifications import Verification, verifications_of
from tournaments.choices import OPEN_REGISTRATIONS, Stage
from tournaments.list_dates import closing_date, lists_after
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.models.tournament import REPORTED_BY_STAFF
from tournaments.states import not_reported


@dataclass(frozen=True, slots=True)
class Checklist:
    """What a publication takes, waits for or cannot take: numbers of tournaments, and what is there already."""

    month: date
    is_due: bool
    refusals: Sequence[Refusal]
    missing: int
    unrated: int
    rated: int
    held: int
    has_standard: bool
    out: int
    acts: Sequence[ActOnNext]


def newest_lists(lists: Lists[RatingList]) -> list[tuple[RatingList, Verification]]:
    """Return the newest list of each kind that the portal publishes, and whether it is verified."""
    newest = [row for kind in PUBLISHED_KINDS if (row := lists.newest(kind))]
    return [(row, found) for row, found in zip(newest, verifications_of(newest).values(), strict=True)]


def next_publication(lists: Lists[RatingList], today: date) -> date:
    """Return the month whose lists are published next: of those that are due, else of the coming ones."""
    return lists.due(PUBLISHED_KINDS, today) or next(lists_after(today))


def without_report(lists: Lists[RatingList], month: date, today: date) -> Q:
    """Return which tournaments the lists of a month miss: they have ended, and have no accepted report."""
    # Whose third list is published is not missed any more: it can never be rated (8.1).
    oldest = min(lists.oldest_end(kind, today) for kind in PUBLISHED_KINDS)
    return not_reported(min(closing_date(month), today)) & (Q(end__gte=oldest) | REPORTED_BY_STAFF)


def publication_counts(lists: Lists[RatingList], month: date, today: date) -> dict[str, int]:
    """Return how many tournaments the lists of a month take and wait for, in one query."""
    is_open = Q(registration__in=OPEN_REGISTRATIONS)
    ended = Tournament.objects.filter(is_open, end__lt=month).exclude(stage=Stage.PUBLISHED)
    return (
        ended.order_by()
        .annotate(is_held=waits(CaseKind.HOLD))
        .aggregate(
            missing=Count("pk", filter=without_report(lists, month, today)),
            unrated=Count("pk", filter=Q(stage=Stage.REPORTED, is_held=False)),
            rated=Count("pk", filter=Q(stage=Stage.RATED, is_held=False)),
            held=Count("pk", filter=~Q(stage=Stage.PLANNED) & Q(is_held=True)),
        )
    )


def figures_out_of_bounds(month: date, today: date) -> int:
    """Return how many figures would stop the lists of a month as they are so far, from the closing date on (D-134)."""
    if not closing_date(month) < today < month:
        return 0
    before: dict[str, list[ListFigures]] = {kind: load_before(kind, month) for kind in PUBLISHED_KINDS}
    coming = figures_so_far(month, {kind: some[0] for kind, some in before.items() if some})
    return sum(len(stops_of(figures, before[kind])) for kind, figures in coming.items())


def checklist_counts(lists: Lists[RatingList], month: date, today: date) -> dict[str, Any]:
    """Return what takes longer of a checklist than all the rest."""
    return {
        **publication_counts(lists, month, today),
        "out": figures_out_of_bounds(month, today),
        "acts": acts_on_next(month, [kind for kind in PUBLISHED_KINDS if lists.on(kind, month) is None]),
    }


def publication_checklist(
    lists: Lists[RatingList], month: date, today: date, counts: dict[str, Any] | None = None
) -> Checklist:
    """Return what the lists of a month take; `counts` are known ones of `checklist_counts`."""
    is_due = month <= today
    counts = counts or checklist_counts(lists, month, today)
    return Checklist(
        month=month,
        is_due=is_due,
        refusals=publication_refusals(lists, month, today=today) if is_due else [],
        has_standard=lists.on(ListKind.STANDARD, month) is not None,
        **{**counts, "acts": [ActOnNext(*act) for act in counts["acts"]]},
    )
