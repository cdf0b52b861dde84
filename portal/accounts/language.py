"""The language of an account."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from portal.models import save_language


@require_POST
@login_required
def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the language that a user chooses in the menu, and show the page in it."""
    chosen, page = request.POST.get("language", ""), request.POST.get("next", "")
    if chosen in dict(settings.LANGUAGES):
        save_language(request.user, chosen)  # type: ignore[arg-type]
    # Only a path of the portal: the field can be written by anybody who makes a form.
    return redirect(page if url_has_allowed_host_and_scheme(page, allowed_hosts=None) else "home")
