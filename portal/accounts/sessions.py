"""The sessions of an account."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.web.typed_forms import store_form
from players.appointments import end_sessions

# What browsers and systems write of themselves; those that name others, too, come first.
BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Macintosh", "CrOS", "Linux")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Show the devices that are signed in, and sign out all others."""
    user: Any = request.user
    if request.method == "POST":
        end_sessions(user)
        this = UserSession.objects.filter(session_key=request.session.session_key)
        # Or this session would end with the others.
        update_session_auth_hash(request, user)
        this.update(session_key=request.session.session_key)
        messages.success(request, _("You are signed out on all other devices."))
        return redirect("sessions")
    found = UserSession.objects.purge_and_list(user)
    if not any(one.is_current() for one in found):
        # It is older than the list of devices.
        agent, ip = request.headers.get("User-Agent", ""), get_adapter().get_client_ip(request)
        key, at = request.session.session_key, user.last_login
        found.append(UserSession(session_key=key, user_agent=agent, ip=ip, created_at=at or timezone.now()))
    found.sort(key=attrgetter("created_at"), reverse=True)
    rows = [(one, _device(one.user_agent)) for one in found]
    return render(request, "account/sessions.html", {"sessions": rows})


def _device(user_agent: str) -> str:
    """Return browser and system in the words that everybody knows, else what the program says of itself."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for name in SYSTEMS if name in user_agent), "")
    return ", ".join(filter(None, (browser, system))) or user_agent or "–"


@require_POST
def sign_in_as_before(request: HttpRequest) -> HttpResponse:
    """End the session and ask for the account that a form was shown to, which then finds it as it was typed."""
    logout(request)
    return redirect_to_login(store_form(request) or reverse("dashboard"))
