"""A web process that has started: its pages are read, and what is there to stay is not looked through again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.program
STARTED = """
import gc, sys
import portal.wsgi
frozen, tracked = gc.get_freeze_count(), len(gc.get_objects())
print("public.lists.rating_list" in sys.modules, frozen > 20 * tracked)
print("sentry_sdk" in sys.modules, "opentelemetry.instrumentation.django" in sys.modules)
"""


def test_web_process_starts_with_its_pages_and_without_what_no_variable_asks_for() -> None:
    assert not {"SENTRY_DSN", "OTEL_EXPORTER_OTLP_ENDPOINT"} & os.environ.keys()
    ended = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["True", "True", "False", "False"]
