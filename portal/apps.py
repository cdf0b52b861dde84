from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortalConfig(AppConfig):
    name = "portal"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Portal")

    def ready(self) -> None:
        """Register the system checks, bind task ids to the log, follow changes of accounts and what is written."""
        from portal import checks, logging, receivers  # noqa: F401

        checks.register_all()
        logging.follow_tasks()
