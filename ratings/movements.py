"""The changes of a list: largest gains and losses, newcomers, removed players with the reason, corrections (D-11).

For a list of the portal they come from its calculations, for an imported one from the entries of the previous list.
Both are read once: a list never changes. Two lists of a kind differ player by player: added, removed, and changed
fields.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from django.core.cache import cache
from django.db.models import (
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Abs
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.bulk import batched
from core.web.csv import csv_text
from players.choices import CaseKind, CaseState
from players.fide_list import PUBLISHED_FIELDS
from players.minors import Minors, shown_birth
from players.models import Case, Player
from ratings.choices import EntryStatus, Origin
from ratings.counted_once import KEPT_FOR, counted_once
from ratings.ledger.figures import FIGURE_COLUMNS
from ratings.models import (
    Calculation,
    Correction,
    CorrectionLine,
    ListEntry,
    ProvisionalCalculation,
    RatingList,
    TournamentRating,
)
from ratings.statistics import MonthFigures
from ratings.systems.registry import first_rating_keys, reason_of
from tournaments.choices import Stage

SHOWN = 20
MERGED, DIED, GONE = "merged", "died", "gone"
WHY: dict[str, str | Promise] = {
    EntryStatus.WITHHELD: _("The federation is not a member of FIDE, or is excluded (article 9.1)"),
    EntryStatus.DECEASED: _("Deceased (article 9.2)"),
    EntryStatus.UNRATED: _("Unrated from this list"),
    MERGED: _("FIDE ID merged into another one"),
    DIED: _("Deceased (article 9.2)"),
    GONE: _("No longer on the imported list, which gives no reason"),
}


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """A player whom a list moved: the data as the lists show them, and the key of the reason why one left."""

    player_id: int
    before: int | None = None
    now: int | None = None
    name: str = ""
    federation: str = ""
    reason: str = ""

    @property
    def change(self) -> int:
        return (self.now or 0) - (self.before or 0)

    @property
    def why(self) -> str:
        """Why the player is not on the list any more."""
        return str(WHY[self.reason]) if self.reason in WHY else gettext(reason_of(self.reason).text)


@dataclass(frozen=True, slots=True)
class Movements:
    """The players of a list who are worth a look; `came` and `went` count all newcomers and all who left."""

    gains: Sequence[MovedPlayer] = field(default_factory=list)
    losses: Sequence[MovedPlayer] = field(default_factory=list)
    newcomers: Sequence[MovedPlayer] = field(default_factory=list)
    left: Sequence[MovedPlayer] = field(default_factory=list)
    came: int = 0
    went: int = 0

    @property
    def player_ids(self) -> list[int]:
        """Those who stay on the list."""
        return [moved.player_id for rows in (self.gains, self.losses, self.newcomers) for moved in rows]

    def with_names(self, data: Mapping[int, Sequence[str]]) -> Movements:
        """Return the same with names and federations by player."""

        def add_names(rows: Sequence[MovedPlayer]) -> list[MovedPlayer]:
            return [
                replace(row, name=data[row.player_id][0], federation=data[row.player_id][1]) for row in rows
            ]

        return replace(
            self,
            gains=add_names(self.gains),
            losses=add_names(self.losses),
            newcomers=add_names(self.newcomers),
        )


def movements_of(rating_list: RatingList, *, before: RatingList | None) -> Movements:
    """Return what a list changed most since the one before; players of equal change in the order of their FIDE IDs."""
    key = f"movements:{rating_list.edition}:{before.pk if before else 0}"
    return counted_once(key, Movements, lambda: _find_movements(rating_list, before))


def _find_movements(rating_list: RatingList, before: RatingList | None) -> Movements:
    movements = Movements()
    if rating_list.origin == Origin.PUBLISHED:
        moved = _moved_by(Calculation.objects.filter(rating_list=rating_list))
        movements = _add_names(moved, rating_list)
    if before is None:
        return movements
    if rating_list.origin != Origin.PUBLISHED:
        movements = _by_entries(rating_list, before)
    elif rating_list.is_adjusted:
        # Most of those whom the formula moves have no calculation (D-133).
        every = _by_entries(rating_list, before)
        movements = replace(movements, gains=every.gains, losses=every.losses)
    gone = ListEntry.objects.filter(rating_list=before).listed().filter(~Exists(_listed_on(rating_list)))
    return replace(movements, left=_read_removed(gone, rating_list), went=gone.count())


def movements_by(rows: QuerySet[ProvisionalCalculation]) -> Movements:
    """Return whom calculations move that no list has yet, by the players' names of today."""
    moved = _moved_by(rows)
    people = Player.objects.filter(pk__in=moved.player_ids).order_by()
    return moved.with_names({pk: names for pk, *names in people.values_list("pk", "name", "federation_id")})


