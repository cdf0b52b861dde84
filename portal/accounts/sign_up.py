"""Signing up: an account for an address that is confirmed by a link, and with it the claim of a player record."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django import forms
from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.errors import just_now
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages
from core.sql import lock_until_commit
from core.web.rates import limited
from core.web.typed_forms import form_of
from desk.chess.claim import ClaimForm, player_with
from players import notices
from players.choices import NoticeKind
from players.claims import ask_claim
from players.models import Notice, Player
from public.invitations import BACKEND, AcceptanceForm

SALT, KEY = "portal.sign-up", "sign-up:"
VALID_FOR = timedelta(hours=24)
# So many of these emails an address gets a day. The requests of a network are limited by the rate of the form.
MAX_AN_ADDRESS, COUNTED = 3, 0x5349474E


class PlayerAccountForm(AcceptanceForm):
    """The account of somebody who claims a player record with it."""

    reason = ClaimForm.base_fields["reason"]


class SignUpAddressForm(PortalForm):
    """The address of a new account."""

    email = forms.EmailField(label=_l("Email address"), max_length=254)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("sign-up")
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Ask for an address and send it a link; closed where the portal has no accounts for players.

    The page of a player leads here with `?player=`, the sign-in page with `?next=` and the page of the claim that has
    it; the player is kept up to the claim.
    """
    after = request.GET.get("next", "")
    player = player_with(request.GET.get("player") or QueryDict(after.partition("?")[2]).get("player", ""))
    page = after if after and url_has_allowed_host_and_scheme(after, None) else _page_after(player)
    if request.user.is_authenticated:
        return redirect(page)
    if not settings.PLAYER_ACCOUNTS:
        return redirect_to_login(page) if player else render(request, "account/signup_closed.html")
    form = form_of(request, SignUpAddressForm)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"].strip().lower()
        now = timezone.now()
        send_link(email, player, at=now)
        context = {"email": email, "player": player, "valid_until": now + VALID_FOR}
        return render(request, "account/signup_sent.html", context)
    return render(request, "account/signup.html", {"form": form, "player": player, "after": page})


def _page_after(player: Player | None) -> str:
    """Return where a sign-in leads: to the claim of a player, if one was named."""
    return f"{reverse('chess:claim')}?player={player.pk}" if player else reverse("chess:mine")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Create the account of a link's address, and sign in; the link works once, because the account then exists."""
    email, player = wanted_by(token) if settings.PLAYER_ACCOUNTS else (None, None)
    if email is None or account_exists(email):
        return render(request, "account/signup_expired.html", status=404)
    names = {}
    if player is not None:
        names = dict(
            zip(("last_name", "first_name"), map(str.strip, player.name.split(",", 1)), strict=False)
        )
    form = form_of(request, PlayerAccountForm if player else AcceptanceForm, email=email, initial=names)
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
        if player is not None:
            with refusals_in_messages(request):
                ask_claim(player, reason=form.cleaned_data["reason"], evidence="", by=user, at=timezone.now())
        return redirect("chess:mine")
    return render(request, "account/signup_confirm.html", {"form": form, "email": email, "player": player})


@transaction.atomic
def send_link(email: str, player: Player | None = None, *, at: datetime) -> bool:
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
            text=lambda: _sign_up_text(email, player),
            at=at,
        )
    )


def _sign_up_text(email: str, player: Player | None) -> str:
    # The page says the same for every address: only its owner learns whether there is an account.
    is_known = account_exists(email)
    if is_known:
        address = f"{reverse('account_login')}?{urlencode({'next': _page_after(player)})}"
    else:
        address = reverse("sign-up-confirm", args=[token_of(email, player)])
    context = {
        "has_account": is_known,
        "email": email,
        "player": player,
        "link": settings.SITE_URL + address,
        "hours": 24,
    }
    return render_to_string("mails/sign_up.txt", context).strip()


def token_of(email: str, player: Player | None = None) -> str:
    """Return the signed token of an address and the player that it claims, valid for `VALID_FOR`."""
    return signing.dumps([email, str(player.pk)] if player else [email, ""], salt=SALT)


def wanted_by(token: str) -> tuple[str | None, Player | None]:
    """Return the address of a token and the player that it claims; no address where it is not ours or has expired."""
    try:
        wanted = signing.loads(token, salt=SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        return None, None
    # A token of the former release is the address alone.
    email, fide_id = (wanted, "") if isinstance(wanted, str) else wanted
    return email, player_with(fide_id)


def account_exists(email: str) -> bool:
    return get_user_model()._default_manager.filter(email__iexact=email).exists()


class AddressForm(AddEmailForm):
    """Another address for an account; one that another account has is refused at once."""

    def clean_email(self) -> str:
        value: str = super().clean_email()
        if account_exists(value):
            raise get_adapter().validation_error("email_taken")
        return value
