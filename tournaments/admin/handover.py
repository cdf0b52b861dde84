from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _l

from players.admin.staff import EvidenceAdmin
from tournaments.models import HandedReport


@admin.register(HandedReport)
class HandedReportAdmin(EvidenceAdmin[HandedReport]):
    """Reports that chief arbiters handed over. Their bytes and findings are read at the desk."""

    list_display = ["tournament", "number", "state", "handed_at", "handed_by", "decided_at", "decided_by"]
    list_filter = ["state"]
    list_select_related = ["tournament", "handed_by", "decided_by"]
    search_fields = ["tournament__event_id__istartswith", "sha256__istartswith"]
    search_help_text = _l("Beginning of the event ID or of the SHA-256")
    exclude = ["content", "pgn", "findings"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[HandedReport]:
        return super().get_queryset(request).defer("content", "pgn", "findings")
