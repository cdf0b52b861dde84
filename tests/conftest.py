"""Fixtures of several apps: a folder for list files, players on a first list, the three arenas."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import UTC, datetime
from functools import partial
from shutil import copytree
from typing import Any
from unittest.mock import patch

import pytest
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.db import connection
from django.template import engines
from django.template.backends.jinja2 import Template
from django.test import Client
from django.test.signals import template_rendered
from jinja2 import ChainableUndefined, StrictUndefined, Undefined
from jinja2.utils import missing

from arenas.models import Arena
from core import workers
from desk import rail
from players.models import Federation
from ratings.lists import forget_lists
from ratings.models import RatingList
from ratings.search import forget_top_ratings
from tests import make
from tests.arenas.played import enrol, rate_members
from tests.clean import cleaning_quickly, remember
from tests.kinds import kind_of
from tests.shared import SharedRows, lists_in, lists_of_module, rows_of_module
from tests.snapshots import Worlds

__all__ = ["lists_of_module", "rows_of_module"]

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
COUNTED = ("tests/walk/", "tests/e2e/", "tests/desk/test_")


def pytest_collection_finish() -> None:
    """Spare the garbage collection what lives as long as the run: the portal, and all tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def _undefined(hint: str | None = None, obj: Any = missing, *args: Any, **named: Any) -> Undefined:
    """Return what fails as soon as it is used; an attribute of None is nothing, as in Django's templates."""
    kind = ChainableUndefined if obj is None else StrictUndefined
    return kind(hint, obj, *args, **named)


@pytest.fixture(scope="session", autouse=True)
def strict_public_pages() -> Iterator[None]:
    """Fail where a public page uses a name that its view does not give; let the test client record its context."""
    pages: Any = engines["jinja2"]
    pages.env.undefined = _undefined
    render = Template.render

    def recorded(self: Template, context: dict[str, Any] | None = None, request: Any = None) -> Any:
        template_rendered.send(sender=self, template=self, context=context, request=request)
        return render(self, context, request)

    with patch.object(Template, "render", recorded):
        yield


@pytest.fixture(scope="session", autouse=True)
def rows_of_migrations() -> Iterator[None]:
    """Let the rows of the migrations stand before each test."""
    with cleaning_quickly():
        yield


@pytest.fixture(autouse=True)
def _own_list_folder(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test write its list files into a folder of its own, with those of the rows that it shares."""
    if kind_of(request.node) == "pure":
        yield
        return
    folder = request.getfixturevalue("tmp_path") / "lists"
    if "rows_of_module" in request.fixturenames:
        assert "transactional_db" not in request.fixturenames, (
            "Put the test into a module without shared rows."
        )
        copytree(request.getfixturevalue("lists_of_module"), folder)
    with lists_in(folder):
        yield


@pytest.fixture(autouse=True)
def _no_kept_pages(settings: Any) -> None:
    """Make pages and read lists anew: most tests roll back what they write, and what is kept would not see it."""
    settings.KEPT_PAGES_SECONDS = 0
    forget_lists()
    forget_top_ratings()


@pytest.fixture(autouse=True)
def _rail_without_counts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rail, which each page of the desk has, count what waits only where its words or queries are looked at."""
    if not request.node.nodeid.startswith(COUNTED):
        monkeypatch.setattr(rail, "counts_of", lambda user, **_options: {})


@pytest.fixture(autouse=True)
def _broker_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test send, even when the broker was away in the one before."""
    monkeypatch.setattr(workers, "_asked_again_at", 0.0)


@pytest.fixture(scope="session")
def django_db_setup(
    rows_of_migrations: None, django_db_setup: None, django_db_blocker: Any
) -> Iterator[None]:
    """Note the rows of the migrations; at the end, end the sessions of processes that tests killed.

    PostgreSQL notices late that they are dead, and then keeps the database.
    """
    with django_db_blocker.unblock():
        remember()
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session")
def worlds(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Worlds]:
    """Return the worlds that tests which commit put back, each made once a run."""
    kept = Worlds(tmp_path_factory.mktemp("worlds"))
    yield kept
    with django_db_blocker.unblock():
        kept.remove()


def age_session(client: Client) -> None:
    """Let the sign-in of a browser be too long ago to prove who somebody is."""
    session = client.session
    for record in session[AUTHENTICATION_METHODS_SESSION_KEY]:
        record["at"] -= REAUTHENTICATION_TIMEOUT
    session.save()


@pytest.fixture
def several_writers() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")


@pytest.fixture
def swiss(db: None) -> Federation:
    return Federation.objects.get_or_create(code="SUI", defaults={"name": "Switzerland"})[0]


@pytest.fixture
def first_list(swiss: Federation) -> Callable[..., RatingList]:
    """Return `make.first_list`, where the database is there for it."""
    return make.first_list


@pytest.fixture
def foa(db: None) -> Arena:
    return Arena.objects.get(slug="foa-rbb")


@pytest.fixture
def chess_online(db: None) -> Arena:
    return Arena.objects.get(slug="chess-online")


@pytest.fixture
def flyordie(db: None) -> Arena:
    """Return the arena with four members who have not played."""
    arena = Arena.objects.get(slug="flyordie")
    enrol(arena, "ada", "ben", "cyd", "dan")
    return arena


@pytest.fixture
def rated(foa: Arena) -> Callable[..., Arena]:
    """Return a function that makes full members of `foa-rbb` whose ratings come from rapid and blitz lists."""
    return partial(rate_members, foa)


@pytest.fixture(scope="module")
def month_of_module(rows_of_module: SharedRows) -> make.Month:
    with rows_of_module():
        return make.play_month()


@pytest.fixture
def month(month_of_module: make.Month, db: None) -> make.Month:
    """Return a month of one tournament with its published list."""
    return deepcopy(month_of_module)
