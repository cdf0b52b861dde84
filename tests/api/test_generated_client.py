"""A client generated from docs/openapi.yaml, used against a live server."""

from __future__ import annotations

import contextlib
import importlib
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from tests import make
from tests.api.conftest import World
from tests.api.operations import SCHEMA, Call, calls, operation_ids
from tournaments.choices import Verb
from tournaments.tokens import issue_token

pytestmark = pytest.mark.program
Module = Callable[[str], ModuleType]


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Module]:
    """Return a function that imports a module of the client.

    The generator cannot send a report as plain text. It sends one as a form or as bytes.
    """
    folder = tmp_path_factory.mktemp("client")
    (folder / "config.yaml").write_text("post_hooks: []\n")
    command = [
        str(Path(sys.executable).with_name("openapi-python-client")),
        "generate",
        "--path",
        str(SCHEMA),
    ]
    command += ["--output-path", str(folder / "portal_client"), "--meta", "none"]
    done = subprocess.run(
        [*command, "--config", str(folder / "config.yaml")],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield lambda name: importlib.import_module(f"portal_client{name and '.'}{name}")
    sys.path.remove(str(folder))


@pytest.fixture
def served(live_server: LiveServer) -> str:
    """Return the URL of a portal with a list of players of two federations."""
    for number, rating in enumerate((1900, 1850, 1850, 1700, 1500)):
        player = make.player(fide_id=1001 + number, name=f"Player, {number}")
        make.entry(player=player, rating=rating)
    make.entry(player=make.player(fide_id=2001, federation__code="NOR"), rating=1800)
    return live_server.url


@pytest.fixture
def opened() -> Iterator[Callable[[Any], Any]]:
    """Return a function that closes a client's connections after the test."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context


def test_every_operation_is_in_the_client(generated: Module) -> None:
    folder = Path(str(generated("api").__file__)).parent

    made = {path.stem.rstrip("_") for path in folder.glob("*/*.py") if path.stem != "__init__"}

    assert made == operation_ids()


def test_every_operation_of_the_client_returns_a_value(
    generated: Module, world: World, opened: Callable[[Any], Any]
) -> None:
    folder = Path(str(generated("api").__file__)).parent
    modules = {path.stem.rstrip("_"): f"api.{path.parent.name}.{path.stem}" for path in folder.glob("*/*.py")}
    called, wrong = set(), {}
    for call in calls(world):
        called.add(call.operation)
        client = opened(generated("").AuthenticatedClient(base_url=world.url, token=call.token))
        send = generated(modules[call.operation]).sync_detailed
        body = {"body": _body(generated, call)} if call.body is not None else {}
        answer = send(*call.path, client=client, **call.query, **body)
        kind = type(answer.parsed).__name__
        # The generator does not parse NDJSON and Markdown: these are bytes.
        is_value = kind not in ("Problem", "NoneType") or (kind == "NoneType" and call.is_text)
        if not is_value or answer.status_code >= 300 or not answer.content:
            wrong[call.operation] = (answer.status_code, answer.content)
        call.note(answer.content)

    assert (wrong, called) == ({}, operation_ids())


def _body(generated: Module, call: Call) -> Any:
    """Return a body in the client's type: a file of a form, an object, or a list of objects."""
    models, name = generated("models"), call.model
    if isinstance(call.body, bytes):
        file = generated("types").File(payload=io.BytesIO(call.body), file_name="open.trf")
        return getattr(models, name)(file=file)
    made = getattr(models, name).from_dict
    return [made(one) for one in call.body] if isinstance(call.body, list) else made(call.body)


def test_players_of_a_federation_are_listed_page_by_page(
    generated: Module, served: str, opened: Callable[[Any], Any]
) -> None:
    client = opened(generated("").Client(base_url=served))
    latest = generated("api.lists.rating_list").sync("rapid", "latest", client=client)
    entries = generated("api.lists.entries").sync
    pages: list[list[int]] = []
    cursor: dict[str, Any] = {}
    while len(pages) < 10:
        page = entries("rapid", latest.date, client=client, federation="SUI", limit=2, **cursor)
        pages.append([row.fide_id for row in page.results])
        if page.next_ is None:
            break
        cursor = {"cursor": parse_qs(urlsplit(page.next_).query)["cursor"][0]}

    assert pages == [[1001, 1002], [1003, 1004], [1005]]


def test_player_and_error_are_typed_values(
    generated: Module, served: str, opened: Callable[[Any], Any]
) -> None:
    client = opened(generated("").Client(base_url=served))
    read = generated("api.players.player").sync_detailed

    found, missing = read(1001, client=client), read(999, client=client)

    assert (found.status_code, found.parsed.name) == (HTTPStatus.OK, "Player, 0")
    assert [(one.kind.value, one.rating) for one in found.parsed.ratings] == [("rapid", 1900)]
    assert (missing.status_code, missing.parsed.status) == (HTTPStatus.NOT_FOUND, 404)
    assert type(missing.parsed).__name__ == "Problem"


def test_officer_follows_a_tournament_with_a_token(
    generated: Module, served: str, opened: Callable[[Any], Any]
) -> None:
    today = timezone.now().date()
    event = make.tournament(start=today, end=today, registered_on=date(today.year - 1, 1, 1))
    officer = make.person("officer", event.federation)
    token = issue_token(officer, event.federation, name="tool", verbs=[Verb.READ], at=timezone.now())
    bearing = generated("").AuthenticatedClient
    follow = generated("api.desk.tournament_progress").sync_detailed

    told = follow(event.event_id, client=opened(bearing(base_url=served, token=token)))
    refused = follow(event.event_id, client=opened(bearing(base_url=served, token="x" * 43)))

    assert (told.status_code, type(told.parsed).__name__) == (HTTPStatus.OK, "Progress")
    assert refused.status_code == HTTPStatus.UNAUTHORIZED
