"""The image of Containerfile, built and started as docs/containers.md says: a read-only root and no rights."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.operations.image import Image, build
from tests.processes import PATIENCE, kill_at_once, wait_until

pytestmark = pytest.mark.machine
# A process tree, network and root of its own: only volumes and /tmp can be written.
START = """
set -eu
umask 022
ip link set lo up
mount --bind "$root" "$root"
for volume in $volumes; do mount --bind "$root$volume" "$root$volume"; done
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
for name in null zero full random urandom; do touch "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
mkdir -m 1777 "$root/dev/shm"
exec chroot "$root" "$@"
"""
ASK = """
import sys, urllib.request
print(urllib.request.urlopen("http://127.0.0.1:8000" + sys.argv[1], timeout=20).read().decode())
"""


@dataclass(frozen=True, slots=True)
class Container:
    """An image that runs: its first process as this machine numbers it."""

    image: Image
    process: int

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command beside the image's own, with the same rights."""
        inside = [
            "nsenter",
            f"--target={self.process}",
            "--mount",
            "--pid",
            "--net",
            "--root",
            *unprivileged(self.image),
        ]
        return subprocess.run([*inside, *command], capture_output=True, text=True, check=False)

    def page(self, path: str) -> str:
        """Return what the portal in it answers."""
        done = self.run("python", "-c", ASK, path)
        assert done.returncode == 0, done.stderr[-1000:]
        return done.stdout


def unprivileged(image: Image) -> list[str]:
    user = [f"--reuid={image.user}", f"--regid={image.user}", "--clear-groups"]
    return [
        "setpriv",
        *user,
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
        *image.environment(),
    ]


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    folder = tmp_path_factory.mktemp("image")
    image = build(folder)
    variables = ["HOST=0.0.0.0", "SITE_URL=http://localhost:8000"]
    apart = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--propagation=private"]
    with (folder / "log").open("wb") as log:
        outside = subprocess.Popen(
            [*apart, "sh", "-c", START, "sh", *unprivileged(image), *variables, *image.command],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "root": str(image.root), "volumes": " ".join(image.volumes)},
            stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    try:
        children = Path(f"/proc/{outside.pid}/task/{outside.pid}/children")
        wait_until(
            lambda: outside.poll() is not None or bool(children.read_text().split()),
            seconds=PATIENCE,
            what="a start",
        )
        assert outside.poll() is None, (folder / "log").read_text()[-3000:]
        started = Container(image, int(children.read_text().split()[0]))

        def is_healthy() -> bool:
            assert outside.poll() is None, (folder / "log").read_text()[-3000:]
            return started.run(*image.health).returncode == 0

        wait_until(
            is_healthy, seconds=3 * PATIENCE, what="the answer that the health check of the image asks for"
        )
        yield started
    finally:
        kill_at_once(outside)


def test_it_is_ready_and_speaks_french(container: Container) -> None:
    titles = [re.findall("<title>(.*?)</title>", container.page(path)) for path in ("/lists/", "/fr/lists/")]

    assert '"database": "ok"' in container.page("/health/ready")
    assert (len(titles[0]), titles[0] != titles[1]) == (1, True)


def test_it_has_no_rights_and_writes_to_its_volume_alone(container: Container) -> None:
    status = dict(
        line.split(":\t", 1) for line in Path(f"/proc/{container.process}/status").read_text().splitlines()
    )
    writes = [
        container.run("touch", path).returncode
        for path in ("var/x", "/tmp/x", "x")  # noqa: S108 - of the image
    ]

    assert status["Uid"].split() == ["10001"] * 4
    assert [status[name] for name in ("CapEff", "CapBnd", "NoNewPrivs")] == ["0" * 16, "0" * 16, "1"]
    assert writes == [0, 0, 1]
