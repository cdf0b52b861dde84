"""What is in deploy/ names commands and settings that exist."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

from portal.settings.backends import PAGE_SCOPES
from tests.proxy import GIVEN

pytestmark = pytest.mark.page

DEPLOY = settings.BASE_DIR / "deploy"
UNITS = ["portal-beat.service", "portal-web.service", "portal-webhooks.service", "portal-worker@.service"]


def test_units_are_those_of_the_page() -> None:
    page = (settings.BASE_DIR / "docs" / "operations.md").read_text()

    there = sorted(path.name for path in (DEPLOY / "systemd").iterdir())
    assert there == sorted([*UNITS, "portal-web.socket"])
    assert [unit for unit in there if f"`{unit}`" not in page] == []


def test_proxy_knows_the_scopes_of_pages() -> None:
    scopes = re.findall(r'"~\^\[\^\?\]\*(/\S+)" /edition(/\S+)/;', GIVEN.read_text())
    assert scopes == [(part, part) for part in PAGE_SCOPES.values()]
