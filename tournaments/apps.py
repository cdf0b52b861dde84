from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        # Imported to connect their receivers of signals, and to declare their cases.
        from tournaments import appeals, entries, known_ids, objections, requested_changes  # noqa: F401
