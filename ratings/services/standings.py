"""Who is rated at the start of a tournament, from the lists in force on its first day (FIDE R&B 2024, 7.2.1; D-1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from players.bulk import batched
from players.models import Player
from players.queries.federations import unlisted_codes
from ratings.choices import EntryStatus, ListKind
from ratings.models import ListEntry, RatingList
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import UNRATED, Standing, Status
from ratings.systems.registry import rules_on

LOOK_UP = 500


@dataclass(frozen=True, slots=True)
class Basis:
    """The lists in force on a tournament's first day, and the rules of that day (0.1, D-1)."""

    rules: PeriodRules
    start: date
    own_list: RatingList | None
    standard_list: RatingList | None

    @property
    def list_date(self) -> date:
        """The day on which memberships are looked at: that of the list in force."""
        return self.own_list.date if self.own_list else self.start


def basis_on(kind: str, start: date) -> Basis:
    """Return the basis of a tournament of a kind that starts on a day."""
    return Basis(
        rules=rules_on(start),
        start=start,
        own_list=RatingList.objects.in_force_on(kind, start),
        standard_list=RatingList.objects.in_force_on(ListKind.STANDARD, start),
    )


def standings_of(basis: Basis, players: Iterable[Player]) -> dict[int, Standing]:
    """Return each player's standing at the start, by FIDE ID."""
    by_id = {player.fide_id: player for player in players}
    standings = _rated(basis, by_id)
    unlisted = unlisted_codes(basis.list_date)
    rest = {
        fide_id: player
        for fide_id, player in by_id.items()
        if fide_id not in standings and player.federation_id not in unlisted
    }
    standings |= _rated_by_standard(basis, rest)
    return {fide_id: standings.get(fide_id, UNRATED) for fide_id in by_id}


def _rated(basis: Basis, players: Mapping[int, Player]) -> dict[int, Standing]:
    return {
        fide_id: Standing(Status.RATED, rating, basis.rules.tournament_k(k or 0))
        for fide_id, rating, k in _figures(basis.own_list, players)
    }


def _rated_by_standard(basis: Basis, players: Mapping[int, Player]) -> dict[int, Standing]:
    return {
        fide_id: Standing(
            Status.STANDARD, rating, basis.rules.standard_k(players[fide_id].birth_year, basis.start)
        )
        for fide_id, rating, _ in _figures(basis.standard_list, players)
    }


def _figures(
    rating_list: RatingList | None, fide_ids: Iterable[int]
) -> Iterable[tuple[int, int, int | None]]:
    """Yield id, rating and K of those who are listed (all of them have a rating)."""
    if rating_list is None:
        return
    for batch in batched(sorted(fide_ids), LOOK_UP):
        entries = ListEntry.objects.filter(
            rating_list=rating_list, player__in=batch, status=EntryStatus.LISTED
        )
        for fide_id, rating, k in entries.values_list("player_id", "rating", "k_factor"):
            yield fide_id, rating or 0, k
