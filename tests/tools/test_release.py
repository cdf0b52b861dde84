"""`make release` gives version, changelog, tag and files; its wheel runs where nothing else is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from django.conf import settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks.world import Size, write_list
from tests.template import copy_template
from tests.trf_files import Event

ROOT = settings.BASE_DIR
DEVELOPED = Path(sys.executable).parent.parent
# What is installed here is what the locks name, or is not: the network is not asked.
MAKE = [
    *("make", "--no-print-directory", f"VENV={DEVELOPED}"),
    *(f"--old-file={DEVELOPED}/{name}" for name in (".installed", ".developed")),
]
LEFT_OUT = (
    ".git",
    ".venv*",
    "var",
    "build",
    "dist",
    "*.egg-info",
    "*.mo",
    "__pycache__",
    ".*_cache",
    "tests",
    "docs",
)
CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n* Lists.\n\n## 1.0.0 (2026-01-01)\n\n* Old.\n"
WORK = """
import json
from io import StringIO
from django.core.management import call_command, get_commands, load_command_class
from django.test import Client
import portal

def result(*arguments):
    call_command(*arguments, "--json", stdout=(out := StringIO()))
    return json.loads(out.getvalue())

helped = {
    name: load_command_class(app, name).create_parser("rating-portal", name).format_help()
    for name, app in get_commands().items()
}
call_command("migrate", verbosity=0)
client = Client(SERVER_NAME="localhost")
print(json.dumps({
    "place": portal.__path__[0],
    "commands": [name for name, text in helped.items() if "usage:" in text],
    "program": client.get("/lists/verify_list.py").content.decode(),
    "is_translated": client.get("/fr/calculators/").content != client.get("/calculators/").content,
    "imported": result("import_fide_list", "../list.txt", "--date=2026-01-01"),
    "rated": result(
        "submit_report", "../open.trf", "--kind=rapid", "--time-control=15+10", "--federation=SUI",
        "--registered-on=2025-12-20", "--submitted-on=2026-01-12",
    ),
    "published": result("publish_lists", "2026-02-01"),
    "verified": result("verify_list", "rapid", "2026-02-01"),
}))
"""
pytestmark = pytest.mark.program


def run(folder: Path, *command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    named = {
        f"GIT_{role}_{what}": "t@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    inherited = {
        name: value for name, value in os.environ.items() if name in ("HOME", "PATH", "LD_LIBRARY_PATH")
    }
    return subprocess.run(
        command,
        cwd=folder,
        env=inherited | named | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def output(folder: Path, *command: str | Path, **environment: str) -> str:
    ended = run(folder, *command, **environment)
    assert ended.returncode == 0, ended.stderr + ended.stdout
    return ended.stdout.strip()


def commit(folder: Path) -> None:
    output(folder, "git", "init", "--quiet")
    output(folder, "git", "add", "--all")
    output(folder, "git", "commit", "--quiet", "--message", "All")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout in which a release was made."""
    folder = tmp_path_factory.mktemp("release") / "checkout"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / "CHANGELOG.md").write_text(CHANGELOG)
    commit(folder)
    output(folder, *MAKE, "release")
    return folder


@pytest.fixture(scope="module")
def release(released: Path) -> str:
    """Return the version of the release."""
    return output(released, "git", "tag").removeprefix("v")


@pytest.fixture(scope="module")
def installed(released: Path) -> Path:
    """Return an environment with the wheel and what it asks for without extras, and nothing else."""
    environment = released.parent / "environment"
    venv.create(environment, with_pip=False, symlinks=True)
    [wheel] = (released / "dist").glob("*.whl")
    pip: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        environment / "bin" / "python",
        "install",
        "--quiet",
    ]
    output(released, *pip, "--no-deps", "--no-index", "--no-compile", wheel)
    [site] = environment.glob("lib/*/site-packages")
    [information] = site.glob("*.dist-info")
    for library in required(Distribution.at(information), set()):
        source = Path(str(library.locate_file("")))
        for name in {file.parts[0] for file in library.files or ()} - {"..", "__pycache__"}:
            (site / name).symlink_to(source / name)
    assert run(released, environment / "bin" / "python", "-c", "import pytest").returncode == 1
    return environment


def required(
    library: Distribution, seen: set[str], extras: frozenset[str] = frozenset({""})
) -> Iterator[Distribution]:
    """Yield what a library asks for, and what that asks for."""
    for wanted in map(Requirement, library.requires or ()):
        if wanted.marker and not any(wanted.marker.evaluate({"extra": extra}) for extra in extras):
            continue
        name = canonicalize_name(wanted.name)
        found = distribution(name)
        if name not in seen:
            seen.add(name)
            yield found
        if unseen := {f"{name}[{extra}]" for extra in ("", *wanted.extras)} - seen:
            seen |= unseen
            yield from required(found, seen, frozenset({"", *wanted.extras}))


def portal(installed: Path, *arguments: str | Path) -> str:
    here = installed.parent / "here"
    here.mkdir(exist_ok=True)
    variables = {"PORTAL_VAR_DIR": str(here / "var"), "PYTHONWARNINGS": "ignore"}
    return output(here, installed / "bin" / "rating-portal", *arguments, **variables)


def test_release_has_a_version_a_section_and_a_tag_and_the_next_one_begins(
    released: Path, release: str
) -> None:
    day = datetime.now(UTC).date().isoformat()

    assert re.fullmatch(r"\d+\.\d+\.\d+", release)
    assert output(released, "git", "tag", "--list", "--format=%(contents)").strip() == (
        f"Release {release}\n\n### Added\n\n* Lists."
    )
    assert (released / "CHANGELOG.md").read_text() == CHANGELOG.replace(
        "## Unreleased\n", f"## Unreleased\n\n## {release} ({day})\n"
    )
    major, minor, _ = release.split(".")
    assert f'version = "{major}.{int(minor) + 1}.0.dev0"' in (released / "pyproject.toml").read_text()
    assert output(released, "git", "show", f"v{release}:pyproject.toml").count(f'version = "{release}"') == 1
    assert output(released, "git", "status", "--porcelain") == ""


