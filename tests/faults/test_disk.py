"""Disks that are really full, under list files and database: nothing half, and whole once there is room."""

from __future__ import annotations

import hashlib
import resource
from collections.abc import Callable

import pytest
from django.core.files.storage import storages
from django.db import OperationalError, connection

from ratings.choices import RunState
from ratings.models import ListFile, Run
from tests.faults.conftest import (
    Undisturbed,
    all_published_once,
    first_publication,
    publish,
    sweep,
    whole_or_absent,
)
from tests.faults.disks import fills_database, full_database
from tests.faults.processes import end, start
from tests.faults.world import MONTH

pytestmark = pytest.mark.django_db(transaction=True)
KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
REASONS = {"sqlite": "database or disk is full", "postgresql": "No space left on device"}


def failed_for(run: Run, reason: str, page: str) -> None:
    """Assert that the run and its page say what happened, and what comes next."""
    assert run.state == RunState.FAILED
    assert reason in run.error
    assert reason in page
    assert "It retries within 2 minutes" in page
    assert "for example a full disk" in page


def files_as_published() -> None:
    """Assert that the files of the month are in the folder, to the byte."""
    for item in ListFile.objects.filter(rating_list__date=MONTH):
        with storages["lists"].open(item.path) as file:
            assert hashlib.sha256(file.read()).hexdigest() == item.sha256


def test_files_may_not_grow(undisturbed: Undisturbed, page_of: Callable[[Run], str]) -> None:
    def publish_small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20 * KIBIBYTE, resource.RLIM_INFINITY))
        publish()

    assert end(start(publish_small)) == 1

    whole_or_absent(undisturbed)
    run = first_publication()
    if connection.vendor == "sqlite":
        # The limit is on the database's files too: the work was not even begun.
        assert (run.state, run.attempts) == (RunState.DUE, 0)
        assert "If no worker starts it" in page_of(run)
    else:
        failed_for(run, "OSError: [Errno 27] File too large", page_of(run))

    sweep()

    all_published_once(undisturbed)
    files_as_published()


@fills_database
def test_database_is_full_while_a_list_is_published(
    undisturbed: Undisturbed, page_of: Callable[[Run], str]
) -> None:
    with full_database("ratings_listentry", room=5), pytest.raises(OperationalError):
        publish()

    whole_or_absent(undisturbed)
    run = first_publication()
    failed_for(run, REASONS[connection.vendor], page_of(run))

    sweep()

    all_published_once(undisturbed)
    files_as_published()