def _moved_by(rows: QuerySet[Any]) -> Movements:
    rows = rows.order_by()
    rated = rows.filter(previous_rating__isnull=False, new_rating__isnull=False)
    rated = rated.annotate(change=F("new_rating") - F("previous_rating"))
    first = rows.filter(result__in=first_rating_keys(), new_rating__isnull=False)
    return Movements(
        gains=_read_calculated(rated.filter(change__gt=0).order_by("-change", "player_id")),
        losses=_read_calculated(rated.filter(change__lt=0).order_by("change", "player_id")),
        newcomers=_read_calculated(first.order_by("-new_rating", "player_id")),
        came=first.count(),
    )


def biggest_changes_of(lists: Sequence[RatingList], *, shown: int) -> list[tuple[RatingList, MovedPlayer]]:
    """Return whom some lists of the portal's own moved most, up or down, each with the list, the largest change first.

    They are kept, for a list never changes.
    """
    keys = {item: f"biggest-changes:{item.edition}" for item in lists}
    kept = cache.get_many(keys.values())
    found = {item: msgspec.convert(kept[key], Movements) for item, key in keys.items() if key in kept}
    for item, movements in _biggest_changes([item for item in lists if item not in found]):
        found[item] = movements
        cache.set(keys[item], msgspec.to_builtins(movements), KEPT_FOR)
    every = [(item, moved) for item in lists for moved in found[item].gains]
    return sorted(every, key=lambda row: -abs(row[1].change))[:shown]


def _biggest_changes(lists: Sequence[RatingList]) -> Iterator[tuple[RatingList, Movements]]:
    """Yield the largest changes of each list as gains, in one query a list and one for the names of all."""
    moved = {item: Movements(gains=_by_size(item)) for item in lists}
    ids = {player_id for movements in moved.values() for player_id in movements.player_ids}
    entries = ListEntry.objects.filter(rating_list__in=lists, player__in=ids).order_by()
    names: dict[int, dict[int, Sequence[str]]] = defaultdict(dict)
    for list_id, player_id, *named in entries.values_list(
        "rating_list_id", "player_id", "name", "federation_id"
    ):
        names[list_id][player_id] = named
    for item, movements in moved.items():
        yield item, movements.with_names(names[item.pk])


def _by_size(rating_list: RatingList) -> list[MovedPlayer]:
    if rating_list.is_adjusted and rating_list.previous:
        every = _by_entries(rating_list, rating_list.previous)
        return sorted((*every.gains, *every.losses), key=lambda row: (-abs(row.change), row.player_id))[
            :SHOWN
        ]
    rows = Calculation.objects.filter(rating_list=rating_list, previous_rating__isnull=False).order_by()
    sized = rows.annotate(size=Abs(F("new_rating") - F("previous_rating"))).filter(size__gt=0)
    return _read_calculated(sized.order_by("-size", "player_id"))


def newcomers_of(rating_list: RatingList, *, shown: int) -> Sequence[MovedPlayer]:
    """Return the highest initial ratings of a published list; kept, for a list never changes."""
    rows = Calculation.objects.filter(rating_list=rating_list, new_rating__isnull=False).order_by()
    first = rows.filter(result__in=first_rating_keys()).order_by("-new_rating", "player_id")

    def find() -> Movements:
        return _add_names(Movements(newcomers=_read_calculated(first)), rating_list)

    return counted_once(f"newcomers:{rating_list.edition}", Movements, find).newcomers[:shown]


def _read_calculated(rows: QuerySet[Any]) -> list[MovedPlayer]:
    values = rows.values_list("player_id", "previous_rating", "new_rating")
    return [MovedPlayer(player_id, before, now) for player_id, before, now in values[:SHOWN]]


