"""A year of birth that was published wrongly: by it K was, and by the right one the list is calculated again (D-4)."""

from __future__ import annotations

from collections.abc import Iterable

from ratings.choices import Origin
from ratings.models import Correction, ListEntry, RatingList
from ratings.queries.in_force import ListInForce, Lists, basis_on
from ratings.systems.otb.period import Period, State
from ratings.systems.otb.values import Event, Status
from ratings.systems.registry import Adoptions, rules_named

FIELD = "birth_year"


def corrected_years(player_ids: Iterable[int]) -> dict[int, int | None]:
    """Return the years of birth that corrections gave to players, the last of each."""
    corrections = Correction.objects.filter(player__in=list(player_ids), data__has_key=FIELD)
    rows = corrections.order_by("at", "pk").values_list("player_id", "data")
    return {player_id or 0: int(data[FIELD][1]) if data[FIELD][1] else None for player_id, data in rows}


def with_birth_year(period: Period, rating_list: RatingList, player_id: int, year: int | None) -> Period:
    """Return a period as it would have been with another year of birth: K of the lists in force, and its own.

    What an imported list shows as K stands as it was imported (D-12).
    """
    state = _state(period.state, rating_list.previous, player_id, year)
    lists = Lists()
    events = tuple(
        _event(event, rating_list.kind, player_id, year, lists, period.adoptions) for event in period.events
    )
    return period._replace(birth_year=year, state=state, events=events)


def k_on(rating_list: RatingList | ListInForce | None, player_id: int, year: int | None) -> int | None:
    """Return the K that a list of the portal's own shows by a year of birth; None where it says nothing of it."""
    if rating_list is None or rating_list.origin != Origin.PUBLISHED:
        return None
    entry = ListEntry.objects.filter(
        rating_list=rating_list.pk, player=player_id, rating__isnull=False
    ).first()
    if entry is None:
        return None
    found = rules_named(rating_list.rules).list_k(
        birth_year=year,
        completed=entry.completed_games,
        reached_2300=entry.reached_2300,
        reached_2400=entry.reached_2400,
        on=rating_list.date,
    )
    return found.k


def _state(state: State, previous: RatingList | None, player_id: int, year: int | None) -> State:
    k = k_on(previous, player_id, year)
    return state if k is None or state.k is None else state._replace(k=k)


def _event(
    event: Event, kind: str, player_id: int, year: int | None, lists: Lists, adoptions: Adoptions
) -> Event:
    """Return the event with the K that its list in force would have given at the start (7.3.3, D-21)."""
    standing, rules = event.participation.standing, adoptions.text_on(event.start)
    if standing.status is Status.UNRATED:
        return event
    k: int | None = rules.standard_k(year, event.start)
    if standing.status is Status.RATED:
        listed = k_on(basis_on(kind, event.start, lists).own_list, player_id, year)
        k = standing.k if listed is None else rules.tournament_k(listed)
    part = event.participation._replace(standing=standing._replace(k=k))
    return event._replace(participation=part)
