from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        from ratings import receivers  # noqa: F401 connects the receivers
