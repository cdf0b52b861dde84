"""The API as its description says it is: schemathesis sends what is allowed and what is not.

By somebody unknown, and with the tokens of an officer and of an arena. Half of the requests name what is there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core import NOT_SET
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.schema import schema as description
from arenas.models import Arena
from arenas.tokens import issue_token as issue_arena_token
from portal.wsgi import application
from tests import make
from tests.shared import SharedRows
from tournaments.choices import Verb
from tournaments.tokens import issue_token

pytestmark = pytest.mark.slow

CASES = int(os.environ.get("HOSTILE_CASES", "4"))
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(autouse=True)
def _one_connection() -> Iterator[None]:
    """Keep the connection of the test open between requests, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def month(rows_of_module: SharedRows) -> make.Month:
    with rows_of_module():
        return make.play_month(2)


@pytest.fixture
def known(month: make.Month, db: None) -> dict[str, Any]:
    """Return what the paths may name of a published month."""
    return {
        "kind": "rapid",
        "date": "latest",
        "publication_id": "rapid-2026-01-01",
        "arena": "flyordie",
        "fide_id": month.hero.pk,
        "event_id": month.tournaments[0].event_id,
        "version": 1,
        "number": 1,
    }


@pytest.fixture(scope="module")
def tokens(rows_of_module: SharedRows) -> tuple[str, ...]:
    """Return by which a caller is known: nobody, an officer, an arena."""
    with rows_of_module():
        officer = make.appointment(role="officer")
        of_arena, _ = issue_arena_token(Arena.objects.get(slug="flyordie"), name="server", at=NOW)
        verbs = list(Verb.values)
        return "", issue_token(officer.user, officer.federation, name="tool", verbs=verbs, at=NOW), of_arena


@settings(max_examples=CASES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def keeps_to_its_description(known: dict[str, Any], tokens: tuple[str, ...], case: Any) -> None:
    # What was allowed so far does not count: limits of callers have tests of their own.
    cache.clear()
    if len(repr(case.query)) % 2:
        case.path_parameters |= {name: known[name] for name in case.path_parameters if name in known}
    # The same case is always sent by the same caller.
    body = None if case.body is NOT_SET else case.body
    token = tokens[crc32(repr((case.path_parameters, case.query, body)).encode()) % len(tokens)]
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with transaction.atomic():
        # The tool's client in the same process does not unpack compressed answers.
        case.call_and_validate(checks=CHECKS, headers={"Accept-Encoding": "identity", **headers})
        transaction.set_rollback(True)


def test_every_operation_keeps_to_its_description(known: dict[str, Any], tokens: tuple[str, ...]) -> None:
    # Not parametrized by the tool, which makes all cases at collection: in every process of a run.
    api = schemathesis.openapi.from_dict(description())
    api.app, api.location = application, "/"
    faults: dict[str, Exception | None] = {}
    for made in get_all_tests(
        schema=api, test_func=keeps_to_its_description, settings=None, given_kwargs=None
    ):
        operation, check = made.ok()
        faults[operation.label] = None
        try:
            check(known=known, tokens=tokens)
        except Exception as error:
            faults[operation.label] = error

    assert len(faults) == sum(map(len, description()["paths"].values()))
    if wrong := {label: error for label, error in faults.items() if error}:
        raise ExceptionGroup(", ".join(wrong), [*wrong.values()])
