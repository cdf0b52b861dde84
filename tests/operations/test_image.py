"""The image of the portal, built and started as docs/containers.md says, where Docker or Podman runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.processes import PATIENCE, wait_until
from tests.servers import free_port

pytestmark = pytest.mark.machine


def engine() -> str:
    """Return the program that runs containers here; skips the test where there is none."""
    for name in ("podman", "docker"):
        if (
            shutil.which(name)
            and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0
        ):
            return name
    pytest.skip("neither Podman nor Docker runs here")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return where the container answers that is started by the command of docs/containers.md."""
    program, name, port = engine(), f"portal-test-{os.getpid()}", free_port()
    build = [program, "build", "--tag", name, "--file", "Containerfile", "."]
    built = subprocess.run(build, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr[-3000:]
    variables = ["--env", "HOST=0.0.0.0", "--env", "SITE_URL=http://localhost:8000"]
    published = ["--publish", f"127.0.0.1:{port}:8000"]
    try:
        subprocess.run([program, "run", "--detach", "--name", name, *published, *variables, name], check=True)
        yield f"http://127.0.0.1:{port}"
    finally:
        for command in (["rm", "--force", name], ["rmi", "--force", name]):
            subprocess.run([program, *command], capture_output=True, check=False)


def test_the_container_becomes_ready_and_shows_a_page(address: str) -> None:
    def status(path: str) -> int:
        try:
            asked = urllib.request.Request(address + path, headers={"Host": "localhost:8000"})  # noqa: S310
            with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310
                return int(answer.status)
        except OSError as error:
            return int(getattr(error, "code", 0))

    wait_until(lambda: status("/health/ready") == 200, seconds=2 * PATIENCE, what="the container's start")
    assert status("/") == 200
