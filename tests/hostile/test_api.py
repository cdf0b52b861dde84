"""The API as its description says it is: schemathesis sends what is allowed and what is not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.checks import load_all_checks, not_a_server_error

from portal.wsgi import application
from ratings.api.schema import schema as description

CASES = int(os.environ.get("HOSTILE_CASES", "5"))
load_all_checks()


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep the connection of the test open between requests, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


API = schemathesis.openapi.from_dict(description())
API.app = application
API.location = "/"


@API.parametrize()
@settings(max_examples=CASES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_operation_keeps_to_its_description(db: None, case: Any) -> None:
    case.call_and_validate(checks=[not_a_server_error])
