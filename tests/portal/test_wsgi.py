"""A web process that has started: its pages are read, and what is there to stay is not looked through again."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.test import override_settings
from prometheus_client.parser import text_string_to_metric_families

from core.secrets import encrypt
from portal.__main__ import _execute
from tests import make
from tests.processes import PATIENCE, environment_of_processes, wait_until, web_server

# The database is cleaned after each test.
pytestmark = [pytest.mark.program, pytest.mark.django_db(transaction=True)]
STARTED = """
import gc, sys
import portal.wsgi
frozen, tracked = gc.get_freeze_count(), len(gc.get_objects())
print("public.lists.rating_list" in sys.modules, frozen > 20 * tracked)
print("sentry_sdk" in sys.modules, "opentelemetry.instrumentation.django" in sys.modules)
print("redis" in sys.modules)
"""


def test_web_process_starts_with_its_pages_and_without_what_no_variable_asks_for() -> None:
    assert not {"SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT"} & os.environ.keys()
    ended = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "True", "False", "False", "False"]


@dataclass(frozen=True, slots=True)
class Web:
    """Two web processes that run: their address and their log."""

    base: str
    log: Path

    def ask(self, path: str, method: str = "GET", **headers: str) -> HTTPResponse:
        asked = Request(self.base + path, method=method, headers=headers)  # noqa: S310
        answer: HTTPResponse = urlopen(asked, timeout=PATIENCE)  # noqa: S310
        return answer


@pytest.fixture(scope="module")
def web(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Web]:
    """Run gunicorn behind a proxy, with another key than that of the data."""
    log = tmp_path_factory.mktemp("web") / "log"
    with django_db_blocker.unblock(), override_settings(SECRETS_KEYS=("that of the data",)):
        Authenticator.objects.create(user=make.user(), type="totp", data={"secret": encrypt("a secret")})
    environment = environment_of_processes() | {"BEHIND_PROXY": "1", "LOG_LEVEL": "INFO"}
    with web_server(environment | {"SECRETS_KEY": "another" * 8}, log=log) as (base, _):
        yield Web(base, log)


def test_a_process_that_starts_with_another_key_than_that_of_the_data_says_so(web: Web) -> None:
    assert "other_key" in web.log.read_text()


def test_the_line_of_a_request_has_its_id_and_its_caller(web: Web) -> None:
    headers = {"X-Forwarded-For": "192.0.2.7", "X-Request-ID": "an-id-of-the-proxy"}
    with web.ask("/health/live", **headers) as answer:
        assert answer.headers["X-Request-ID"] == "an-id-of-the-proxy"
    wait_until(lambda: "an-id-of-the-proxy" in web.log.read_text(), what="the line of the request")

    [line] = [
        line
        for line in web.log.read_text().splitlines()
        if "gunicorn.access" in line and "an-id-of-the-proxy" in line
    ]
    assert ("192.0.2.7 " in line, "127.0.0.1" in line) == (True, False)


def test_head_has_the_length_of_the_answer_and_leaves_no_warning(web: Web) -> None:
    with web.ask("/health/live", "HEAD") as answer:
        assert (answer.status, answer.read()) == (200, b"")
        assert int(answer.headers["Content-Length"]) > 0
    assert "level=warning" not in web.log.read_text()


def test_figures_of_all_web_processes_are_added_up(web: Web) -> None:
    for _ in range(20):
        web.ask("/robots.txt").close()

    counted = []
    for _ in range(5):
        with web.ask("/metrics") as answer:
            figures = text_string_to_metric_families(answer.read().decode())
        counted += [
            sample.value
            for family in figures
            for sample in family.samples
            if sample.name == "portal_request_seconds_count" and sample.labels["route"] == "robots"
        ]

    assert counted == [20.0] * 5


@pytest.mark.parametrize("words", [["--version"], ["version"]])
def test_the_version_is_that_of_the_portal(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _execute(["rating-portal", *words])
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    assert capsys.readouterr().out == f"rating-portal {project['version']}\n"
