from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from simple_history.admin import SimpleHistoryAdmin

from players.admin import EvidenceAdmin, StaffAdmin
from ratings.models import FeeRate, FeeStatement, Invoice


@admin.register(FeeRate)
class FeeRateAdmin(SimpleHistoryAdmin, StaffAdmin[FeeRate]):
    """The rates of fees with their history. Those by which a statement was made stay as they are."""

    list_display = ["valid_from", "currency", "per_tournament", "per_player", "late_fee", "days_to_pay"]

    def has_change_permission(self, request: HttpRequest, obj: FeeRate | None = None) -> bool:
        return super().has_change_permission(request, obj) and not _is_used(obj)

    def has_delete_permission(self, request: HttpRequest, obj: FeeRate | None = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_used(obj)


@admin.register(FeeStatement)
class FeeStatementAdmin(EvidenceAdmin[FeeStatement]):
    """What each federation owes for each list."""

    list_display = ["rating_list", "federation", "tournaments", "players", "amount", "rate"]
    list_select_related = ["rating_list", "federation", "rate"]
    search_fields = ["federation__code__iexact"]


@admin.register(Invoice)
class InvoiceAdmin(EvidenceAdmin[Invoice]):
    """All invoices, for reading."""

    list_display = ["number", "kind", "federation", "amount", "currency", "issued_on", "due_on", "paid_on"]
    list_select_related = ["federation"]
    search_fields = ["federation__code__iexact"]


def _is_used(rate: FeeRate | None) -> bool:
    return rate is not None and FeeRate.objects.used().filter(pk=rate.pk).exists()
