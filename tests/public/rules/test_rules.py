"""The regulations by effective date."""

from __future__ import annotations

import re

import pytest
from django.test import Client


@pytest.mark.django_db
def test_each_cell_of_the_comparison_names_its_text(client: Client) -> None:
    """A phone shows no heads of columns."""
    page = client.get("/rules/").content.decode()
    compared = page[page.index("compared-texts") :]
    cells = re.findall(r"<td( data-label=\"From 1 January \d{4}\")?>", compared[: compared.index("</table>")])

    assert cells != []
    assert all(cells)


@pytest.mark.django_db
def test_both_pages_tell_the_text_of_today_from_one_that_is_not_adopted(client: Client) -> None:
    shown = client.get("/rules/").context
    assert (shown["today"].slug, [text.slug for text in shown["unused"]]) == (
        "fide-rapid-blitz-2024",
        ["fide-rapid-blitz-2024-12"],
    )
    explained = client.get("/rules/reasons/").content.decode()
    assert [text in explained for text in ("1 January 2022 to 31 December 2023", "Not adopted")] == [
        True,
        True,
    ]
