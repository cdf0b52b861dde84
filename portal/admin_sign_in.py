"""The sign-in of the administration, which is that of all pages."""

from __future__ import annotations

from django.conf import settings
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache


@never_cache
def admin_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect to the common sign-in page; that of the admin has no second factor and no limits."""
    if not request.user.is_authenticated:
        wanted = request.GET.get("next") or reverse("admin:index")
        return redirect_to_login(wanted, settings.LOGIN_URL)
    if not admin.site.has_permission(request):
        raise PermissionDenied
    return redirect("admin:index")
