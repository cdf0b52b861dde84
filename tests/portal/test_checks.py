from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings

from portal.checks import missing_for_installation
from portal.environment import Environment

POSTGRESQL = {"ENGINE": "django.db.backends.postgresql"}
SMTP = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend"}


@pytest.fixture
def installation() -> Environment:
    """Return an environment that lacks nothing."""
    return replace(
        settings.ENVIRONMENT,
        secret_key_given=True,
        secrets_key_given=True,
        site_url="https://ratings.example.org",
        allowed_hosts=("ratings.example.org",),
        email=SMTP,
        database=POSTGRESQL,
        redis_url="rediss://:word@cache.example/0",
        require_mfa=True,
        behind_proxy=True,
        list_signing_key="a key",
        demo=False,
    )


def test_complete_installation_lacks_nothing(installation: Environment) -> None:
    assert missing_for_installation(installation) == []


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
    ],
)
def test_missing_variable_is_named(
    installation: Environment, change: dict[str, object], name: str, number: str
) -> None:
    [message] = missing_for_installation(replace(installation, **change))

    assert message.msg.startswith(f"{name} ")
    assert message.id == number
    assert message.hint
