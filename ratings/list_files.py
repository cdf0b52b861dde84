"""The files of a list: those that are published with it, and those that are packed from it later."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet

from ratings.models import ListArchive, ListFile, RatingList

HISTORY, EVIDENCE = ".history.csv.zip", ".evidence.zip"
# The games of both lists of a month are one file, which belongs to one of the two.
GAMES = "games-"


def files_of(rating_list: RatingList) -> list[ListFile]:
    """Return the list's files; none for an imported list."""
    return list(ListFile.objects.filter(rating_list=rating_list).order_by("format"))


def file_of(rating_list: RatingList, file_format: str) -> ListFile | None:
    return ListFile.objects.filter(rating_list=rating_list, format=file_format).first()


def archives_of(rating_list: RatingList) -> list[ListArchive]:
    """Return the compressed files of the list that exist so far, with the games of its month."""
    return list(_archives(rating_list).order_by("name"))


def archive_of(rating_list: RatingList, name: str) -> ListArchive | None:
    return _archives(rating_list).filter(name=name).first()


def _archives(rating_list: RatingList) -> QuerySet[ListArchive]:
    own = Q(rating_list=rating_list) | Q(name__startswith=GAMES)
    return ListArchive.objects.filter(own, rating_list__date=rating_list.date)


def games_name(month: date) -> str:
    return f"{GAMES}{month.isoformat()}.csv.gz"


def newest_games() -> ListArchive | None:
    """Return the file of games of the newest month that has one."""
    rows = ListArchive.objects.filter(name__startswith=GAMES).select_related("rating_list")
    return rows.defer("rating_list__manifest").order_by("-rating_list__date").first()


def newest_history(kind: str) -> ListArchive | None:
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
