"""The files of a list: those that are published with it, and those that are packed from it later."""

from __future__ import annotations

from typing import Any

from ratings.models import ListArchive, ListFile, RatingList

HISTORY, EVIDENCE = ".history.csv.zip", ".evidence.zip"


def files_of(rating_list: RatingList) -> list[ListFile]:
    """Return the list's files; none for an imported list."""
    return list(ListFile.objects.filter(rating_list=rating_list).order_by("format"))


def file_of(rating_list: RatingList, file_format: str) -> ListFile | None:
    return ListFile.objects.filter(rating_list=rating_list, format=file_format).first()


def archives_of(rating_list: RatingList) -> list[ListArchive]:
    """Return the compressed files of the list that exist so far."""
    return list(ListArchive.objects.filter(rating_list=rating_list).order_by("name"))


def archive_of(rating_list: RatingList, name: str) -> ListArchive | None:
    return ListArchive.objects.filter(rating_list=rating_list, name=name).first()


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
