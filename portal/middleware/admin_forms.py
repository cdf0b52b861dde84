"""Forms of the administration that were sent after the session had ended."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from core.web.typed_forms import store_form


def keep_admin_forms(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep what was typed into a form of the admin whose author was signed out, as the desk's pages do."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        match = request.resolver_match
        # Without a session, the admin answers any request with a redirect to the sign-in page.
        is_refused = request.method == "POST" and match is not None and match.app_name == "admin"
        if not is_refused or request.user.is_authenticated or response.status_code != HTTPStatus.FOUND:
            return response
        page = store_form(request)
        return redirect_to_login(page) if page else response

    return middleware
