"""Which lists of a file go in, and what bars the others (published is immutable, D-11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from core.errors import Refusal
from players.fide_list import ListReading, kind_from_name, month_in_name, month_of_token
from ratings.choices import (
    HEADING_CONTRADICTS,
    LATER_PUBLISHED,
    NAME_SAYS_KIND,
    NAME_SAYS_MONTH,
    PUBLISHED_HERE,
    RATED_BY,
    REPORTS_CONTAINED,
    REPORTS_WAIT,
    ListKind,
    Origin,
)
from ratings.models import FideList, RatingList, TournamentRating
from ratings.queries.lists import read_lists
from ratings.services.imports.outcome import ImportedFile
from ratings.services.publication.publish import order_refusals
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
        values = {"sign": reading.token, "date": date_format(on)}
        refusals.append(Refusal("heading-contradicts-D-72", _(HEADING_CONTRADICTS) % values, "date"))
    # The archive and the file in it often have one name, and one contradiction is said once.
    for name in dict.fromkeys(names):
        month, named = month_in_name(name), kind_from_name(name)
        values = {"name": name, "date": date_format(on), "kind": kind or reading.kinds[0]}
        if month is not None and month != on:
            values["month"] = date_format(month, "YEAR_MONTH_FORMAT")
            refusals.append(Refusal("name-contradicts-D-72", _(NAME_SAYS_MONTH) % values, "date"))
        if len(reading.kinds) == 1 and named not in (None, reading.kinds[0]):
            values["named"] = str(named)
            refusals.append(Refusal("name-contradicts-D-72", _(NAME_SAYS_KIND) % values, "kind"))
    return refusals


def waiting_notices(
    plans: Iterable[Plan], waiting: Iterable[Report], contained: Collection[Report], *, on: date
) -> Iterator[str]:
    """Yield for each list that goes in which reports that wait for that month's list it contains, and which not."""
    waiting = list(waiting)
    for plan in plans:
        names = {"kind": ListKind(plan.kind).label, "date": date_format(on)}
        of_kind = [report for report in waiting if report.event.kind == plan.kind]
        for template, is_in in ((REPORTS_CONTAINED, True), (REPORTS_WAIT, False)):
            events = [report.event.event_id for report in of_kind if (report in contained) == is_in]
            if events:
                yield _(template) % {"events": ", ".join(events), **names}


def _refusal(kind: str, on: date, existing: RatingList | None) -> Refusal | None:
    names = {"kind": ListKind(kind).label, "date": date_format(on)}
    if existing and existing.origin == Origin.PUBLISHED:
        return Refusal("published-D-11", _(PUBLISHED_HERE) % names, "file")
    later = (
        RatingList.objects.filter(kind=kind, origin=Origin.PUBLISHED, date__gt=on).order_by("date").first()
    )
    if later:
        message = _(LATER_PUBLISHED) % {**names, "later": date_format(later.date)}
        return Refusal("later-published-D-11", message, "file")
    if existing and _is_rated_by(existing):
        return Refusal("rated-by-it-D-11", _(RATED_BY) % names, "file")
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