def _by_entries(rating_list: RatingList, before: RatingList) -> Movements:
    condition = Q(player__list_entries__rating_list=before, player__list_entries__status=EntryStatus.LISTED)
    rows = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    both = rows.annotate(earlier=FilteredRelation("player__list_entries", condition=condition))
    rated = both.filter(earlier__rating__isnull=False).annotate(
        change=F("rating") - F("earlier__rating"), was=F("earlier__rating")
    )
    compared = rated.values_list("player_id", "was", "rating")
    first = rows.filter(~Exists(_listed_on(before)))
    return _add_names(
        Movements(
            gains=_read_compared(compared.filter(change__gt=0).order_by("-change", "player_id")[:SHOWN]),
            losses=_read_compared(compared.filter(change__lt=0).order_by("change", "player_id")[:SHOWN]),
            newcomers=[
                MovedPlayer(player_id, now=rating)
                for player_id, rating in first.order_by("-rating", "player_id").values_list(
                    "player_id", "rating"
                )[:SHOWN]
            ],
            came=first.count(),
        ),
        rating_list,
    )


def _read_compared(rows: Iterable[tuple[int, int, int | None]]) -> list[MovedPlayer]:
    return [MovedPlayer(player_id, was, rating) for player_id, was, rating in rows]


def _add_names(movements: Movements, rating_list: RatingList) -> Movements:
    """Return the movements with names and federations as the list shows them, in one query."""
    entries = ListEntry.objects.filter(rating_list=rating_list, player__in=movements.player_ids).order_by()
    return movements.with_names(
        {pk: names for pk, *names in entries.values_list("player_id", "name", "federation_id")}
    )


def _listed_on(rating_list: RatingList) -> QuerySet[ListEntry]:
    return ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player")).listed()


def _read_removed(gone: QuerySet[ListEntry], rating_list: RatingList) -> list[MovedPlayer]:
    values = gone.order_by("-rating", "player_id").values_list("player_id", "rating", "name", "federation_id")
    rows = list(values[:SHOWN])
    # Why players left: the calculation that unrated them, the entry kept, else what is known of the person.
    ids = [row[0] for row in rows]
    people = Player.objects.filter(pk__in=ids).values_list("pk", "merged_into", "died_on")
    reasons = {pk: MERGED if merged else DIED for pk, merged, died in people if merged or died}
    entries = ListEntry.objects.filter(rating_list=rating_list, player__in=ids).order_by()
    reasons |= dict(entries.values_list("player_id", "status"))
    unrated = Calculation.objects.filter(rating_list=rating_list, player__in=ids, new_rating=None)
    reasons = reasons | dict(unrated.order_by().values_list("player_id", "result"))
    return [
        MovedPlayer(player_id, rating, name=name, federation=code, reason=reasons.get(player_id, GONE))
        for player_id, rating, name, code in rows
    ]


def taken_in(rating_list: RatingList, *, federation: str = "") -> MonthFigures:
    """Return how much a list took in, of all federations or of one."""
    taken = TournamentRating.objects.filter(included_in=rating_list)
    if federation:
        taken = taken.filter(report__tournament__federation=federation)
    sums = taken.aggregate(games=Sum("counted_games"), tournaments=Count("pk"))
    return MonthFigures(rating_list.date, sums["tournaments"], sums["games"] or 0)


def ledger() -> QuerySet[Correction]:
    """Return all corrections, newest first, each with the players concerned and the lists that took them."""
    return (
        Correction.objects.select_related("tournament", "new_report", "player")
        .annotate(
            players=Count("lines__player", distinct=True),
            pending=Count("lines", filter=Q(lines__taken_by=None)),
            corrected_on=Min("lines__corrected_list__date"),
            taken_on=Min("lines__taken_by__date"),
            taken_kind=Min("lines__taken_by__kind"),
        )
        .order_by("-at", "-pk")
    )


def acts(corrections: QuerySet[Correction]) -> QuerySet[Correction]:
    """Return corrections of the ledger, of a late adoption and its cancellation one row each, `of_act` players."""
    of_act = Correction.objects.filter(late_adoption=OuterRef("late_adoption"), at=OuterRef("at")).order_by()
    number = of_act.values("at").annotate(number=Count("pk")).values("number")
    return corrections.exclude(Exists(of_act.filter(pk__lt=OuterRef("pk")))).annotate(of_act=Subquery(number))


# More players are not named in the correction log.
NAMED = 10


def changed_lines(corrections: Iterable[Any]) -> dict[int, list[CorrectionLine]]:
    """Return by correction of the ledger what the lists said of few players and what is right, in one query."""
    few = [correction.pk for correction in corrections if correction.players <= NAMED]
    wanted = CorrectionLine.objects.filter(
        correction__in=few, before_hundredths__isnull=False, after_hundredths__isnull=False
    )
    found: dict[int, list[CorrectionLine]] = defaultdict(list)
    wanted = wanted.exclude(difference_hundredths=0).select_related("player", "corrected_list")
    for line in wanted.defer("corrected_list__manifest").order_by("corrected_list__date", "player"):
        found[line.correction_id].append(line)
    return found


