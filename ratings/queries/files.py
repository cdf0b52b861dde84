"""The files of a published list and its manifest."""

from __future__ import annotations

from typing import Any

from ratings.models import ListFile, RatingList


def files_of(rating_list: RatingList) -> list[ListFile]:
    """Return the list's files; none for an imported list."""
    return list(ListFile.objects.filter(rating_list=rating_list).order_by("format"))


def file_of(rating_list: RatingList, file_format: str) -> ListFile | None:
    return ListFile.objects.filter(rating_list=rating_list, format=file_format).first()


def manifest_of(rating_list: RatingList) -> dict[str, Any]:
    """Return the manifest, empty for an imported list."""
    found = RatingList.objects.filter(pk=rating_list.pk).values_list("manifest", flat=True)
    return found.first() or {}
