"""Pages of a list that are found by counting: `?page=2`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from core.html.paging import InvalidPositionError, Page, query_url
from core.text_values import read_number

# The database reads all rows before a numbered page, and drops them.
MAX_PAGE_NUMBER = 1000


def page_number(query: Mapping[str, str], *, highest: int = MAX_PAGE_NUMBER) -> int:
    """Return the number of a page that is found by counting (`?page=2`), 1 if none is named.

    InvalidPositionError, a 404, for anything but 1 to `highest`.
    """
    text = query.get("page", "1")
    number = read_number(text, most=highest)
    # A page has one address: `?page=01` is none.
    if not number or text != str(number):
        raise InvalidPositionError(gettext("This page does not exist."))
    return number


def numbered_page(
    query: QueryDict, number: int, *, has_next: bool, last: int | None = None, label: str = ""
) -> Page[Any]:
    """Return the links of a page that is found by counting; its rows are shown otherwise."""
    return Page(
        [],
        first_url=query_url(query, page="1") if number > 1 else None,
        previous_url=query_url(query, page=str(number - 1)) if number > 1 else None,
        next_url=query_url(query, page=str(number + 1)) if has_next else None,
        last_url=query_url(query, page=str(last)) if has_next and last else None,
        label=label,
    )
