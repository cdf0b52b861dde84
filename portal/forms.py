"""Forms of the account where they differ from allauth's."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import AddEmailForm
from django.contrib.auth import get_user_model


class AddressForm(AddEmailForm):
    """Another address for an account; one that another account has is refused at once."""

    def clean_email(self) -> str:
        value: str = super().clean_email()
        if get_user_model()._default_manager.filter(email__iexact=value).exists():
            raise get_adapter().validation_error("email_taken")
        return value
