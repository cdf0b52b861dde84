"""Rows that the tests of a module share: built once in a transaction, in which each test has a savepoint of its own.

    @pytest.fixture(scope="module")
    def played(rows_of_module: SharedRows) -> Month:
        with rows_of_module():
            return play_month(2)

    @pytest.fixture
    def month(played: Month, db: None) -> Month:
        return deepcopy(played)

What a test writes is rolled back to these rows, its list files are a copy of theirs, and nothing that was cached while
they were built is kept. Every test of the module that comes later finds the rows. A test with `transactional_db` cannot
share rows, because others must see what it commits: it belongs in another module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.files.storage import storages
from django.db import transaction
from django.test import override_settings

from ratings.lists import forget_lists
from ratings.search import forget_top_ratings

SharedRows = Callable[[], AbstractContextManager[None]]


@contextmanager
def lists_in(folder: Path) -> Iterator[None]:
    """Write and read list files in a folder."""
    handler: Any = storages
    stores: Any = settings.STORAGES
    lists = {**stores["lists"], "OPTIONS": {"location": str(folder)}}
    with override_settings(STORAGES={**stores, "lists": lists}):
        handler._storages.pop("lists", None)
        yield
    handler._storages.pop("lists", None)


@pytest.fixture(scope="module")
def lists_of_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the list files of the rows that the tests of a module share."""
    return tmp_path_factory.mktemp("lists")


@pytest.fixture(scope="module")
def rows_of_module(
    lists_of_module: Path, django_db_setup: None, django_db_blocker: Any
) -> Iterator[SharedRows]:
    """Return a context in which a module's fixture builds what its tests share; it is rolled back after the last."""
    whole = transaction.atomic()

    @contextmanager
    def building() -> Iterator[None]:
        with django_db_blocker.unblock(), lists_in(lists_of_module), override_settings(KEPT_PAGES_SECONDS=0):
            yield
        for name in ("default", "process"):
            caches[name].clear()
        forget_lists()
        forget_top_ratings()

    with django_db_blocker.unblock():
        whole.__enter__()
    yield building
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)
