from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from players.admin.staff import StaffAdmin
from players.models import Federation, FederationExclusion


@admin.register(Federation)
class FederationAdmin(StaffAdmin[Federation]):
    """Federations; they have a code for ever, so that none is deleted."""

    list_display = ["code", "name", "continent", "is_member", "officer_name"]
    list_filter = ["is_member", "hides_birth_years_of_minors", "continent"]
    search_fields = ["code__iexact", "name__icontains"]

    def get_readonly_fields(self, request: HttpRequest, obj: Federation | None = None) -> list[str]:
        return ["code"] if obj else []

    def has_delete_permission(self, request: HttpRequest, obj: Federation | None = None) -> bool:
        return False


@admin.register(FederationExclusion)
class FederationExclusionAdmin(StaffAdmin[FederationExclusion]):
    """Exclusions with their decision (9.1) and who recorded them; an exclusion ends, it is not deleted."""

    list_display = ["federation", "excluded_from", "until", "reference"]
    list_select_related = ["federation"]
    search_fields = ["federation__code__iexact", "federation__name__icontains"]
    autocomplete_fields = ["federation"]
    fields = ["federation", "excluded_from", "until", "reference", "recorded_by", "recorded_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: FederationExclusion | None = None) -> list[str]:
        recorded = ["recorded_by", "recorded_at"]
        return ["federation", "excluded_from", *recorded] if obj else recorded

    def has_delete_permission(self, request: HttpRequest, obj: FederationExclusion | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: FederationExclusion, form: Any, change: bool) -> None:
        if not change:
            obj.recorded_by_id = request.user.pk
            obj.recorded_at = timezone.now()
        super().save_model(request, obj, form, change)
