"""Start-up checks: what is missing, and what to set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from portal.environment import LOCAL_HOSTS, Environment


def register_all() -> None:
    """Register the checks of every start and those of `check --deploy`."""
    checks.register(check_var_folder)
    checks.register(check_installation, deploy=True)


def check_var_folder(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report a PORTAL_VAR_DIR that cannot be written to."""
    probe = settings.VAR_DIR / ".writable"
    try:
        probe.touch()
        probe.unlink()
    except FileNotFoundError:
        return []
    except OSError as error:
        message = f"PORTAL_VAR_DIR ({settings.VAR_DIR}) cannot be written to: {error}."
        return [checks.Error(message, hint="Give the portal's user a folder of its own.", id="portal.E001")]
    return []


def check_installation(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report what an installation that others rely on still lacks."""
    return list(missing_for_installation(settings.ENVIRONMENT))


def missing_for_installation(environment: Environment) -> list[checks.CheckMessage]:
    """Return a message for each variable that a real installation must set, with what to write."""
    return [
        _message(number, name, remedy) for number, name, missing, remedy in _needs(environment) if missing
    ]


def _needs(environment: Environment) -> list[tuple[int, str, bool, str]]:
    public = [host for host in environment.allowed_hosts if host not in LOCAL_HOSTS]
    console = environment.email["EMAIL_BACKEND"].endswith("console.EmailBackend")
    postgresql = environment.database["ENGINE"].endswith("postgresql")
    return [
        (
            2,
            "SECRET_KEY",
            not environment.secret_key_given,
            "Set 50 random characters or more, the same on every machine.",
        ),
        (
            3,
            "SITE_URL",
            not environment.https,
            "Set the https address people use, as https://ratings.example.org.",
        ),
        (4, "ALLOWED_HOSTS", not public, "List the host names the portal answers to."),
        (5, "EMAIL_URL", console, "Set smtp+tls://user:password@host:587, or mails are only printed."),
        (
            6,
            "REDIS_URL",
            postgresql and not environment.redis_url,
            "Set redis://host:6379/0, or workers on other machines get no work.",
        ),
    ]


def _message(number: int, name: str, remedy: str) -> checks.CheckMessage:
    return checks.Error(
        f"{name} is not set for an installation that others use.", hint=remedy, id=f"portal.E{number:03}"
    )
