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
        # Imported to connect their receivers and answers, and to declare their cases.
        from ratings import due_runs, federations, in_force, lists, mergers  # noqa: F401
        from ratings.amend import anew, exclusions, players, results  # noqa: F401

        post_migrate.connect(_load_adoptions, sender=self, dispatch_uid="ratings.load_adoptions")


def _load_adoptions(*, using: str, apps: Any = None, **kwargs: Any) -> None:
    """Bring in the texts that the portal comes with after `migrate` and `flush`, once the table is as it is today."""
    from django.utils import timezone

    from ratings.adoptions import load_shipped
    from ratings.models import Adoption

    # Whoever migrates to a former state has a table that lacks columns, or none.
    stored = apps and apps.all_models["ratings"].get("adoption")
    columns = {field.column for field in stored._meta.fields} if stored else set()
    if apps is None or columns.issuperset(field.column for field in Adoption._meta.fields):
        load_shipped(at=timezone.now(), using=using)
