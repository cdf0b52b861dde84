"""The calendars of the lists, by what is published and verified."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat

from ratings.choices import RunState, Work
from ratings.models import RatingList, Run, TournamentRating
from tournaments.choices import Stage
from tournaments.list_calendar import ListCalendar, ListCalendars
from tournaments.models import Tournament, TrailEntry
from tournaments.queries.progress import load_progress
from tournaments.questions import calendars
from tournaments.steps import Progress


def list_calendars(today: date) -> ListCalendars:
    """Return the calendars of all kinds on a day, in one query."""
    return calendars_of(with_verification().values_list("kind", "date", "is_verified"), today)


@calendars.answered_by
def calendars_for(today: date, tournaments: Sequence[Tournament]) -> ListCalendars:
    """Return the calendars of all kinds on a day, with the list on which each of the tournaments is."""
    return with_taken(list_calendars(today), tournaments)


def with_verification() -> QuerySet[Any]:
    """Return the lists, each with `is_verified`: whether it was recalculated without a difference."""
    return RatingList.objects.order_by().annotate(is_verified=Exists(_verifications()))


def calendars_of(rows: Iterable[tuple[str, date, bool]], today: date) -> ListCalendars:
    """Return the calendars of all kinds on a day from rows of kind, date and whether the list was verified."""
    lists: dict[str, set[date]] = defaultdict(set)
    verified: dict[str, set[date]] = defaultdict(set)
    for kind, day, is_verified in rows:
        lists[kind].add(day)
        if is_verified:
            verified[kind].add(day)
    by_kind = {
        kind: ListCalendar(today, published=frozenset(days), verified=frozenset(verified[kind]))
        for kind, days in lists.items()
    }
    return ListCalendars(today, by_kind=by_kind)


def with_taken(lists: ListCalendars, tournaments: Iterable[Tournament]) -> ListCalendars:
    """Return the calendars with the list on which each published tournament is; one query where there is any."""
    published = [item.pk for item in tournaments if item.stage == Stage.PUBLISHED]
    if not published:
        return lists
    ratings = TournamentRating.objects.filter(report__tournament__in=published, included_in__isnull=False)
    taken = ratings.order_by("pk").values_list("report__tournament", "included_in__date")
    return replace(lists, taken=dict(taken))


def progress_of(
    tournament: Tournament, lists: ListCalendars, *, entries: Iterable[TrailEntry] | None = None
) -> Progress:
    """Return the progress of a tournament. Read the lists before the tournament, so that both agree.

    `entries` are its history with appeals, if already read.
    """
    taken = with_taken(lists, [tournament])
    return load_progress([tournament], taken, entries=entries)[tournament.pk]


def _verifications() -> QuerySet[Run]:
    name = Concat(OuterRef("kind"), Value(" "), Cast(OuterRef("date"), CharField()), output_field=CharField())
    return Run.objects.filter(work=Work.VERIFY, state=RunState.DONE, subject=name)
