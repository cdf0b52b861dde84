"""The page of tools."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.public.pages import page

pytestmark = pytest.mark.django_db


def test_every_tool_opens(client: Client) -> None:
    addresses = re.findall(r'<dt class="strong"><a\s+href="([^"]+)"', page(client, "/tools/"))

    assert {"/check/", "/calculators/"} <= {*addresses}
    assert {client.get(address).status_code for address in addresses} == {200}
