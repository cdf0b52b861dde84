"""A web process that has started: its pages are read, and what is there to stay is not looked through again."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
from django.conf import settings

from portal.__main__ import _execute
from tests.processes import PATIENCE, environment_of_processes, wait_until, web_server

pytestmark = pytest.mark.program
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


def test_the_line_of_a_request_has_its_id_and_its_caller(tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = environment_of_processes() | {"BEHIND_PROXY": "1", "LOG_LEVEL": "INFO"}
    headers = {"X-Forwarded-For": "192.0.2.7", "X-Request-ID": "an-id-of-the-proxy"}
    with web_server(environment, log=log, workers=1) as (base, _):
        asked = urllib.request.Request(f"{base}/health/live", headers=headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            assert answer.headers["X-Request-ID"] == "an-id-of-the-proxy"
        wait_until(lambda: "an-id-of-the-proxy" in log.read_text(), what="the line of the request")

    [line] = [
        line
        for line in log.read_text().splitlines()
        if "gunicorn.access" in line and "an-id-of-the-proxy" in line
    ]
    assert ("192.0.2.7 " in line, "127.0.0.1" in line) == (True, False)


def test_head_has_the_length_of_the_answer_and_leaves_no_warning(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with web_server(environment_of_processes(), log=log, workers=1) as (base, _):
        asked = urllib.request.Request(f"{base}/health/live", method="HEAD")  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            assert (answer.status, answer.read()) == (200, b"")
            assert int(answer.headers["Content-Length"]) > 0
    assert "level=warning" not in log.read_text()


@pytest.mark.parametrize("words", [["--version"], ["version"]])
def test_the_version_is_that_of_the_portal(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    _execute(["rating-portal", *words])
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text())["project"]
    assert capsys.readouterr().out == f"rating-portal {project['version']}\n"
