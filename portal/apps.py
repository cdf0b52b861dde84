from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.utils.translation import gettext_lazy as _


class PortalConfig(AppConfig):
    name = "portal"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Portal")

    def ready(self) -> None:
        """Register the system checks, bind task ids to the log, follow changes of accounts and what is written."""
        from portal import checks, receivers  # noqa: F401
        from portal.celery import follow_tasks
        from portal.logging import start_reports

        checks.register_all()
        follow_tasks()
        start_reports(settings.ENVIRONMENT)
        connection_created.connect(_note_statements)


def _note_statements(connection: BaseDatabaseWrapper, **_: Any) -> None:
    from core.bulk import note_statement

    if note_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(note_statement)
