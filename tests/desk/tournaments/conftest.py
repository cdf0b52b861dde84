"""A registration that the tests change, withdraw and undo."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tournaments.models import Tournament

CHANGE = "/desk/tournaments/SUI-1/change"


AS_IT_IS = {
    "name": "Spring Rapid",
    "city": "Alphaville",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-14",
    "end": "2026-03-15",
    "schedule": "2026-03-14 5\n2026-03-15 4",
    "scheduled_for": "2026-03-14",
    "chief_arbiter": "Arbiter, Anna",
    "is_stated_rated": "on",
    "reason": "The hall is taken.",
}


def as_shown(officer: Client, **changes: Any) -> dict[str, Any]:
    """Return a change with what the page has said that the QC decides."""
    typed = AS_IT_IS | changes
    return typed | {"told": officer.post(CHANGE, typed | {"preview": "1"}).context["check"].told}


@pytest.fixture
def registered(swiss: Federation) -> Tournament:
    return make.tournament(
        event_id="SUI-1",
        name="Spring Rapid",
        federation=swiss,
        start=date(2026, 3, 14),
        schedule=["2026-03-14"] * 5 + ["2026-03-15"] * 4,
    )
