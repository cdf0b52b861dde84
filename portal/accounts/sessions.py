"""The page on which a person ends their sessions elsewhere."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from players.services.sessions import end_sessions


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Say when sessions end, and end all but this one."""
    if request.method == "POST":
        end_sessions(request.user)
        update_session_auth_hash(request, request.user)  # type: ignore[arg-type]
        messages.success(request, _("You are signed out everywhere else."))
        return redirect("sessions")
    return render(request, "account/sessions.html")
