from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "players"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Players")

    def ready(self) -> None:
        from players import (  # noqa: F401 they declare cases and connect receivers
            appointments,
            claims,
            id_applications,
            merging,
            names,
            transfers,
        )

        post_migrate.connect(_load_federations, sender=self, dispatch_uid="players.load_federations")


def _load_federations(*, using: str, apps: Any = None, **kwargs: Any) -> None:
    """Bring the federations in after `migrate` and `flush`, unless the app was migrated back to nothing."""
    from players.federations import load_federations

    if apps is None or "federation" in apps.all_models["players"]:
        load_federations(using=using)