def pending_corrections() -> QuerySet[Correction]:
    """Return the corrections of which the next list includes lines; an act on whole lists has a line of its own."""
    pending = CorrectionLine.objects.filter(correction=OuterRef("pk"), taken_by=None)
    return Correction.objects.filter(Exists(pending), late_adoption=None)


def requested_corrections() -> QuerySet[Case]:
    """Return the requests of results that are published, which wait for a decision."""
    return Case.objects.filter(
        kind=CaseKind.RESULT, state=CaseState.WAITING, tournament__stage=Stage.PUBLISHED
    )


def corrections_since(rating_list: RatingList) -> tuple[int, datetime | None]:
    """Return how many corrections concern a published list, and when the last of them was made."""
    concerned = Correction.objects.filter(lines__corrected_list=rating_list)
    found = concerned.aggregate(number=Count("pk", distinct=True), last=Max("at"))
    return found["number"], found["last"]


CHUNK = 5_000
COLUMNS = (
    "player_id", "name", "federation_id", "title", "women_title", "sex", "birth_year", *FIGURE_COLUMNS,
)  # fmt: skip
# `title` is FIDE's Tit column.
HEAD = ("change", *PUBLISHED_FIELDS, "changed_fields")
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Delta:
    """A player who differs: `state` is that of the newer list, of one removed that of the older.

    `before` are the former values of the fields that changed.
    """

    change: str
    state: State
    before: State

    def as_row(self) -> list[Any]:
        """Return the cells of `HEAD`."""
        return [self.change, *self.state.values(), " ".join(self.before)]

    def as_json(self) -> str:
        """Return an object; one that changed has `before`."""
        before = {"before": self.before} if self.before else {}
        return json.dumps({"change": self.change} | self.state | before, ensure_ascii=False)


def deltas(since: RatingList, until: RatingList, minors: Minors) -> Iterator[Delta]:
    """Yield the players that differ between two lists by FIDE ID; only a chunk of rows is in memory."""
    before, after = _states(since, minors), _states(until, minors)
    old, new = next(before, None), next(after, None)
    while old or new:
        if new is None or (old and old["fide_id"] < new["fide_id"]):
            yield Delta(REMOVED, old or {}, {})
            old = next(before, None)
        elif old is None or new["fide_id"] < old["fide_id"]:
            yield Delta(ADDED, new, {})
            new = next(after, None)
        else:
            if former := {name: value for name, value in old.items() if value != new[name]}:
                yield Delta(CHANGED, new, former)
            old, new = next(before, None), next(after, None)


def _states(rating_list: RatingList, minors: Minors) -> Iterator[State]:
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by("player_id")
    for row in entries.values_list(*COLUMNS).iterator(chunk_size=CHUNK):
        fide_id, name, code, title, women_title, sex, born, *figures = row
        year = shown_birth(born, code, minors, fide_id).year
        values = (fide_id, name, code, title or women_title, sex, year, *figures)
        yield dict(zip(PUBLISHED_FIELDS, values, strict=True))


def as_csv(rows: Iterator[Delta]) -> Iterator[str]:
    """Yield a CSV in parts, with the names of the columns."""
    yield csv_text([HEAD])
    for some in batched(rows, CHUNK):
        yield csv_text(delta.as_row() for delta in some)


def as_ndjson(rows: Iterator[Delta]) -> Iterator[str]:
    """Yield lines of JSON in parts."""
    for some in batched(rows, CHUNK):
        yield "".join(f"{delta.as_json()}\n" for delta in some)


def as_json(rows: Iterator[Delta], *, since: RatingList, until: RatingList) -> Iterator[str]:
    """Yield one object in parts: the two lists and `changes`, a line a player."""
    head = {"kind": until.kind, "date": until.date.isoformat(), "since": since.date.isoformat()}
    # The object is never in memory: its head is left open, and closed after the last line.
    comma = f'{json.dumps(head)[:-1]}, "changes": ['
    for some in batched(rows, CHUNK):
        yield comma + "\n" + ",\n".join(delta.as_json() for delta in some)
        comma = ","
    yield "\n]}\n" if comma == "," else f"{comma}]}}\n"
