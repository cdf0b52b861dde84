from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from core.errors import RefusedError
from portal.backup import make_backup
from portal.checks import check_installation, missing_backup, missing_for_installation, misspelt_variables
from portal.environment import Environment
from tests.conftest import NOW
from tests.log import acts

POSTGRESQL = {"ENGINE": "django.db.backends.postgresql", "HOST": "db.example.org"}
SMTP = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend"}


@pytest.fixture
def installation() -> Environment:
    """Return an environment that lacks nothing."""
    return replace(
        settings.ENVIRONMENT,
        secret_key_given=True,
        site_url="https://ratings.example.org",
        allowed_hosts=("ratings.example.org",),
        email=SMTP,
        database=POSTGRESQL,
        redis_url="rediss://:word@cache.example/0",
        require_mfa=True,
        behind_proxy=True,
        operator="Federation of Home",
        operator_contact="mailto:office@ratings.example.org",
        list_signing_key="a key",
        list_storage="storages.backends.s3.S3Storage",
        fide_list_folder=Path("/srv/fide"),
        demo=False,
    )


@pytest.mark.parametrize(
    ("change", "name", "number"),
    [
        ({"secret_key_given": False}, "SECRET_KEY", "portal.E002"),
        ({"site_url": "http://ratings.example.org"}, "SITE_URL", "portal.E003"),
        ({"allowed_hosts": ("localhost",)}, "ALLOWED_HOSTS", "portal.E004"),
        (
            {"email": {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}},
            "EMAIL_URL",
            "portal.E005",
        ),
        ({"redis_url": None}, "REDIS_URL", "portal.E006"),
        ({"demo": True}, "PORTAL_DEMO", "portal.E007"),
        ({"debug": True}, "DEBUG", "portal.E014"),
        ({"list_storage": "folder"}, "LIST_STORAGE", "portal.W007"),
        ({"fide_list_folder": Path("var/fide"), "var_dir": Path("var")}, "FIDE_LIST_FOLDER", "portal.W008"),
        ({"operator": None}, "OPERATOR", "portal.W010"),
        ({"operator_contact": None}, "OPERATOR", "portal.W010"),
    ],
)
def test_missing_variable_is_named(
    installation: Environment, change: dict[str, object], name: str, number: str
) -> None:
    [message] = missing_for_installation(replace(installation, **change))

    assert message.msg.startswith(f"{name} ")
    assert message.id == number
    assert message.hint
    assert "silence" not in message.hint


def test_a_variable_that_nothing_reads_is_named() -> None:
    names = ["SITE_URL", "REQIRE_MFA", "PORTAL_DEMOO", "LIST_SECRET", "PATH", "HOSTNAME", "AWS_REGION"]

    assert [(message.id, message.msg.split()[0]) for message in misspelt_variables(names)] == [
        ("portal.W009", "LIST_SECRET"),
        ("portal.W009", "PORTAL_DEMOO"),
        ("portal.W009", "REQIRE_MFA"),
    ]


@pytest.mark.parametrize("host", ["", "localhost", "127.0.0.1", "::1", "/run/postgresql"])
def test_one_machine_is_not_asked_to_share_its_folders(installation: Environment, host: str) -> None:
    alone: dict[str, Any] = {
        "list_storage": "folder",
        "fide_list_folder": Path("var/fide"),
        "var_dir": Path("var"),
        "redis_url": None,
    }

    here = replace(installation, database=POSTGRESQL | {"HOST": host}, **alone)
    assert [*missing_for_installation(here)] == []


def test_folder_that_is_mounted_is_shared(installation: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted = replace(installation, list_storage="folder", var_dir=Path("/srv/portal/var"))
    monkeypatch.setattr(Path, "is_mount", lambda path: path == Path("/srv/portal/var/lists"))

    assert [*missing_for_installation(mounted)] == []


def test_missing_and_old_backups_are_named(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(at: datetime = NOW) -> list[str]:
        return [found.id for found in missing_backup(at)]

    assert said() == ["portal.W004"]
    assert "portal.W004" in [found.id for found in check_installation(None)]
    monkeypatch.setattr("portal.backup._copy_database", _copied)
    make_backup(tmp_path / "monday", at=NOW, by_name="ops (command)")
    with pytest.raises(RefusedError):
        make_backup(tmp_path / "monday", at=NOW + timedelta(days=30))

    assert (said(), said(NOW + timedelta(days=7))) == ([], [])
    old = NOW + timedelta(days=8)
    assert said(old) == ["portal.W004"]
    assert f"{NOW:%Y-%m-%d}" in str(next(iter(missing_backup(old))).msg)
    [act] = acts()
    assert (act.area, act.action, act.subject, act.by_name) == ("portal", "backup", "monday", "ops (command)")


def _copied(draft: Path) -> str:
    # The copy itself is tested in tests/operations, outside of a transaction.
    (draft / "portal.sqlite3").write_bytes(b"")
    return "portal.sqlite3"
