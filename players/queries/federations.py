"""Federations by day: which register tournaments, and whose players are listed (FIDE R&B 2024, 0.2, 9.1; D-15)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from django.db.models import DateField, Q, Value

from players.models import Federation, FederationExclusion
from players.queries.minors import Minors, minors_on


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


def is_unlisted(federation: Federation, day: date) -> bool:
    """Return whether the players of one federation are not listed on a day, as `unlisted_codes` does for all."""
    is_outside = not federation.is_member and not federation.listing_reference
    return is_outside or federation.code in excluded_codes(day)


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
