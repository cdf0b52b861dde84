"""The rows of imported lists: opened before their entries come in, completed after."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from ratings.choices import ListKind, Origin, Work
from ratings.models import RatingList, TournamentRating
from ratings.services.imports.entries import Target
from ratings.services.imports.memory import clear_entries, close_pools, inform_following, remember
from ratings.services.imports.plans import Plan
from ratings.services.publication.files import manifest_bytes, signature_of
from ratings.services.runs import make_due
from ratings.systems.registry import ENGINE_VERSION, Adoptions
from tournaments.choices import ReportState
from tournaments.signals import Dispatch


@dataclass(frozen=True, slots=True)
class Source:
    """The imported file: its name, and the SHA-256 and number of its bytes.

    `forced` is why signs in it that contradict date or kind were overridden (D-72), `adopted` why staff put FIDE's
    list in the place of the portal's own (D-73); empty where neither was needed.
    """

    name: str
    sha256: str
    size: int
    forced: str = ""
    adopted: str = ""

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons that were given, by what they are for."""
        given = {"forced": self.forced, "adopted": self.adopted}
        return {name: reason for name, reason in given.items() if reason}


def open_target(plan: Plan, adoptions: Adoptions, *, on: date, at: datetime) -> Target:
    """Return the list to be written: a new one, or the existing one emptied."""
    values = {
        "origin": Origin.IMPORTED,
        "rules": adoptions.text_on(on).slug if adoptions.has_text_on(on) else "",
        "engine_version": ENGINE_VERSION,
        "previous": RatingList.objects.before(plan.kind, on),
        "published_at": at,
    }
    rating_list, is_new = RatingList.objects.update_or_create(kind=plan.kind, date=on, defaults=values)
    if not is_new:
        clear_entries(rating_list)
    return Target(rating_list)


def complete(target: Target, source: Source, *, read: int) -> list[str]:
    """Write what the list remembers, its counts and its manifest; return what is to be looked at."""
    rating_list = target.rating_list
    remembered = remember(rating_list)
    close_pools(rating_list)
    rating_list.listed = target.listed
    rating_list.manifest = _manifest(target, source, read=read, remembered=remembered)
    content = manifest_bytes(rating_list.manifest)
    rating_list.manifest_sha256 = hashlib.sha256(content).hexdigest()
    rating_list.signature = signature_of(content)
    rating_list.save(update_fields=["listed", "manifest", "manifest_sha256", "signature"])
    inform_following(rating_list)
    return _doubts(rating_list)


def _manifest(target: Target, source: Source, *, read: int, remembered: int) -> dict[str, Any]:
    rating_list = target.rating_list
    return {
        "kind": rating_list.kind,
        "date": rating_list.date.isoformat(),
        "rules": rating_list.rules,
        "engine": rating_list.engine_version,
        "source": source.name,
        "sha256": source.sha256,
        "read": read,
        "listed": target.listed,
        "remembered": remembered,
        **source.reasons,
    }


def _doubts(rating_list: RatingList) -> list[str]:
    """A list of less than half the players of the one before may be part of one only."""
    previous = rating_list.previous
    if previous is None or rating_list.listed * 2 >= previous.listed:
        return []
    message = _(
        "The %(kind)s list has %(listed)s players, the previous one had %(before)s. Check that "
        "the file is complete."
    )
    return [message % {"kind": rating_list.kind, "listed": rating_list.listed, "before": previous.listed}]


def rate_again(rating_list: RatingList, *, at: datetime, dispatch: Dispatch | None) -> None:
    """Let the accepted reports that the list is in force for, and no list has taken yet, be rated by it."""
    day = rating_list.date
    waiting = TournamentRating.objects.filter(
        included_in=None, report__state=ReportState.ACCEPTED, report__tournament__start__gte=day
    )
    if rating_list.kind == ListKind.STANDARD:
        stale = waiting.filter(Q(standard_basis=None) | Q(standard_basis__date__lt=day))
    else:
        own = waiting.filter(report__tournament__kind=rating_list.kind)
        stale = own.filter(Q(basis=None) | Q(basis__date__lt=day))
    for report in stale.order_by("report").values_list("report", flat=True):
        make_due(Work.RATE, str(report), at=at, dispatch=dispatch)
