"""The page of an invitation link: name and password, or a sign-in."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from django import forms
from django.contrib.auth import get_user_model, login, update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.errors import RefusedError
from core.html.forms import PortalFormRenderer
from core.html.refusals import add_refusals
from core.web.rates import count_up
from core.web.typed_forms import form_of
from players.invitations import accept_as, accept_invitation, invitation_of
from players.models import Invitation
from players.name_refusals import name_refusals

# The most invalid links that one IP address may open in so many seconds.
MAX_TRIES, WINDOW = 20, 600
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


class AcceptanceForm(forms.Form):
    """The name and password of a new account."""

    default_renderer = PortalFormRenderer()

    first_name = forms.CharField(label=_l("First name"), max_length=150)
    last_name = forms.CharField(label=_l("Last name"), max_length=150)
    password = forms.CharField(
        label=_l("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_l("At least 12 characters."),
    )

    def __init__(self, *args: Any, email: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.email = email

    def clean_first_name(self) -> str:
        return _checked_name(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        return _checked_name(self.cleaned_data["last_name"])

    def clean(self) -> None:
        # A browser does not get a password back: the field is empty again, and says so.
        if self.errors and "password" not in self.errors:
            self.add_error("password", _l("The password was not kept. Enter it again."))

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        names = {name: self.cleaned_data.get(name, "") for name in ("first_name", "last_name")}
        try:
            validate_password(password, get_user_model()(email=self.email, **names))
        except ValidationError as error:
            # The first: what is longer may no longer be common.
            raise forms.ValidationError(error.messages[:1]) from error
        return password


def _checked_name(name: str) -> str:
    if wrong := [refusal.message for refusal in name_refusals(name)]:
        raise forms.ValidationError(wrong)
    return name


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation. The link works once, and the rate limit prevents guessing."""
    # Before the look-up: a guess costs no query then.
    if _tries(request) >= MAX_TRIES:
        return render(request, "429.html", status=429)
    found = invitation_of(token, at=timezone.now())
    if found is None:
        # Only links that lead nowhere count: a valid one may be opened as often as one likes.
        count_up(_key(request), WINDOW)
        return render(request, "public/invitations/closed.html", status=404)
    # Whoever has the link need not have the account: its owner signs in before the role is given.
    if get_user_model()._default_manager.filter(email__iexact=found.email).exists():
        return _join(request, found)
    return _sign_up(request, found)


def _sign_up(request: HttpRequest, found: Invitation) -> HttpResponse:
    form = form_of(request, AcceptanceForm, email=found.email)
    if request.method == "POST" and form.is_valid():
        try:
            user = accept_invitation(found, **form.cleaned_data, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            login(request, user, backend=BACKEND)
            return redirect("dashboard")
    context = {"invitation": found, "has_account": False, "form": form, "refusals": ()}
    return render(request, "public/invitations/accept.html", context)


def _join(request: HttpRequest, found: Invitation) -> HttpResponse:
    user: Any = request.user
    is_theirs = user.is_authenticated and user.email.lower() == found.email
    context: dict[str, Any] = {
        "invitation": found,
        "has_account": True,
        "is_theirs": is_theirs,
        "refusals": (),
    }
    if request.method == "POST" and is_theirs:
        raise_if_reauthentication_required(request, app="allauth.account")
        try:
            accept_as(found, user=user, at=timezone.now())
        except RefusedError as error:
            context["refusals"] = error.refusals
        else:
            # The new role has ended all sessions of the account; this one goes on.
            user.refresh_from_db()
            update_session_auth_hash(request, user)
            return redirect("dashboard")
    return render(request, "public/invitations/accept.html", context)


def _key(request: HttpRequest) -> str:
    return f"invitation-tries:{get_adapter().get_client_ip(request)}"


def _tries(request: HttpRequest) -> int:
    found = cache.get(_key(request))
    return found if isinstance(found, int) else 0
