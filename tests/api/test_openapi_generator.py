"""The Python client that openapi-generator makes of docs/openapi.yaml, used against a live server."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.api.conftest import World
from tests.api.generators import generate
from tests.api.operations import calls, operation_ids

pytestmark = pytest.mark.machine


@pytest.fixture(scope="session")
def by_openapi_generator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Return the client of openapi-generator, where Java and `openapi-generator-cli` are installed."""
    folder = tmp_path_factory.mktemp("openapi_generator")
    generate("python", folder, "--additional-properties", "packageName=generated_portal")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("generated_portal")
    sys.path.remove(str(folder))


@pytest.mark.filterwarnings("ignore")
def test_every_operation_of_openapi_generators_client_returns_a_value(
    by_openapi_generator: ModuleType, world: World
) -> None:
    classes = [one for name, one in vars(by_openapi_generator).items() if name.endswith("Api")]
    called = set()
    for call in calls(world):
        settings = by_openapi_generator.Configuration(host=world.url, access_token=call.token)
        (kind,) = (one for one in classes if hasattr(one, call.operation))
        # The generator rejects the media type of NDJSON and returns it unparsed.
        is_unread = call.operation.endswith("_ndjson")
        name = "without_preload_content" if is_unread else "with_http_info"
        send = getattr(kind(by_openapi_generator.ApiClient(settings)), f"{call.operation}_{name}")
        body: list[Any] = [] if call.body is None else [call.body]
        if isinstance(call.body, bytes):
            body = [("open.trf", call.body)]
        answer = send(*call.path, *body, **call.query)
        status, data = (answer.status, answer.data) if is_unread else (answer.status_code, answer.data)
        assert (status < 300, data is None) == (True, False), call.operation
        call.note(b"" if is_unread else answer.raw_data)
        called.add(call.operation)

    assert called == operation_ids()
