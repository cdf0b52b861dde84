"""Following by email without an account: the form, the confirmation, and a follower's page.

The forms have no CSRF token, because they are on shared cached pages. The session authorises nothing here. The secret
of a link does, or the owner of the email address by opening it. Users with an account and a confirmed address
follow at once, by a form with a token on their pages, which are not shared.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from core.html.forms import PortalForm
from core.text_values import read_number
from core.web.rates import limited
from ratings.follows import (
    VALID_FOR,
    Subject,
    ask_to_follow,
    asked_follow,
    confirm_follow,
    end_all_follows,
    end_follow,
    follower_of,
    follows_of,
    own_address,
    set_follow,
    subject_named,
    subject_of,
)

LONGEST = 254
FIELDS = ("player", "tournament", "federation")


class FollowForm(PortalForm):
    """The email address of a follower."""

    email = forms.EmailField(
        label=_l("Email"), max_length=LONGEST, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


# Kept pages have no safety mark: their form is the same for everybody. `Sec-Fetch-Site` takes its place.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("follow")
def follow(request: HttpRequest) -> HttpResponse:
    """Email a confirmation link to an address. The response to the form is the same for every address."""
    # Other sites cannot make their visitors request emails.
    if request.method == "POST" and request.headers.get("Sec-Fetch-Site", "same-origin") == "cross-site":
        return HttpResponseForbidden(content_type="text/plain")
    data = request.POST if request.method == "POST" else request.GET
    subject = _subject(data)
    form = FollowForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        email, now = form.cleaned_data["email"], timezone.now()
        ask_to_follow(email, subject, language=get_language() or "en", at=now)
        context = {"subject": subject, "email": email, "valid_until": now + VALID_FOR}
        return render(request, "public/follows/sent.html", context)
    errors = form.errors.as_data().get("email", []) if form.is_bound else []
    context = {
        "form": form,
        "subject": subject,
        "email": data.get("email", "")[:LONGEST],
        "error": errors[0].messages[0] if errors else "",
        "error_code": (errors[0].code or "") if errors else "",
    }
    return render(request, "public/follows/form.html", context)


def _subject(data: Any) -> Subject:
    for field in FIELDS:
        if found := subject_named(field, data.get(field, "")):
            return found
    raise Http404(_("This page does not exist."))


@require_POST
def own_account(request: HttpRequest) -> HttpResponse:
    """Follow a page by the confirmed address of the account that is signed in, or no longer."""
    subject = _subject(request.POST)
    address = own_address(request.user)
    if not address:
        # Signed out meanwhile, or without a confirmed address: the way for everybody else is left.
        return redirect(f"{reverse('follows')}?{subject.field}={subject.key}")
    is_followed = request.POST.get("follow") == "yes"
    language = get_language() or "en"
    set_follow(address, subject, is_followed=is_followed, language=language, at=timezone.now())
    return redirect(str(subject.page))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Confirm a follow by POST, because mail programs open the links of emails by themselves."""
    found = asked_follow(token, at=timezone.now())
    if found is None:
        return render(request, "public/follows/closed.html", status=404)
    if request.method == "POST":
        confirm_follow(found, at=timezone.now())
    context = {"subject": subject_of(found), "is_confirmed": request.method == "POST" or found.confirmed_at}
    return render(request, "public/follows/confirm.html", context)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: HttpRequest, token: str) -> HttpResponse:
    """Show a follower's subscriptions. POST ends one or all of them, as mail programs do it (RFC 8058)."""
    follower = follower_of(token)
    if follower is None:
        # The last follow has ended already. Mail programs may repeat the request.
        return render(request, "public/follows/ended.html")
    if request.method == "POST":
        one = request.POST.get("follow", "")
        if (number := read_number(one)) is not None:
            end_follow(follower, number)
        elif not one:
            end_all_follows(follower)
        return redirect("follows-own", token) if one else render(request, "public/follows/ended.html")
    rows = [(one, subject_of(one)) for one in follows_of(follower)]
    return render(request, "public/follows/own.html", {"address": follower.address, "rows": rows})
