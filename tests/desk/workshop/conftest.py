"""Proposals that the QC tries on a published month."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ratings.models import Run, TextTrial
from ratings.services.runs import perform
from tests.desk.conftest import NOW
from tests.ratings.played import play_month

TEXT = "fide-rapid-blitz-2024"


VALUES: dict[str, Any] = {
    "name": "cap 500, K 30",
    "text": TEXT,
    "cap": "500",
    "k": "30",
    "months": ["2026-02-01"],
}


@pytest.fixture
def qc(signed_in: Callable[[str], Client]) -> Client:
    play_month(2)
    return signed_in("qc")


def tried(browser: Client, **changed: Any) -> str:
    """Try a proposal from the page, run the worker's job, and return the URL of the result."""
    answer = browser.post("/desk/workshop/", VALUES | changed)
    made = TextTrial.objects.latest("pk")
    assert answer["Location"] == f"/desk/workshop/{made.pk}/"
    assert Run.objects.get(work="trial", subject=str(made.pk)).state == "due"
    assert 'hx-trigger="every 3s"' in browser.get(answer["Location"]).content.decode()
    perform("trial", str(made.pk), at=NOW)
    return str(answer["Location"])
