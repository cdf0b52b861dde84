"""Devices on which accounts have signed in."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

DEVICE_COOKIE, DEVICE_SECONDS = "device", 365 * 24 * 3600


def device_of(request: HttpRequest, login: str) -> str:
    """Return the mark of a device on which the account has signed in before, empty for an unknown one."""
    value = request.get_signed_cookie(DEVICE_COOKIE, default="", salt=DEVICE_COOKIE) or ""
    account, _, mark = value.rpartition(":")
    return mark if account and account == _device_account(login) else ""


def _device_account(login: str) -> str:
    """Return how a device knows an account: not by its address."""
    return salted_hmac(DEVICE_COOKIE, login.lower(), algorithm="sha256").hexdigest()[:32]


def remember_device(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give a device on which somebody signs in a mark, so that guesses from elsewhere do not slow it down."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        login = getattr(request, "signed_in_as", "")
        if login and not device_of(request, login):
            response.set_signed_cookie(
                DEVICE_COOKIE,
                f"{_device_account(login)}:{uuid.uuid4().hex}",
                salt=DEVICE_COOKIE,
                max_age=DEVICE_SECONDS,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response

    return middleware
