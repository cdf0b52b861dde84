"""The pages of failed requests."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views import defaults

from api.errors import RETRY_SECONDS, is_temporary
from core.web.etags import as_public
from core.web.typed_forms import is_from_here, store_form, typed_form
from portal.middleware.headers import PERSONAL

# As Django has them, but they do not read the form again: that it cannot be read may be what failed.
bad_request: Callable[..., HttpResponse] = inspect.unwrap(defaults.bad_request)
permission_denied: Callable[..., HttpResponse] = inspect.unwrap(defaults.permission_denied)
page_not_found: Callable[..., HttpResponse] = inspect.unwrap(defaults.page_not_found)


def form_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show a form again that its own person sent with the safety mark of an earlier sign-in; refuse any other.

    Whoever signed in with another account meanwhile reads what was typed, and can sign in with the first account.
    """
    is_ours = is_from_here(request)
    if is_ours and (page := store_form(request)):
        return redirect(page)
    return render(request, "403_csrf.html", {"typed": typed_form(request) if is_ours else None}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 404, which everybody may keep where a public page has nothing to show yet."""
    response = page_not_found(request, exception)
    match = request.resolver_match
    is_public = match and match.func.__module__.startswith("public.") and not PERSONAL.match(request.path)
    return as_public(request, response) if is_public else response


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Answer a failure: 503 where database or disk cannot take the work now, 500 for a mistake of the portal."""
    status = 503 if is_temporary(sys.exception()) else 500
    # Without the request: the page's frame would ask the database who is signed in.
    context = {"at": timezone.now(), "path": request.path, "contact": settings.ENVIRONMENT.operator_contact}
    answer = HttpResponse(render_to_string(f"{status}.html", context), status=status)
    if status == 503:
        answer["Retry-After"] = str(RETRY_SECONDS)
    return answer
