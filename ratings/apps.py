from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        # Imported to connect their receivers and answers.
        from ratings.queries import federations, in_force, lists  # noqa: F401
        from ratings.services import due_runs, mergers  # noqa: F401
        from ratings.services.corrections import exclusions, reports  # noqa: F401

        post_migrate.connect(_load_adoptions, sender=self, dispatch_uid="ratings.load_adoptions")


def _load_adoptions(*, using: str, apps: Any = None, **kwargs: Any) -> None:
    """Bring in the texts that the portal comes with after `migrate` and `flush`, unless the table is not there."""
    from django.utils import timezone

    from ratings.services.adoptions import load_shipped

    if apps is None or "adoption" in apps.all_models["ratings"]:
        load_shipped(at=timezone.now(), using=using)
