"""The combined list: every registered player, rated or not, with the ratings of the newest list of each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from players.fide_list import KINDS, ListRecord, Rating
from players.models import Player
from players.queries.federations import Minors, shown_birth
from ratings.models import ListEntry, RatingList

CHUNK = 5_000
PERSON = (
    "pk", "name", "federation_id", "sex", "title", "women_title", "other_titles", "foa_title", "birth_year",
)  # fmt: skip


def combined_records(
    newest: Iterable[RatingList], *, federation: str = "", ids: Sequence[int] | None = None, minors: Minors
) -> Iterator[ListRecord]:
    """Yield the players by FIDE ID: all, a federation's, or those of some FIDE IDs.

    Without the deceased and merged ones. Nothing but a chunk of rows is in memory.
    """
    players = Player.objects.filter(died_on=None, merged_into=None)
    entries = ListEntry.objects.listed()
    if federation:
        players = players.filter(federation_id=federation)
        entries = entries.filter(player__federation_id=federation)
    if ids is not None:
        players, entries = players.filter(pk__in=ids), entries.filter(player_id__in=ids)
    figures = {item.kind: _Figures(entries.filter(rating_list=item)) for item in newest}
    for row in players.order_by("pk").values_list(*PERSON).iterator(chunk_size=CHUNK):
        yield _record(row, {kind: of_kind.of(row[0]) for kind, of_kind in figures.items()}, minors)


class _Figures:
    """The entries of one list beside the players: both are read once, by FIDE ID."""

    def __init__(self, entries: QuerySet[ListEntry]) -> None:
        columns = ("player_id", "rating", "games", "k_factor", "is_inactive")
        self._rows = entries.order_by("player_id").values_list(*columns).iterator(chunk_size=CHUNK)
        self._row: Any = next(self._rows, None)

    def of(self, fide_id: int) -> tuple[Rating, bool] | None:
        """Return a player's figures and whether the player is inactive; None without a rating."""
        while self._row is not None and self._row[0] < fide_id:
            self._row = next(self._rows, None)
        if self._row is None or self._row[0] != fide_id:
            return None
        _id, rating, games, k, is_inactive = self._row
        return Rating(rating, games, k), is_inactive


def _record(row: Any, found: dict[str, tuple[Rating, bool] | None], minors: Minors) -> ListRecord:
    fide_id, name, code, sex, title, women_title, other_titles, foa_title, birth_year = row
    rated = [figures for figures in found.values() if figures]
    # One flag for three lists: inactive is who is inactive on each that has a rating.
    is_inactive = bool(rated) and all(inactive for _rating, inactive in rated)
    by_kind = {kind: figures[0] if (figures := found.get(kind)) else None for kind in KINDS}
    return ListRecord(
        fide_id=fide_id,
        name=name,
        federation=code,
        sex=sex,
        title=title,
        women_title=women_title,
        other_titles=other_titles,
        foa_title=foa_title,
        birth_year=shown_birth(birth_year, code, minors).year,
        flag=("w" if sex == "F" else "") + ("i" if is_inactive else ""),
        standard=by_kind["standard"],
        rapid=by_kind["rapid"],
        blitz=by_kind["blitz"],
    )
