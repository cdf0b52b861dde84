"""Trying another text of the regulations on published lists (D-90).

A trial writes nothing official: each list is calculated again from its stored reports and the official list before, as
if the text had been in force for all its tournaments. It is the calculation of the verification, under another text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from core.bulk import batched
from core.errors import just_now, refused
from core.sql import ids_subquery, lock_person
from players.models import Player
from players.permissions import is_staff
from ratings.choices import Origin, Work
from ratings.due_runs import list_named, make_due, name_of
from ratings.models import RatingList, TextTrial
from ratings.systems.otb.listing import EntryFigures, EntryStatus
from ratings.systems.otb.period import PeriodResult
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import Outcome
from ratings.systems.registry import always, texts
from ratings.verify.entries import EntryDifference, ResultDifference
from ratings.verify.lists import GameDifference, list_differences, other_k_factors

EXPLAINED = 25
BATCH = 20_000
WRITING = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|COPY|CREATE|ALTER|DROP|REPLACE)\b", re.IGNORECASE
)
WRITTEN_TABLE = re.compile(r'\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)', re.IGNORECASE)
Row = dict[str, Any]


class OfficialTableError(Exception):
    """A trial was about to write to a table that is not its own."""


def try_text(text: str, months: Iterable[date], *, by: Any, at: datetime) -> TextTrial:
    """Queue the trial of a text on the published lists of months; `RefusedError` where it cannot be."""
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can try texts."))
    if text not in {rules.slug for rules in texts()}:
        raise refused("text-unknown", _("No text is named “%(text)s”.") % {"text": text}, "text")
    lists, missing = lists_of(months)
    if missing or not lists:
        raise refused("month-unpublished", _("Select months with published lists."), "months")
    names = list(map(name_of, lists))
    with transaction.atomic():
        lock_person(by)
        recent = TextTrial.objects.filter(by=by, text=text, at__range=just_now(at))
        # The same person's same trial of a moment ago: this is the second click of it.
        if (first := next((one for one in recent if one.lists == names), None)) is not None:
            return first
        trial = TextTrial.objects.create(text=text, lists=names, by=by, at=at)
        make_due(Work.TRIAL, str(trial.pk), at=at, by=by)
        return trial


def published_months() -> list[date]:
    """Return the months with published lists, the latest first."""
    dates = RatingList.objects.filter(origin=Origin.PUBLISHED).values_list("date", flat=True)
    return sorted(set(dates), reverse=True)


def perform_trial(pk: int) -> None:
    """Try a text on the lists of a trial that are not done yet, and keep each result as soon as it is there.

    `OfficialTableError` where anything is written but the trial itself.
    """
    trial = TextTrial.objects.filter(pk=pk).first()
    if trial is None:
        return
    rules = trial.rules
    # The same code verifies lists and writes nothing today: this keeps it so, whatever it calls one day.
    with connection.execute_wrapper(_own_table_only):
        for name in trial.lists[len(trial.results) :]:
            trial.results.append(kept_part(tried_on(list_named(name), rules)))
            # Each list as soon as it is done: a killed worker goes on with the next one.
            trial.save(update_fields=["results"])


def _own_table_only(execute: Callable[..., Any], sql: Any, *arguments: Any) -> Any:
    """Refuse a statement that writes to another table than that of trials: a wrapper of statements."""
    written = WRITTEN_TABLE.match(str(sql))
    if WRITING.match(str(sql)) and (written is None or written[1] != TextTrial._meta.db_table):
        raise OfficialTableError(str(sql)[:200])
    return execute(sql, *arguments)


def lists_of(months: Iterable[date]) -> tuple[list[RatingList], list[date]]:
    """Return the published lists of months, and the months that have none."""
    wanted = sorted(set(months))
    found = RatingList.objects.filter(date__in=wanted, origin=Origin.PUBLISHED).order_by("date", "kind")
    lists = list(found)
    there = {item.date for item in lists}
    return lists, [month for month in wanted if month not in there]


def tried_on(rating_list: RatingList, rules: PeriodRules) -> Row:
    """Return what a text would have made of a list: players whose rating differs, games that count otherwise.

    `explained` has, for those most concerned, each game that differs, `k_factors` each tournament rated with another
    K; `activity` counts the listed players who would be active or inactive instead.
    """
    activity = Counter[str]()
    results: dict[int, PeriodResult] = {}
    ratings: dict[int, tuple[int | None, int | None]] = {}
    games: dict[int, list[GameDifference]] = defaultdict(list)
    concerned: set[tuple[str, int, int]] = set()
    for item in list_differences(rating_list, always(rules)):
        if isinstance(item, EntryDifference):
            pair = (_listed_rating(item.stored), _listed_rating(item.expected))
            if pair[0] != pair[1]:
                ratings[item.player_id] = pair
            activity.update(_activity_change(item))
        elif isinstance(item, GameDifference) and is_rated_otherwise(item):
            concerned.add(pairing_of(item))
            games[item.player_id].append(item)
        elif isinstance(item, ResultDifference) and item.computed is not None:
            results[item.player_id] = item.computed
    differences = _rows_of(ratings)
    most = [row["fide_id"] for row in differences[:EXPLAINED]]
    return {
        "kind": rating_list.kind,
        "date": rating_list.date.isoformat(),
        "players": len(differences),
        "games": len(concerned),
        "differences": differences,
        "distribution": distribution(differences),
        "new": sum(row["before"] is None for row in differences),
        "lost": sum(row["after"] is None for row in differences),
        "activity": {name: activity[name] for name in ("active", "inactive")},
        "explained": {str(key): [_explain_game(game) for game in games[key]] for key in most},
        "k_factors": other_k_factors(rating_list, {key: results[key] for key in most if key in results}),
    }


def kept_part(month: Row) -> Row:
    """Return a list's row with the players most concerned alone: what is kept, whatever the size of the list."""
    return month | {"differences": month["differences"][:EXPLAINED]}


