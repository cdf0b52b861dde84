from __future__ import annotations

import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from portal.environment import BASE_DIR, VARIABLES, env_example, protect_files, read_environment


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Leave nothing set but the folder, and return that."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PORTAL_VAR_DIR", str(tmp_path / "var"))
    return tmp_path / "var"


def test_nothing_set_gives_the_embedded_portal(bare_environment: Path) -> None:
    environment = read_environment()

    assert environment.database["ENGINE"] == "django.db.backends.sqlite3"
    assert environment.database["NAME"] == str(bare_environment / "portal.sqlite3")
    assert environment.redis_url is None
    assert environment.email == {
        "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
        "EMAIL_FILE_PATH": str(bare_environment / "mail"),
    }
    assert environment.list_storage == "folder"
    assert environment.list_signing_key is None
    assert (environment.debug, environment.demo, environment.require_mfa) == (False, False, False)
    assert environment.allowed_hosts == ("127.0.0.1", "localhost", "[::1]")
    assert environment.site_url == "http://127.0.0.1:8000"
    assert not environment.https


def test_secret_key_is_made_once_and_only_its_owner_reads_it(bare_environment: Path) -> None:
    first, second = read_environment(), read_environment()

    assert first.secret_key == second.secret_key
    assert len(first.secret_key) >= 50
    assert not first.secret_key_given
    assert stat.S_IMODE((bare_environment / "secret_key").stat().st_mode) == 0o600


def test_secret_key_of_the_environment_leaves_no_file(
    monkeypatch: pytest.MonkeyPatch, bare_environment: Path
) -> None:
    monkeypatch.setenv("SECRET_KEY", "from the environment")

    environment = read_environment()

    assert (environment.secret_key, environment.secret_key_given) == ("from the environment", True)
    assert list(bare_environment.iterdir()) == []


