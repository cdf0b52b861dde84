"""The calculation of one player on one list, only from stored rows (promise 3), in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from players.models import Player
from ratings.calculations.values import Explained, OtherList, listed_rating
from ratings.lists import LARGE
from ratings.models import (
    Calculation,
    CorrectionLine,
    ListEntry,
    Merger,
    ParticipantRating,
    ProvisionalCalculation,
    RatingList,
    adjustment_on,
)
from ratings.played import PlayedEvent, with_opponents
from ratings.pools import pools_on
from ratings.systems.otb.rules import months_after
from tournaments.lists import Lists
from tournaments.models import Tournament

REPORT = "tournament_rating__report"
OF_REPORT = (f"{REPORT}__content", f"{REPORT}__pgn", f"{REPORT}__findings")
BASES = ("tournament_rating__basis", "tournament_rating__standard_basis")
# Lists after and before one that its page names.
NEWER, OLDER = 2, 3
MANIFESTS = tuple(f"{basis}__{name}" for basis in BASES for name in LARGE)


def explain(player: Player, rating_list: RatingList, lists: Lists[RatingList]) -> Explained:
    """Return what a list did with a player; nothing is calculated again."""
    calculation = Calculation.objects.filter(player=player, rating_list=rating_list).first()
    found = explained_by(player, calculation, rating_list, lists)
    return replace(found, pool=pools_on([rating_list], player.pk).get(rating_list.pk))


def explained_by(
    player: Player,
    calculation: Calculation | ProvisionalCalculation | None,
    rating_list: RatingList,
    lists: Lists[RatingList],
) -> Explained:
    """Return the calculation of a player on a list without the pool; the list may not be there yet."""
    previous = lists.previous(rating_list)
    rows = _participations(calculation)
    every = lists.of_kind(rating_list.kind)
    place = sum(item.date > rating_list.date for item in every)
    near = {item: lists.previous(item) for item in every[max(0, place - NEWER) : place + OLDER + 1]}
    entries = _entries(player, rating_list, [previous, *near.keys(), *near.values()])
    entry = entries.get(rating_list.pk)
    return Explained(
        player=player,
        rating_list=rating_list,
        previous=previous,
        entry=entry,
        entry_before=entries.get(previous.pk) if previous else None,
        calculation=calculation,
        events=_events(calculation, rows),
        corrections=_corrections(calculation),
        pool_names=_pool_names(calculation),
        others=_others(near, entries),
        adjustment=adjustment_on(rating_list),
    )


def _others(
    near: Mapping[RatingList, RatingList | None], entries: Mapping[int, ListEntry]
) -> list[OtherList]:
    """Return the player's rating on each of some lists, with the change since the one before."""
    found = []
    for item, before in near.items():
        if (entry := entries.get(item.pk)) is not None:
            rating, former = listed_rating(entry), listed_rating(entries.get(before.pk) if before else None)
            change = None if rating is None or former is None else rating - former
            found.append(OtherList(item, rating, change, entry.games))
    return found


@dataclass(frozen=True, slots=True)
class LastGame:
    """The last tournament with a rated game of a player, and until which list it keeps the player active."""

    event: Tournament
    active_until: date | None = None


def last_game(player: Player, rating_list: RatingList, last_played: date | None) -> LastGame | None:
    """Return the last tournament that a list or an earlier one of its kind includes with a rated game; two queries.

    It is one of the list on which the player was `last_played`, by corrections and mergers too, where that is known.
    None where that list was imported.
    """
    merged = Merger.objects.filter(
        kind=rating_list.kind, player__merged_into=player, taken_by__date__lte=rating_list.date
    )
    rows = ParticipantRating.objects.filter(
        player__in=[player.pk, *merged.values_list("player", flat=True)],
        games__gt=0,
        tournament_rating__included_in__kind=rating_list.kind,
        tournament_rating__included_in__date__lte=last_played or rating_list.date,
    )
    rows = rows.select_related(f"{REPORT}__tournament", "tournament_rating__included_in")
    rows = rows.defer(*OF_REPORT, "outcomes", *(f"tournament_rating__included_in__{name}" for name in LARGE))
    found = rows.order_by("-tournament_rating__included_in__date", f"-{REPORT}__tournament__end").first()
    included = found.tournament_rating.included_in if found else None
    if found is None or included is None or included.date != (last_played or included.date):
        return None
    until = months_after(included.date, rating_list.text.active_lists - 1) if rating_list.text else None
    return LastGame(found.tournament_rating.report.tournament, until)


def is_known_to(rating_list: RatingList, player_id: int) -> bool:
    """Return whether a list has an entry or a calculation of a FIDE ID, including IDs that were merged later."""
    known = {"player": player_id, "rating_list": rating_list}
    return ListEntry.objects.filter(**known).exists() or Calculation.objects.filter(**known).exists()


def _participations(calculation: Calculation | ProvisionalCalculation | None) -> dict[int, ParticipantRating]:
    if calculation is None or not calculation.found.rows:
        return {}
    rows = ParticipantRating.objects.filter(pk__in=calculation.found.rows)
    rows = rows.select_related("participant", f"{REPORT}__tournament__federation", *BASES)
    return {row.pk: row for row in rows.defer(*OF_REPORT, *MANIFESTS)}


def _entries(
    player: Player, rating_list: RatingList, near: Iterable[RatingList | None]
) -> dict[int, ListEntry]:
    """Return the player's entries on this list and those near it."""
    wanted = {rating_list.pk, *(item.pk for item in near if item is not None)}
    found = ListEntry.objects.filter(player=player, rating_list__in=wanted - {None})
    return {entry.rating_list_id: entry for entry in found.select_related("federation")}


def _events(
    calculation: Calculation | ProvisionalCalculation | None,
    rows: Mapping[int, ParticipantRating],
) -> list[PlayedEvent]:
    if calculation is None:
        return []
    pairs = [(rows[key], rated) for key, rated in calculation.events_by_row.items()]
    return with_opponents(
        [
            PlayedEvent(
                row.tournament_rating.report.tournament, row.participant, row, rated=row.as_rated(rated)
            )
            for row, rated in pairs
        ]
    )


def _pool_names(calculation: Calculation | ProvisionalCalculation | None) -> dict[str, str]:
    """Return the names of the events behind a first rating."""
    if calculation is None or calculation.value.initial is None:
        return {}
    wanted = [share.event_id for share in calculation.value.pool]
    return dict(Tournament.objects.filter(event_id__in=wanted).values_list("event_id", "name"))


def _corrections(calculation: Calculation | ProvisionalCalculation | None) -> Sequence[CorrectionLine]:
    wanted = calculation.found.lines if calculation else ()
    if not wanted:
        return []
    lines = CorrectionLine.objects.filter(pk__in=wanted).order_by("corrected_list__date", "pk")
    lines = lines.select_related("correction__tournament", "corrected_list")
    return list(lines.defer("corrected_list__manifest"))
