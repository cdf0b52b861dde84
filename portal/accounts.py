"""Accounts: signing up, with one confirmed address; emails that go out once; the pages of emails and sessions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.forms import AddEmailForm, ChangePasswordForm, ResetPasswordForm, ResetPasswordKeyForm
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import get_user_model, login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.forms.fields import InvalidJSONInput
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, translate_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from core.html.forms import PortalForm
from core.secrets import decrypt, encrypt
from core.web.rates import counted, limited, network_of
from core.web.sessions import proved, store_form
from core.work import just_now, lock_until_commit
from players.choices import OPTIONAL_NOTICES, NoticeKind
from players.models import Notice
from players.permissions import can_use_desk
from players.services import notices
from players.services.invitations import end_sessions
from players.services.mail_messages import read_token
from portal.middleware import device_of
from portal.models import save_language
from portal.personal_data import data_file, data_of_account
from public.invitations import BACKEND, AcceptanceForm

# The values of the context of an email that are links.
LINKS = ("password_reset_url", "activate_url")
# An account that is guessed at is slowed down, not locked: from 10 failures an hour on a pause between attempts.
FAILURES_A_STEP, LONGEST_PAUSE, FAILURES_COUNT_FOR = 10, 60, 3600


class ClosedSignupAdapter(DefaultAccountAdapter):
    """The library's own sign-up is closed: see `portal.accounts` and invitations. Mails are sent by the workers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where a user's work is: the administration, the dashboard, or for other accounts their own chess."""
        if admin.site.has_permission(request):
            return reverse("admin:index")
        return reverse("dashboard" if can_use_desk(request.user) else "chess:mine")

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponseBase:
        """Lead on in the language of the account, whichever language the page of signing in had."""
        response: HttpResponseBase = super().post_login(request, user, **options)
        if user.language and "Location" in response.headers:
            response.headers["Location"] = translate_url(response.headers["Location"], user.language)
        return response

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return whom attempts are counted by: an IPv4 address, or the /64 of an IPv6 one."""
        return network_of(super().get_client_ip(request))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt, and slow down those from unknown devices on an account that is being guessed at."""
        login = _login(credentials)
        kept = cache.get(f"sign-in-failures:{login}")
        failures = kept if isinstance(kept, int) else 0
        pause = min(2 ** (failures // FAILURES_A_STEP) - 1, LONGEST_PAUSE)
        is_free = not pause or device_of(request, login) or cache.add(f"sign-in-pace:{login}", 1, pause)
        if not is_free:
            raise self.validation_error("too_many_login_attempts")
        super().pre_authenticate(request, **credentials)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        counted(f"sign-in-failures:{_login(credentials)}", FAILURES_COUNT_FOR)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By account and address, or device: guesses by others lock out no user.
        login = _login(credentials)
        return f"{login}:{device_of(request, login) or self.get_client_ip(request)}"

    def get_reset_password_from_key_url(self, key: str) -> str:
        return _on_site(super().get_reset_password_from_key_url(key))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return _on_site(super().get_email_confirmation_url(request, emailconfirmation))

    def send_notification_mail(self, template_prefix: str, *args: Any, **options: Any) -> None:
        """Send nothing: `record_account` emails both the former and the new address."""
        if template_prefix != "account/email/email_changed":
            super().send_notification_mail(template_prefix, *args, **options)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue the email: a mail server that is down fails no page, and does not reveal who has an account."""
        page = get_language() or settings.LANGUAGE_CODE

        def written() -> Any:
            """Write the email in its language, which its links have too: they were made for the page."""
            language = get_language() or page
            with override(page):
                links = {name: translate_url(context[name], language) for name in LINKS if name in context}
            facts = {"request": self.request, "email": email, **context, **links}
            return self.render_mail(template_prefix, email, facts)

        # A new address is not yet an account's: the account of the context has the language.
        with override(getattr(context.get("user"), "language", "") or page):
            notices.post(
                to=[email],
                kind=NoticeKind.SECURITY,
                key=f"account:{uuid4().hex}",
                subject=lambda: written().subject,
                text=lambda: str(written().body),
                at=timezone.now(),
            )


def _login(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "").strip().lower()[:254]


