from __future__ import annotations

from pathlib import Path

import django
import pytest
from django.core.exceptions import ImproperlyConfigured

from portal.environment import read_environment
from portal.mail import email_settings, for_this_django

SMTP = {
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "EMAIL_TIMEOUT": None,
    "EMAIL_HOST": "mail.example",
    "EMAIL_PORT": 25,
    "EMAIL_HOST_USER": "",
    "EMAIL_HOST_PASSWORD": "",
    "EMAIL_USE_TLS": False,
    "EMAIL_USE_SSL": False,
}
TLS, SSL = {"EMAIL_USE_TLS": True}, {"EMAIL_USE_SSL": True}
USER = {"EMAIL_HOST_USER": "post@example.org", "EMAIL_HOST_PASSWORD": "p:w/ö"}


@pytest.mark.parametrize(
    ("url", "differing"),
    [
        ("smtp://mail.example", {}),
        ("smtp:", {"EMAIL_HOST": "localhost"}),
        ("smtp://[::1]:2525", {"EMAIL_HOST": "::1", "EMAIL_PORT": 2525}),
        ("submission://mail.example", {"EMAIL_PORT": 587} | TLS),
        ("submit://mail.example", {"EMAIL_PORT": 587} | TLS),
        ("smtp+tls://mail.example:2587", {"EMAIL_PORT": 2587} | TLS),
        ("smtp+ssl://mail.example", {"EMAIL_PORT": 465} | SSL),
        ("smtps://mail.example", {"EMAIL_PORT": 465} | SSL),
        ("smtps://mail.example:587", {"EMAIL_PORT": 587} | SSL),
        ("smtp://post%40example.org:p%3Aw%2F%C3%B6@mail.example", USER),
        ("smtp://mail.example/?tls=True&timeout=10", {"EMAIL_TIMEOUT": 10} | TLS),
        ("submission://mail.example:465?ssl=1", {"EMAIL_PORT": 465} | SSL),
        ("smtp://mail.example?ssl=no", {}),
        ("smtp://mail.example?_server_email=root%40example.org", {"SERVER_EMAIL": "root@example.org"}),
        ("smtp://mail.example?_default_from_email=a@b.example", {"DEFAULT_FROM_EMAIL": "a@b.example"}),
    ],
)
def test_mail_server_is_read_from_its_address(url: str, differing: dict[str, object]) -> None:
    assert email_settings(url) == SMTP | differing


@pytest.mark.parametrize(
    ("url", "backend", "others"),
    [
        ("console:", "console", {}),
        ("console://", "console", {}),
        ("memory:", "locmem", {}),
        ("locmem://", "locmem", {}),
        ("dummy:", "dummy", {}),
        ("file:////var/spool/mails%20out", "filebased", {"EMAIL_FILE_PATH": "/var/spool/mails out"}),
        ("file:///mails", "filebased", {"EMAIL_FILE_PATH": "mails"}),
    ],
)
def test_mails_need_no_server(url: str, backend: str, others: dict[str, object]) -> None:
    backend = f"django.core.mail.backends.{backend}.EmailBackend"

    assert email_settings(url) == {"EMAIL_BACKEND": backend} | others


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("mail.example", "it must begin with one of console, file, "),
        ("http://mail.example", "it must begin with one of console, file, "),
        ("submission://", "it names no host"),
        ("smtps:///path", "it names no host"),
        ("smtp://user:secret@mail.example:99999", "its port is not a number from 1 to 65535"),
        ("smtp://user:secret@mail.example:post", "its port is not a number from 1 to 65535"),
        ("smtp://user:secret/word@mail.example", "its port is not a number from 1 to 65535"),
        ("smtp://[mail.example", "Invalid IPv6 URL"),
        ("file:", "it names no folder; write file:////folder"),
        ("smtp://mail.example?starttls=1", "it has the unknown option 'starttls'; known are ssl, tls, "),
        ("smtp://mail.example?tls=perhaps", "tls is not yes or no"),
        ("smtp://mail.example?timeout=long", "timeout is not a number of seconds"),
    ],
)
def test_bad_mail_address_is_refused_with_the_problem(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str, problem: str
) -> None:
    monkeypatch.setenv("PORTAL_VAR_DIR", str(tmp_path))
    monkeypatch.setenv("EMAIL_URL", url)

    with pytest.raises(ImproperlyConfigured) as refused:
        read_environment()

    assert str(refused.value).startswith("EMAIL_URL ")
    assert f"({problem}" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_older_django_has_a_setting_for_each_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(django, "VERSION", (6, 0, 0, "final", 0))

    assert for_this_django(SMTP) == SMTP


def test_newer_django_has_one_setting_for_the_mailer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(django, "VERSION", (6, 1, 0, "final", 0))

    settings = for_this_django(email_settings("smtp+ssl://post:word@mail.example?_server_email=a@b.example"))

    mailer = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": "mail.example",
            "port": 465,
            "username": "post",
            "password": "word",
            "use_tls": False,
            "use_ssl": True,
            "timeout": None,
        },
    }
    assert settings == {"SERVER_EMAIL": "a@b.example", "MAILERS": {"default": mailer}}
