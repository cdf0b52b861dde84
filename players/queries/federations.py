"""Which federations are members, and whose players are listed on a day (FIDE R&B 2024, 9.1; D-15)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date

from players.models import Federation, FederationExclusion


@dataclass(slots=True)
class _Held:
    """What was asked before, by code and by day."""

    federations: dict[str, Federation | None] = field(default_factory=dict)
    excluded: dict[date, frozenset[str]] = field(default_factory=dict)


_held: ContextVar[_Held | None] = ContextVar("held", default=None)


@contextmanager
def federations_held() -> Iterator[None]:
    """Ask for each federation and each day once inside: for many reports in one short transaction."""
    token = _held.set(_Held())
    try:
        yield
    finally:
        _held.reset(token)


def federation_of(code: str) -> Federation | None:
    """Return the federation with a code, None where there is none."""
    held = _held.get() or _Held()
    if code not in held.federations:
        held.federations[code] = Federation.objects.filter(pk=code).first()
    return held.federations[code]


def excluded_codes(day: date) -> frozenset[str]:
    """Return the codes of the federations excluded on a day."""
    held = _held.get() or _Held()
    if day not in held.excluded:
        codes = FederationExclusion.objects.in_force_on(day).values_list("federation_id", flat=True)
        held.excluded[day] = frozenset(codes)
    return held.excluded[day]


def unlisted_codes(day: date) -> frozenset[str]:
    """Return the codes whose players are not listed on a day: no members without Council's approval, and excluded."""
    outside = Federation.objects.filter(is_member=False, listing_reference="")
    return excluded_codes(day) | frozenset(outside.values_list("code", flat=True))


def may_register(federation: Federation, day: date) -> bool:
    """Whether a federation registers and reports tournaments on a day (0.2, D-15)."""
    return federation.is_member and federation.code not in excluded_codes(day)
