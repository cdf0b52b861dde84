"""Second factors: codes that count once, passkeys and security keys, and their secrets as they are stored."""

from __future__ import annotations

from typing import Any

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
from django.core.cache import cache
from django.forms.fields import InvalidJSONInput

from core.secrets import decrypt, encrypt


class EncryptingAdapter(DefaultMFAAdapter):
    """The secrets of second factors, encrypted where they are stored."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)


class OnceForm(BaseAuthenticateForm):
    """A code of the second factor, accepted once while it is valid; the library remembers it for only one period."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        # A code is right in its own period, and in the tolerated ones before and after it.
        periods = 2 * app_settings.TOTP_TOLERANCE + 1
        # `123 456` and `123456` are one code.
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
