"""The portal's published list beside FIDE's own of the same date: what is equal, what differs and why it may.

A row that is open (another value here than there, or a player on one side only) is carried on from one comparison
to the next until both sides agree, with its first likely reason. Nothing official is written.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.acts import Act
from core.bulk import batched
from core.errors import RefusedError, just_now, refused
from core.html.figures import colon
from core.sql import ids_subquery, lock_person
from core.stated import Sentences, items_of
from players.choices import Area, Deed
from players.fide_list import FideListError, ListRecord, ascii_name, open_list, read_list
from players.models.log import record_act
from players.permissions import is_staff
from ratings.choices import SENTENCES, ListKind, Origin
from ratings.imports.plans import sign_refusals
from ratings.ledger.figures import FIGURE_COLUMNS
from ratings.models import Calculation, Comparison, CorrectionLine, ListEntry, RatingList
from ratings.systems.registry import rules_named

ENTRY = ("name", "federation_id", "sex", "title", "women_title", "birth_year", *FIGURE_COLUMNS)
# K on one side and on the other, where another K explains the other change.
RATIOS = ((2, 1), (1, 2), (4, 1), (1, 4))
BATCH = 20_000
# Likely reasons by code. Of a field that has one, it is the name of the field.
LIKELY = Sentences(
    {
        "name": gettext_noop("Name: a spelling or a change of name that only one side has."),
        "federation": gettext_noop("Federation: a transfer that only one side has."),
        "sex": gettext_noop("Sex: the recorded data differ."),
        "title": gettext_noop("Title: a title that only one side has."),
        "birth_year": gettext_noop("Year of birth: the recorded data differ."),
        "inactive": gettext_noop("Activity: a game in the last 12 lists that only one side has."),
        "k-by-birth": gettext_noop("K-factor: the year of birth differs."),
        "k-by-count": gettext_noop("K-factor: rated games or highest ratings are counted differently."),
        "missing-there": gettext_noop("Tournaments missing at FIDE: %(events)s."),
        "missing-here": gettext_noop("A tournament with %(games)d games is missing in the portal."),
        "corrected": gettext_noop("The portal has a correction on this list."),
        "carried": gettext_noop("The previous list already had this difference, and so has the change."),
        "rounding": gettext_noop("Rounding."),
        "other-k": gettext_noop("K-factor: the change is the same with another K."),
        "other-result": gettext_noop("A result or an opponent's rating differs, or FIDE made a correction."),
        "removed-there": gettext_noop("Removed by FIDE: death, exclusion, or a rating below the minimum."),
        "removed-there-high": gettext_noop("Removed by FIDE: death or exclusion."),
        "new-here": gettext_noop("New in the portal: an initial rating that FIDE does not have."),
        "removed-here": gettext_noop(
            "Removed by the portal: death, exclusion, merged FIDE ID, or a rating below the minimum."
        ),
        "removed-here-high": gettext_noop("Removed by the portal: death, exclusion, or merged FIDE ID."),
        "new-there": gettext_noop(
            "New at FIDE: a player or an initial rating that the portal does not have."
        ),
    }
)
# Of a player on one side only: where the list before had the player, and where it had not.
ALONE = {"only-here": ("removed-there", "new-here"), "only-there": ("removed-here", "new-there")}
# A change of so many points from a list to the next is none that leads below the floor.
NEAR_FLOOR = 100
Row = dict[str, Any]


class ListSide(NamedTuple):
    """A player as one of the lists shows him."""

    name: str
    federation: str
    sex: str
    title: str
    birth_year: int | None
    rating: int
    games: int
    k: int | None
    inactive: bool


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """What the portal knows of the players that differ, by FIDE ID."""

    before: Mapping[int, int | None]
    events: Mapping[int, list[tuple[str, int]]]
    corrected: frozenset[int]
    former: Mapping[tuple[int, str], Row]


def compare_list(
    rating_list: RatingList, path: Path, *, file_name: str, by: Any, at: datetime, by_name: str = ""
) -> Comparison:
    """Compare a published list with a file of FIDE's, keep the comparison, log that and return it.

    `by_name` is the operator of the installation, who has no account. `RefusedError` for anybody else who is not staff,
    for a list that is not the portal's, and for a file that is no rating list of the kind or says another month (D-72).
    """
    if not (by_name or is_staff(by)):
        raise refused("staff-only", _("Only FIDE staff can compare lists."))
    if rating_list.origin != Origin.PUBLISHED:
        message = _(
            "The %(kind)s list of %(date)s was imported. Only lists published by the portal can be compared."
        )
        names = {"kind": ListKind(rating_list.kind).label, "date": date_format(rating_list.date)}
        raise refused("not-published", message % names)
    earlier = Comparison.objects.filter(
        rating_list__kind=rating_list.kind, rating_list__date__lt=rating_list.date
    )
    former = earlier.order_by("-rating_list__date", "-pk").select_related("rating_list").first()
    try:
        result = _compare(rating_list, former, _records(rating_list, path, file_name))
    except FideListError as error:
        message = f"{file_name}{colon()} {SENTENCES.show(items_of(error.args[0]))}"
        raise refused("not-a-list", message, "file") from error
    _refuse_other_list(rating_list, result)
    made = Comparison(
        rating_list=rating_list, file_name=file_name[:120], sha256=_sha256(path), result=result, by=by, at=at
    )
    made.settled = _settled_rows(former, made)
    return _kept_once(made, by_name=by_name)


def _refuse_other_list(rating_list: RatingList, result: Row) -> None:
    """Refuse a file that lacks most players of the list: it is another list, about which each reason would be wrong."""
    common = result["equal"] + len({row["fide_id"] for row in result["different"]})
    number = common + len(result["only_here"])
    if 2 * common < number:
        message = _(
            "The file has %(common)d of the %(number)d players of %(list)s. Select the FIDE list of this month."
        )
        words = {"common": common, "number": number, "list": rating_list}
        raise refused("other-list", message % words, "file")


def remove_comparison(comparison: Comparison, act: Act) -> None:
    """Remove a comparison, of a wrong file for example, and log that. Later ones keep what they carried on."""
    if not is_staff(act.by):
        raise refused("staff-only", _("Only FIDE staff can compare lists."))
    with transaction.atomic():
        _log(Deed.UNCOMPARE, comparison, by=act.by, at=act.at)
        comparison.delete()


@transaction.atomic
def _kept_once(made: Comparison, *, by_name: str) -> Comparison:
    """Keep a comparison and return it, or the same one of the same person a moment ago: this is its second click."""
    if made.by is not None:
        lock_person(made.by)
        same = Comparison.objects.filter(by=made.by, rating_list=made.rating_list, sha256=made.sha256)
        if first := same.filter(at__range=just_now(made.at)).first():
            return first
    made.save(force_insert=True)
    _log(Deed.COMPARE, made, by=made.by, by_name=by_name, at=made.at)
    return made


def _log(deed: Deed, comparison: Comparison, **values: Any) -> None:
    compared = comparison.rating_list
    after = f"{comparison.file_name}, SHA-256 {comparison.sha256}"
    record_act(Area.LIST, deed, f"{compared.kind} {compared.date.isoformat()}", after=after, **values)


def public_result(comparison: Comparison) -> Row:
    """Return what commands print: the reason says since which list a row is open, if it is not this one."""
    result: Row = {"equal": comparison.result["equal"]}
    day = comparison.rating_list.date.isoformat()
    for sort in ("different", "only_here", "only_there"):
        rows = [dict(row) for row in comparison.result[sort]]
        for row in rows:
            # Commands print the three sorts apart: the key is for pages.
            row.pop("sort", None)
            row["reason"] = LIKELY.show(row["reason"])
            if (since := row.pop("since")) != day:
                words = {"day": since, "reason": row["reason"]}
                row["reason"] = _("Open since the %(day)s list. %(reason)s") % words
        result[sort] = rows
    return result


def _sha256(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _entries(rating_list: RatingList) -> dict[int, ListSide]:
    rows = ListEntry.objects.filter(rating_list=rating_list).listed().order_by()
    here: dict[int, ListSide] = {}
    for fide_id, name, code, sex, title, women, *figures in rows.values_list("player_id", *ENTRY).iterator(
        5_000
    ):
        here[fide_id] = ListSide(name, code, sex, title or women, *figures)
    return here


def _records(rating_list: RatingList, path: Path, file_name: str) -> Iterator[tuple[int, ListSide]]:
    with open_list(path) as stream:
        reading = read_list(stream, kind=rating_list.kind)
        if rating_list.kind not in reading.kinds:
            raise FideListError(SENTENCES.say("no-such-list", kind=rating_list.kind), code="no-such-list")
        if refusals := sign_refusals(reading, [file_name], on=rating_list.date, kind=rating_list.kind):
            raise RefusedError(refusals)
        found = 0
        for record in reading:
            if not isinstance(record, ListRecord):
                continue
            side = _side(record, rating_list.kind)
            if side is not None:
                found += 1
                yield record.fide_id, side
        if not found:
            raise FideListError(SENTENCES.say("no-ratings", kind=rating_list.kind), code="no-ratings")


def _side(record: ListRecord, kind: str) -> ListSide | None:
    figures = getattr(record, kind)
    if figures is None:
        return None
    title = record.title or record.women_title
    person = (record.name, record.federation, record.sex, title, record.birth_year)
    return ListSide(*person, figures.rating, figures.games, figures.k, record.is_inactive)


def _compare(
    rating_list: RatingList, former: Comparison | None, there: Iterable[tuple[int, ListSide]]
) -> Row:
    here = _entries(rating_list)
    equal, pairs, only_there = 0, [], {}
    for fide_id, side in there:
        own = here.pop(fide_id, None)
        if own is None:
            only_there[fide_id] = side
        elif fields := _differing(own, side):
            pairs.append((fide_id, own, side, fields))
        else:
            equal += 1
    differing = [fide_id for fide_id, *_pair in pairs]
    known = _load_known_players(rating_list, former, differing, alone=[*here, *only_there])
    since, floor = rating_list.date.isoformat(), rules_named(rating_list.rules).floor
    different = [
        _row(known, fide_id, own, side, field, since)
        for fide_id, own, side, fields in sorted(pairs)
        for field in fields
    ]
    return {
        "equal": equal,
        "different": different,
        "only_here": [*_alone(known, here, "only-here", since, floor=floor)],
        "only_there": [*_alone(known, only_there, "only-there", since, floor=floor)],
    }


def _differing(here: ListSide, there: ListSide) -> list[str]:
    """Return the fields that differ; names as ASCII, which is all that TXT can say, a K that is not told as equal."""
    if here == there:
        return []
    pairs = zip(ListSide._fields, here, there, strict=True)
    found = [name for name, one, other in pairs if one != other]
    if "name" in found and ascii_name(here.name) == ascii_name(there.name):
        found.remove("name")
    if "k" in found and there.k is None:
        found.remove("k")
    return found


def _load_known_players(
    rating_list: RatingList, former: Comparison | None, differing: list[int], *, alone: list[int]
) -> KnownPlayer:
    """Return what is known of the players that differ, and the ratings before of those on one side `alone`, too."""
    before: dict[int, int | None] = {}
    events: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for batch in batched(sorted([*differing, *alone]), BATCH):
        rows = ListEntry.objects.filter(rating_list=rating_list.previous_id, player__in=ids_subquery(batch))
        before |= dict(rows.listed().values_list("player_id", "rating"))
    for batch in batched(sorted(differing), BATCH):
        made = Calculation.objects.filter(rating_list=rating_list, player__in=ids_subquery(batch))
        for fide_id, result in made.values_list("player_id", "value"):
            events[fide_id] = [(item.event.event_id, item.participation.games) for item in result.events]
    lines = CorrectionLine.objects.filter(taken_by=rating_list).values_list("player_id", flat=True)
    return KnownPlayer(
        before=before,
        events=events,
        corrected=frozenset(lines),
        former={_place_of(row): row for row in (former.open_rows if former else ())},
    )


def _place_of(row: Row) -> tuple[int, str]:
    """Return what a row is about: the player and the field, or on which side alone the player is."""
    return row["fide_id"], row["field"] if "field" in row else row["sort"]


def _row(known: KnownPlayer, fide_id: int, here: ListSide, there: ListSide, field: str, since: str) -> Row:
    former = known.former.get((fide_id, field))
    values = (getattr(here, field), getattr(there, field))
    # An open difference has the reason that was found where it began.
    is_same = former is not None and _is_carried(field, former, values)
    return {
        "fide_id": fide_id,
        "name": here.name,
        "field": field,
        "here": values[0],
        "there": values[1],
        "reason": former["reason"] if former and is_same else [_reason(known, fide_id, here, there, field)],
        "since": former["since"] if former else since,
    }


def _is_carried(field: str, former: Row, values: tuple[Any, Any]) -> bool:
    """Whether it is the difference of the list before: the same values, of a rating the same number of points."""
    if field == "rating":
        return bool(values[0] - values[1] == former["here"] - former["there"])
    return values == (former["here"], former["there"])


def _reason(known: KnownPlayer, fide_id: int, here: ListSide, there: ListSide, field: str) -> Row:
    if field in ("rating", "games"):
        return _reason_of_games(known, fide_id, here, there, field)
    if field == "k":
        return {"code": "k-by-birth" if here.birth_year != there.birth_year else "k-by-count"}
    return {"code": field}


def _reason_of_games(known: KnownPlayer, fide_id: int, here: ListSide, there: ListSide, field: str) -> Row:
    """Return the likely reason of another rating or number of games, the surest first."""
    missing = here.games - there.games
    if missing > 0:
        events = known.events.get(fide_id, [])
        named = [event_id for event_id, games in events if games == missing] or [
            event_id for event_id, _games in events
        ]
        return {"code": "missing-there", "events": ", ".join(named) or "–"}
    if missing < 0:
        return {"code": "missing-here", "games": -missing}
    if fide_id in known.corrected:
        return {"code": "corrected"}
    if (fide_id, "rating") in known.former:
        return {"code": "carried"}
    if abs(here.rating - there.rating) == 1:
        return {"code": "rounding"}
    before = known.before.get(fide_id)
    if before is not None and _is_other_k(here.rating - before, there.rating - before):
        return {"code": "other-k"}
    return {"code": "other-result"}


def _is_other_k(here: int, there: int) -> bool:
    """Whether two changes are those of one result by two K, apart from the rounding of both."""
    # Each change is rounded by half a point at most, which its factor multiplies.
    return bool(here and there) and any(
        abs(here * by - there * to) <= (by + to + 1) // 2 for by, to in RATIOS if here * there > 0
    )


def _alone(
    known: KnownPlayer, sides: Mapping[int, ListSide], sort: str, since: str, *, floor: int
) -> Iterator[Row]:
    """Yield the players of one side alone; the reason says whether the list before had them."""
    removed, new = ALONE[sort]
    for fide_id, side in sorted(sides.items()):
        former = known.former.get((fide_id, sort))
        was_removed = removed if side.rating < floor + NEAR_FLOOR else f"{removed}-high"
        reason = [{"code": was_removed if fide_id in known.before else new}]
        yield {
            "fide_id": fide_id,
            "name": side.name,
            "rating": side.rating,
            "sort": sort,
            "reason": former["reason"] if former else reason,
            "since": former["since"] if former else since,
        }


def _settled_rows(former: Comparison | None, now: Comparison) -> list[Row]:
    """Return the rows of the comparison before that are open no more."""
    if former is None:
        return []
    still = {_place_of(row) for row in now.open_rows}
    return [row for row in former.open_rows if _place_of(row) not in still]
