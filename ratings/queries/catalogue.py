"""All lists that the portal holds, read once a page: which is the newest, what stood before and after; their files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

from ratings.choices import ListKind, Origin
from ratings.models import ListArchive, ListFile, RatingList

KINDS = (ListKind.RAPID, ListKind.BLITZ, ListKind.STANDARD)
# The manifest names every report of a month: far too much for a page that shows no more than a date.
LARGE = ("manifest", "signature")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The lists of all kinds, the newest first."""

    lists: Sequence[RatingList]

    def of_kind(self, kind: str) -> list[RatingList]:
        """Return the lists of a kind, the newest first."""
        return [item for item in self.lists if item.kind == kind]

    def newest(self, kind: str) -> RatingList | None:
        return next((item for item in self.lists if item.kind == kind), None)

    def newest_of_each(self) -> list[RatingList]:
        """Return the newest list of each kind that has one: rapid, blitz, standard."""
        return [item for kind in KINDS if (item := self.newest(kind))]

    def on(self, kind: str, day: date) -> RatingList | None:
        """Return the list that bears a date."""
        return next((item for item in self.lists if item.kind == kind and item.date == day), None)

    def before(self, rating_list: RatingList) -> RatingList | None:
        """Return the list before: the one that its figures are compared with."""
        earlier = (item for item in self.of_kind(rating_list.kind) if item.date < rating_list.date)
        return next(earlier, None)

    def after(self, rating_list: RatingList) -> RatingList | None:
        later = [item for item in self.of_kind(rating_list.kind) if item.date > rating_list.date]
        return later[-1] if later else None

    def by_id(self) -> dict[int, RatingList]:
        return {item.pk: item for item in self.lists}

    def as_of(self, day: date) -> Catalogue:
        """Return the lists that stood on a day; `LookupError` where none bears it."""
        if all(item.date != day for item in self.lists):
            raise LookupError(day)
        return Catalogue([item for item in self.lists if item.date <= day])

    def months(self) -> Iterator[tuple[date, list[RatingList | None]]]:
        """Yield each date with its list of every kind, the newest date first."""
        for day in sorted({item.date for item in self.lists}, reverse=True):
            yield day, [self.on(kind, day) for kind in KINDS]

    def days(self) -> list[date]:
        """Return the dates of all lists, the newest first."""
        return sorted({item.date for item in self.lists}, reverse=True)

    @property
    def ids(self) -> list[int]:
        """The lists by their keys: for what these took in, and no list that appeared since."""
        return [item.pk for item in self.lists]

    @property
    def changed_at(self) -> datetime | None:
        """When the newest of all lists appeared."""
        return max((item.published_at for item in self.lists), default=None)

    @property
    def version(self) -> str:
        """What differs as soon as a list is published or imported: for validators of cached pages."""
        newest = self.changed_at
        return f"{len(self.lists)}-{newest.isoformat() if newest else ''}"


def catalogue() -> Catalogue:
    """Return all lists in one query, without their manifests."""
    return Catalogue(list(RatingList.objects.defer(*LARGE).order_by("-date", "kind")))


def undivided(read: Callable[[Catalogue], Found]) -> Found:
    """Return what `read` makes of the lists; made anew where a list appeared meanwhile: it would be half of each.

    For what is told by lists and by tournaments, which a publication changes together.
    """
    lists = catalogue()
    found = read(lists)
    now = catalogue()
    return found if now.version == lists.version else read(now)


def is_published(rating_list: RatingList) -> bool:
    """Whether the portal made the list itself, so that it has files and calculations."""
    return rating_list.origin == Origin.PUBLISHED


HISTORY, EVIDENCE = ".history.csv.zip", ".evidence.zip"


def files_of(rating_list: RatingList) -> list[ListFile]:
    """Return the list's files; none for an imported list."""
    return list(ListFile.objects.filter(rating_list=rating_list).order_by("format"))


def file_of(rating_list: RatingList, file_format: str) -> ListFile | None:
    return ListFile.objects.filter(rating_list=rating_list, format=file_format).first()


def archives_of(rating_list: RatingList) -> list[ListArchive]:
    """Return the packed files that were made of the list so far."""
    return list(ListArchive.objects.filter(rating_list=rating_list).order_by("name"))


def archive_of(rating_list: RatingList, name: str) -> ListArchive | None:
    return ListArchive.objects.filter(rating_list=rating_list, name=name).first()


def newest_history(kind: str) -> ListArchive | None:
    """Return the newest history of the lists of a kind."""
    rows = ListArchive.objects.filter(rating_list__kind=kind, name__endswith=HISTORY)
    return (
        rows.select_related("rating_list")
        .defer("rating_list__manifest")
        .order_by("-rating_list__date")
        .first()
    )


def manifest_of(rating_list: RatingList) -> dict[str, Any]:
    """Return the manifest, empty for an imported list."""
    found = RatingList.objects.filter(pk=rating_list.pk).values_list("manifest", flat=True)
    return found.first() or {}
