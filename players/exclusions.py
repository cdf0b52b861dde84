"""Exclusions of federations, which keep players off the next lists and their results from counting (9.1, D-143)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from core.acts import carrying_out
from core.hooks import Hook
from players.choices import Deed
from players.models import Federation, FederationExclusion
from players.models.log import record_act
from players.own_matters import decides_alone


class PlayersOfFederation(NamedTuple):
    """Players of a federation on the newest list of a kind: those shown, and those withheld by an exclusion."""

    listed: int
    withheld: int


@dataclass(frozen=True, slots=True)
class ExclusionEffect:
    """What an exclusion, or its end, does: whether it is new, and how many players the next lists correct."""

    exclusion: FederationExclusion
    is_new: bool
    corrected: dict[str, int] = field(default_factory=dict)


# Asked before an exclusion of a federation is stored, with the days that it excludes from then on or no more: the
# answer is called afterwards, corrects the lists that touch them, and returns of how many players by kind (D-143).
Corrects = Callable[[FederationExclusion, Any, datetime], dict[str, int]]
exclusion_begins = Hook[[Federation, tuple[date, date]], Corrects]()
# What an exclusion of a federation would take off the lists: its players by the kind of the list.
exclusion_foreseen = Hook[[Federation], dict[str, PlayersOfFederation]]()


def preview_exclusion(federation: Federation) -> dict[str, PlayersOfFederation]:
    """Return the players of a federation on the newest lists, by kind.

    Those listed leave the lists while the federation is excluded; those withheld come back when it is readmitted.
    """
    answers = exclusion_foreseen.answers(federation)
    return {kind: number for found in answers for kind, number in found.items()}


def exclude_federation(
    federation: Federation,
    *,
    excluded_from: date,
    until: date | None,
    reference: str = "",
    by: Any,
    at: datetime,
    is_dry_run: bool = False,
) -> ExclusionEffect:
    """Record an exclusion and return its effect (9.1, D-15); a dry run writes nothing.

    An exclusion from the same day is the same one: it is given its end. `until` is the day of re-admission. Lists that
    were published without it are corrected by the next ones (D-11, D-143). `RefusedError` for an officer of the
    federation where another could decide (D-131).
    """
    is_alone = decides_alone(by, {federation.code}, asked_by=None)
    with carrying_out(is_dry_run=is_dry_run):
        stored = FederationExclusion.objects.filter(
            federation=federation, excluded_from=excluded_from
        ).first()
        reference = reference or (stored.reference if stored else "")
        if stored is not None and (stored.until, stored.reference) == (until, reference):
            return ExclusionEffect(stored, is_new=False)
        if stored is None:
            stored = FederationExclusion(
                federation=federation,
                excluded_from=excluded_from,
                recorded_by=by,
                recorded_at=at,
            )
            days = excluded_from, until or date.max
        else:
            first, last = sorted((stored.until or date.max, until or date.max))
            days = first, last
        finish = exclusion_begins.answers(federation, days)
        stored.until, stored.reference = until, reference
        stored.save(by=by, at=at)
        if is_alone:
            record_act(stored.area, Deed.ALONE, by=by, at=at, **stored.log_subject())
        corrected = {kind: number for answer in finish for kind, number in answer(stored, by, at).items()}
        return ExclusionEffect(stored, is_new=True, corrected=corrected)
