"""The worlds of the walk, built once for a module."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.core.cache import cache

from core.web import rates, typed_forms
from portal.celery import PULSE
from tests.shared import SharedRows
from tests.walk.worlds import Values, build_worlds


@pytest.fixture(scope="module")
def built_worlds(rows_of_module: SharedRows) -> dict[str, Values]:
    with rows_of_module():
        return build_worlds()


@pytest.fixture
def worlds(
    built_worlds: dict[str, Values], db: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> dict[str, Values]:
    """Return what addresses name objects by, by whose they are; no limit counts the requests."""
    monkeypatch.setattr(rates, "_rate", lambda scope: (10**9, 60))
    monkeypatch.setattr(typed_forms, "STORED_AN_HOUR", 10**9)
    # No test collects static files where others read them.
    monkeypatch.setattr("portal.health.lacks_files", lambda: False)
    cache.set(PULSE, "a worker", None)
    # Thousands of refusals, each with its traceback.
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    settings.ACCOUNT_RATE_LIMITS = False
    return built_worlds
