"""Federations by day: which register tournaments, and whose players are listed (FIDE R&B 2024, 0.2, 9.1; D-15)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import DateField, Q, QuerySet, Value

from core.bulk import batched
from core.sql import ids_subquery
from players.choices import CaseState
from players.minors import Minors, minors_on
from players.models import Federation, FederationExclusion, FormerFederation, Transfer
from players.models.federation import known_federations

BATCH = 20_000
# A federation, the first day on which somebody was of it, and the first one on which not any more.
Stay = tuple[str, date, date]
# The last day that has one after it.
LAST_DAY = date.max - timedelta(days=1)


class Federations:
    """Federations and exclusions, each read once: for a request, or for the reports of one transaction."""

    def __init__(self) -> None:
        self._by_code: dict[str, Federation | None] = {}
        self._excluded: dict[date, frozenset[str]] = {}
        self._hiding: Minors | None = None

    def get(self, code: str) -> Federation | None:
        """Return the federation with a code, None where there is none."""
        if code not in self._by_code:
            self._by_code[code] = Federation.objects.filter(pk=code).first()
        return self._by_code[code]

    def may_register(self, federation: Federation, day: date) -> bool:
        """Return whether a federation, or an Affiliated Organisation, registers tournaments on a day (0.2, D-15)."""
        if day not in self._excluded:
            self._excluded[day] = excluded_codes(day)
        has_rights = federation.is_member or bool(federation.affiliation_reference)
        return has_rights and federation.code not in self._excluded[day]

    def minors_on(self, day: date) -> Minors:
        """Return whose years of birth are not shown on a day."""
        if self._hiding is None:
            self._hiding = minors_on(day)
        return replace(self._hiding, year=day.year)


def excluded_codes(day: date) -> frozenset[str]:
    # On the day of readmission the federation is a member again (ADR 9).
    in_force = FederationExclusion.objects.filter(Q(until=None) | Q(until__gt=day), excluded_from__lte=day)
    return frozenset(in_force.values_list("federation_id", flat=True))


def is_in_force(first: date, until: date | None, day: date) -> bool:
    """Return whether an exclusion from `first` until the day of readmission, if any, is in force on a day (D-15)."""
    return first <= day and (until is None or day < until)


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Whose players are not listed: of no members without Council's approval, and of the excluded from day to day."""

    outside: frozenset[str]
    exclusions: tuple[tuple[str, date, date | None], ...]

    def on(self, day: date) -> frozenset[str]:
        """Return the codes of a day."""
        excluded = {code for code, first, end in self.exclusions if is_in_force(first, end, day)}
        return self.outside | excluded

    def spans(self, stays: Iterable[Stay]) -> Iterator[tuple[date, date]]:
        """Yield the days from and before which a player was of a federation that was excluded (D-143)."""
        for code, since, until in stays:
            for excluded, first, end in self.exclusions:
                span = max(first, since), min(end or LAST_DAY, until)
                if excluded == code and span[0] < span[1]:
                    yield span


class Stays:
    """The federations of players from day to day, by transfers and FIDE's lists; a correction has always been so.

    Those of merged IDs are of the person too (D-143).
    """

    def __init__(self, player_ids: Iterable[int]) -> None:
        self._left: dict[int, list[tuple[str, date]]] = defaultdict(list)
        self._merged: dict[int, list[int]] = defaultdict(list)
        for batch in batched(player_ids, BATCH):
            ids = ids_subquery(batch)
            theirs = Q(player__in=ids) | Q(player__merged_into__in=ids)
            lists = FormerFederation.objects.filter(theirs).order_by("player", "until")
            self._add(lists.values_list("player_id", "player__merged_into", "federation_id", "until"))
            transfers = Transfer.objects.filter(theirs, state=CaseState.APPROVED).order_by("decided_at", "pk")
            self._add(
                transfers.values_list("player_id", "player__merged_into", "from_federation_id", "decided_at")
            )

    def _add(self, rows: Iterable[tuple[int, int | None, str, Any]]) -> None:
        for player_id, into, code, at in rows:
            if into and player_id not in self._left:
                self._merged[into].append(player_id)
            day = at.date() if isinstance(at, datetime) else at
            self._left[player_id].append((code, day or date.min))

    def of(self, fide_id: int, federation: str) -> list[Stay]:
        """Return the stays of a player who is now of a federation, each with its first day and the one after it.

        They follow each other, and then come those under merged IDs.
        """
        found = self._former(fide_id)
        since = found[-1][2] if found else date.min
        under_others = (stay for one in self._merged.get(fide_id, ()) for stay in self._former(one))
        return [*found, (federation, since, date.max), *under_others]

    def _former(self, fide_id: int) -> list[Stay]:
        found, since = [], date.min
        # Of one day, what a list says was so before what was decided here.
        for code, day in sorted(self._left.get(fide_id, ()), key=itemgetter(1)):
            found.append((code, since, day))
            since = day
        return found


def who_left(federations: Iterable[str]) -> QuerySet[Any, Any]:
    """Return the IDs of players who were of one of these federations before, also under an ID that is merged."""
    codes = list(federations)
    moved = Transfer.objects.filter(from_federation__in=codes, state=CaseState.APPROVED).order_by()
    listed = FormerFederation.objects.filter(federation__in=codes).order_by()
    names = ("player", "player__merged_into")
    first, *others = (rows.values_list(name) for rows in (moved, listed) for name in names)
    return first.union(*others)


def load_unlisted() -> Unlisted:
    """Return whose players are not listed, on any day, by one query."""
    exclusions = FederationExclusion.objects.order_by()
    outside = Federation.objects.filter(is_member=False, listing_reference="").order_by()
    # A union needs the same types in both parts.
    never = Value(None, DateField())
    rows = exclusions.values_list("federation_id", "excluded_from", "until").union(
        outside.values_list("code", never, never), all=True
    )
    found = list(rows)
    return Unlisted(
        outside=frozenset(code for code, first, _end in found if first is None),
        exclusions=tuple((code, first, end) for code, first, end in found if first is not None),
    )


def unlisted_codes(day: date) -> frozenset[str]:
    """Return the codes whose players are not listed on a day: no members without Council's approval, and excluded."""
    return load_unlisted().on(day)


def load_federations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Create the federations that are missing and return their codes; those that are there stay as they are."""
    known = set(Federation.objects.using(using).values_list("code", flat=True))
    missing = [federation for federation in _federations() if federation.code not in known]
    if missing:
        Federation.objects.using(using).bulk_create(missing, ignore_conflicts=True)
    return [federation.code for federation in missing]


def _federations() -> list[Federation]:
    rows = ({**row, "is_member": row["is_member"] == "true"} for row in known_federations().values())
    return [Federation(**{name: row[name] for name in row if name != "territory"}) for row in rows]
