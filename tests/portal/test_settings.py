from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from portal.checks import missing_for_installation
from portal.environment import VARIABLES, read_environment
from portal.settings.backends import BEAT_SCHEDULE
from portal.settings.security import transport_settings

INSTALLATION = {
    "SECRET_KEY": "k9vJ2mQx7Rt4Wz8Yb3Nc6Pd1Fg5Hs0LaUeTiOyVr2Bn7Mq4Xw9",
    "SITE_URL": "https://ratings.example.org",
    "DATABASE_URL": "postgresql://portal@localhost/portal",
    "REDIS_URL": "redis://localhost:6379/0",
    "EMAIL_URL": "submission://post:word@mail.example:587",
    "LIST_STORAGE": "s3://ratings/lists",
    "FIDE_LIST_FOLDER": "/srv/shared/fide",
    "REQUIRE_MFA": "1",
    "BEHIND_PROXY": "1",
    "OPERATOR": "Federation of Home",
    "OPERATOR_CONTACT": "mailto:office@ratings.example.org",
    "LIST_SIGNING_KEY": base64.b64encode(b"k" * 32).decode(),
}


def check_deploy(folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the checks of an installation in a process of its own."""
    # The browser of other tests needs a variable that no installation has.
    left_out = {*VARIABLES, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    return subprocess.run(
        [
            sys.executable,
            str(settings.BASE_DIR / "manage.py"),
            "check",
            "--deploy",
            "--fail-level",
            "WARNING",
        ],
        env=kept | {"PORTAL_VAR_DIR": str(folder)} | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.program
def test_complete_installation_lacks_only_its_static_files(tmp_path: Path) -> None:
    done = check_deploy(tmp_path, INSTALLATION)

    assert set(re.findall(r"\w+\.[EW]\d+", done.stderr)) == {"portal.E015"}, done.stderr


@pytest.fixture
def set_variables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[dict[str, str]], None]:
    """Return a function that sets the variables of an installation, and no other."""

    def set_them(variables: dict[str, str]) -> None:
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, value in ({"PORTAL_VAR_DIR": str(tmp_path)} | variables).items():
            monkeypatch.setenv(name, value)

    return set_them


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        ({"REQUIRE_MFA": "0"}, ["portal.W001"]),
        ({"LIST_SIGNING_KEY": ""}, ["portal.W002"]),
        ({"BEHIND_PROXY": "0"}, ["portal.W003"]),
        ({"HOST": "192.0.2.1"}, []),
        ({"HOST": "192.0.2.1", "BEHIND_PROXY": "0"}, ["portal.E013", "portal.W003"]),
        ({"HOST": "::", "BEHIND_PROXY": "0"}, ["portal.E013", "portal.W003"]),
        ({"HOST": "web1.internal", "BEHIND_PROXY": "0"}, ["portal.E013", "portal.W003"]),
        ({"HOST": "::1", "BEHIND_PROXY": "0"}, ["portal.W003"]),
        ({"HOST": "localhost", "BEHIND_PROXY": "0"}, ["portal.W003"]),
        ({"REDIS_URL": "redis://redis.example:6379/0"}, ["portal.E009"]),
        ({"REDIS_URL": "redis://:word@redis.example:6379/0"}, ["portal.E009"]),
        ({"REDIS_URL": "rediss://redis.example:6379/0"}, ["portal.E009"]),
        ({"REDIS_URL": "rediss://:word@redis.example/0?ssl_cert_reqs=none"}, ["portal.E009"]),
        ({"REDIS_URL": "rediss://:word@redis.example/0?ssl_cert_reqs=CERT_NONE"}, ["portal.E009"]),
    ],
)
def test_weak_places_are_named(
    set_variables: Callable[[dict[str, str]], None], change: dict[str, str], said: list[str]
) -> None:
    set_variables(INSTALLATION | change)

    assert [message.id for message in missing_for_installation(read_environment())] == said


def test_embedded_portal_is_told_what_an_installation_needs(
    set_variables: Callable[[dict[str, str]], None],
) -> None:
    set_variables({})

    told = {message.msg.split(" ", 1)[0] for message in missing_for_installation(read_environment())}

    assert {"SECRET_KEY", "SITE_URL", "ALLOWED_HOSTS", "EMAIL_URL"} <= told


@pytest.mark.program
def test_files_of_the_embedded_portal_are_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    write = "from django.db import connection as c; c.cursor().execute('CREATE TABLE x (y)')"
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", write],
        cwd=settings.BASE_DIR,
        env=kept | {"PORTAL_VAR_DIR": str(folder)},
        check=True,
        capture_output=True,
    )

    assert folder.stat().st_mode & 0o777 == 0o700
    kinds = {path.name: path.stat().st_mode & 0o077 for path in folder.rglob("*")}
    assert (kinds.get("portal.sqlite3"), kinds.get("secret_key")) == (0, 0)
    assert {name for name, mode in kinds.items() if mode} == set()


@pytest.mark.parametrize("https", [True, False])
def test_cookies_and_redirects_follow_the_scheme_of_the_site(https: bool) -> None:
    found = transport_settings(https=https, behind_proxy=False)

    secure = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE")
    assert [found[name] for name in secure] == [https] * 3
    assert (found["SECURE_HSTS_SECONDS"] > 0) == https
    assert found.get("SESSION_COOKIE_NAME", "sessionid").startswith("__Host-") == https
    assert "SECURE_PROXY_SSL_HEADER" not in found


def test_header_of_the_proxy_counts_only_behind_one() -> None:
    found = transport_settings(https=True, behind_proxy=True)

    assert found["SECURE_PROXY_SSL_HEADER"] == ("HTTP_X_FORWARDED_PROTO", "https")


def test_beat_names_tasks_that_exist() -> None:
    from portal.celery import app

    app.loader.import_default_modules()

    assert {entry["task"] for entry in BEAT_SCHEDULE.values()} <= set(app.tasks)