class EncryptingAdapter(DefaultMFAAdapter):
    """The secrets of second factors, encrypted where they are stored."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)


def _on_site(address: str) -> str:
    """Return an address of this portal by the name of the installation, not by the one that the request gave."""
    parts = urlsplit(address)
    return f"{settings.SITE_URL}{parts.path}{'?' if parts.query else ''}{parts.query}"


class AddressForm(AddEmailForm):
    """Another address for an account; one that another account has is refused at once."""

    def clean_email(self) -> str:
        value: str = super().clean_email()
        if get_user_model()._default_manager.filter(email__iexact=value).exists():
            raise get_adapter().validation_error("email_taken")
        return value


# Longer than both take on a machine that is not overloaded.
RESET_SECONDS = 0.6


@contextmanager
def same_time(seconds: float) -> Iterator[None]:
    """Let the block take so long at least: its time then does not reveal which way it went."""
    began = time.monotonic()
    try:
        yield
    finally:
        time.sleep(max(0.0, began + seconds - time.monotonic()))


class ForgottenForm(ResetPasswordForm):
    """A new password for the account of an address; one that waits for its confirmation gets none.

    An address without an account takes the same way, whose writes are taken back, and the same time.
    """

    users: list[Any]

    def save(self, request: HttpRequest, **options: Any) -> str:
        with same_time(RESET_SECONDS), transaction.atomic():
            is_known = bool(self.users)
            if not is_known:
                self.users = [get_user_model()(pk=0, email=self.cleaned_data["email"])]
            address: str = super().save(request, **options)
            if not is_known:
                transaction.set_rollback(True)
        return address

    def clean_email(self) -> str:
        value: str = super().clean_email()
        self.users = [user for user in self.users if user.email == value.strip().lower()]
        return value


def _name_password_fields(form: forms.BaseForm) -> None:
    form.fields["password1"].label = _("New password")
    form.fields["password1"].help_text = _(
        "At least 12 characters. Not a common password, and not similar to your name or email address."
    )
    form.fields["password2"].label = _("New password (again)")
    # The placeholders of the library only repeat the labels.
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class PasswordForm(ChangePasswordForm):
    """The change of a password by its owner."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Current password")
        _name_password_fields(self)


class PasswordByLinkForm(ResetPasswordKeyForm):
    """A new password through the link of a mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _name_password_fields(self)


class OnceForm(BaseAuthenticateForm):
    """A code of the second factor, accepted once while it is valid; the library remembers it for only one period."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        periods = 2 * app_settings.TOTP_TOLERANCE + 1
        key = f"second-factor:{self.user.pk}:{normalize_user_code(code)}"
        if not cache.add(key, True, timeout=periods * app_settings.TOTP_PERIOD):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class CodeForm(OnceForm, AuthenticateForm):
    """The form for the code after the password."""


class CodeAgainForm(OnceForm, ReauthenticateForm):
    """The form for the code before an account change."""


class CredentialField(forms.JSONField):
    """The answer of a key. One that JSON's reader gives up on, by its depth or a long number, is wrong like others."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from error

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Show what was sent as it was sent."""
        return InvalidJSONInput(data or "")


class KeyForm(forms.Form):
    """A form with the answer of a passkey or a security key."""

    credential = CredentialField(widget=forms.HiddenInput)


class AddKeyForm(KeyForm, AddWebAuthnForm):
    """The form that sets up a key."""


class KeySignInForm(KeyForm, LoginWebAuthnForm):
    """The form of the sign-in with a passkey alone."""


class SecondKeyForm(KeyForm, AuthenticateWebAuthnForm):
    """The form for the key after the password."""


class KeyAgainForm(KeyForm, ReauthenticateWebAuthnForm):
    """The form for the key before an account change."""


