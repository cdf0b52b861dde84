"""Keys: made, rotated and undone, read alike by all, and another key than that of the data is named."""

from __future__ import annotations

import base64
import html
import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core import signing
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from core.secrets import decrypt, encrypt
from portal.checks import keys_of_the_data
from portal.environment import read_environment, read_file
from portal.keys import other_keys
from portal.management.commands.new_key import KEYS
from portal.migrations import __name__ as migrations
from ratings.models import RatingList
from ratings.publish.signatures import public_key
from ratings.verify.verify import verify_list
from tests import make
from tests.tools import verifier

HARD = """a$HOME`id` 'b\\"c#d=e%f,g!&;"""


@pytest.mark.parametrize("name", KEYS)
def test_a_new_key_is_a_line_that_shell_systemd_and_portal_read_alike(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("new_key", name)
    line = capsys.readouterr().out.strip()
    (tmp_path / "env").write_text(f"# Keys.\n\n{line}\n")

    found = read_file(tmp_path / "env")
    assert (line, shlex.split(line)) == (f"{name}={found[name]}", [line])
    monkeypatch.setenv(name, found[name])
    read_environment()
    call_command("new_key", name)
    assert capsys.readouterr().out.strip() != line


@pytest.mark.parametrize("quoted", [HARD, f"'{HARD}'", f'"{HARD}"'], ids=["plain", "single", "double"])
def test_a_value_of_the_file_is_what_stands_there(quoted: str, tmp_path: Path) -> None:
    (tmp_path / "env").write_text(f"SECRET_KEY={quoted}\n")
    assert read_file(tmp_path / "env") == {"SECRET_KEY": HARD}


@pytest.mark.parametrize("line", ["export SECRET_KEY=a", "SECRET_KEY", "=a", "1A=b"])
def test_another_line_is_refused_by_its_number_alone(line: str, tmp_path: Path) -> None:
    (tmp_path / "env").write_text(f"PORT=8000\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match="line 2") as refused:
        read_file(tmp_path / "env")
    assert "SECRET_KEY" not in str(refused.value)


def test_a_process_reads_the_file_and_what_it_has_itself_comes_first(tmp_path: Path) -> None:
    (tmp_path / "env").write_text(f"SECRET_KEY={HARD}\nSITE_URL=https://a.example\n")
    own = {"PORTAL_ENV_FILE": str(tmp_path / "env"), "SITE_URL": "https://b.example"}
    with patch.dict(os.environ, own):
        found = read_environment()

    assert (found.secret_key, found.site_url) == (HARD, "https://b.example")


def test_sessions_and_links_outlive_the_rotation_of_the_secret_key(db: None, settings: Settings) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "first" * 10, []
    browser, link = Client(), signing.dumps("ada", salt="link")
    browser.force_login(make.user(is_superuser=True, is_staff=True))

    def state() -> list[object]:
        try:
            opened = signing.loads(link, salt="link")
        except signing.BadSignature:
            opened = None
        return [browser.get("/admin/").status_code, opened]

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second" * 10, ["first" * 10]
    assert state() == [200, "ada"]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "third" * 10, []
    assert state() == [302, None]


# The keys of one step after the other, as docs/operations.md has them: the present one, and those known besides.
STEPS = (("first", []), ("first", ["second"]), ("second", ["first"]), ("second", []))


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), [*pairwise(STEPS)])
def test_machines_that_are_restarted_one_after_the_other_share_sessions(
    before: tuple[str, list[str]], after: tuple[str, list[str]], db: None, settings: Settings
) -> None:
    def restart(machine: tuple[str, list[str]]) -> None:
        present, others = machine
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = 10 * present, [10 * key for key in others]

    for begun_at in (before, after):
        restart(begun_at)
        browser = make.browser(make.user(is_superuser=True, is_staff=True))
        for machine in (before, after) * 2:
            restart(machine)
            assert browser.get("/admin/").status_code == 200


@pytest.mark.parametrize(("before", "after"), [*pairwise(STEPS)])
def test_machines_that_are_restarted_one_after_the_other_share_secrets(
    before: tuple[str, list[str]], after: tuple[str, list[str]], settings: Settings
) -> None:
    for writing in (before, after):
        settings.SECRETS_KEYS = (writing[0], *writing[1])
        stored = encrypt("a secret")
        for reading in (before, after):
            settings.SECRETS_KEYS = (reading[0], *reading[1])
            assert decrypt(stored) == "a secret"


@pytest.fixture
def second_factor(db: None, settings: Settings) -> Authenticator:
    settings.SECRETS_KEYS = ("first",)
    row: Authenticator = Authenticator.objects.create(
        user=make.user(), type="totp", data={"secret": encrypt("a secret")}
    )
    return row


def secret() -> str:
    return decrypt(Authenticator.objects.get().data["secret"])


