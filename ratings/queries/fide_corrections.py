"""What FIDE's corrected lists say of players, as corrections keep it (D-125)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import NamedTuple

from core.sql import ids_subquery
from ratings.choices import Origin
from ratings.models import Correction, RatingList
from tournaments.amendments import Datum

LIST, LISTED_RATING, LISTED_K = "list", "listed_rating", "listed_k"


class FideFigures(NamedTuple):
    """What an imported list shows of a player; no rating where it does not have the player."""

    rating: int | None = None
    k: int | None = None


class CorrectedFigures(NamedTuple):
    """What FIDE's corrected list says of a player: the name of the list, and since when it is known."""

    list_name: str
    player_id: int
    figures: FideFigures
    at: datetime


def name_of_list(kind: str, day: date) -> str:
    """Return the name by which corrections keep a list."""
    return f"{kind} {day.isoformat()}"


def amended_figures(rating_list: RatingList, before: FideFigures, after: FideFigures) -> list[Datum]:
    """Return what FIDE corrected of a player on an imported list, as a correction keeps it (D-125)."""
    name = name_of_list(rating_list.kind, rating_list.date)
    pairs = {LIST: (name, name), LISTED_RATING: (before.rating, after.rating), LISTED_K: (before.k, after.k)}
    texts = {key: ["" if value is None else str(value) for value in pair] for key, pair in pairs.items()}
    return [Datum(field=key, before=former, after=latter) for key, (former, latter) in texts.items()]


def list_corrections(player_ids: Iterable[int]) -> Iterator[CorrectedFigures]:
    """Yield what FIDE's corrected lists say of players, the oldest first."""
    corrections = Correction.objects.filter(player__in=ids_subquery(player_ids)).of_datum(LIST)
    for row in corrections.order_by("at", "pk").only("player_id", "amendments", "at"):
        said = {name: one.after for name, one in row.fields.items()}
        values = (int(said[name]) if said[name] else None for name in (LISTED_RATING, LISTED_K))
        yield CorrectedFigures(said[LIST], row.player_id or 0, FideFigures(*values), row.at)


def corrected_figures(player_ids: Iterable[int]) -> dict[int, dict[int, FideFigures]]:
    """Return what FIDE's corrected lists say of players now, by the key of the list (D-125)."""
    found: dict[int, dict[int, FideFigures]] = defaultdict(dict)
    # FIDE seldom corrects a list: mostly the lists need not be read.
    if not (rows := list(list_corrections(player_ids))):
        return {}
    lists = RatingList.objects.filter(origin=Origin.IMPORTED).values_list("kind", "date", "pk")
    key_of = {name_of_list(kind, day): pk for kind, day, pk in lists}
    for row in rows:
        if row.list_name in key_of:
            found[key_of[row.list_name]][row.player_id] = row.figures
    return dict(found)
