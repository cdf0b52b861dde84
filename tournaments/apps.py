from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        # Their receivers of signals are connected, and their cases declared, by the import.
        from tournaments.services import appeals, entries, known_ids, objections  # noqa: F401
