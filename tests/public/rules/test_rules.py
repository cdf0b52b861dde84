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
