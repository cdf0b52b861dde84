"""The sessions of an account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.web.typed_forms import store_form
from players.appointments import end_sessions


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Show when sessions end, and sign out all other devices."""
    if request.method == "POST":
        end_sessions(request.user)
        # Or this session would end with the others.
        update_session_auth_hash(request, request.user)  # type: ignore[arg-type]
        messages.success(request, _("You are signed out on all other devices."))
        return redirect("sessions")
    return render(request, "account/sessions.html")


@require_POST
def sign_in_as_before(request: HttpRequest) -> HttpResponse:
    """End the session and ask for the account that a form was shown to, which then finds it as it was typed."""
    logout(request)
    return redirect_to_login(store_form(request) or reverse("dashboard"))
