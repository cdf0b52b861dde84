"""Deaths, exclusions and memberships against the manifest of a list and the audit log (9.1, 9.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from core.sql import ids_subquery
from players.models import Federation, FederationExclusion, Player
from players.queries.federations import is_in_force
from ratings.models import ListEntry, RatingList
from ratings.services.verification.entries import FirstDifference
from tournaments.models import LogLink

NOTHING = "none"
# What the steps of the log left of a fact, the oldest first, and whether each was linked before the list was published.
Steps = Mapping[Any, Sequence[tuple[bool, str]]]


def standing_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Yield deaths, exclusions and memberships that are neither of the manifest nor of the log (9.1, 9.2)."""
    yield from _death_differences(rating_list)
    yield from _exclusion_differences(rating_list)
    yield from _membership_differences(rating_list)


def _death_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare the deaths before the list; a player who is neither named nor listed is not the list's concern."""
    named = {row["fide_id"]: row["died_on"] for row in rating_list.manifest["deaths"]}
    day, history = rating_list.date, Player.history.order_by("history_id")
    stored = dict(Player.objects.filter(died_on__lt=day).order_by().values_list("pk", "died_on"))
    logged = {*history.filter(died_on__lt=day).values_list("fide_id", flat=True)}
    concerned = stored.keys() | named.keys() | logged
    rows = history.filter(fide_id__in=ids_subquery(concerned)).values_list("history_id", "fide_id", "died_on")
    steps = _steps(rating_list, "player", ((row, key, _before(died, day)) for row, key, died in rows))
    now = {key: str(died) for key, died in stored.items()}
    listed = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(concerned)).listed()
    seen = named.keys() | {*listed.order_by().values_list("player", flat=True)}
    for key in sorted(concerned):
        then = named.get(key, NOTHING) if key in seen else None
        yield from _standing("date of death", f"player {key}", now.get(key, NOTHING), then, steps[key])


def _before(died_on: date | None, day: date) -> str:
    return str(died_on) if died_on is not None and died_on < day else NOTHING


def _exclusion_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    day, table = rating_list.date, FederationExclusion.history.model
    fields = ("federation_id", "excluded_from", "until")
    rows = table.objects.order_by("history_id").values_list("history_id", "history_type", *fields)
    logged = (
        (row, (code, first), NOTHING if kind == "-" else _end(first, until, day))
        for row, kind, code, first, until in rows
    )
    steps = _steps(rating_list, "exclusion", logged)
    stored = FederationExclusion.objects.order_by().values_list(*fields)
    now = {(code, first): _end(first, until, day) for code, first, until in stored}
    named = {
        (row["federation"], date.fromisoformat(row["from"])): f"until {row['until'] or 'further notice'}"
        for row in rating_list.manifest["exclusions"]
    }
    for key in sorted(now.keys() | named.keys() | steps.keys()):
        where = f"{key[0]} from {key[1]}"
        yield from _standing("exclusion", where, now.get(key, NOTHING), named.get(key, NOTHING), steps[key])


def _end(first: date, until: date | None, day: date) -> str:
    """Return until when an exclusion that is in force on a day excludes."""
    return f"until {until or 'further notice'}" if is_in_force(first, until, day) else NOTHING


def _membership_differences(rating_list: RatingList) -> Iterator[FirstDifference]:
    """Compare whose players are listed; federations that nobody changed have no step in the log."""
    history = Federation.history.order_by("history_id")
    rows = history.values_list("history_id", "code", "is_member", "listing_reference")
    logged = ((row, code, _listing(is_member or bool(reference))) for row, code, is_member, reference in rows)
    steps = _steps(rating_list, "federation", logged)
    outside = rating_list.manifest["not_listed"]
    for federation in Federation.objects.order_by("code"):
        code, now = federation.code, _listing(federation.is_listed)
        yield from _standing(
            "players of a federation", code, now, _listing(code not in outside), steps[code], is_open=True
        )


def _listing(is_listed: bool) -> str:
    return "listed" if is_listed else "not listed"


def _steps(rating_list: RatingList, source: str, rows: Iterable[tuple[int, Any, str]]) -> Steps:
    """Return the steps of each key with whether the manifest names a log that has them already."""
    rows = list(rows)
    entries = rating_list.manifest["audit_log"]["entries"]
    links = LogLink.objects.filter(source=source, number__lte=entries)
    linked = {*links.filter(row__in=ids_subquery([row for row, _, _ in rows])).values_list("row", flat=True)}
    steps: dict[Any, list[tuple[bool, str]]] = defaultdict(list)
    for row, key, value in rows:
        steps[key].append((row in linked, value))
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
