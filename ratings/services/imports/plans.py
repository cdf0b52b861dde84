"""Which lists of a file go in, what bars the others (published is immutable, D-11), and what an import did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Q
from django.utils.translation import gettext as _

from players.fide_list import LineProblem
from ratings.choices import ListKind, Origin
from ratings.models import RatingList, TournamentRating


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of one list of a file: it goes in, is there already (`is_known`), or is refused."""

    kind: str
    existing: RatingList | None = None
    is_known: bool = False
    refusal: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the list is to be written."""
        return not self.is_known and not self.refusal


def plans_for(kinds: Iterable[str], *, on: date, sha256: str) -> list[Plan]:
    """Return the plan of each kind; the file is known by its hash."""
    return [_plan(kind, on, sha256) for kind in kinds]


def _plan(kind: str, on: date, sha256: str) -> Plan:
    existing = RatingList.objects.filter(kind=kind, date=on).first()
    if existing and existing.origin == Origin.IMPORTED and existing.manifest.get("sha256") == sha256:
        return Plan(kind, existing, is_known=True)
    return Plan(kind, existing, refusal=_refusal(kind, on, existing))


def _refusal(kind: str, on: date, existing: RatingList | None) -> str:
    names = {"kind": ListKind(kind).label, "date": on.isoformat()}
    if existing and existing.origin == Origin.PUBLISHED:
        message = _("The %(kind)s list of %(date)s was published by the portal and is never altered.")
        return message % names
    later = (
        RatingList.objects.filter(kind=kind, origin=Origin.PUBLISHED, date__gt=on).order_by("date").first()
    )
    if later:
        message = _("The %(kind)s list of %(later)s, published by the portal, follows that of %(date)s.")
        return message % {**names, "later": later.date.isoformat()}
    if existing and _is_rated_by(existing):
        message = _(
            "Tournaments are rated by the %(kind)s list of %(date)s, which came from another file; "
            "it cannot be replaced any more."
        )
        return message % names
    if kind == ListKind.STANDARD and _replaces_published_basis(on):
        message = _(
            "Published tournaments were rated by the standard list in force before that of %(date)s; "
            "it cannot come in any more."
        )
        return message % names
    return ""


def _is_rated_by(rating_list: RatingList) -> bool:
    builds_on = Q(basis=rating_list) | Q(standard_basis=rating_list)
    return TournamentRating.objects.filter(builds_on).exists()


def _replaces_published_basis(on: date) -> bool:
    """Whether the standard list in force at the start of a published tournament would be another one (7.2.1, D-1)."""
    published = TournamentRating.objects.filter(included_in__isnull=False, report__tournament__start__gte=on)
    return published.filter(Q(standard_basis=None) | Q(standard_basis__date__lt=on)).exists()


# Is told what is done now, and how many of the file's bytes have been read.
ReportProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ImportedList:
    """A list of the file; `is_new` says that this call wrote it."""

    kind: str
    listed: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Import:
    """What was read and written; the first problems are kept, all are counted.

    `compared` are FIDE's lists of kinds that the portal publishes, kept for comparison (D-73).
    """

    on: date
    read: int
    created: int
    changed: int
    lists: tuple[ImportedList, ...]
    problems: tuple[LineProblem, ...]
    problem_count: int
    notices: tuple[str, ...]
    compared: tuple[ImportedList, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the file was imported before, so that nothing was written."""
        return not any(item.is_new for item in (*self.lists, *self.compared))
