from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from players.admin.staff import StaffAdmin
from players.models import Appointment


@admin.register(Appointment)
class AppointmentAdmin(StaffAdmin[Appointment]):
    """Who holds which role. A role is given and taken, not changed; FIDE staff enter the admin by it."""

    list_display = ["user", "role", "federation"]
    list_filter = ["role"]
    list_select_related = ["user", "federation"]
    search_fields = ["user__email__istartswith", "federation__code__iexact"]
    autocomplete_fields = ["user", "federation"]

    def has_change_permission(self, request: HttpRequest, obj: Appointment | None = None) -> bool:
        return False
