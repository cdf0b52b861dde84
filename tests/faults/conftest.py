from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

from ratings.choices import RunState, Work
from ratings.models import Run
from ratings.services import runs
from ratings.services.publication.publish import publish_lists
from tests.factories import AppointmentFactory
from tests.faults.world import MONTH, hashes, play_a_month

NOW = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)
LATER = NOW + timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What comes out where nothing breaks, and the seconds it takes."""

    files: dict[str, str]
    seconds: float


@pytest.fixture
def played(transactional_db: None, tmp_path: Path) -> None:
    """A month whose reports are rated and whose lists are due."""
    play_a_month(tmp_path)


@pytest.fixture
def undisturbed(played: None) -> Undisturbed:
    """Publish the month and take it back; then note the publication as due."""
    began = time.perf_counter()
    with transaction.atomic():
        publish_lists(MONTH, by=None, at=NOW)
        files = hashes()
        transaction.set_rollback(True)
    Run.objects.create(work=Work.PUBLISH, subject=MONTH.isoformat(), state=RunState.DUE, created_at=NOW)
    return Undisturbed(files, time.perf_counter() - began)


@pytest.fixture
def page_of() -> Callable[[Run], str]:
    """Return a function that reads a run's page as staff do."""
    browser = Client()
    browser.force_login(AppointmentFactory(role="staff").user)
    return lambda run: browser.get(f"/admin/ratings/run/{run.pk}/change/").content.decode()


def publish() -> None:
    """Do the publication that is due, as a worker does."""
    runs.perform(Work.PUBLISH, MONTH.isoformat(), at=NOW)


def sweep() -> None:
    """Let the sweep of twenty minutes later find what is left, and do it."""
    with runs.working_inline():
        runs.sweep(at=LATER)
