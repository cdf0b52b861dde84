"""What the admin's pages share: FIDE staff and superusers only, no scanning counts, evidence that stays as it is."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model
from django.http import HttpRequest
from django.utils.functional import cached_property

from players.permissions import is_staff

# So many rows are counted and can be paged through; more are reached by searching.
MOST_COUNTED = 5_000
Row = TypeVar("Row", bound=Model)


class BoundedPaginator(Paginator[Any]):
    """Counts up to a bound only: the number of all rows of a large table costs a scan of it."""

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most `MOST_COUNTED`."""
        rows: Any = self.object_list
        return int(rows.order_by().values("pk")[:MOST_COUNTED].count())


class StaffAdmin(admin.ModelAdmin[Row]):
    """A page for FIDE staff: one predicate decides, whatever permissions Django's own tables hold."""

    show_full_result_count = False
    paginator = BoundedPaginator
    list_per_page = 50

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return is_staff(request.user)

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return is_staff(request.user)


class EvidenceAdmin(StaffAdmin[Row]):
    """What is published or otherwise evidence: looked at, never added to, changed or deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        return False


class EvidenceInline(admin.TabularInline[Any, Any]):
    """Rows of evidence below the row that they belong to."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
