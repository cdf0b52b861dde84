"""Which federations are members, and whose players are listed on a day (FIDE R&B 2024, 9.1; D-15)."""

from __future__ import annotations

from datetime import date

from players.models import Federation, FederationExclusion


class Federations:
    """Federations and exclusions, each asked for once: for a request, or for the reports of one transaction."""

    def __init__(self) -> None:
        self._by_code: dict[str, Federation | None] = {}
        self._excluded: dict[date, frozenset[str]] = {}

    def get(self, code: str) -> Federation | None:
        """Return the federation with a code, None where there is none."""
        if code not in self._by_code:
            self._by_code[code] = Federation.objects.filter(pk=code).first()
        return self._by_code[code]

    def may_register(self, federation: Federation, day: date) -> bool:
        """Return whether a federation registers and reports tournaments on a day (0.2, D-15)."""
        if day not in self._excluded:
            self._excluded[day] = excluded_codes(day)
        return federation.is_member and federation.code not in self._excluded[day]


def excluded_codes(day: date) -> frozenset[str]:
    """Return the codes of the federations excluded on a day."""
    codes = FederationExclusion.objects.in_force_on(day).values_list("federation_id", flat=True)
    return frozenset(codes)


def unlisted_codes(day: date) -> frozenset[str]:
    """Return the codes whose players are not listed on a day: no members without Council's approval, and excluded."""
    outside = Federation.objects.filter(is_member=False, listing_reference="")
    return excluded_codes(day) | frozenset(outside.values_list("code", flat=True))
