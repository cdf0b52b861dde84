"""Forms of the account where they differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm, ResetPasswordForm
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django.contrib.auth import get_user_model
from django.core.cache import cache


class AddressForm(AddEmailForm):
    """Another address for an account; one that another account has is refused at once."""

    def clean_email(self) -> str:
        value: str = super().clean_email()
        if get_user_model()._default_manager.filter(email__iexact=value).exists():
            raise get_adapter().validation_error("email_taken")
        return value


class ForgottenForm(ResetPasswordForm):
    """A new password for the account of an address; one that waits for its confirmation gets none."""

    users: list[Any]

    def clean_email(self) -> str:
        value: str = super().clean_email()
        self.users = [user for user in self.users if user.email == value.strip().lower()]
        return value


class OnceForm(BaseAuthenticateForm):
    """A code of the second factor, taken once as long as it is good; the library remembers it for one period alone."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        periods = 2 * app_settings.TOTP_TOLERANCE + 1
        key = f"second-factor:{self.user.pk}:{normalize_user_code(code)}"
        if not cache.add(key, True, timeout=periods * app_settings.TOTP_PERIOD):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class CodeForm(OnceForm, AuthenticateForm):
    """The code asked for after the password."""


class CodeAgainForm(OnceForm, ReauthenticateForm):
    """The code asked for before the account itself is changed."""
