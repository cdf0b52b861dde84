"""Which lists of a file go in, and what bars the others (published is immutable, D-11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import Q

from core.errors import Refusal, stated_refusal
from players.fide_list import ListReading, kind_from_name, month_in_name, month_of_token
from ratings.choices import SENTENCES, ListKind, Origin
from ratings.imports.outcome import ImportedFile
from ratings.lists import read_lists
from ratings.models import FideList, RatingList, TournamentRating
from ratings.publish.publish import order_refusals
from tournaments.models import Report


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of one list of a file: it goes in, is there already (`is_known`), or is refused.

    One that `is_compared` is kept for comparison, and never in force (D-73). One that `is_corrected` is in use already,
    and what differs goes into the next list (D-125).
    """

    kind: str
    existing: RatingList | None = None
    is_known: bool = False
    is_compared: bool = False
    is_corrected: bool = False
    refusal: Refusal | None = None

    @property
    def is_open(self) -> bool:
        """Whether the list is to be written."""
        return not (self.is_known or self.is_compared or self.is_corrected or self.refusal)


def plan_for(kind: str, source: ImportedFile, *, on: date) -> Plan:
    """Return the plan of a kind of the file, which is known by its hash.

    FIDE's list of a kind that the portal publishes goes in only where staff adopt it (D-73).
    """
    sha256, is_adopted = source.sha256, bool(source.adopted)
    existing = RatingList.objects.filter(kind=kind, date=on).first()
    # The hash of the same file: importing again changes nothing.
    if existing and existing.origin == Origin.IMPORTED and existing.manifest.get("sha256") == sha256:
        return Plan(kind, existing, is_known=True)
    may_be_corrected = kind == ListKind.STANDARD or not is_adopted
    if may_be_corrected and existing and existing.origin == Origin.IMPORTED and _is_in_use(existing):
        return Plan(kind, existing, is_corrected=True)
    if RatingList.objects.filter(kind=kind, origin=Origin.PUBLISHED).exists():
        if not is_adopted:
            is_kept = FideList.objects.filter(kind=kind, date=on, sha256=sha256).exists()
            return Plan(kind, existing, is_known=is_kept, is_compared=True)
        if refusals := order_refusals(read_lists(), kind, on):
            return Plan(kind, existing, refusal=replace(refusals[0], field="file"))
    return Plan(kind, existing, refusal=_refusal(kind, on, existing))


def sign_refusals(reading: ListReading, names: Iterable[str], *, on: date, kind: str | None) -> list[Refusal]:
    """Return what in a file contradicts the date or the kind given: heading and names of the file (D-72)."""
    refusals = []
    month = month_of_token(reading.token)
    if month is not None and month != on:
        code = "heading-contradicts-D-72"
        refusals.append(stated_refusal(SENTENCES, code, "date", sign=reading.token, date=on))
    # The archive and the file in it often have one name, and one contradiction is said once.
    for name in dict.fromkeys(names):
        month, named = month_in_name(name), kind_from_name(name)
        if month is not None and month != on:
            said = SENTENCES.say("name-says-month", name=name, month=month, date=on)
            refusals.append(Refusal("name-contradicts-D-72", said, "date"))
        if len(reading.kinds) == 1 and named not in (None, reading.kinds[0]):
            said = SENTENCES.say("name-says-kind", name=name, named=named, kind=kind or reading.kinds[0])
            refusals.append(Refusal("name-contradicts-D-72", said, "kind"))
    return refusals


def waiting_notices(
    plans: Iterable[Plan], waiting: Iterable[Report], contained: Collection[Report], *, on: date
) -> Iterator[str]:
    """Yield for each list that goes in which reports that wait for that month's list it contains, and which not."""
    waiting = list(waiting)
    for plan in plans:
        of_kind = [report for report in waiting if report.event.kind == plan.kind]
        for code, is_in in (("reports-contained", True), ("reports-wait", False)):
            events = [report.event.event_id for report in of_kind if (report in contained) == is_in]
            if events:
                yield SENTENCES.say(code, events=", ".join(events), kind=plan.kind, date=on)


def _refusal(kind: str, on: date, existing: RatingList | None) -> Refusal | None:
    names: dict[str, Any] = {"kind": kind, "date": on}
    if existing and existing.origin == Origin.PUBLISHED:
        return stated_refusal(SENTENCES, "published-D-11", "file", **names)
    later = (
        RatingList.objects.filter(kind=kind, origin=Origin.PUBLISHED, date__gt=on).order_by("date").first()
    )
    if later:
        return stated_refusal(SENTENCES, "later-published-D-11", "file", later=later.date, **names)
    if existing and _is_rated_by(existing):
        return stated_refusal(SENTENCES, "rated-by-it-D-11", "file", **names)
    return None


def _is_in_use(rating_list: RatingList) -> bool:
    """Return whether a list of the portal follows an imported list, or tournaments are rated with it."""
    later = RatingList.objects.filter(
        kind=rating_list.kind, origin=Origin.PUBLISHED, date__gt=rating_list.date
    )
    return later.exists() or _is_rated_by(rating_list)


def _is_rated_by(rating_list: RatingList) -> bool:
    builds_on = Q(basis=rating_list) | Q(standard_basis=rating_list)
    return TournamentRating.objects.filter(builds_on).exists()
