"""The pytest plugin that gives a run its database, queue and folder before Django reads its settings.

TEST_ON=sqlite (default): the embedded portal. TEST_ON=postgresql: PostgreSQL and Redis, those of
TEST_DATABASE_URL and TEST_REDIS_URL where set (their databases are emptied), else new ones. Nothing of the
caller's own installation is read: its variables are taken out of the environment first.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.servers import ServerError, postgresql_server, redis_server
from tests.template import FOLDER as TEMPLATES
from tests.template import databases_from_template

VENDORS = ("sqlite", "postgresql")
WRONG_DATABASE = 3

_resources = contextlib.ExitStack()


def vendor() -> str:
    """Return the kind of database that this run is about."""
    wanted = os.environ.get("TEST_ON", "sqlite")
    if wanted not in VENDORS:
        raise pytest.UsageError(f"TEST_ON is {wanted!r}; set it to one of {', '.join(VENDORS)}.")
    return wanted


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Prepare the environment; pytest-django reads the settings inside this hook.

    Nothing is garbage until the tests have been collected.
    """
    gc.disable()
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        _keep_bytecode(early_config.rootpath)
        _prepare_run()
    else:
        _prepare_worker(worker)
    return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what costs time in each test and is not what is tested: slow hashes, the search for files."""
    from django.conf import settings

    _resources.enter_context(databases_from_template())
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.WHITENOISE_USE_FINDERS = False


def pytest_sessionstart(session: pytest.Session) -> None:
    """End the run when it would use another database than the one asked for."""
    from django.db import connection

    if connection.vendor != vendor():
        reason = f"The run asked for {vendor()} but the settings lead to {connection.vendor}."
        pytest.exit(reason, returncode=WRONG_DATABASE)


def pytest_report_header() -> str:
    """Name the database in the head of the run's output."""
    return f"database: {vendor()}"


def pytest_unconfigure() -> None:
    """Stop the servers and remove the folder."""
    _resources.close()


def _keep_bytecode(root: Path) -> None:
    """Let the processes of tests read compiled code where the caller keeps none: each would compile the portal anew."""
    if not sys.dont_write_bytecode:
        return
    folder = root / ".pytest_cache" / "bytecode"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(folder)
    sys.dont_write_bytecode = False


def _prepare_run() -> None:
    wanted = vendor()
    from portal.environment import VARIABLES

    for name in VARIABLES:
        os.environ.pop(name, None)
    folder = _resources.enter_context(tempfile.TemporaryDirectory(prefix="rating-portal-"))
    os.environ["PORTAL_VAR_DIR"] = folder
    os.environ["LOG_LEVEL"] = "WARNING"
    templates = Path(__file__).parents[1] / ".pytest_cache" / "templates"
    templates.mkdir(parents=True, exist_ok=True)
    os.environ[TEMPLATES] = str(templates)
    if wanted == "postgresql":
        try:
            _use_servers()
        except ServerError as error:
            raise pytest.UsageError(str(error)) from error


def _use_servers() -> None:
    database_url = os.environ.get("TEST_DATABASE_URL") or _resources.enter_context(postgresql_server())
    redis_url = os.environ.get("TEST_REDIS_URL") or _resources.enter_context(redis_server())
    os.environ["DATABASE_URL"] = database_url
    os.environ["REDIS_URL"] = redis_url


def _prepare_worker(worker: str) -> None:
    """Give each of the parallel processes a folder and a Redis database of its own."""
    folder = Path(os.environ["PORTAL_VAR_DIR"]) / worker
    folder.mkdir(exist_ok=True)
    os.environ["PORTAL_VAR_DIR"] = str(folder)
    if redis_url := os.environ.get("REDIS_URL"):
        number = int(worker.removeprefix("gw")) + 1
        os.environ["REDIS_URL"] = urlunsplit(urlsplit(redis_url)._replace(path=f"/{number}"))
