"""Signing up: an account for an address that is confirmed by a link."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.html.forms import PortalForm
from core.locks import lock_until_commit
from core.second_clicks import just_now
from core.web.rates import limited
from core.web.typed_forms import form_of
from players.choices import NoticeKind
from players.models import Notice
from players.services import notices
from portal.accounts.emails import account_exists
from public.invitations import BACKEND, AcceptanceForm

SALT, KEY = "portal.sign-up", "sign-up:"
VALID_FOR = timedelta(hours=24)
# So many of these emails an address gets a day. The requests of a network are limited by the rate of the form.
MAX_AN_ADDRESS, COUNTED = 3, 0x5349474E


class SignUpAddressForm(PortalForm):
    """The address of a new account."""

    email = forms.EmailField(label=_l("Email address"), max_length=254)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("sign-up")
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Ask for an address and send it a link; closed where the portal has no accounts for players."""
    if not settings.PLAYER_ACCOUNTS:
        return render(request, "account/signup_closed.html")
    if request.user.is_authenticated:
        return redirect("chess:mine")
    form = form_of(request, SignUpAddressForm)
    if request.method == "POST" and form.is_valid():
        send_link(form.cleaned_data["email"].strip().lower(), at=timezone.now())
        return render(request, "account/signup_sent.html")
    return render(request, "account/signup.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Create the account of a link's address, and sign in; the link works once, because the account then exists."""
    email = address_of(token) if settings.PLAYER_ACCOUNTS else None
    if email is None or account_exists(email):
        return render(request, "account/signup_expired.html", status=404)
    form = form_of(request, AcceptanceForm, email=email)
    if request.method == "POST" and form.is_valid():
        names = {name: form.cleaned_data[name] for name in ("first_name", "last_name")}
        make: Any = get_user_model()._default_manager
        try:
            with transaction.atomic():
                user = make.create_user(email, form.cleaned_data["password"], **names)
        # The link was used in another window at the same moment.
        except IntegrityError:
            return render(request, "account/signup_expired.html", status=404)
        login(request, user, backend=BACKEND)
        return redirect("chess:mine")
    return render(request, "account/signup_confirm.html", {"form": form, "email": email})


@transaction.atomic
def send_link(email: str, *, at: datetime) -> bool:
    """Email an address the link to its account, or that it already has one; return whether the limits allow it."""
    # Of many requests at once, each would otherwise count none of the others' emails.
    lock_until_commit(COUNTED)
    sent = Notice.objects.filter(key__startswith=KEY, created_at__lte=at)
    if sent.filter(recipient=email, created_at__range=just_now(at)).exists():
        return True  # A second click on the button: the link is on its way.
    if sent.filter(recipient=email, created_at__gt=at - timedelta(days=1)).count() >= MAX_AN_ADDRESS:
        return False
    return bool(
        notices.post(
            to=[email],
            kind=NoticeKind.SECURITY,
            key=f"{KEY}{uuid4().hex}",
            subject=_l("Your account on the rating portal"),
            text=lambda: _sign_up_text(email),
            at=at,
        )
    )


def _sign_up_text(email: str) -> str:
    # The page says the same for every address: only its owner learns whether there is an account.
    is_known = account_exists(email)
    address = reverse("account_login") if is_known else reverse("sign-up-confirm", args=[token_of(email)])
    context = {"has_account": is_known, "link": settings.SITE_URL + address, "hours": 24}
    return render_to_string("mails/sign_up.txt", context).strip()


def token_of(email: str) -> str:
    """Return the signed token of an address, valid for `VALID_FOR`."""
    return signing.dumps(email, salt=SALT)


def address_of(token: str) -> str | None:
    """Return the address of a token, None where it is not ours or has expired."""
    try:
        email: str = signing.loads(token, salt=SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        return None
    return email
