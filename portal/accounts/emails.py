"""The email addresses of accounts: each is one account's."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django.contrib.auth import get_user_model


def account_exists(email: str) -> bool:
    return get_user_model()._default_manager.filter(email__iexact=email).exists()


class AddressForm(AddEmailForm):
    """Another address for an account; one that another account has is refused at once."""

    def clean_email(self) -> str:
        value: str = super().clean_email()
        if account_exists(value):
            raise get_adapter().validation_error("email_taken")
        return value