def test_files_of_a_release_have_their_checksums(released: Path, release: str) -> None:
    files = {path.name for path in (released / "dist").iterdir()}

    assert files == {
        f"rating-portal-{release}.tar.gz",
        f"rating_portal-{release}-py3-none-any.whl",
        "requirements.lock",
        "sbom.json",
        "SHA256SUMS",
    }
    checked = output(released / "dist", "sha256sum", "--check", "--strict", "SHA256SUMS").splitlines()
    assert {line.removesuffix(": OK") for line in checked} == files - {"SHA256SUMS"}


def test_bill_of_materials_names_what_the_lock_names(released: Path) -> None:
    found = json.loads((released / "dist" / "sbom.json").read_text())["components"]
    lock = (ROOT / "requirements.lock").read_text()
    hashes = [
        item["content"]
        for one in found
        for reference in one["externalReferences"]
        for item in reference["hashes"]
    ]

    assert sorted(f"{one['name']}=={one['version']}" for one in found) == sorted(
        re.findall(r"^(\S+==\S+)", lock, re.MULTILINE)
    )
    assert sorted(hashes) == sorted(re.findall(r"--hash=sha256:(\w+)", lock))


@pytest.mark.parametrize(
    ("version", "changelog", "reason"),
    [
        ("1.1.0", CHANGELOG, "does not end in .dev0"),
        ("1.0.0.dev0", CHANGELOG, "The tag v1.0.0 exists."),
        ("1.1.0.dev0", CHANGELOG.replace("### Added\n\n* Lists.\n\n", ""), "says nothing"),
        ("1.1.0.dev0", "", "not committed"),
    ],
)
def test_release_that_does_not_agree_is_refused_and_changes_nothing(
    tmp_path: Path, version: str, changelog: str, reason: str
) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\nversion = "{version}"\n')
    (tmp_path / "CHANGELOG.md").write_text(changelog or CHANGELOG)
    commit(tmp_path)
    output(tmp_path, "git", "tag", "v1.0.0")
    if not changelog:
        (tmp_path / "new").touch()
    before = output(tmp_path, "git", "status", "--porcelain")

    ended = run(tmp_path, *MAKE, "release")

    assert (ended.returncode, reason in ended.stderr) == (2, True)
    assert output(tmp_path, "git", "status", "--porcelain") == before
    assert output(tmp_path, "git", "tag") == "v1.0.0"
    assert output(tmp_path, "git", "rev-list", "--count", "HEAD") == "1"


def test_wheel_leaves_out_what_is_for_developers(installed: Path) -> None:
    [site] = installed.glob("lib/*/site-packages")
    folders = {path.name for path in site.iterdir()}

    assert folders.isdisjoint({"tests", "docs", "benchmarks", "deploy", "setup.py", "manage.py"})
    assert [path.name for path in (site / "tools").iterdir()] == ["verify_list.py"]
    sources = {path.with_suffix("") for path in (site / "locale").rglob("*.po")}
    assert {path.with_suffix("") for path in (site / "locale").rglob("*.mo")} == sources


def test_wheel_has_every_command_and_publishes_a_list_that_verifies(installed: Path) -> None:
    var = installed.parent / "here" / "var"
    var.mkdir(parents=True)
    # Quicker, where a test before has made one.
    copy_template(var / "portal.sqlite3")
    write_list(installed.parent / "list.txt", Size(0.0005))
    rows = (installed.parent / "list.txt").read_text().splitlines()[1:21]
    event = Event(
        [(int(row[:15]), row[15:76].strip()) for row in rows],
        [[(1 + n, 11 + (n + number) % 10, "1-0") for n in range(10)] for number in range(5)],
    )
    (installed.parent / "open.trf").write_bytes(event.content())

    done = json.loads(portal(installed, "shell", "--verbosity", "0", "--command", WORK))

    assert installed in Path(done["place"]).parents
    assert {path.stem for path in ROOT.glob("*/management/commands/[a-z]*.py")} <= set(done["commands"])
    assert done["program"] == (ROOT / "tools" / "verify_list.py").read_text()
    assert done["is_translated"]
    assert (
        done["imported"]["players"]["read"]
        == len((installed.parent / "list.txt").read_text().splitlines()) - 1
    )
    assert (done["rated"]["accepted"], done["rated"]["list"]) == (True, "2026-02-01")
    assert [found["kind"] for found in done["published"]["published"]] == ["rapid", "blitz"]
    assert done["verified"] == {"verified": True, "reasons": []}


def test_command_of_the_wheel_names_its_version(installed: Path, release: str) -> None:
    assert portal(installed, "--version") == f"rating-portal {release}"


@pytest.mark.machine
def test_files_of_a_release_are_installed_as_the_readme_says(
    released: Path, release: str, tmp_path: Path
) -> None:
    """Asks the package index for every library of the lock."""
    [steps] = re.findall(r"```sh\n(python3 -m venv .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    folder = tmp_path / "dist"
    shutil.copytree(released / "dist", folder)

    done = output(folder, "bash", "-ec", steps.strip() + " --version", **os.environ)

    assert done.splitlines()[-1] == f"rating-portal {release}"
    assert output(folder, "portal/bin/pip", "check", **os.environ) == "No broken requirements found."
    assert run(folder, "portal/bin/python", "-c", "import pytest").returncode == 1