def test_public_address_decides_hosts_origins_and_https(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SITE_URL", "https://ratings.example.org/")

    environment = read_environment()

    assert environment.site_url == "https://ratings.example.org"
    assert environment.allowed_hosts == ("ratings.example.org", "localhost", "127.0.0.1", "[::1]")
    assert environment.csrf_trusted_origins == ("https://ratings.example.org",)
    assert environment.https


def test_port_leads_to_the_default_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8123")

    assert read_environment().site_url == "http://127.0.0.1:8123"


def test_lists_are_cut_at_commas_and_stripped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example,")
    monkeypatch.setenv("CSRF_TRUSTED_ORIGINS", "https://c.example")

    environment = read_environment()

    assert environment.allowed_hosts == ("a.example", "b.example")
    assert environment.csrf_trusted_origins == ("http://127.0.0.1:8000", "https://c.example")


def test_servers_are_taken_from_their_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://anna:secret@db.example:5433/ratings")
    monkeypatch.setenv("REDIS_URL", "redis://cache.example:6380/2")
    monkeypatch.setenv("EMAIL_URL", "submission://post:word@mail.example:587")

    environment = read_environment()

    database = {name: environment.database[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    assert database == {
        "NAME": "ratings",
        "USER": "anna",
        "PASSWORD": "secret",
        "HOST": "db.example",
        "PORT": 5433,
    }
    assert environment.redis_url == "redis://cache.example:6380/2"
    assert (environment.email["EMAIL_HOST"], environment.email["EMAIL_USE_TLS"]) == ("mail.example", True)


def test_storage_of_lists_takes_a_class_and_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIST_STORAGE", "storages.backends.s3.S3Storage")
    monkeypatch.setenv("LIST_STORAGE_OPTIONS", '{"bucket_name": "lists"}')

    environment = read_environment()

    assert environment.list_storage == "storages.backends.s3.S3Storage"
    assert environment.list_storage_options == {"bucket_name": "lists"}


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("DEBUG", "perhaps", "Set DEBUG=1 or DEBUG=0."),
        ("PORTAL_DEMO", "maybe", "Set PORTAL_DEMO=1 or PORTAL_DEMO=0."),
        ("BEHIND_PROXY", "x", "Set BEHIND_PROXY=1 or BEHIND_PROXY=0."),
        ("REQUIRE_MFA", "x", "Set REQUIRE_MFA=1 or REQUIRE_MFA=0."),
        ("PORT", "http", "Enter a number from 1 to 65535."),
        ("PORT", "70000", "Enter a number from 1 to 65535."),
        ("WEB_WORKERS", "0", "Enter a number from 1 to 256."),
        ("SITE_URL", "ratings.example.org", "Enter the public address"),
        ("SITE_URL", "https://ratings.example.org/portal", "Enter the public address"),
        ("ALLOWED_HOSTS", "*", "Enter host names separated by commas"),
        ("ALLOWED_HOSTS", "https://ratings.example.org", "Enter host names separated by commas"),
        ("CSRF_TRUSTED_ORIGINS", "ratings.example.org", "Enter each with its scheme"),
        ("CSRF_TRUSTED_ORIGINS", "https://*", "Enter each origin"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.org", "Enter each origin"),
        ("LIST_SIGNING_KEY", "no base64", "run manage.py new_key LIST_SIGNING_KEY"),
        ("LIST_SIGNING_KEY", "c2hvcnQ=", "run manage.py new_key LIST_SIGNING_KEY"),
        ("DATABASE_URL", "ratings", "Enter postgresql://"),
        ("DATABASE_URL", "mysql://localhost/ratings", "Enter postgresql://"),
        ("DATABASE_URL", "postgresql://localhost/", "Enter postgresql://"),
        ("REDIS_URL", "http://localhost", "Enter redis://host:6379/0."),
        ("EMAIL_URL", "mail.example", "Enter submission://"),
        ("LIST_STORAGE_OPTIONS", "bucket", "Enter an object"),
        ("LIST_STORAGE_OPTIONS", "[1]", "Enter an object"),
        ("SECURITY_CONTACT", "security@ratings.example.org", "Enter mailto:security@ratings.example.org"),
        ("OPERATOR_CONTACT", "office@ratings.example.org", "Enter mailto:"),
        ("SECURITY_CONTACT", "http://ratings.example.org/", "Enter mailto:security@ratings.example.org"),
        ("SECURITY_CONTACT", "mailto:a@b.example\nExpires: never", "or the https address of a page."),
        ("LOG_LEVEL", "loud", "Set it to one of INFO, DEBUG"),
        ("LOG_FORMAT", "xml", "Set it to one of logfmt, json."),
    ],
)
def test_bad_value_is_refused_with_its_name_and_what_to_write(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, remedy: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ImproperlyConfigured) as refused:
        read_environment()

    assert str(refused.value).startswith(f"{name} ")
    assert remedy in str(refused.value)


def test_folder_that_cannot_be_made_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PORTAL_VAR_DIR", str(tmp_path / "file" / "var"))

    with pytest.raises(ImproperlyConfigured, match=r"^PORTAL_VAR_DIR "):
        read_environment()


def test_example_names_every_variable_and_is_up_to_date() -> None:
    assert (BASE_DIR / ".env.example").read_text() == env_example(), "Run `make env-example`."
    table = (BASE_DIR / "docs" / "operations.md").read_text()
    assert [name for name in VARIABLES if f"`{name}`" not in table] == []


def test_object_store_is_named_by_one_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIST_STORAGE", "s3://ratings/published/")
    monkeypatch.setenv("LIST_STORAGE_OPTIONS", '{"region_name": "eu-central-1"}')

    environment = read_environment()

    assert environment.list_storage == "storages.backends.s3.S3Storage"
    assert environment.list_storage_options == {
        "bucket_name": "ratings",
        "location": "published",
        "default_acl": None,
        "file_overwrite": True,
        "region_name": "eu-central-1",
    }


@pytest.mark.parametrize(
    ("name", "value", "extra"),
    [
        ("LIST_STORAGE", "s3://ratings", "s3"),
        ("SENTRY_DSN", "https://key@sentry.example.org/1", "sentry"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "opentelemetry"),
    ],
)
def test_extra_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, extra: str
) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.setattr("portal.environment.find_spec", lambda library: None)
    with pytest.raises(ImproperlyConfigured, match=rf"{name} .*rating-portal\[{extra}\]"):
        read_environment()


def test_mails_in_the_folder_are_for_its_owner(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://portal@/portal")
    protect_files(read_environment())

    assert stat.S_IMODE((bare_environment / "mail").stat().st_mode) == 0o700
