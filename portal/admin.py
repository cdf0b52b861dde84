from __future__ import annotations

import allauth.account.admin
import allauth.mfa.admin  # noqa: F401 - registers before it is unregistered
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from players.permissions import is_staff
from portal.models import User

# Addresses and second factors are their owner's alone: the library's pages would change them for others.
for secret in (Authenticator, EmailAddress):
    admin.site.unregister(secret)


@admin.register(User)
class EmailUserAdmin(UserAdmin[User]):
    """Accounts, by e-mail address: staff correct names and close accounts.

    Nobody sets another's password or address: the one is reset by mail, the other changed by its owner. Accounts come
    from invitations. Those of other staff are closed by superusers.
    """

    ordering = ["email"]
    list_display = ["email", "first_name", "last_name", "is_staff", "is_active", "last_login"]
    search_fields = ["email", "first_name", "last_name"]
    fieldsets = [
        (None, {"fields": ["email"]}),
        (_("Person"), {"fields": ["first_name", "last_name"]}),
        (_("Permissions"), {"fields": ["is_active", "is_staff", "is_superuser"]}),
        (_("Dates"), {"fields": ["last_login", "date_joined"]}),
    ]
    readonly_fields = ["email", "is_staff", "is_superuser", "last_login", "date_joined"]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return is_staff(request.user)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        if request.user.is_superuser or obj is None:
            return is_staff(request.user)
        return is_staff(request.user) and not obj.is_staff and not obj.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Refuse: a password is only ever reset by mail to its owner."""
        raise PermissionDenied
