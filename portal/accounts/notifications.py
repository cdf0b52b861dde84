"""Which mails a person gets: the page in the account, and the link in every mail."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from players.choices import OPTIONAL_NOTICES
from players.services import notices
from portal.accounts.notifications_form import NotificationsForm


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the kinds of mail, and turn them on and off."""
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            notices.choose(request.user, wanted=form.cleaned_data["wanted"])
            messages.success(request, _("Your choice of mails is kept."))
            return redirect("notifications")
    else:
        unwanted = notices.unwanted_by(request.user)
        form = NotificationsForm(
            initial={"wanted": [kind for kind in OPTIONAL_NOTICES if kind not in unwanted]}
        )
    return render(request, "account/notifications.html", {"form": form})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def off(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off the kind of a mail by its signed link: mail programs post without cookies (RFC 8058)."""
    meant = notices.read_token(token)
    if meant is None:
        raise Http404
    if request.method == "POST":
        notices.turn_off(token)
    return render(
        request, "account/notifications_off.html", {"kind": meant[1], "is_off": request.method == "POST"}
    )