def test_the_key_of_secrets_is_rotated_and_that_undone(second_factor: Any, settings: Settings) -> None:
    settings.SECRETS_KEYS = ("second", "first")
    assert (secret(), list(other_keys())) == ("a secret", [])
    call_command("rotate_secrets")
    settings.SECRETS_KEYS = ("first", "second")
    assert secret() == "a secret"
    call_command("rotate_secrets")
    settings.SECRETS_KEYS = ("first",)
    assert (secret(), list(other_keys())) == ("a secret", [])


def test_another_key_than_that_of_the_data_is_named(
    second_factor: Any, settings: Settings, client: Client
) -> None:
    settings.SECRETS_KEYS = ("another",)
    assert [message.id for message in keys_of_the_data()] == ["portal.E011"]
    assert client.get("/health/ready").json()["checks"]["keys"] == "failed"
    settings.SECRETS_KEYS = ("another", "first")
    assert list(keys_of_the_data()) == []
    assert client.get("/health/ready").json()["checks"]["keys"] == "ok"


def test_another_signing_key_than_that_of_the_newest_list_is_named(
    db: None, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    def new() -> str:
        call_command("new_key", "LIST_SIGNING_KEY")
        return capsys.readouterr().out.strip().partition("=")[2]

    first = settings.LIST_SIGNING_KEY = new()
    make.rating_list(date=date(2026, 1, 1))
    make.publish("rapid", date(2026, 2, 1))
    assert list(keys_of_the_data()) == []
    settings.LIST_SIGNING_KEY = new()
    assert [message.id for message in keys_of_the_data()] == ["portal.W005"]
    settings.LIST_SIGNING_KEY = first
    assert list(keys_of_the_data()) == []


@pytest.mark.slow
def test_machines_that_are_restarted_one_after_the_other_name_the_key_of_each_list(
    db: None, settings: Settings, client: Client, tmp_path: Path
) -> None:
    """Each signs with the key that it has; whichever shows a list, it names the key that the list was signed with."""
    first, second = (base64.b64encode(letter * 32).decode() for letter in (b"1", b"2"))
    make.rating_list(date=date(2026, 1, 1))
    signed_by = {}
    for month, machine in ((2, first), (3, second), (4, first), (5, second)):
        settings.LIST_SIGNING_KEY = machine
        make.publish("rapid", date(2026, month, 1))
        signed_by[month] = public_key()

    for machine in (first, second):
        settings.LIST_SIGNING_KEY = machine
        for month, key in signed_by.items():
            rating_list = RatingList.objects.get(date=date(2026, month, 1))
            page = client.get(f"/lists/rapid/2026-{month:02}-01/verify/").content.decode()
            assert set(re.findall(r"--key ([\w+/]{43}=)", html.unescape(page))) == {key}
            assert verify_list(rating_list, public_key=key) is None
            assert verifier.run(verifier.download(rating_list, tmp_path), "--key", key) == 0
        assert public_key() in html.unescape(client.get("/lists/corrections/").content.decode())


def test_second_factors_are_read_in_both_forms_and_go_back(second_factor: Any) -> None:
    """The migration changes nothing: the code before it still reads what it wrote. Back, it can read all."""
    Authenticator.objects.create(user=make.user(), type="recovery_codes", data={"seed": "plain"})
    migration = __import__(f"{migrations}.0003_encrypt_second_factors", fromlist=["Migration"])
    [operation] = migration.Migration.operations

    def stored() -> list[str]:
        rows = Authenticator.objects.order_by("pk").values_list("data", flat=True)
        return [next(iter(data.values())) for data in rows]

    before = stored()
    operation.code(apps, None)
    assert (stored(), [decrypt(text) for text in stored()]) == (before, ["a secret", "plain"])
    assert [message.id for message in keys_of_the_data()] == ["portal.W006"]
    call_command("rotate_secrets")
    assert list(keys_of_the_data()) == []
    operation.reverse_code(apps, None)
    assert stored() == ["a secret", "plain"]


@pytest.mark.program
def test_a_command_of_a_user_who_may_not_read_the_folder_ends_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o700)
    command = [sys.executable, "manage.py", "migrate"]
    if os.geteuid() == 0:
        # Root without the rights to read what is another user's, and to become that user.
        shutil.chown(folder, "nobody")
        rights = "-dac_override,-dac_read_search,-setuid,-setgid"
        command = ["setpriv", f"--bounding-set={rights}", *command]
    else:
        folder.chmod(0)

    done = subprocess.run(
        command, env=os.environ | {"PORTAL_VAR_DIR": str(folder)}, capture_output=True, text=True, check=False
    )

    assert (done.returncode, "Traceback" in done.stderr, str(folder) in done.stderr) == (1, False, True)
