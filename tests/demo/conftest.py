"""The demonstration of one day, created once for all its tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import TestCase, override_settings

from demo.accounts import Account
from demo.world import make_world

TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class World:
    """The accounts of the demonstration, and the messages of its steps."""

    accounts: list[Account]
    told: list[str]


@pytest.fixture(scope="module", autouse=True)
def _own_list_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let all tests of a module share the stored list files."""
    folder = str(tmp_path_factory.mktemp("lists"))
    storages: Any = settings.STORAGES
    lists = {**storages["lists"], "OPTIONS": {"location": folder}}
    with override_settings(STORAGES={**storages, "lists": lists}):
        yield


@pytest.fixture(scope="module")
def world(_own_list_folder: None, django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Create the demonstration, and remove it after the module's tests."""
    told: list[str] = []
    with django_db_blocker.unblock(), transaction.atomic():
        with TestCase.captureOnCommitCallbacks(execute=True):
            accounts = make_world(today=TODAY, at=NOW, tell=told.append)
        yield World(accounts, told)
        transaction.set_rollback(True)
