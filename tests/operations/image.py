"""The steps of Containerfile, done in root file systems of Debian without an engine of containers."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from string import Template

import pytest
from django.conf import settings

CONTEXT = settings.BASE_DIR
# The Debian of the official images of Python 3.13; `python3-venv` is what those images have beyond it.
SUITE, PACKAGES = "trixie", "ca-certificates,python3,python3-venv"
PROGRAMS = ("debootstrap", "unshare", "nsenter", "ps")
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
# What RUN needs of this machine: its devices, its network, and the authorities that it trusts.
STEP = f"""
set -eu
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for file in /etc/resolv.conf {AUTHORITIES}; do
    [ ! -e "$file" ] || {{ [ -e "$root$file" ] || touch "$root$file"; mount --bind "$file" "$root$file"; }}
done
exec chroot "$root" "$@"
"""
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass
class Image:
    """A root file system and what Containerfile says of the processes that run in it."""

    root: Path
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": PATH})
    folder: str = "/"
    user: str = "0"
    volumes: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def environment(self) -> list[str]:
        """Return the words that run a command in the folder and with the variables of the image alone."""
        given = [f"{name}={value}" for name, value in self.variables.items()]
        return ["env", "--ignore-environment", f"--chdir={self.folder}", *given]

    def place(self, path: str) -> Path:
        """Return where a path of the image is, relative to its folder or not."""
        return self.root / os.path.normpath(f"{self.folder}/{path}" if path[0] != "/" else path)[1:]


def build(folder: Path) -> Image:
    """Do the steps of Containerfile and return the image of its last stage; an unknown step is an error.

    Skips the test, with the reason, where no root file system can be made.
    """
    # The settings of the portal let nobody else read what this process writes.
    before = os.umask(0o022)
    try:
        return _do_steps(_make_base(folder / "base"), folder)
    finally:
        os.umask(before)


def _do_steps(base: Path, folder: Path) -> Image:
    image, stages = Image(base), dict[str, Image]()
    for step, words in _steps((CONTEXT / "Containerfile").read_text()):
        match step:
            case "FROM":
                image = Image(folder / f"stage{len(stages)}")
                stages[words.partition(" AS ")[2] or str(len(stages))] = image
                subprocess.run(["cp", "--archive", "--reflink=auto", base, image.root], check=True)
            case "RUN":
                _run(image, words)
            case "COPY":
                _copy(image, shlex.split(words), stages)
            case "ENV":
                pairs = [word.split("=", 1) for word in shlex.split(words)]
                image.variables |= {
                    name: Template(value).substitute(image.variables) for name, value in pairs
                }
            case "WORKDIR":
                image.folder = words
                image.place(".").mkdir(parents=True, exist_ok=True)
            case "USER":
                image.user = words
            case "VOLUME":
                image.volumes += words.split()
            case "HEALTHCHECK":
                image.health = json.loads(words.partition("CMD ")[2])
            case "CMD":
                image.command = json.loads(words)
            case "EXPOSE":
                pass
            case _:
                raise AssertionError(f"{step}: no step that is known here")
    return image


def _make_base(root: Path) -> Path:
    if os.geteuid() != 0:
        pytest.skip("root alone makes a root file system and starts processes in it")
    if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    made = subprocess.run(
        # What it mounts there is gone with it.
        ["unshare", "--mount", "--propagation=private", "debootstrap", "--variant=minbase",
         f"--include={PACKAGES}", SUITE, root],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip(f"debootstrap makes no root file system here: {(made.stdout + made.stderr)[-300:]}")
    return root


def _steps(text: str) -> list[tuple[str, str]]:
    whole = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in whole.splitlines() if line.strip()]


def _run(image: Image, line: str) -> None:
    trusted = (
        [f"PIP_CERT={AUTHORITIES}", f"SSL_CERT_FILE={AUTHORITIES}"] if Path(AUTHORITIES).exists() else []
    )
    done = subprocess.run(
        ["unshare", "--mount", "--propagation=private", "sh", "-c", STEP, "sh", *image.environment(), *trusted,
         "DEBIAN_FRONTEND=noninteractive", "sh", "-c", line],
        env={"PATH": PATH, "root": str(image.root)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"RUN {line}\n{(done.stdout + done.stderr)[-3000:]}"


def _copy(image: Image, words: list[str], stages: dict[str, Image]) -> None:
    stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else ""
    *sources, target = words
    ignored = [] if stage else (CONTEXT / ".containerignore").read_text().split()
    origin = stages[stage].root if stage else CONTEXT

    def left_out(folder: str, names: list[str]) -> list[str]:
        inside = Path(folder).relative_to(origin)
        return [
            name for name in names if any(_is_ignored(str(inside / name), pattern) for pattern in ignored)
        ]

    for source in (origin / source.lstrip("/") for source in sources):
        if source.is_dir():
            shutil.copytree(source, image.place(target), symlinks=True, ignore=left_out, dirs_exist_ok=True)
        else:
            shutil.copy(source, image.place(target))


def _is_ignored(path: str, pattern: str) -> bool:
    everywhere = pattern.removeprefix("**/")
    return fnmatch(path, pattern) or (everywhere != pattern and fnmatch(Path(path).name, everywhere))