class NotificationsForm(forms.Form):
    """A box for each kind of mail that can be turned off."""

    wanted = forms.MultipleChoiceField(
        label=_l("Emails you get about"),
        choices=[(kind.value, kind.label) for kind in OPTIONAL_NOTICES],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    daily = forms.BooleanField(
        label=_l("Send my emails once a day as one email, at 09:30 UTC"), required=False
    )
    language = forms.ChoiceField(label=_l("Language of your emails"), choices=settings.LANGUAGES)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """Show the kinds of mail and their language, and change them."""
    user: Any = request.user
    if request.method == "POST":
        form = NotificationsForm(request.POST)
        if form.is_valid():
            notices.save_wanted_kinds(request.user, wanted=form.cleaned_data["wanted"])
            notices.choose_digest(request.user, is_daily=form.cleaned_data["daily"])
            save_language(user, form.cleaned_data["language"])
            messages.success(request, _("Your email preferences were saved."))
            return redirect("notifications")
    else:
        unwanted = notices.load_muted_kinds(request.user)
        form = NotificationsForm(
            initial={
                "wanted": [kind for kind in OPTIONAL_NOTICES if kind not in unwanted],
                "daily": user.has_daily_digest,
                "language": user.language or settings.LANGUAGE_CODE,
            }
        )
    return render(request, "account/notifications.html", {"form": form})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def turn_off_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off the kind of a mail by its signed link: mail programs post without cookies (RFC 8058)."""
    meant = read_token(token)
    if meant is None:
        raise Http404
    if request.method == "POST":
        notices.mute_kind(token)
    return render(
        request, "account/notifications_off.html", {"kind": meant[1], "is_off": request.method == "POST"}
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """Show when sessions end, and sign out all other devices."""
    if request.method == "POST":
        end_sessions(request.user)
        update_session_auth_hash(request, request.user)  # type: ignore[arg-type]
        messages.success(request, _("You are signed out on all other devices."))
        return redirect("sessions")
    return render(request, "account/sessions.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@proved
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show what is stored about the person, and send it as a file."""
    if request.method == "POST":
        return data_file(data_of_account(request.user))  # type: ignore[arg-type]
    return render(request, "account/data.html")


SALT, KEY = "portal.sign-up", "sign-up:"
VALID_FOR = timedelta(hours=24)
# So many of these emails an address gets a day, and all addresses together an hour: no cannon for anybody's mailbox.
MAX_AN_ADDRESS, MAX_AN_HOUR, COUNTED = 3, 200, 0x5349474E


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
    form = SignUpAddressForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        send_link(form.cleaned_data["email"].strip().lower(), at=timezone.now())
        return render(request, "account/signup_sent.html")
    return render(request, "account/signup.html", {"form": form})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_sign_up(request: HttpRequest, token: str) -> HttpResponse:
    """Create the account of a link's address, and sign in; the link works once, because the account then exists."""
    email = address_of(token) if settings.PLAYER_ACCOUNTS else None
    if email is None or _has_account(email):
        return render(request, "account/signup_expired.html", status=404)
    form = AcceptanceForm(request.POST or None, email=email)
    if request.method == "POST" and form.is_valid():
        names = {name: form.cleaned_data[name] for name in ("first_name", "last_name")}
        make: Any = get_user_model()._default_manager
        try:
            with transaction.atomic():
                user = make.create_user(email, form.cleaned_data["password"], **names)
        except IntegrityError:
            return render(request, "account/signup_expired.html", status=404)
        login(request, user, backend=BACKEND)
        return redirect("chess:mine")
    return render(request, "account/signup_confirm.html", {"form": form, "email": email})


@transaction.atomic
def send_link(email: str, *, at: datetime) -> bool:
    """Email an address the link to its account, or that it already has one; return whether the limits allow it."""
    lock_until_commit(COUNTED)
    sent = Notice.objects.filter(key__startswith=KEY, created_at__lte=at)
    if sent.filter(recipient=email, created_at__range=just_now(at)).exists():
        return True  # A second click on the button: the link is on its way.
    if sent.filter(recipient=email, created_at__gt=at - timedelta(days=1)).count() >= MAX_AN_ADDRESS:
        return False
    if sent.filter(created_at__gt=at - timedelta(hours=1)).count() >= MAX_AN_HOUR:
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
    has_account = _has_account(email)
    address = reverse("account_login") if has_account else reverse("sign-up-confirm", args=[token_of(email)])
    context = {"has_account": has_account, "link": settings.SITE_URL + address, "hours": 24}
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


def _has_account(email: str) -> bool:
    return get_user_model()._default_manager.filter(email__iexact=email).exists()


@require_POST
def sign_in_as_before(request: HttpRequest) -> HttpResponse:
    """End the session and ask for the account that a form was shown to, which then finds it as it was typed."""
    logout(request)
    return redirect_to_login(store_form(request) or reverse("dashboard"))


@require_POST
@login_required
def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the language that a user chooses in the menu, and show the page in it."""
    chosen, page = request.POST.get("language", ""), request.POST.get("next", "")
    if chosen in dict(settings.LANGUAGES):
        save_language(request.user, chosen)  # type: ignore[arg-type]
    return redirect(page if url_has_allowed_host_and_scheme(page, allowed_hosts=None) else "home")
