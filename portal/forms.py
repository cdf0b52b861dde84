"""Forms of the account where they differ from allauth's."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm, ResetPasswordForm
from django.contrib.auth import get_user_model


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
