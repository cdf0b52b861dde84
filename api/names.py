"""Stable ids of what the API shows, and back from them."""

from __future__ import annotations

from datetime import date

from api.errors import NotFoundError
from ratings.choices import ListKind
from ratings.models import RatingList

LATEST = "latest"


def publication_id(rating_list: RatingList) -> str:
    """Return the id of a list: `rapid-2026-02-01`."""
    return f"{rating_list.kind}-{rating_list.date.isoformat()}"


def parsed_id(text: str) -> tuple[str, date]:
    """Return kind and date of a list's id; `NotFoundError` where it is none."""
    kind, _dash, day = text.partition("-")
    return known_kind(kind), known_day(day)


def known_kind(kind: str) -> str:
    """Return the kind; `NotFoundError` with the kinds there are for another."""
    if kind not in ListKind.values:
        raise NotFoundError(f"There are no such lists; there are {', '.join(ListKind.values)}.")
    return kind


def known_day(text: str) -> date:
    """Return the day that an address names; `NotFoundError` where it is none."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFoundError("Write the date of a list as 2026-02-01.") from None
    if day.isoformat() != text:
        raise NotFoundError("Write the date of a list as 2026-02-01.")
    return day
