"""`rating-portal` of an installation: its user, its variables, and where an installed portal keeps its data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from portal import environment
from portal.environment import VARIABLES, data_folder

pytestmark = pytest.mark.program
OWNER = 2998
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root alone becomes another user")
# What the command does before it reads the settings, and who it is then.
BECOME = """
import os, sys
sys.path.insert(0, sys.argv[1])
from portal.__main__ import become_the_portals_user
become_the_portals_user()
print(os.getresuid(), os.getresgid(), os.getgroups())
"""


def become(variables: Path, *, code: int = 0) -> str:
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, "-c", BECOME, str(settings.BASE_DIR)],
        env=kept | {"PORTAL_ENV_FILE": str(variables)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@as_root
def test_root_becomes_the_owner_of_the_folder(tmp_path: Path) -> None:
    folder, variables = tmp_path / "var", tmp_path / "portal.env"
    variables.write_text(f"PORTAL_VAR_DIR={folder}\n")
    folder.mkdir()
    assert become(variables).startswith("(0, 0, 0)")

    os.chown(folder, OWNER, OWNER)

    assert become(variables) == f"{(OWNER,) * 3} {(OWNER,) * 3} [{OWNER}]\n"


@as_root
@pytest.mark.parametrize(
    ("line", "said"), [("PORTAL_VAR_DIR=/nowhere/var", "install -d -o portal"), ("no variable", "line 1")]
)
def test_root_makes_no_folder_of_its_own(tmp_path: Path, line: str, said: str) -> None:
    variables = tmp_path / "portal.env"
    variables.write_text(line)

    [told] = become(variables, code=1).splitlines()

    assert said in told


def test_data_of_an_installed_portal_is_in_the_same_place_wherever_it_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PORTAL_VAR_DIR", raising=False)
    assert data_folder() == settings.BASE_DIR / "var"

    monkeypatch.setattr(environment, "BASE_DIR", tmp_path / "site-packages")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert data_folder() == Path("/data/rating-portal")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ada")
    assert data_folder() == Path("/home/ada/.local/share/rating-portal")
    monkeypatch.setenv("PORTAL_VAR_DIR", "/srv/portal/var")
    assert data_folder() == Path("/srv/portal/var")


@pytest.mark.parametrize(
    ("command", "wrong", "said"),
    [
        (["check", "--deploy"], {"LIST_SIGNING_KEY": "wrong"}, "LIST_SIGNING_KEY"),
        (["publish_lists", "2026-01-01"], {"LIST_SIGNING_KEY": "wrong"}, "LIST_SIGNING_KEY"),
        (["publish_lists", "2026-01-01"], {"DATABASE_URL": ""}, "The database of"),
    ],
)
def test_wrong_place_or_variable_is_a_sentence_without_a_traceback(
    tmp_path: Path, command: list[str], wrong: dict[str, str], said: str
) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    done = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *command],
        env=kept | {"PORTAL_VAR_DIR": str(tmp_path)} | wrong,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(said)
