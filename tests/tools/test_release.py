"""A release has a version, a dated section of the changelog and a tag, and all three agree."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from tools.release import main, problems, tag

pytestmark = pytest.mark.program

TODAY = date(2026, 3, 1)
CHANGELOG = """# Changelog

## Unreleased

## 1.2.0 (2026-03-01)

* Lists.
* Files.

## 1.1.0 (2026-01-01)

* Old.
"""


def git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "T")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "t@example.org")
    git(tmp_path, "init", "--quiet")
    write(tmp_path, version="1.2.0", changelog=CHANGELOG)
    git(tmp_path, "tag", "v1.1.0")
    return tmp_path


def write(root: Path, *, version: str, changelog: str) -> None:
    (root / "pyproject.toml").write_text(f'[project]\nname = "x"\nversion = "{version}"\n')
    (root / "CHANGELOG.md").write_text(changelog)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", version)


def test_tag_carries_what_the_changelog_says(checkout: Path) -> None:
    assert problems(checkout, today=TODAY) == []
    assert tag(checkout) == "v1.2.0"
    assert (
        git(checkout, "tag", "--list", "--format=%(contents)", "v1.2.0").strip()
        == "Release 1.2.0\n\n* Lists.\n* Files."
    )
    assert problems(checkout, today=TODAY) == ["The tag v1.2.0 exists. Give pyproject.toml the next version."]


@pytest.mark.parametrize(
    ("version", "changelog", "reason"),
    [
        ("1.2", CHANGELOG, "not of the form 1.2.3"),
        ("1.0.9", CHANGELOG.replace("1.2.0", "1.0.9"), "not after 1.1.0"),
        ("1.3.0", CHANGELOG, "'## 1.3.0 (2026-03-01)'"),
        ("1.2.0", CHANGELOG.replace("2026-03-01", "2026-02-28"), "'## 1.2.0 (2026-03-01)'"),
        ("1.2.0", CHANGELOG.replace("Unreleased\n", "Unreleased\n\n* More.\n"), "has unreleased lines"),
        ("1.2.0", CHANGELOG.replace("* Lists.\n* Files.\n", ""), "says nothing of"),
    ],
)
def test_release_that_does_not_agree_is_refused_with_the_reason(
    checkout: Path, version: str, changelog: str, reason: str
) -> None:
    git(checkout, "commit", "--quiet", "--allow-empty", "--message", "next")
    (checkout / "CHANGELOG.md").unlink()
    write(checkout, version=version, changelog=changelog)
    [problem] = problems(checkout, today=TODAY)
    assert reason in problem


def test_changes_that_are_not_committed_are_named(checkout: Path) -> None:
    (checkout / "new").touch()
    assert problems(checkout, today=TODAY) == ["There are changes that are not committed. Commit them first."]


@pytest.mark.parametrize("argument", ["--help", "--chek", "v1.0.0"])
def test_unknown_argument_sets_no_tag(argument: str) -> None:
    with pytest.raises(SystemExit):
        main([argument])
