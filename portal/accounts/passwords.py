"""Changing a password, and a new one for who forgot it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm, ResetPasswordKeyForm
from django import forms
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

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
