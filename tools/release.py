"""Makes a release: `python -m tools.release` checks version, changelog and tag, then sets the tag.

`--check` checks only. The version is that of pyproject.toml; its section of CHANGELOG.md becomes the tag's message.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path

from tools.licences import ROOT

VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<text>(?:(?!## ).*\n?)*)", re.MULTILINE)


def problems(root: Path, *, today: date) -> list[str]:
    """Return what speaks against a release of what is checked out, with what to do; nothing if it may be made."""
    version = version_of(root)
    if not VERSION.fullmatch(version):
        return [f"The version {version!r} in pyproject.toml is not of the form 1.2.3."]
    found = [*_changelog_problems(root, version, today=today), *_tag_problems(root, version)]
    if _git(root, "status", "--porcelain"):
        found.append("There are changes that are not committed. Commit them first.")
    return found


def version_of(root: Path) -> str:
    """Return the version that pyproject.toml names."""
    return str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])


def section_of(root: Path, version: str) -> str:
    """Return the text of a version in the changelog; empty where there is none."""
    titled = {match["title"]: match["text"].strip() for match in _sections(root)}
    return next((text for title, text in titled.items() if title.split(" ")[0] == version), "")


def tag(root: Path) -> str:
    """Set the tag of the version on the commit that is checked out, and return its name."""
    version = version_of(root)
    message = f"Release {version}\n\n{section_of(root, version)}\n"
    _git(root, "tag", "--annotate", "--cleanup=verbatim", f"v{version}", "--message", message)
    return f"v{version}"


def _changelog_problems(root: Path, version: str, *, today: date) -> list[str]:
    sections = list(_sections(root))
    titles = [match["title"] for match in sections]
    wanted = f"{version} ({today.isoformat()})"
    if titles[:2] != ["Unreleased", wanted]:
        return [
            f"CHANGELOG.md does not begin with '## Unreleased' and '## {wanted}'. Give what is unreleased that title."
        ]
    found = (
        []
        if not sections[0]["text"].strip()
        else [f"CHANGELOG.md has unreleased lines. Move them to '{wanted}'."]
    )
    return found if sections[1]["text"].strip() else [*found, f"CHANGELOG.md says nothing of '{wanted}'."]


def _tag_problems(root: Path, version: str) -> list[str]:
    tags = [name.removeprefix("v") for name in _git(root, "tag", "--list", "v*").split()]
    released = [name for name in tags if VERSION.fullmatch(name)]
    if version in released:
        return [f"The tag v{version} exists. Give pyproject.toml the next version."]
    newest = max(released, key=_numbers, default="0.0.0")
    is_next = _numbers(version) > _numbers(newest)
    return [] if is_next else [f"The version {version} is not after {newest}, which is released."]


def _sections(root: Path) -> list[re.Match[str]]:
    return list(SECTION.finditer((root / "CHANGELOG.md").read_text()))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603


def main(arguments: list[str]) -> int:
    """Check, and set the tag unless `--check` is given; return 1 with the reasons where it may not be made."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--check", action="store_true", help="set no tag")
    only_checks = parser.parse_args(arguments).check
    found = problems(ROOT, today=datetime.now(UTC).date())
    for problem in found:
        print(problem, file=sys.stderr)
    if found or only_checks:
        return int(bool(found))
    name = tag(ROOT)
    print(f"{name} is set. Publish it: git push origin {name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
