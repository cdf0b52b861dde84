"""What a list brought a federation: new ratings, gains, new highest ratings, and its best women and juniors.

All of it comes from the entries of published lists, which never change, so that it is found once. The entries of the
federation are read on the list and on the one before, by the index of a federation in list order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import Max
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.bulk import batched
from core.html.figures import signed_points
from players.choices import Sex
from ratings.counted_once import counted_once
from ratings.entries import LIST_ORDER, ratings_on
from ratings.models import ListEntry, RatingList
from ratings.ranking import RankedAmong

SHOWN = 10
# A junior is under 20 on 1 January of the list's year.
JUNIOR_AGE = 20
# So many players are looked at, the highest rated: of those who gained, for their earlier ratings, and of the new ones.
MAX_CANDIDATES = 100
CHUNK = 5_000
COLUMNS = ("player_id", "name", "title", "women_title", "sex", "birth_year", "rating", "is_inactive")
NAME, TITLE, WOMEN_TITLE, SEX, BORN, RATING, IS_INACTIVE = range(1, len(COLUMNS))
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A player on the list, with the rating on the list before: None for one who was not listed there."""

    player_id: int
    name: str
    title: str
    rating: int
    before: int | None

    @property
    def change(self) -> int | None:
        return None if self.before is None else self.rating - self.before


Rows = Sequence[Highlight]


@dataclass(frozen=True, slots=True)
class Highlights:
    """The figures and players of a federation on a list; `came` counts all players who were not on the list before.

    `top`, `women` and `juniors` are active players, the highest rated first. `records` are players whose rating is
    higher than on every earlier list.
    """

    listed: int = 0
    active: int = 0
    came: int = 0
    rose: int = 0
    fell: int = 0
    gains: Rows = field(default_factory=list)
    newcomers: Rows = field(default_factory=list)
    records: Rows = field(default_factory=list)
    top: Rows = field(default_factory=list)
    women: Rows = field(default_factory=list)
    juniors: Rows = field(default_factory=list)

    @property
    def top_average_tenths(self) -> int | None:
        return top_average_tenths([row.rating for row in self.top])


def top_average_tenths(ratings: Sequence[int]) -> int | None:
    """Return the average of the ten highest ratings in tenths: exact, for there are ten; None for fewer.

    Of fewer than ten the average could not be compared with that of other federations.
    """
    return sum(ratings) if len(ratings) == SHOWN else None


def sentences_of(found: Highlights) -> Iterator[str]:
    """Yield the most telling facts, each as a sentence to quote."""
    players = ngettext("%(number)s player is listed.", "%(number)s players are listed.", found.listed)
    yield players % {"number": number_format(found.listed, force_grouping=True)}
    if found.came:
        came = ngettext("%(number)s player is new.", "%(number)s players are new.", found.came)
        yield came % {"number": number_format(found.came, force_grouping=True)}
    if found.gains:
        row = found.gains[0]
        yield (
            _("Biggest gain: %(name)s, %(change)s to %(rating)s.")
            % {"name": row.name, "change": signed_points(row.change or 0), "rating": row.rating}
        )
    named = {
        _("New highest rating: %(name)s, %(rating)s."): found.records,
        _("Highest rated woman: %(name)s, %(rating)s."): found.women,
        _("Highest rated junior: %(name)s, %(rating)s."): found.juniors,
    }
    for sentence, rows in named.items():
        if rows:
            yield sentence % {"name": rows[0].name, "rating": rows[0].rating}


def highlights_of(rating_list: RatingList, code: str, earlier: Sequence[RatingList]) -> Highlights:
    """Return the highlights of a federation on a list; `earlier` are the lists of its kind before, the newest first."""
    before = earlier[0] if earlier else None
    key = f"highlights:{RankedAmong(rating_list, federation=code).key}:{before.pk if before else 0}"
    return counted_once(key, Highlights, lambda: _find_highlights(rating_list, code, earlier))


def _find_highlights(rating_list: RatingList, code: str, earlier: Sequence[RatingList]) -> Highlights:
    before = earlier[0] if earlier else None
    youngest = rating_list.date.year - JUNIOR_AGE
    entries = ListEntry.objects.filter(rating_list=rating_list, federation=code).listed()
    rows = list(entries.order_by(*LIST_ORDER).values_list(*COLUMNS))
    was = _ratings_before(before, code, [row[0] for row in rows])
    active = [row for row in rows if not row[IS_INACTIVE]]
    newcomers = [row for row in rows if row[0] not in was] if before else []
    changes = {row[0]: row[RATING] - was[row[0]] for row in rows if row[0] in was}
    risen = [row for row in rows if changes.get(row[0], 0) > 0]
    women = (row for row in active if row[SEX] == Sex.FEMALE)
    juniors = (row for row in active if row[BORN] is not None and row[BORN] >= youngest)

    def take_first(some: Iterable[Row], most: int = SHOWN) -> list[Highlight]:
        return [
            Highlight(row[0], row[NAME], row[TITLE] or row[WOMEN_TITLE], row[RATING], was.get(row[0]))
            for row in islice(some, most)
        ]

    return Highlights(
        listed=len(rows),
        active=len(active),
        came=len(newcomers),
        rose=len(risen),
        fell=sum(change < 0 for change in changes.values()),
        gains=take_first(sorted(risen, key=lambda row: (-changes[row[0]], row[0]))),
        newcomers=take_first(newcomers, MAX_CANDIDATES),
        records=take_first(_with_records(risen[:MAX_CANDIDATES], earlier)),
        top=take_first(active),
        women=take_first(women),
        juniors=take_first(juniors),
    )


def _ratings_before(before: RatingList | None, code: str, ids: Sequence[int]) -> dict[int, int]:
    """Return the ratings of players on the list before: most are there in the same federation, which an index has."""
    if before is None:
        return {}
    same = ListEntry.objects.filter(rating_list=before, federation=code).listed().order_by()
    ratings: dict[int, Any] = dict(same.values_list("player_id", "rating"))
    for some in batched((player_id for player_id in ids if player_id not in ratings), CHUNK):
        ratings |= ratings_on(before, some)
    return ratings


def _with_records(rows: Sequence[Row], earlier: Sequence[RatingList]) -> list[Row]:
    """Return those whose rating is higher than on every earlier list."""
    if not rows:
        return []
    lists, players = [item.pk for item in earlier], [row[0] for row in rows]
    found = ListEntry.objects.filter(rating_list__in=lists, player__in=players).listed().order_by()
    highest = dict(found.values_list("player_id").annotate(highest=Max("rating")))
    return [row for row in rows if row[RATING] > highest[row[0]]]
