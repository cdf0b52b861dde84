from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _l

from players.admin.staff import EvidenceAdmin
from tournaments.models import Report


@admin.register(Report)
class ReportAdmin(EvidenceAdmin[Report]):
    """Uploaded reports. Their bytes and findings are read at the desk."""

    list_display = ["tournament", "version", "state", "submitted_at", "submitted_by", "accepted_on", "desk"]
    list_filter = ["state"]
    list_select_related = ["tournament", "submitted_by"]
    search_fields = ["tournament__event_id__istartswith", "sha256__istartswith"]
    search_help_text = _l("Beginning of the event ID or of the SHA-256")
    exclude = ["content", "pgn", "findings"]
    ordering = ["-pk"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).defer("content", "pgn", "findings")

    @admin.display(description=_l("at the desk"))
    def desk(self, report: Report) -> SafeString:
        """Return the link to the report with its findings."""
        url = reverse("desk:report", args=[report.tournament.event_id, report.version])
        return format_html('<a href="{}">{}</a>', url, _l("text and findings"))
