"""The page of tools."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from django.test import Client

from tests.public.pages import page, rows

pytestmark = pytest.mark.django_db


def test_every_tool_opens(client: Client) -> None:
    addresses = re.findall(r'<dt class="strong"><a\s+href="([^"]+)"', page(client, "/tools/"))

    assert {"/check/", "/calculators/"} <= {*addresses}
    assert {client.get(address).status_code for address in addresses} == {200}


def test_worked_cases_are_counted_and_downloaded(client: Client) -> None:
    shown = rows(page(client, "/tools/worked-cases/"))
    with zipfile.ZipFile(io.BytesIO(client.get("/tools/worked-cases.zip").getvalue())) as archive:
        names = archive.namelist()
    assert {f"worked-cases/{row[1]}" for row in shown[1:]} <= {*names}
    assert {"worked-cases/run.py", "worked-cases/examples/fide.js"} <= {*names}
    assert sum(int(row[2]) for row in shown[1:]) == 578
