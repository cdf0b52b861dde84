"""What every test may use."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

# A busy machine is no counterexample, and two runs of one commit give the same result: `make fuzz` looks further.
hypothesis_settings.register_profile(
    "portal", deadline=None, derandomize=True, max_examples=20, print_blob=True
)
hypothesis_settings.register_profile("fuzz", deadline=None, max_examples=1_000, print_blob=True)
hypothesis_settings.load_profile(os.environ.get("EXAMPLES", "portal"))


@pytest.fixture
def real_data() -> Path:
    """Return the folder of real lists, reports and published figures (REAL_DATA_DIR), or skip the test."""
    folder = os.environ.get("REAL_DATA_DIR")
    if not folder:
        pytest.skip("REAL_DATA_DIR is not set")
    return Path(folder)


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    """Let no test see what another has cached, nor read in the language of another's last page."""
    yield
    from django.core.cache import caches
    from django.utils import translation

    for name in ("default", "process"):
        caches[name].clear()
    translation.activate("en")


@pytest.fixture
def process_environment(transactional_db: None) -> dict[str, str]:
    """Return the environment for processes that share this test's database and queue.

    The queue is emptied: a worker would first do what hundreds of tests before have sent and nobody has taken.
    """
    from portal.celery import app
    from tests.processes import environment_of_processes

    app.control.purge()
    return environment_of_processes()


@pytest.fixture
def worker(process_environment: dict[str, str], tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Return the process of a real Celery worker on this test's database and queue."""
    from tests.processes import celery_worker

    with celery_worker(process_environment, log=tmp_path / "worker.log") as process:
        yield process