def distribution(differences: Iterable[Row]) -> list[list[int]]:
    """Return how many players gain or lose how many points, by points; new and lost ratings are left out."""
    pairs = ((row["before"], row["after"]) for row in differences)
    found = Counter(after - before for before, after in pairs if None not in (before, after))
    return [list(item) for item in sorted(found.items())]


def _listed_rating(entry: EntryFigures | None) -> int | None:
    return entry.rating if entry is not None and entry.status == EntryStatus.LISTED else None


def _activity_change(item: EntryDifference) -> list[str]:
    """Return what a player on both sides would be instead, `active` or `inactive`; nothing where that is the same."""
    held: EntryFigures | None = item.stored
    computed: EntryFigures | None = item.expected
    if held is None or computed is None or None in (_listed_rating(held), _listed_rating(computed)):
        return []
    if held.is_inactive == computed.is_inactive:
        return []
    return ["inactive" if computed.is_inactive else "active"]


def is_rated_otherwise(item: GameDifference) -> bool:
    """Return whether a game counts or changes a rating otherwise; another reason alone does not."""
    return _figures(item.stored) != _figures(item.expected)


def pairing_of(item: GameDifference) -> tuple[str, int, int]:
    """Return the event, the round and the lower starting rank: both sides of a game have the same."""
    return item.event_id, item.stored.round, min(item.number, item.stored.opponent or item.number)


def _figures(outcome: Outcome) -> tuple[Any, ...]:
    """Return what of an outcome changes a rating: whether it counts, and the change."""
    return outcome.counts, outcome.change


def _most_first(item: tuple[int, tuple[int | None, int | None]]) -> tuple[int, int]:
    """Order by the size of the difference; a rating that is new or lost comes first."""
    fide_id, (before, after) = item
    size = max(before or 0, after or 0) if None in (before, after) else abs((after or 0) - (before or 0))
    return -size, fide_id


def _explain_game(game: GameDifference) -> Row:
    held: Outcome = game.stored
    computed: Outcome = game.expected
    return {
        "event_id": game.event_id,
        "round": held.round,
        "half_points": held.half_points,
        "opponent": held.opponent_rating or computed.opponent_rating,
        "before": held.change,
        "after": computed.change,
        "reasons": list(computed.reasons),
    }


def _rows_of(ratings: Mapping[int, tuple[int | None, int | None]]) -> list[Row]:
    """Return a row for each player whose rating differs, the largest difference first."""
    names: dict[int, str] = {}
    for batch in batched(sorted(ratings), BATCH):
        names |= dict(Player.objects.filter(pk__in=ids_subquery(batch)).values_list("pk", "name"))
    return [
        {"fide_id": key, "name": names.get(key, ""), "before": before, "after": after}
        for key, (before, after) in sorted(ratings.items(), key=_most_first)
    ]
