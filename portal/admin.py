from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from players.permissions import is_staff
from portal.models import User


@admin.register(User)
class EmailUserAdmin(UserAdmin[User]):
    """Accounts, by e-mail address. FIDE staff keep those of officers; other staff's and rights only superusers."""

    ordering = ["email"]
    list_display = ["email", "first_name", "last_name", "is_staff", "is_active", "last_login"]
    search_fields = ["email", "first_name", "last_name"]
    fieldsets = [
        (None, {"fields": ["email", "password"]}),
        (_("Person"), {"fields": ["first_name", "last_name"]}),
        (
            _("Permissions"),
            {"fields": ["is_active", "is_staff", "is_superuser", "groups", "user_permissions"]},
        ),
        (_("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    add_fieldsets = [
        (None, {"classes": ["wide"], "fields": ["email", "usable_password", "password1", "password2"]})
    ]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        if request.user.is_superuser or obj is None:
            return is_staff(request.user)
        return is_staff(request.user) and not obj.is_staff and not obj.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        dates = ["last_login", "date_joined"]
        if request.user.is_superuser:
            return dates
        return ["is_staff", "is_superuser", "groups", "user_permissions", *dates]
