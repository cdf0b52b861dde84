"""Which federations are members, and whose players are listed on a day (FIDE R&B 2024, 9.1; D-15)."""

from __future__ import annotations

from datetime import date

from players.models import Federation, FederationExclusion


def excluded_codes(day: date) -> frozenset[str]:
    """Return the codes of the federations excluded on a day."""
    return frozenset(FederationExclusion.objects.in_force_on(day).values_list("federation_id", flat=True))


def unlisted_codes(day: date) -> frozenset[str]:
    """Return the codes whose players are not listed on a day: no members without Council's approval, and excluded."""
    outside = Federation.objects.filter(is_member=False, listing_reference="")
    return excluded_codes(day) | frozenset(outside.values_list("code", flat=True))


def may_register(federation: Federation, day: date) -> bool:
    """Whether a federation registers and reports tournaments on a day (0.2, D-15)."""
    return federation.is_member and federation.code not in excluded_codes(day)
