"""Empty cells of a table have no white space, because phones hide such cells (`.rows td:empty`)."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.public.test_query_counts import PAGES, month_of

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_no_cell_has_only_white_space(client: Client) -> None:
    month = month_of()
    for address in PAGES:
        response = client.get(address.format(**month))
        if response["Content-Type"] == "image/png":
            continue
        markup = response.content.decode()
        assert re.findall(r"<td[^>]*>\s+</td>", markup) == [], address
