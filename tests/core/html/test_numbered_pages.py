from __future__ import annotations

import pytest
from django.http import QueryDict

from core.html.paging import InvalidPositionError, numbered_page, page_number


@pytest.mark.parametrize("text", ["0", "-1", "x", "", "²", "1001", "00001", "1e3"])
def test_page_number_outside_its_range_is_not_found(text: str) -> None:
    with pytest.raises(InvalidPositionError):
        page_number(QueryDict(f"page={text}"))


def test_numbered_page_links_to_its_neighbours_and_keeps_the_query() -> None:
    query = QueryDict("q=ada&page=2")

    page = numbered_page(query, page_number(query), has_next=True, last=4)

    assert (page.first_url, page.previous_url) == ("?q=ada&page=1", "?q=ada&page=1")
    assert (page.next_url, page.last_url) == ("?q=ada&page=3", "?q=ada&page=4")
