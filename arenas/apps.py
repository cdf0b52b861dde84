from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ArenasConfig(AppConfig):
    name = "arenas"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Arenas")

    def ready(self) -> None:
        from arenas import over_the_board  # noqa: F401 connects its receivers

        post_migrate.connect(_load_arenas, sender=self, dispatch_uid="arenas.load_arenas")


def _load_arenas(*, using: str, apps: Any = None, **kwargs: Any) -> None:
    """Bring the three arenas in after `migrate` and `flush`, unless the app was migrated back to nothing."""
    from arenas.members import load_arenas

    if apps is None or "arena" in apps.all_models["arenas"]:
        load_arenas(using=using)
