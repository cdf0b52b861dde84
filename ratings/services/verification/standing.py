"""Deaths, exclusions and memberships against the manifest of a list and the audit log (9.1, 9.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from core.sql import ids_subquery
from players.choices import Area, Deed
from players.models import Federation, FederationExclusion, LogEntry, Player
from players.queries.federations import is_in_force
from players.services.log_chain import linked_until
from ratings.models import ListEntry, RatingList
from ratings.services.verification.entries import FirstDifference

NOTHING = "none"
# What the steps of the log left of a fact, the oldest first, and whether each was linked before the list was published.
Steps = Mapping[Any, Sequence[tuple[bool, str]]]


def standing_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Yield deaths, exclusions and memberships that are neither of the manifest nor of the log (9.1, 9.2)."""
    yield from _death_differences(rating_list)
    day = rating_list.date
    stored = FederationExclusion.objects.order_by().values_list("federation_id", "excluded_from", "until")
    now = {(code, first): _end(first, until, day) for code, first, until in stored}
    named = {
        (row["federation"], date.fromisoformat(row["from"])): f"until {row['until'] or 'further notice'}"
        for row in rating_list.manifest["exclusions"]
    }
    steps = _steps(rating_list, _exclusions_logged(day))
    for key in sorted(now.keys() | named.keys() | steps.keys()):
        where = f"{key[0]} from {key[1]}"
        yield from _standing("exclusion", where, now.get(key, NOTHING), named.get(key, NOTHING), steps[key])
    yield from _membership_differences(rating_list)


def _death_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare the deaths before the list; a player who is neither named nor listed is not the list's concern."""
    named = {row["fide_id"]: row["died_on"] for row in rating_list.manifest["deaths"]}
    day = rating_list.date
    stored = dict(Player.objects.filter(died_on__lt=day).order_by().values_list("pk", "died_on"))
    steps = _steps(
        rating_list,
        (
            (entry.pk, entry.player_id, died if died and died < day.isoformat() else NOTHING)
            for entry in _entries(Area.PLAYER, "died_on").exclude(player=None)
            for died in _after(entry, "died_on")
        ),
    )
    concerned = stored.keys() | named.keys() | steps.keys()
    now = {key: str(died) for key, died in stored.items()}
    listed = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(concerned)).listed()
    seen = named.keys() | {*listed.order_by().values_list("player", flat=True)}
    for key in sorted(concerned):
        then = named.get(key, NOTHING) if key in seen else None
        yield from _standing("date of death", f"player {key}", now.get(key, NOTHING), then, steps[key])


def _exclusions_logged(day: date) -> Iterator[tuple[int, tuple[str, date], str]]:
    """Yield what each step of the log left of an exclusion, by its federation and first day."""
    ends: dict[tuple[str, date], date | None] = {}
    for entry in _entries(Area.EXCLUSION):
        key = (entry.federation_id or "", date.fromisoformat(entry.subject.rpartition(" ")[2]))
        for until in _after(entry, "until"):
            ends[key] = date.fromisoformat(until) if until else None
        is_over = entry.action == Deed.DELETED
        yield entry.pk, key, NOTHING if is_over else _end(key[1], ends.get(key), day)


def _end(first: date, until: date | None, day: date) -> str:
    """Return until when an exclusion that is in force on a day excludes."""
    return f"until {until or 'further notice'}" if is_in_force(first, until, day) else NOTHING


def _membership_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare whose players are listed; federations that nobody changed have no step in the log."""
    federations = {one.code: one for one in Federation.objects.order_by("code")}
    steps = _steps(rating_list, _memberships_logged(federations))
    outside = rating_list.manifest["not_listed"]
    for code, federation in federations.items():
        now, then = _listing(federation.is_listed), _listing(code not in outside)
        yield from _standing("players of a federation", code, now, then, steps[code], is_open=True)


def _memberships_logged(federations: Mapping[str, Federation]) -> Iterator[tuple[int, str, str]]:
    """Yield whether each step of the log left the players of a federation listed."""
    fields = ("is_member", "listing_reference")
    entries = [*_entries(Area.FEDERATION, *fields)]
    known: dict[str, dict[str, Any]] = defaultdict(dict)
    # Before its first change in the log a field was what that change says, and without one what it is now.
    for entry in reversed(entries):
        known[entry.federation_id or ""] |= {
            change["field"]: change["before"] for change in entry.changes if change["field"] in fields
        }
    for entry in entries:
        code = entry.federation_id or ""
        state = known[code]
        state |= {change["field"]: change["after"] for change in entry.changes if change["field"] in fields}
        values = [state.get(name, getattr(federations.get(code), name, None)) for name in fields]
        yield entry.pk, code, _listing(any(values))


def _listing(is_listed: bool) -> str:
    return "listed" if is_listed else "not listed"


def _entries(area: Area, *fields: str) -> QuerySet[LogEntry]:
    """Return the entries of an area, the oldest first, that name one of the fields; without fields all."""
    entries = LogEntry.objects.filter(area=area, action__in=(Deed.ADDED, Deed.EDITED, Deed.DELETED))
    if fields:
        named = [Q(text__contains=f'"{name}"') for name in fields]
        entries = entries.annotate(text=Cast("changes", TextField())).filter(reduce(or_, named))
    return entries.order_by("pk")


def _after(entry: LogEntry, field: str) -> list[str | None]:
    """Return what a step of the log made of a field, in a list; an empty one where it changed another."""
    return [change["after"] for change in entry.changes if change["field"] == field]


def _steps(rating_list: RatingList, rows: Iterable[tuple[int, Any, str]]) -> Steps:
    """Return the steps of each key with whether the manifest names a log that has them already."""
    rows = list(rows)
    linked = linked_until(rating_list.manifest["audit_log"]["entries"], [entry for entry, _, _ in rows])
    steps: dict[Any, list[tuple[bool, str]]] = defaultdict(list)
    for entry, key, value in rows:
        steps[key].append((entry in linked, value))
    return steps


def _standing(
    what: str,
    where: str,
    now: str,
    then: str | None,
    steps: Sequence[tuple[bool, str]],
    *,
    is_open: bool = False,
) -> Iterator[FirstDifference]:
    """Compare a fact now with the last step of the log, and as the manifest names it with the steps until then.

    `then` is None where the list does not depend on it. `is_open`: without a step, the value may be any.
    """
    start = then if is_open and then is not None else NOTHING
    before = [value for is_linked, value in steps if is_linked]
    # A step that was linked later may have come before the list or after it.
    allowed = {before[-1] if before else start, *(value for is_linked, value in steps if not is_linked)}
    last = steps[-1][1] if steps else start
    if now != last:
        yield FirstDifference(what, where, now, last)
    elif then is not None and then not in allowed:
        yield FirstDifference(f"{what} in the manifest", where, then, " or ".join(sorted(allowed)))
