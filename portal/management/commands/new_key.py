"""`new_key NAME`: print a line with a new key for the file of variables; nothing is written."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand


def _words() -> str:
    # Letters, digits, - and _: no shell, no systemd and no composition reads them as anything else.
    return secrets.token_urlsafe(48)


def _signing_key() -> str:
    return base64.b64encode(secrets.token_bytes(32)).decode()


KEYS: dict[str, Callable[[], str]] = {
    "SECRET_KEY": _words,
    "SECRETS_KEY": _words,
    "METRICS_TOKEN": _words,
    "LIST_SIGNING_KEY": _signing_key,
}


class Command(PortalCommand):
    requires_system_checks: list[str] = []
    help = "Print a new key as a line for the file of variables (PORTAL_ENV_FILE). Nothing is written."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("name", choices=sorted(KEYS), help="the variable")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        key = KEYS[name]()
        self.emit({"name": name, "key": key}, [f"{name}={key}"], options)
