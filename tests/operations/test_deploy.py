"""What is in deploy/ names commands and settings that exist."""

from __future__ import annotations

import pytest
from django.conf import settings

pytestmark = pytest.mark.page

DEPLOY = settings.BASE_DIR / "deploy"
UNITS = [
    "portal-backup.service",
    "portal-beat.service",
    "portal-web@.service",
    "portal-webhooks.service",
    "portal-worker@.service",
]


def test_units_are_those_of_the_page() -> None:
    page = (settings.BASE_DIR / "docs" / "operations.md").read_text()

    there = sorted(path.name for path in (DEPLOY / "systemd").iterdir())
    assert there == sorted([*UNITS, "portal-web.socket", "portal-backup.timer"])
    assert [unit for unit in there if f"`{unit}`" not in page] == []
