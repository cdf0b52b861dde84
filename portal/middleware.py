from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse


def require_second_factor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Send staff without a second factor to set one up, where the installation demands it (REQUIRE_MFA)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if _needs_second_factor(request):
            return redirect("mfa_activate_totp")
        return get_response(request)

    return middleware


def _needs_second_factor(request: HttpRequest) -> bool:
    # The pages on which it is set up, and signing out, stay in reach.
    if not settings.REQUIRE_MFA or request.path.startswith((reverse("account_logout"), ACCOUNTS, HEALTH)):
        return False
    user = request.user
    return user.is_authenticated and user.is_staff and not is_mfa_enabled(user)


ACCOUNTS = "/accounts/"
HEALTH = "/health/"
