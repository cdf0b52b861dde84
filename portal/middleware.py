from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from http import HTTPStatus
from time import perf_counter
from typing import Any

import structlog
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language, override

from api.errors import problem
from core.web.double_clicks import CLAIM, note_answer, repeat_answer
from core.web.typed_forms import store_form
from players.permissions import can_use_desk
from portal.metrics import REQUEST_SECONDS
from portal.secret_addresses import SECRET_ADDRESS

REQUEST_ID_HEADER = "X-Request-ID"
ACCEPTED_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}")
# Addresses that lead nowhere share a name: an attacker's inventions must not become rows.
NO_ROUTE = "none"
ADMIN, API = "/admin/", "/api/"
DEVICE_COOKIE, DEVICE_SECONDS = "device", 365 * 24 * 3600


class AddressLocaleMiddleware(LocaleMiddleware):
    """Set the language only from the address, so that caches need not separate readers."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Language", get_language() or "")
        return response


def speak_to_staff(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Show the admin, whose addresses have no language, in the language of the account."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") if request.path_info.startswith(ADMIN) else ""
        if not language:
            return get_response(request)
        with override(language):
            response = get_response(request)
        response.headers["Content-Language"] = language
        return response

    return middleware


def request_id_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id (the proxy's, where it sends a plain one), in the log and in the answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        request_id = given if ACCEPTED_ID.fullmatch(given) else uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = get_response(request)
        response[REQUEST_ID_HEADER] = request_id
        return response

    return middleware


def measure_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Note how long each answer took."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        match = request.resolver_match
        # A page that is kept was answered before its address was resolved.
        route = match.view_name if match else getattr(request, "kept_route", "")
        REQUEST_SECONDS.labels(route or NO_ROUTE, response.status_code).observe(perf_counter() - began)
        return response

    return middleware


# No address of the portal is near these; what reads addresses, and Django's own patterns, needs a bound.
MAX_PATH, MAX_PARAMETERS = 2048, 1000


def refuse_long_addresses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 414 to an address with a path of more than 2 KB, as it was sent, or over 1,000 parameters."""

    def middleware(request: HttpRequest) -> HttpResponse:
        sent = request.META.get("RAW_URI", request.path).partition("?")[0]
        if max(len(sent), len(request.path)) > MAX_PATH:
            detail = f"The path of the address is longer than {MAX_PATH} bytes."
        elif request.META.get("QUERY_STRING", "").count("&") >= MAX_PARAMETERS:
            detail = f"The address has more than {MAX_PARAMETERS} parameters."
        else:
            return get_response(request)
        if request.path.startswith(API):
            return problem(HTTPStatus.REQUEST_URI_TOO_LONG, detail)
        return HttpResponse(f"{detail}\n", status=HTTPStatus.REQUEST_URI_TOO_LONG, content_type="text/plain")

    return middleware


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Add the headers of `settings.SECURITY_HEADERS` to every response that does not set them.

    A page with a secret address sends no referrer, so that no log has the address.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if SECRET_ADDRESS.search(request.path):
            # Not `no-referrer`: forms would lack the origin that distinguishes them from those of other sites.
            response.headers["Referrer-Policy"] = "strict-origin"
        for name, value in settings.SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


PRIVATE = "private, no-store"


def private_by_default(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid caching of responses that do not allow it themselves, as public pages do.

    Dashboard, account, admin and invitation pages are never cached: the next user of the computer must not see them.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        directives = response.headers.get("Cache-Control", "")
        if not directives or ("no-store" not in directives and PERSONAL.match(request.path)):
            response.headers["Cache-Control"] = PRIVATE
        return response

    return middleware


def require_second_factor(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect users with a role and no second factor to set one up, if REQUIRE_MFA is on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if _needs_second_factor(request):
            return redirect("mfa_activate_totp")
        return get_response(request)

    return middleware


def keep_admin_forms(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep what was typed into a form of the admin whose author was signed out, as the desk's pages do."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        is_refused = request.method == "POST" and match is not None and match.app_name == "admin"
        if not is_refused or request.user.is_authenticated or response.status_code != HTTPStatus.FOUND:
            return response
        page = store_form(request)
        return redirect_to_login(page) if page else response

    return middleware


class AnswerOnce:
    """Carry a form out once that is sent twice, by a double click, and answer both requests alike."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(request, CLAIM):
            note_answer(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], *_: Any
    ) -> HttpResponse | None:
        # A view that reads its files in its own way asks itself (`bounded`); programs need no help.
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        return repeat_answer(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        # Nothing was carried out: a form that needs a fresh proof comes again with it.
        if hasattr(request, CLAIM):
            cache.delete(getattr(request, CLAIM))
            delattr(request, CLAIM)


def _needs_second_factor(request: HttpRequest) -> bool:
    # The pages on which it is set up, and signing out, stay in reach.
    if not settings.REQUIRE_MFA or request.path.startswith((_accounts(), HEALTH)):
        return False
    user = request.user
    return user.is_authenticated and _has_rights(user) and not is_mfa_enabled(user)


def _has_rights(user: Any) -> bool:
    return bool(user.is_staff) or can_use_desk(user)


def _accounts() -> str:
    """Return the path of the account pages in the language of the request."""
    return reverse("account_login").removesuffix("login/")


HEALTH = "/health/"
PERSONAL = re.compile(r"/([a-z]{2}/)?(desk|accounts|admin|invitations|follows)(/|$)")


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
