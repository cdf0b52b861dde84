"""The wheel has all that the portal reads, and starts away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.template import copy_template
from tools.licences import ROOT

pytestmark = pytest.mark.program
STARTED = """
from django.test import Client
import portal
client = Client(SERVER_NAME="localhost")
program = client.get("/lists/verify_list.py")
french = client.get("/fr/calculators/").content.decode()
english = client.get("/calculators/").content.decode()
print(portal.__path__[0], program.status_code, len(program.content), french != english)
"""
LEFT_OUT = (
    ".git",
    ".venv*",
    "var",
    "build",
    "*.egg-info",
    "*.mo",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a wheel's packages, as an environment would have them."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "checkout", ignore=shutil.ignore_patterns(*LEFT_OUT, "tests", "docs"))
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*command, "--wheel-dir", str(folder), str(folder / "checkout")], check=True, timeout=120)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, *arguments: str, text: str = "") -> str:
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PORTAL_VAR_DIR", "DATABASE_URL")
    }
    (installed.parent / "here").mkdir(exist_ok=True)
    ended = subprocess.run(
        [sys.executable, "-m", "portal", *arguments],
        cwd=installed.parent / "here",
        env=environment | {"PYTHONPATH": str(installed), "REDIS_URL": "", "PYTHONWARNINGS": "ignore"},
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_wheel_names_its_command_and_leaves_out_what_is_for_developers(installed: Path) -> None:
    [information] = installed.glob("*.dist-info")
    assert "rating-portal = portal.__main__:main" in (information / "entry_points.txt").read_text()
    folders = {path.name for path in installed.iterdir()} - {information.name}
    assert folders.isdisjoint({"tests", "docs", "benchmarks", "deploy", "setup.py", "manage.py"})
    assert [path.name for path in (installed / "tools").iterdir()] == ["verify_list.py"]
    sources = {path.with_suffix("") for path in (installed / "locale").rglob("*.po")}
    assert {path.with_suffix("") for path in (installed / "locale").rglob("*.mo")} == sources


def test_portal_of_the_wheel_has_pages_translations_and_the_verifier(
    installed: Path, django_db_setup: None
) -> None:
    # What it writes lies where it is started, not among the libraries.
    database = installed.parent / "here" / "var" / "portal.sqlite3"
    database.parent.mkdir(parents=True)
    assert copy_template(database)
    run(installed, "migrate", "--check", "--verbosity", "0")
    found, status, length, is_translated = run(installed, "shell", "--verbosity", "0", text=STARTED).split()

    assert Path(found).parent == installed
    assert (status, int(length)) == ("200", (ROOT / "tools" / "verify_list.py").stat().st_size)
    assert is_translated == "True"
    assert (database.parent / "secret_key").is_file()
    assert not (installed / "var").exists()
