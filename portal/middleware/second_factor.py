"""The second factor that REQUIRE_MFA asks of everybody with a role."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from players.permissions import can_use_desk


def require_second_factor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect users with a role and no second factor to set one up, if REQUIRE_MFA is on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if _needs_second_factor(request):
            return redirect("mfa_activate_totp")
        return get_response(request)

    return middleware


def _needs_second_factor(request: HttpRequest) -> bool:
    # The pages on which it is set up, and signing out, stay in reach.
    if not settings.REQUIRE_MFA or request.path.startswith((_accounts(), HEALTH)):
        return False
    user = request.user
    return user.is_authenticated and (user.is_staff or can_use_desk(user)) and not is_mfa_enabled(user)


def _accounts() -> str:
    """Return the path of the account pages in the language of the request."""
    return reverse("account_login").removesuffix("login/")


HEALTH = "/health/"
